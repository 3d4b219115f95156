//! `mam-render-config env SHELL`: the line that puts the overlay in force for a shell.

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::shell::Shell;
use mam_share::variable::HERDR_CONFIG_PATH;

use super::{Context, answer, exec};
use crate::arguments::Selection;
use crate::safe::Trusted;

/// Runs the command. Renders first: a variable that names a missing file would switch restore on.
///
/// # Errors
/// The overlay cannot be written, or would not keep restore off.
pub fn run(context: &Context<'_>, selection: &Selection, shell: Shell) -> Result<Exit, Failure> {
    let overlay = exec::prepare(context, selection, Trusted::AskedNow)?;
    let overlay = overlay.to_string_lossy();
    answer(&format!("{}\n", shell.export(HERDR_CONFIG_PATH.name, &overlay)))?;
    Ok(Exit::Done)
}
