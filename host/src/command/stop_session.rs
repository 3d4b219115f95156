//! `mam stop-session`: ends one agent; its record and its pane stay.

use mam_share::exit::Exit;
use serde_json::json;

use super::{answer, answer_json};
use crate::context::Context;
use crate::session::name::RecordName;
use crate::session::stop::stop;
use crate::words::Trouble;

/// Runs the command: also 0 when nothing ran.
///
/// # Errors
/// There is no such record, or its agent does not end.
pub fn run(context: &Context, name: &RecordName, is_json: bool) -> Result<Exit, Trouble> {
    let record = super::show::read(context, name)?;
    let state = if stop(context, &record)? { "stopped" } else { "not running" };
    context.note("stop-session", state, name.as_str());
    if is_json {
        answer_json(&json!({"version": 1, "name": name.as_str(), "state": state}))?;
    } else {
        answer(&format!("{name}: {state}\n"))?;
    }
    Ok(Exit::Done)
}
