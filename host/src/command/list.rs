//! `mam list`: the recorded agents, and what became of each.

use mam_share::exit::Exit;
use mam_share::herdr::pane::Pane;
use mam_share::message::harmless;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::context::Context;
use crate::session::kinds::Kinds;
use crate::session::record::{Flags, SessionRecord};
use crate::session::standing::{Standing, Watch};
use crate::session::table;
use crate::words::Trouble;

/// Runs the command. Starts nothing; conversations that herdr reports are learned on the way.
///
/// # Errors
/// stdout cannot be written.
pub fn run(context: &Context, is_json: bool) -> Result<Exit, Trouble> {
    let kinds = table::kinds(context);
    let mut watch = Watch::new(context, &kinds);
    let all = watch.all();
    let unrecorded = watch.unrecorded();
    if is_json {
        let sessions: Vec<Value> = all.iter().map(|(record, standing)| entry(record, standing)).collect();
        let shells: Vec<Value> = unrecorded
            .iter()
            .map(|pane| {
                json!({
                    "pane": pane.pane_id,
                    "conversation": pane.conversation,
                    "cwd": pane.cwd,
                    "command": bare(&kinds, pane),
                })
            })
            .collect();
        answer_json(&json!({
            "version": 1, "profile": context.profile.as_str(), "sessions": sessions, "unrecorded": shells,
        }))?;
        return Ok(Exit::Done);
    }
    answer(&text(&kinds, &all, &unrecorded))?;
    if all.is_empty() {
        context.say("no session is recorded: mam create NAME --agent KIND");
    }
    Ok(Exit::Done)
}

/// One session, for programs.
pub fn entry(record: &SessionRecord, standing: &Standing) -> Value {
    let pid = match standing {
        Standing::Running(running) => running.pid,
        Standing::Restored(_)
        | Standing::Stopped(_)
        | Standing::Failed(_)
        | Standing::Launching
        | Standing::Lost => None,
    };
    json!({
        "name": record.name.as_str(),
        "agent": record.agent,
        "state": standing.word(),
        "text": standing.text(),
        "place": standing.place(),
        "pid": pid,
        "session": record.session,
        "cwd": record.cwd.to_string_lossy(),
        "role": record.role,
        "conversation": record.conversation,
        "flagsKnown": record.flags == Flags::Known,
    })
}

fn text(kinds: &Kinds, all: &[(SessionRecord, Standing)], unrecorded: &[Pane]) -> String {
    let mut rows = Vec::new();
    if !all.is_empty() || !unrecorded.is_empty() {
        rows.push(["NAME", "AGENT", "STATE", "WHERE", "DIRECTORY"].map(str::to_owned));
    }
    rows.extend(all.iter().map(|(record, standing)| {
        let mut state = standing.text();
        if record.conversation.is_none() {
            state.push_str(", conversation unknown");
        }
        if record.flags == Flags::Unknown {
            state.push_str(", flags unknown");
        }
        let place = standing.place().unwrap_or("-");
        let cwd = record.cwd.to_string_lossy();
        [record.name.as_str(), &record.agent, &state, place, &cwd].map(harmless)
    }));
    rows.extend(unrecorded.iter().map(|pane| {
        let agent = pane.conversation.as_ref().map_or("", |conversation| conversation.agent.as_str());
        let state = match bare(kinds, pane) {
            Some(command) => format!("restored shell, no record; in it: {command}"),
            None => "restored shell, no record".to_owned(),
        };
        ["-", agent, &state, &pane.pane_id, pane.cwd.as_deref().unwrap_or("-")].map(harmless)
    }));
    columns(&rows)
}

/// Rows as columns of the width of their longest cell.
pub fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// The command that resumes a conversation the bare way: without the flags, which nobody recorded.
fn bare(kinds: &Kinds, pane: &Pane) -> Option<String> {
    let conversation = pane.conversation.as_ref()?;
    let kind = kinds.get(&conversation.agent)?;
    let quoted = crate::session::quote::word(&conversation.value);
    let words = kind.resume.iter().map(|word| word.replace("{}", &quoted));
    Some(std::iter::once(kind.executable.clone()).chain(words).collect::<Vec<_>>().join(" "))
}
