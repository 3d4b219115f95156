//! What became of recorded sessions: their records joined with what herdr and the process table say now.
//! Starts nothing; learns on the way which conversations they have.

use std::collections::BTreeMap;

use mam_share::herdr::pane::Pane;
use mam_share::herdr::places;
use mam_share::herdr::session_name::SessionName;
use mam_share::process::ProcessTable;

use super::kinds::Kinds;
use super::record::{Ended, SessionRecord, Status};
use super::server::Server;
use super::state::{self, Now, Seen, State};
use super::store::SessionStore;
use super::survey::Survey;
use super::{learn, lease, running};
use crate::context::Context;
use crate::lock::Holder;

/// SIGHUP, everywhere.
const HANG_UP: i32 = 1;

/// Looks at the herdr sessions of records, each once.
pub struct Watch<'a> {
    context: &'a Context,
    kinds: &'a Kinds,
    surveys: BTreeMap<String, Option<Survey>>,
    table: Option<ProcessTable>,
    boot: Option<String>,
}

impl<'a> Watch<'a> {
    /// A watch that has looked at no server yet.
    pub fn new(context: &'a Context, kinds: &'a Kinds) -> Self {
        let kernel = context.kernel();
        Self { context, kinds, surveys: BTreeMap::new(), table: kernel.table().ok(), boot: kernel.boot() }
    }

    /// What is to be seen in a herdr session; `None` when no server answers there.
    pub fn survey(&mut self, session: &str) -> Option<&Survey> {
        let context = self.context;
        let survey = self.surveys.entry(session.to_owned()).or_insert_with(|| look(context, session));
        survey.as_ref()
    }

    /// What became of a session of the context's profile.
    pub fn now(&mut self, record: &SessionRecord) -> Now {
        let (context, kinds) = (self.context, self.kinds);
        self.survey(&record.session);
        let survey = self.surveys.get(&record.session).and_then(Option::as_ref);
        let holder = lease::holder(&context.places.state, &context.profile, &record.name).ok().flatten();
        if let (Some(survey), Some(Holder::Pid(launcher))) = (survey, holder) {
            learn::place(context, survey, record, launcher);
        }
        let seen = Seen {
            panes: survey.map(|survey| survey.layout.panes.as_slice()),
            table: self.table.as_ref(),
            boot: self.boot.as_deref(),
            lease: holder,
        };
        let now = state::join(record, &seen);
        match (now.state, survey) {
            // By hand, in another herdr session or outside herdr.
            (State::RestoredShell | State::Stopped | State::Failed | State::Lost, Some(survey)) => {
                match running::now(context, kinds, survey, record) {
                    Some(running) => Now {
                        state: State::Running,
                        reason: format!("its conversation runs: {}", running.place),
                        pane: running.pane,
                        pid: running.pid,
                        ..now
                    },
                    None => hung_up(now, record),
                }
            }
            (State::Running | State::RestoredShell | State::Stopped | State::Failed | State::Lost, _) => {
                hung_up(now, record)
            }
        }
    }

    /// The records of the profile and what became of each.
    pub fn all(&mut self) -> Vec<(SessionRecord, Now)> {
        let store = SessionStore::new(&self.context.home);
        let listing = store.list();
        listing.warnings.iter().for_each(|warning| self.context.warn(warning));
        let mut sessions: Vec<String> = listing.records.iter().map(|record| record.session.clone()).collect();
        sessions.sort();
        sessions.dedup();
        let (context, kinds) = (self.context, self.kinds);
        let mut learned = 0;
        for session in sessions {
            let survey = self.survey(&session);
            learned += survey.map_or(0, |survey| learn::from_panes(context, kinds, &survey.layout.panes));
        }
        let records = if learned > 0 { store.list().records } else { listing.records };
        records.into_iter().map(|record| (record.clone(), self.now(&record))).collect()
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

/// An agent whose terminal went away under it was not stopped by anybody: its server crashed, or its pane
/// was closed.
fn hung_up(now: Now, record: &SessionRecord) -> Now {
    let is_hung_up = matches!(record.status, Status::Ended { how: Ended::Signal(HANG_UP), .. });
    match now.state {
        State::Stopped if is_hung_up => {
            Now { state: State::Lost, reason: "its terminal went away".to_owned(), ..now }
        }
        State::Stopped | State::Running | State::RestoredShell | State::Failed | State::Lost => now,
    }
}

fn look(context: &Context, session: &str) -> Option<Survey> {
    let session: SessionName = session.parse().ok()?;
    let socket = places::socket(&context.environment, Some(&session));
    let server = Server::find(&socket, context.kernel()).ok()?;
    Survey::take(context, &session, &server).ok()
}

/// A state in one word, for programs.
pub fn word(state: State) -> &'static str {
    match state {
        State::Running => "running",
        State::RestoredShell => "restoredShell",
        State::Stopped => "stopped",
        State::Failed => "failed",
        State::Lost => "lost",
    }
}

/// A state for people.
pub fn text(state: State) -> &'static str {
    if state == State::RestoredShell { "restored shell" } else { word(state) }
}
