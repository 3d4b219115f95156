//! What people and programs are told about panes.

use mam_share::herdr::pane::Pane;
use mam_share::herdr::session_name::SessionName;
use mam_share::message::harmless;
use serde_json::{Value, json};

use crate::closer::{Done, Outcome};
use crate::plan::Judged;
use crate::verdict::{Resumed, Verdict};

/// The line about one candidate after a run; `None` when there is nothing to say.
pub fn line(done: &Done) -> Option<String> {
    let pane = harmless(&done.pane.pane_id);
    match &done.outcome {
        Outcome::Closed(resumed) => Some(format!(
            "closed restored pane {pane} ({}{})",
            conversation(&done.pane),
            match resumed {
                Resumed::In(other) => format!(", resumed in {}", harmless(other)),
                Resumed::Named => String::new(),
            }
        )),
        Outcome::Gone => None,
        Outcome::Kept(reason) | Outcome::Unsettled(reason) => {
            Some(format!("kept pane {pane} ({}): {reason}", conversation(&done.pane)))
        }
    }
}

/// The answer of `close --json`.
pub fn closed_json(session: &str, all: &[Done]) -> Value {
    let panes: Vec<Value> = all
        .iter()
        .map(|done| match &done.outcome {
            Outcome::Closed(resumed) => entry(&done.pane, "closed", Some(resumed), None),
            Outcome::Gone => entry(&done.pane, "gone", None, None),
            Outcome::Kept(reason) => {
                entry(&done.pane, "kept", None, Some((reason.name(), reason.to_string())))
            }
            Outcome::Unsettled(reason) => {
                entry(&done.pane, "unsettled", None, Some((reason.name(), reason.to_string())))
            }
        })
        .collect();
    json!({"version": 1, "session": session, "panes": panes})
}

/// The answer of `list --json` and `close --dry-run --json`.
pub fn judged_json(session: &str, all: &[Judged]) -> Value {
    let panes: Vec<Value> = all
        .iter()
        .map(|judged| match &judged.verdict {
            Verdict::Close(resumed) => entry(&judged.pane, "close", Some(resumed), None),
            Verdict::Keep(reason) => {
                entry(&judged.pane, "keep", None, Some((reason.name(), reason.to_string())))
            }
            Verdict::Settling(reason) => {
                entry(&judged.pane, "settling", None, Some((reason.name(), reason.to_string())))
            }
        })
        .collect();
    json!({"version": 1, "session": session, "panes": panes})
}

fn entry(pane: &Pane, verdict: &str, resumed: Option<&Resumed>, reason: Option<(&str, String)>) -> Value {
    let (name, text) = reason.unzip();
    let resumed_in = match resumed {
        Some(Resumed::In(other)) => Some(other),
        Some(Resumed::Named) | None => None,
    };
    json!({
        "pane": pane.pane_id,
        "terminal": pane.terminal_id,
        "cwd": pane.cwd,
        "label": pane.label,
        "conversation": pane.conversation,
        "verdict": verdict,
        "resumed_in": resumed_in,
        "reason": name,
        "text": text,
    })
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked<'a> {
    /// All restored shells.
    Restored,
    /// Those whose conversation runs in another pane.
    Leftovers,
    /// Those of this conversation.
    Conversation(&'a str),
}

/// What is said when there are none.
pub fn nothing(session: &SessionName, asked: Asked<'_>) -> String {
    match asked {
        Asked::Restored => format!("session `{session}` has no restored shells"),
        Asked::Leftovers => {
            format!("session `{session}` has no restored shell whose conversation runs in another pane")
        }
        Asked::Conversation(id) => {
            format!("session `{session}` has no restored shell of conversation `{}`", harmless(id))
        }
    }
}

/// The verdicts as a table, with a line of headings; `nothing` when there are none.
pub fn table(all: &[Judged], nothing: &str) -> String {
    if all.is_empty() {
        return format!("{nothing}\n");
    }
    let mut rows = vec![["PANE", "CONVERSATION", "DIRECTORY", "VERDICT", "WHY"].map(str::to_owned)];
    rows.extend(all.iter().map(|judged| {
        let (verdict, why) = match &judged.verdict {
            Verdict::Close(Resumed::In(other)) => ("close", format!("resumed in {}", harmless(other))),
            Verdict::Close(Resumed::Named) => ("close", "named as resumed".to_owned()),
            Verdict::Keep(reason) => ("keep", reason.to_string()),
            Verdict::Settling(reason) => ("wait", reason.to_string()),
        };
        let directory = harmless(judged.pane.cwd.as_deref().unwrap_or("?"));
        [harmless(&judged.pane.pane_id), conversation(&judged.pane), directory, verdict.to_owned(), why]
    }));
    let width = |column: usize| {
        let lengths = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        lengths.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn conversation(pane: &Pane) -> String {
    pane.conversation.as_ref().map(|conversation| harmless(&conversation.to_string())).unwrap_or_default()
}
