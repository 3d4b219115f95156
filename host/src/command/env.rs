//! `mam env explain`: each variable, and why the host has it or not.

use mam_share::exit::Exit;
use mam_share::message::harmless;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::context::Context;
use crate::gather;
use crate::surroundings::Why;
use crate::words::Trouble;

/// Runs the command.
///
/// # Errors
/// stdout cannot be written.
pub fn explain(context: &Context, values: bool, is_json: bool) -> Result<Exit, Trouble> {
    let look = context.look_at(context.seat()?);
    super::tell(context, &look);
    let overlay = look.record.and_then(|record| record.overlay);
    let (decided, warnings) =
        gather::surroundings(context, look.whose, overlay.as_deref().map(std::path::Path::as_os_str));
    for warning in &warnings {
        context.warn(warning);
    }
    if is_json {
        let rows = decided.iter().map(|(name, decided)| {
            let value = values.then(|| decided.value.to_string_lossy().into_owned());
            json!({"name": name.to_string_lossy(), "passed": decided.is_in(), "why": word(decided.why), "value": value})
        });
        answer_json(&json!({"version": 1, "variables": rows.collect::<Vec<Value>>()}))?;
        return Ok(Exit::Done);
    }
    let width = decided.keys().map(|name| name.len()).max().unwrap_or_default().min(40);
    for (name, decided) in &decided {
        let mark = if decided.is_in() { "+" } else { "-" };
        let name = harmless(&name.to_string_lossy());
        let value =
            if values { format!("  {}", harmless(&decided.value.to_string_lossy())) } else { String::new() };
        answer(&format!("{mark} {name:width$}  {}{value}\n", word(decided.why)))?;
    }
    Ok(Exit::Done)
}

fn word(why: Why) -> &'static str {
    match why {
        Why::Allowed => "on the list of what passes",
        Why::Named => "named by [env] pass",
        Why::DotEnv => "from .env",
        Why::Ours => "set by mam",
        Why::Dropped => "not on the list; [env] pass adds it",
        Why::Never => "never passed",
    }
}
