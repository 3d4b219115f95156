//! Whether a verb was called from inside the host that it would end.

use std::os::unix::ffi::OsStrExt;

use mam_share::exit::Exit;
use mam_share::variable::{HERDR_ENV, HERDR_SESSION, HERDR_SOCKET_PATH, MAM_HOST};

use crate::context::Context;
use crate::words::Trouble;

/// Whether this process runs in a pane of the host `pid`: it descends from it, or its environment is
/// that of such a pane.
pub fn is_inside(context: &Context, pid: u32) -> bool {
    let environment = &context.environment;
    let mark = environment.get(MAM_HOST).map(OsStrExt::as_bytes);
    // An agent has no mark, and the socket of its server.
    let is_ours = mark == Some(context.places.state.as_os_str().as_bytes())
        || environment.get(HERDR_SOCKET_PATH) == Some(context.socket().as_os_str());
    let is_pane = is_ours
        && environment.get(HERDR_ENV).is_some()
        && environment.text(HERDR_SESSION) == Some(context.settings.session.as_str());
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
pub fn refuse(context: &Context, verb: &str, pid: u32) -> Result<(), Trouble> {
    if !is_inside(context, pid) {
        return Ok(());
    }
    let text = format!("`mam {verb}` was called from a pane of the host (pid {pid}) and would end itself");
    Err(Trouble::new("inside", Exit::NeedsChange, text).hint("call it from a terminal outside of herdr"))
}
