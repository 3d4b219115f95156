//! Whether a verb was called from inside the server that it would end.

use std::os::unix::ffi::OsStrExt;

use mam_share::exit::Exit;
use mam_share::variable::{HERDR_ENV, HERDR_SESSION, HERDR_SOCKET_PATH, MAM_HOST};

use crate::context::Context;
use crate::decision::Owner;
use crate::observe::Look;
use crate::words::Trouble;

/// Whether this process runs in a pane of the owner that was looked at: it descends from it, or its
/// environment is that of such a pane.
pub fn is_inside(context: &Context, look: &Look) -> bool {
    let Owner::Process { pid, .. } = look.owner else { return false };
    let environment = &context.environment;
    let mark = environment.get(MAM_HOST).map(OsStrExt::as_bytes);
    // An agent has no mark, and the socket of its server.
    let is_ours = mark == Some(look.mark.as_os_str().as_bytes())
        || environment.get(HERDR_SOCKET_PATH) == Some(look.socket.as_os_str());
    let is_pane = is_ours
        && environment.get(HERDR_ENV).is_some()
        && environment.text(HERDR_SESSION) == Some(look.session.as_str());
    is_pane || descends(context, pid)
}

fn descends(context: &Context, pid: u32) -> bool {
    // A table that cannot be read is no reason to think so: the environment has been looked at.
    let Ok(table) = context.kernel().table() else { return false };
    let us = table.get(std::process::id());
    us.is_some_and(|us| table.line(us).any(|process| process.pid == pid))
}

/// Refuses a verb that would end the process it was called from.
///
/// # Errors
/// It was called from inside the host.
pub fn refuse(context: &Context, verb: &str, look: &Look) -> Result<(), Trouble> {
    if !is_inside(context, look) {
        return Ok(());
    }
    let text =
        format!("`mam {verb}` was called from a pane of session `{}` and would end itself", look.session);
    Err(Trouble::new("inside", Exit::NeedsChange, text).hint("call it from a terminal outside of herdr"))
}
