//! `mam show`: one recorded agent.

use mam_share::exit::Exit;
use mam_share::message::harmless;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::context::Context;
use crate::session::name::RecordName;
use crate::session::record::{Flags, LaunchedBy, SessionRecord, Source};
use crate::session::standing::{Watch, text as text_of};
use crate::session::state::{self, Now};
use crate::session::store::SessionStore;
use crate::session::trouble::StoreError;
use crate::session::{quote, table};
use crate::words::Trouble;

/// Runs the command: 0 when there is such a record.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn run(context: &Context, name: &RecordName, is_json: bool) -> Result<Exit, Trouble> {
    let kinds = table::kinds(context);
    let record = read(context, name)?;
    let now = Watch::new(context, &kinds).now(&record);
    if is_json {
        let mut value = super::list::entry(&record, &now);
        if let (Some(map), Ok(record)) = (value.as_object_mut(), serde_json::to_value(&record)) {
            map.insert("version".to_owned(), json!(1));
            map.insert("record".to_owned(), without_values(record));
        }
        answer_json(&value)?;
    } else {
        answer(&text(&record, &now))?;
    }
    Ok(Exit::Done)
}

/// The record with this name.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn read(context: &Context, name: &RecordName) -> Result<SessionRecord, Trouble> {
    let record = SessionStore::new(&context.home).read(name);
    let record = record.and_then(|record| record.ok_or_else(|| StoreError::Missing(name.clone())));
    Ok(record.map_err(|error| error.failure())?)
}

/// Values may be secrets, and a screen is no place for them.
fn without_values(mut record: Value) -> Value {
    let variables = record.get_mut("environment").and_then(Value::as_array_mut);
    for variable in variables.into_iter().flatten() {
        if let Some(variable) = variable.as_object_mut() {
            variable.remove("value");
        }
    }
    record
}

fn text(record: &SessionRecord, now: &Now) -> String {
    let mut rows: Vec<(&str, String)> =
        vec![("session", record.name.to_string()), ("agent", record.agent.clone())];
    let reason = now.reason.lines().next().unwrap_or_default();
    rows.push(("state", format!("{}: {reason}", text_of(now.state))));
    rows.extend(now.pane.clone().map(|pane| ("pane", pane)));
    rows.extend(now.pid.map(|pid| ("pid", pid.to_string())));
    rows.push(("directory", record.cwd.to_string_lossy().into_owned()));
    let argv: Vec<String> = record.argv.iter().map(|word| quote::word(&word.to_string_lossy())).collect();
    let unknown = if record.flags == Flags::Unknown { " (flags unknown)" } else { "" };
    rows.push(("command", format!("{}{unknown}", argv.join(" "))));
    for (index, variable) in record.environment.iter().enumerate() {
        let what = match &variable.source {
            Source::Stored { .. } => "stored",
            Source::Reference { .. } => "by reference",
            Source::Noted => "seen at adoption, not kept",
        };
        rows.push((if index == 0 { "environment" } else { "" }, format!("{} ({what})", variable.name)));
    }
    rows.extend(record.role.clone().map(|role| ("role", role)));
    rows.push(("herdr session", record.session.clone()));
    let conversation = record.conversation.as_ref().map_or("unknown".to_owned(), |it| it.value.clone());
    rows.push(("conversation", conversation));
    for (index, earlier) in record.earlier.iter().enumerate() {
        let title = if index == 0 { "earlier" } else { "" };
        rows.push((title, format!("{} until {}", earlier.conversation.value, earlier.until)));
    }
    for (index, launch) in record.history.iter().enumerate() {
        let by = match launch.how {
            LaunchedBy::Create => "create",
            LaunchedBy::Resume => "resume",
            LaunchedBy::Adopt => "adopt",
        };
        let ended = launch.ended.map_or(String::new(), |how| format!(", {}", state::ending(how)));
        rows.push((if index == 0 { "launches" } else { "" }, format!("{} {by}{ended}", launch.at)));
    }
    let lines = rows.iter().map(|(title, text)| format!("{title:14} {}", harmless(text)));
    lines.chain([String::new()]).collect::<Vec<_>>().join("\n")
}
