//! `mam list`: the recorded agents, and what became of each.

use mam_share::exit::Exit;
use mam_share::herdr::pane::Pane;
use mam_share::message::harmless;
use serde_json::{Value, json};

use super::{answer, answer_json};
use crate::context::Context;
use crate::session::kinds::Kinds;
use crate::session::record::{Flags, SessionRecord};
use crate::session::standing::{Watch, text as text_of, word};
use crate::session::state::Now;
use crate::session::{quote, table};
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
        let sessions: Vec<Value> = all.iter().map(|(record, now)| entry(record, now)).collect();
        let shell = |pane: &Pane| {
            json!({
                "pane": pane.pane_id,
                "conversation": pane.conversation,
                "cwd": pane.cwd,
                "command": bare(&kinds, pane),
            })
        };
        let shells: Vec<Value> = unrecorded.iter().map(shell).collect();
        let profile = context.profile.as_str();
        answer_json(&json!({"version": 1, "profile": profile, "sessions": sessions, "unrecorded": shells}))?;
        return Ok(Exit::Done);
    }
    answer(&text(&kinds, &all, &unrecorded))?;
    if all.is_empty() {
        context.say("no session is recorded: mam create NAME --agent KIND");
    }
    Ok(Exit::Done)
}

/// One session, for programs.
pub fn entry(record: &SessionRecord, now: &Now) -> Value {
    json!({
        "name": record.name.as_str(),
        "agent": record.agent,
        "state": word(now.state),
        "reason": now.reason,
        "pane": now.pane,
        "pid": now.pid,
        "session": record.session,
        "cwd": record.cwd.to_string_lossy(),
        "role": record.role,
        "conversation": record.conversation,
        "flagsKnown": record.flags == Flags::Known,
    })
}

fn text(kinds: &Kinds, all: &[(SessionRecord, Now)], unrecorded: &[Pane]) -> String {
    let mut rows = Vec::new();
    if !all.is_empty() || !unrecorded.is_empty() {
        rows.push(["NAME", "AGENT", "PANE", "DIRECTORY", "STATE"].map(str::to_owned));
    }
    rows.extend(all.iter().map(|(record, now)| {
        let mut state = text_of(now.state).to_owned();
        if now.lacks_conversation {
            state.push_str(", conversation unknown");
        }
        if record.flags == Flags::Unknown {
            state.push_str(", flags unknown");
        }
        let (pane, cwd) = (now.pane.as_deref().unwrap_or("-"), record.cwd.to_string_lossy());
        [record.name.as_str(), &record.agent, pane, &cwd, &state].map(harmless)
    }));
    rows.extend(unrecorded.iter().map(|pane| {
        let agent = pane.conversation.as_ref().map_or("", |conversation| conversation.agent.as_str());
        let state = match bare(kinds, pane) {
            Some(command) => format!("restored shell, no record; type in it: {command}"),
            None => "restored shell, no record".to_owned(),
        };
        ["-", agent, &pane.pane_id, pane.cwd.as_deref().unwrap_or("-"), &state].map(harmless)
    }));
    columns(&rows)
}

/// Rows as columns of the width of their longest cell.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
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
    let quoted = quote::word(&conversation.value);
    let words = kind.resume.iter().map(|word| word.replace("{}", &quoted));
    Some(std::iter::once(kind.executable.clone()).chain(words).collect::<Vec<_>>().join(" "))
}
