//! The recorded agents, as the host's verbs ask for them.

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::places;
use mam_share::herdr::session_name::SessionName;
use mam_share::message::Messages;
use mam_share::settings::Adopt;

use super::name::RecordName;
use super::resume::{Asked, Done, Options, Outcome, resume};
use super::server::Server;
use super::standing::Watch;
use super::state::{self as states, State as Became};
use super::stop::stop;
use super::store::SessionStore;
use super::{adoption, learn, leftovers, table};
use crate::agents::{Agents, Session, State};
use crate::context::{Context, Voice};
use crate::profile::ProfileName;

/// What it takes to look at any profile.
pub struct Roster {
    environment: Environment,
    messages: Messages,
    voice: Voice,
}

impl Roster {
    /// The recorded agents of everybody.
    pub fn new(environment: &Environment, messages: Messages, voice: Voice) -> Self {
        Self { environment: environment.clone(), messages, voice }
    }

    /// A look at a profile, which makes no files.
    fn context(&self, profile: &ProfileName) -> Result<Context, Failure> {
        Context::looking(self.environment.clone(), self.messages, Some(profile), self.voice)
    }

    fn resume_all(&self, profile: &ProfileName, asked: Asked) -> Result<usize, Failure> {
        let context = Context::new(self.environment.clone(), self.messages, Some(profile), self.voice)?;
        let kinds = table::kinds(&context);
        let records = SessionStore::new(&context.home).list().records;
        let names: Vec<RecordName> = records.into_iter().map(|record| record.name).collect();
        let options = Options { asked, ..Options::default() };
        let done = resume(&context, &kinds, &names, &options);
        report(&context, &done)
    }
}

/// How many were resumed; those that were not are in the log.
fn report(context: &Context, done: &[Done]) -> Result<usize, Failure> {
    let mut resumed = 0;
    let mut failed = Vec::new();
    for Done { name, outcome } in done {
        match outcome {
            Outcome::Resumed(pane) => {
                resumed += 1;
                context.note("resume", "resumed", &format!("{name} in {pane}"));
            }
            Outcome::Ran(_) => {}
            Outcome::Failed(trouble) => {
                let text = crate::log::text_of(&trouble.failure);
                context.note_refusal("resume", trouble.reason, &format!("{name}: {text}"));
                failed.push(format!("{name}: {}", trouble.failure.message));
            }
        }
    }
    if failed.is_empty() {
        return Ok(resumed);
    }
    let text = format!("{resumed} sessions were resumed, and {} not:\n{}", failed.len(), failed.join("\n"));
    Err(Failure::new(Exit::No, text).hint("mam list"))
}

impl Agents for Roster {
    fn sessions(&self, profile: &ProfileName) -> Vec<Session> {
        let Ok(context) = self.context(profile) else { return Vec::new() };
        let kinds = table::kinds(&context);
        let all = Watch::new(&context, &kinds).all();
        let session = |(record, now): (super::record::SessionRecord, states::Now)| {
            let state = match now.state {
                Became::Running => State::Running,
                Became::Stopped | Became::Failed => State::Ended,
                Became::RestoredShell | Became::Lost => State::Lost,
            };
            Session { name: record.name.to_string(), state }
        };
        all.into_iter().map(session).collect()
    }

    fn stop(&self, profile: &ProfileName) -> Result<usize, Failure> {
        let context = self.context(profile)?;
        let records = SessionStore::new(&context.home).list().records;
        let mut stopped = 0;
        let mut failed = Vec::new();
        // Each has seconds to end, and they have them together.
        let ended: Vec<_> = std::thread::scope(|scope| {
            let ending: Vec<_> = records
                .iter()
                .map(|record| {
                    scope.spawn(move || {
                        self.context(profile).map_err(Into::into).and_then(|own| stop(&own, record))
                    })
                })
                .collect();
            ending.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
        });
        for (record, ended) in records.iter().zip(ended) {
            match ended {
                Ok(Ok(true)) => stopped += 1,
                Ok(Ok(false)) => {}
                Ok(Err(trouble)) => failed.push(trouble.failure.message),
                Err(_) => failed.push(format!("session `{}` could not be looked at", record.name)),
            }
        }
        if failed.is_empty() {
            return Ok(stopped);
        }
        Err(Failure::new(Exit::TryAgain, failed.join("\n")).hint("mam list"))
    }

    fn resume(&self, profile: &ProfileName) -> Result<usize, Failure> {
        self.resume_all(profile, Asked::ForAll)
    }

    fn started(&self, profile: &ProfileName) -> Result<usize, Failure> {
        if self.context(profile)?.own.resume_on_start {
            self.resume_all(profile, Asked::Unattended)
        } else {
            Ok(0)
        }
    }

    fn seen(&self, session: &SessionName) -> Result<(), Failure> {
        let root = self.context(&ProfileName::root())?;
        let kinds = table::kinds(&root);
        let socket = places::socket(&self.environment, Some(session));
        let Ok(server) = Server::find(&socket, root.kernel()) else { return Ok(()) };
        for profile in ProfileName::all(&root.places.home) {
            let context = self.context(&profile)?;
            learn::from_server(&context, &kinds, &server);
        }
        // Whose agents they are nobody knows: they are the host's, and so the root's.
        if root.settings.adopt == Adopt::Auto && *session == root.settings.session {
            for name in adoption::all(&root, &kinds, session.as_str(), &server) {
                root.note("notice", "adopted", name.as_str());
            }
        }
        Ok(())
    }

    fn leftovers(&self) -> Option<usize> {
        let root = self.context(&ProfileName::root()).ok()?;
        let server = Server::find(&root.socket(), root.kernel()).ok()?;
        leftovers::count(&root, &server)
    }
}
