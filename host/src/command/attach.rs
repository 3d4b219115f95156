//! `mam attach`, and `mam` on a terminal: a client of the host, which is made sure to run.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::binary;
use mam_share::herdr::session_name::SessionName;
use mam_share::variable::HERDR_CONFIG_PATH;

use super::start;
use crate::context::Context;
use crate::inside;
use crate::launch;
use crate::words::Trouble;

/// Runs the command; returns only when it does not work.
///
/// # Errors
/// No host, or a call from inside it.
pub fn run(context: &Context) -> Result<Exit, Trouble> {
    let look = context.look();
    super::tell(context, &look);
    if let crate::decision::Owner::Process { pid, .. } = look.owner
        && inside::is_inside(context, pid)
    {
        let text = format!("this terminal is a pane of the host (pid {pid}) already");
        return Err(
            Trouble::new("inside", Exit::NeedsChange, text).hint("call it from a terminal outside of herdr")
        );
    }
    let ready = start::ensure(context)?;
    let session = match &ready.look.record {
        Some(record) if record.pid == ready.pid => {
            record.session.as_deref().and_then(|name| name.parse().ok())
        }
        Some(_) | None => None,
    };
    let session: SessionName = match session {
        Some(session) => session,
        None if context.membership(&context.profile).is_standalone => launch::session_beside(context)?,
        None => context.settings.session.clone(),
    };
    let overlay = ready.look.record.as_ref().and_then(|record| record.overlay.clone());
    let (herdr, _) = binary::find(Path::new("herdr"), &context.environment)
        .ok_or_else(|| Failure::new(Exit::NoHerdr, "`herdr` is not on PATH").hint("install herdr"))?;
    let mut client = Command::new(&herdr);
    client.arg0("herdr").args(["--session", session.as_str()]);
    for (name, _) in context.environment.variables() {
        // They name the server of the pane that this was typed in.
        if name.as_encoded_bytes().starts_with(b"HERDR_") {
            client.env_remove(name);
        }
    }
    // A client that finds no server starts one: should the host end at this moment, it is on the overlay.
    if let Some(overlay) = overlay {
        client.env(HERDR_CONFIG_PATH.name, overlay);
    }
    let error = client.exec();
    Err(Failure::new(Exit::NoHerdr, format!("`{}` cannot be run: {error}", herdr.display())).into())
}
