//! `mam attach`, and `mam` on a terminal: a client of the host, which is made sure to run.

use std::io::{self, IsTerminal as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::binary;
use mam_share::herdr::session_name::SessionName;
use mam_share::variable::{HERDR_CONFIG_PATH, HERDR_ENV};

use super::start;
use crate::context::Context;
use crate::decision::{Owner, Served};
use crate::inside;
use crate::words::Trouble;

/// Runs the command; returns only when it does not work.
///
/// # Errors
/// No host, or a call from inside it.
pub fn run(context: &Context) -> Result<Exit, Trouble> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let text = "a client of herdr needs a terminal; nothing was started";
        return Err(Trouble::new("no-terminal", Exit::Usage, text).hint("to start the host alone: mam start"));
    }
    let look = context.look_at(context.seat()?);
    // With a server that runs this is herdr's client, and has nothing to say.
    if !matches!(look.owner, Owner::Process { is_proven: true, served: Served::Known(_), .. }) {
        super::tell(context, &look);
    }
    if inside::is_inside(context, &look) {
        let text = format!("this terminal is a pane of session `{}` already", look.session);
        return Err(
            Trouble::new("inside", Exit::NeedsChange, text).hint("call it from a terminal outside of herdr")
        );
    }
    let ready = start::ensure(context)?;
    // What is recorded is where it was started, whatever the config says now.
    let record = ready.look.record.as_ref().filter(|record| record.pid == ready.pid);
    let recorded = record.and_then(|record| record.session.as_deref()?.parse().ok());
    let session: SessionName = recorded.unwrap_or(ready.look.session);
    let overlay = record.and_then(|record| record.overlay.clone());
    let (herdr, _) = binary::find(Path::new("herdr"), &context.environment)
        .ok_or_else(|| Failure::new(Exit::NoHerdr, "`herdr` is not on PATH").hint("install herdr"))?;
    let mut client = Command::new(&herdr);
    client.arg0("herdr").args(["--session", session.as_str()]);
    for (name, _) in context.environment.variables() {
        // They name the server of the pane that this was typed in. That it is a pane is herdr's to know:
        // whether one herdr may run in another is set in its config.
        if name.as_encoded_bytes().starts_with(b"HERDR_") && name != HERDR_ENV.name {
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
