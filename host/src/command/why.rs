//! `mam why`: the last refusal, and what to type.

use mam_share::exit::Exit;
use mam_share::message::harmless_lines;
use serde_json::json;

use super::{answer, answer_json};
use crate::context::Context;
use crate::log::Level;
use crate::words::Trouble;

/// Runs the command: 0 when there is one, 1 when nothing was refused.
///
/// # Errors
/// stdout cannot be written.
pub fn run(context: &Context, is_json: bool) -> Result<Exit, Trouble> {
    let Some(entry) = context.log().last(Level::Warning) else {
        if is_json {
            answer_json(&json!({"version": 1, "refusal": null}))?;
        } else {
            context.say(&format!("nothing was refused: `{}` has no warning", context.log().path().display()));
        }
        return Ok(Exit::No);
    };
    if is_json {
        answer_json(&json!({"version": 1, "refusal": {
            "time": entry.time,
            "verb": entry.verb,
            "reason": entry.reason,
            "message": entry.message,
        }}))?;
    } else {
        let message = harmless_lines(&entry.message);
        answer(&format!("{} · mam {} · {}\n{message}\n", entry.time, entry.verb, entry.reason))?;
    }
    Ok(Exit::Done)
}
