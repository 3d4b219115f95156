//! `mam adopt`: a record for an agent that somebody started by hand.

use mam_share::exit::Exit;

use crate::context::Context;
use crate::session::arguments::Adopt;
use crate::words::Trouble;

/// Runs the command.
///
/// # Errors
/// No agent of a known kind runs in the pane.
pub fn run(_context: &Context, arguments: &Adopt, _is_json: bool) -> Result<Exit, Trouble> {
    Err(Trouble::new("no-agent", Exit::No, format!("no agent runs in pane {}", arguments.pane)))
}
