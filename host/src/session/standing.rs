//! What became of a recorded session: its record joined with what herdr and the process table say now.

use std::collections::BTreeMap;

use mam_share::herdr::pane::Pane;
use mam_share::herdr::places;
use mam_share::herdr::session_name::SessionName;

use super::kinds::Kinds;
use super::live::Running;
use super::record::{Ended, SessionRecord, Status};
use super::server::Server;
use super::store::SessionStore;
use super::survey::Survey;
use super::{batch, learn, lease, resume, words};
use crate::context::Context;
use crate::lock::Holder;

/// SIGHUP, everywhere.
const HANG_UP: i32 = 1;

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its agent runs.
    Running(Running),
    /// Its server came back, and a shell waits in this pane in its place.
    Restored(String),
    /// Its agent ended.
    Stopped(Ended),
    /// Its agent did not start.
    Failed(String),
    /// A launch was asked for, and its agent does not run (yet).
    Launching,
    /// Nobody runs it, and nothing says why.
    Lost,
}

impl Standing {
    /// In one word, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Running(_) => "running",
            Self::Restored(_) => "restored",
            Self::Stopped(_) => "stopped",
            Self::Failed(_) => "failed",
            Self::Launching => "launching",
            Self::Lost => "lost",
        }
    }

    /// In some words, for people.
    pub fn text(&self) -> String {
        match self {
            Self::Running(_) => "running".to_owned(),
            Self::Restored(_) => "restored shell".to_owned(),
            Self::Stopped(how) => format!("stopped, {}", words::ended(*how)),
            Self::Failed(_) => "failed".to_owned(),
            Self::Launching => "launching".to_owned(),
            Self::Lost => "lost".to_owned(),
        }
    }

    /// Where, where that is known.
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::Running(running) => Some(running.pane.as_deref().unwrap_or(&running.place)),
            Self::Restored(pane) => Some(pane),
            Self::Stopped(_) | Self::Failed(_) | Self::Launching | Self::Lost => None,
        }
    }
}

/// Decides from plain values: what runs beats what is restored, and both beat what was written.
pub fn decide(status: &Status, running: Option<Running>, restored: Option<String>) -> Standing {
    match (running, restored, status) {
        (Some(running), ..) => Standing::Running(running),
        (None, Some(pane), _) => Standing::Restored(pane),
        // Its terminal went away under it: a server that crashed, or a pane that was closed.
        (None, None, Status::Ended { how: Ended::Signal(HANG_UP), .. }) => Standing::Lost,
        (None, None, Status::Ended { how, .. }) => Standing::Stopped(*how),
        (None, None, Status::Failed { reason, .. }) => Standing::Failed(reason.clone()),
        (None, None, Status::Launching { .. }) => Standing::Launching,
        (None, None, Status::Running { .. }) => Standing::Lost,
    }
}

/// Looks at the herdr sessions of records, each once. Starts nothing.
pub struct Watch<'a> {
    context: &'a Context,
    kinds: &'a Kinds,
    surveys: BTreeMap<String, Option<Survey>>,
}

impl<'a> Watch<'a> {
    /// A watch that has looked at nothing yet.
    pub fn new(context: &'a Context, kinds: &'a Kinds) -> Self {
        Self { context, kinds, surveys: BTreeMap::new() }
    }

    /// What is to be seen in a herdr session; `None` when no server answers there.
    pub fn survey(&mut self, session: &str) -> Option<&Survey> {
        let context = self.context;
        let survey = self.surveys.entry(session.to_owned()).or_insert_with(|| look(context, session));
        survey.as_ref()
    }

    /// What became of a session of `context`'s profile.
    pub fn standing(&mut self, record: &SessionRecord) -> Standing {
        let (context, kinds) = (self.context, self.kinds);
        let survey = self.survey(&record.session);
        let running = match survey {
            Some(survey) => resume::running(context, kinds, survey, record),
            None => without_server(context, record),
        };
        let restored = survey.zip(record.conversation.as_ref()).and_then(|(survey, conversation)| {
            survey.idle(conversation).next().map(|pane| pane.pane_id.clone())
        });
        decide(&record.status, running, restored)
    }

    /// The records of the profile and what became of each. Learns what herdr has to say of them first.
    pub fn all(&mut self) -> Vec<(SessionRecord, Standing)> {
        let store = SessionStore::new(&self.context.home);
        let listing = store.list();
        listing.warnings.iter().for_each(|warning| self.context.warn(warning));
        let mut sessions: Vec<String> = listing.records.iter().map(|record| record.session.clone()).collect();
        sessions.sort();
        sessions.dedup();
        let mut learned = 0;
        for session in sessions {
            let context = self.context;
            learned +=
                self.survey(&session).map_or(0, |survey| learn::from_panes(context, &survey.layout.panes));
        }
        let records = if learned > 0 { store.list().records } else { listing.records };
        records.into_iter().map(|record| (record.clone(), self.standing(&record))).collect()
    }

    /// The restored shells of the host's session that no record of any profile has.
    pub fn unrecorded(&mut self) -> Vec<Pane> {
        let stores = super::store::of_all_profiles(&self.context.places.home);
        let records: Vec<SessionRecord> = stores.iter().flat_map(|(_, store)| store.list().records).collect();
        let session = self.context.settings.session.to_string();
        let Some(survey) = self.survey(&session) else { return Vec::new() };
        let is_free = |pane: &&Pane| {
            let conversation = pane.conversation.as_ref().filter(|it| !it.value.is_empty());
            pane.agent.is_none()
                && conversation.is_some()
                && records.iter().all(|record| record.conversation.as_ref() != conversation)
        };
        survey.layout.panes.iter().filter(is_free).cloned().collect()
    }
}

fn look(context: &Context, session: &str) -> Option<Survey> {
    let session: SessionName = session.parse().ok()?;
    let server =
        Server::find(&places::socket(&context.environment, Some(&session)), context.kernel()).ok()?;
    Survey::take(context, &session, &server).ok()
}

/// Without a server only the kernel can say that an agent runs.
fn without_server(context: &Context, record: &SessionRecord) -> Option<Running> {
    let outside = |pid| Running { place: "no pane".to_owned(), pane: None, pid };
    match lease::holder(&context.places.state, &context.profile, &record.name) {
        Ok(Some(Holder::Pid(pid))) => return Some(outside(Some(pid))),
        Ok(Some(Holder::Hidden)) => return Some(outside(None)),
        Ok(None) | Err(_) => {}
    }
    match &record.status {
        Status::Running { process } if batch::is_alive(context, process) => Some(outside(Some(process.pid))),
        Status::Running { .. } | Status::Launching { .. } | Status::Ended { .. } | Status::Failed { .. } => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::ProcessId;
    use super::*;

    #[test]
    fn what_runs_beats_what_is_restored_and_both_beat_what_was_written() {
        let at = String::new;
        let running =
            || Some(Running { place: "pane w1:p1".into(), pane: Some("w1:p1".into()), pid: Some(7) });
        let process = ProcessId { pid: 7, start: None, boot: None };
        let rows = [
            (Status::Running { process: process.clone() }, running(), None, "running"),
            (Status::Ended { how: Ended::Code(0), at: at() }, running(), Some("w2:p1"), "running"),
            (Status::Running { process: process.clone() }, None, Some("w2:p1"), "restored"),
            (Status::Ended { how: Ended::Code(0), at: at() }, None, Some("w2:p1"), "restored"),
            (Status::Running { process }, None, None, "lost"),
            (Status::Launching { at: at() }, None, None, "launching"),
            (Status::Ended { how: Ended::Signal(9), at: at() }, None, None, "stopped"),
            (Status::Ended { how: Ended::Signal(1), at: at() }, None, None, "lost"),
            (Status::Failed { reason: "x".into(), at: at() }, None, None, "failed"),
        ];
        for (status, running, restored, word) in rows {
            assert_eq!(decide(&status, running, restored.map(Into::into)).word(), word, "{status:?}");
        }
    }
}
