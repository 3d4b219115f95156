//! One file per command: each gathers, calls the core, and prints.

pub mod check;
pub mod diff;
pub mod env;
pub mod exec;
pub mod explain;
pub mod init;
pub mod reference;
pub mod reload;
pub mod render;
pub mod write_back;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::{self, Messages};
use mam_share::places::Places;

/// What every command is given.
pub struct Context<'a> {
    /// The environment of this process.
    pub environment: &'a Environment,
    /// mam's directories.
    pub places: &'a Places,
    /// The voice on stderr.
    pub messages: Messages,
}

/// Prints the answer of a command.
///
/// # Errors
/// stdout cannot be written, for another reason than a reader that went away.
pub fn answer(text: &str) -> Result<(), Failure> {
    message::answer(text.as_bytes())
        .map_err(|error| Failure::new(Exit::CannotWrite, format!("the answer cannot be written: {error}")))
}

/// Prints a value as one JSON document.
///
/// # Errors
/// As [`answer`].
pub fn answer_json(value: &serde_json::Value) -> Result<(), Failure> {
    answer(&format!("{value:#}\n"))
}
