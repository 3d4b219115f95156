//! What became of a session: its record, joined with what herdr, the kernel and its lease say now.

use mam_share::herdr::pane::Pane;
use mam_share::process::{self, ProcessTable};

use super::conversation::own_pane;
use super::record::{Ended, ProcessId, SessionRecord, Status};
use crate::lock::Holder;

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// Its agent runs, or is being started.
    Running,
    /// herdr holds its conversation in a pane without an agent.
    RestoredShell,
    /// Its agent ended, and the record says how.
    Stopped,
    /// Its agent did not start.
    Failed,
    /// Nobody runs it, and nobody saw how it ended.
    Lost,
}

/// What was seen.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The panes of the record's herdr session; `None` when its server does not answer.
    pub panes: Option<&'a [Pane]>,
    /// All processes; `None` when the kernel does not say.
    pub table: Option<&'a ProcessTable>,
    /// This boot of the machine.
    pub boot: Option<&'a str>,
    /// Who holds the record's lease.
    pub lease: Option<Holder>,
}

/// A session now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// What became of it.
    pub state: State,
    /// How that is known, in words for people.
    pub reason: String,
    /// Its pane, where it has one.
    pub pane: Option<String>,
    /// Its agent or who starts it, where that is known.
    pub pid: Option<u32>,
    /// Nobody knows its conversation: a resume would begin a new one.
    pub lacks_conversation: bool,
}

/// Joins a record with what was seen.
pub fn join(record: &SessionRecord, seen: &Seen<'_>) -> Now {
    let panes = seen.panes.unwrap_or_default();
    let own = record.place.as_ref().and_then(|place| own_pane(place, panes));
    let with = |is_agent: bool| {
        let holds = move |pane: &&Pane| {
            pane.agent.is_some() == is_agent
                && record.conversation.is_some()
                && pane.conversation == record.conversation
        };
        panes.iter().find(holds)
    };
    let now = |state: State, reason: String, pane: Option<&Pane>, pid: Option<u32>| Now {
        state,
        reason,
        pane: pane.map(|pane| pane.pane_id.clone()),
        pid,
        lacks_conversation: record.conversation.is_none(),
    };
    let alive =
        running(record).filter(|process| is_alive(process, seen.table, seen.boot)).map(|process| process.pid);
    let its_agent = own.filter(|pane| pane.agent.as_deref() == Some(record.agent.as_str()));
    match seen.lease {
        Some(Holder::Pid(pid)) => {
            return now(State::Running, "mam launch watches it".to_owned(), own, alive.or(Some(pid)));
        }
        Some(Holder::Hidden) => {
            let text = "a process that is not seen from here watches it".to_owned();
            return now(State::Running, text, own, alive);
        }
        None => {}
    }
    if let Some(pid) = alive {
        return now(State::Running, format!("process {pid} is the recorded one"), own, Some(pid));
    }
    if let Some(pane) = its_agent.or_else(|| with(true)) {
        return now(State::Running, format!("herdr sees it in pane {}", pane.pane_id), Some(pane), None);
    }
    if let Some(pane) = with(false) {
        let text = format!("pane {} holds its conversation without an agent", pane.pane_id);
        return now(State::RestoredShell, text, Some(pane), None);
    }
    match &record.status {
        Status::Ended { how, at } => now(State::Stopped, format!("{} at {at}", ending(*how)), own, None),
        Status::Failed { reason, at } => now(State::Failed, format!("{reason}, at {at}"), own, None),
        Status::Launching { at } => {
            now(State::Lost, format!("it was about to start at {at}, and did not say more"), own, None)
        }
        Status::Running { process } => {
            let text = if seen.table.is_none() {
                format!("nobody can tell whether process {} runs", process.pid)
            } else {
                format!("process {} is gone, and nobody saw how it ended", process.pid)
            };
            now(State::Lost, text, own, None)
        }
    }
}

/// How an agent ended, in words.
pub fn ending(how: Ended) -> String {
    match how {
        Ended::Code(0) => "it ended".to_owned(),
        Ended::Code(code) => format!("it ended with exit code {code}"),
        Ended::Signal(signal) => format!("signal {signal} ended it"),
        Ended::Unseen(()) => "it ended, and nobody saw how".to_owned(),
    }
}

fn running(record: &SessionRecord) -> Option<&ProcessId> {
    match &record.status {
        Status::Running { process } => Some(process),
        Status::Launching { .. } | Status::Ended { .. } | Status::Failed { .. } => None,
    }
}

/// Whether the very process that was recorded runs. Without its start and boot nobody knows, and then it
/// does not.
pub fn is_alive(recorded: &ProcessId, table: Option<&ProcessTable>, boot: Option<&str>) -> bool {
    let found = table.and_then(|table| table.get(recorded.pid));
    let is_same_boot = recorded.boot.is_some() && recorded.boot.as_deref() == boot;
    found.is_some_and(|process| {
        process.state != process::State::Zombie
            && is_same_boot
            && recorded.start.is_some_and(|start| u128::from(start) == process.started.as_millis())
    })
}
