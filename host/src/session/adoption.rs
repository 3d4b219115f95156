//! Recording agents that were started by hand: one in a pane, or all of a server.

use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::herdr::pane::{self, Pane, ProcessInfo};
use mam_share::lock::{Attempt, Lock};

use super::adopt::{self, Found};
use super::argv;
use super::conversation;
use super::kind::Kind;
use super::kinds::Kinds;
use super::layout::Layout;
use super::lease;
use super::name::RecordName;
use super::recognize::{Recognized, Recorded, agent_of, is_launcher, recognize};
use super::record::{Ended, Flags, Launch, LaunchedBy, Origin, Place, ProcessId, SessionRecord, Status};
use super::server::Server;
use super::state::is_alive;
use super::store::{SessionStore, of_all_profiles};
use crate::clock;
use crate::context::Context;
use crate::handle::started_of;
use crate::words::Trouble;

/// How long somebody else may take who records at the same time.
const PATIENCE: Duration = Duration::from_secs(5);

/// Records the agent in the pane `id` of `server`, which serves `session`, for the profile of `context`. One
/// that took up a recorded conversation is that session again, of whichever profile.
///
/// # Errors
/// There is no such pane, no agent of a known kind in it, or it is recorded already.
pub fn pane(
    context: &Context,
    kinds: &Kinds,
    session: &str,
    server: &Server<'_>,
    id: &str,
    name: Option<&RecordName>,
) -> Result<SessionRecord, Trouble> {
    let no = |text: String| Trouble::new("no-agent", Exit::No, text);
    let scene = Scene::look(context, session, server)?;
    let pane = scene
        .layout
        .pane(id)
        .ok_or_else(|| no(format!("there is no pane {id} in session {session}")).hint("herdr pane list"))?;
    let agent = pane.agent.as_deref().ok_or_else(|| no(format!("herdr sees no agent in pane {id}")))?;
    let kind = kinds.get(agent).ok_or_else(|| no(kinds.unknown(agent)))?;
    let _lock = scene.lock()?;
    let info = scene.process_info(&[pane]).pop().flatten();
    let found = info.as_ref().and_then(|info| scene.found(pane, kind, info)).ok_or_else(|| {
        no(format!("the agent in pane {id} is not to be told among its processes, or `mam launch` runs it"))
    })?;
    if !is_session(&found) {
        return Err(no(format!("the agent in pane {id} answers once and ends: there is nothing to resume")));
    }
    match scene.record(&scene.records(), found, name)? {
        Done::New(record) | Done::Again(record) => Ok(record),
        Done::Known(name) => {
            let text = format!("the agent in pane {id} is session `{name}` already");
            Err(no(text).hint(format!("mam show {name}")))
        }
    }
}

/// Records the agents of `server` that nobody knows, for the profile of `context`, notes which sessions were
/// taken up again by hand and which adopted ones have ended; the names of what is new or taken up. For servers
/// of mam's alone. What cannot be recorded now is at the next call.
pub fn all(context: &Context, kinds: &Kinds, session: &str, server: &Server<'_>) -> Vec<RecordName> {
    let Ok(scene) = Scene::look(context, session, server) else { return Vec::new() };
    scene.note_ends();
    let kind_of = |pane: &Pane| kinds.get(pane.agent.as_deref()?);
    let candidates: Vec<(&Pane, &Kind)> =
        scene.layout.panes.iter().filter_map(|pane| Some((pane, kind_of(pane)?))).collect();
    let Ok(_lock) = scene.lock() else { return Vec::new() };
    let panes: Vec<&Pane> = candidates.iter().map(|(pane, _)| *pane).collect();
    let mut names = Vec::new();
    let mut records = scene.records();
    for ((pane, kind), info) in candidates.into_iter().zip(scene.process_info(&panes)) {
        let Some(found) = info.and_then(|info| scene.found(pane, kind, &info)) else { continue };
        if !is_session(&found) {
            continue;
        }
        match scene.record(&records, found, None) {
            Ok(Done::New(record) | Done::Again(record)) => {
                names.push(record.name);
                records = scene.records();
            }
            Ok(Done::Known(_)) => {}
            Err(trouble) => context.note_refusal("adopt", trouble.reason, &trouble.failure.message),
        }
    }
    names
}

/// What was done about an agent.
enum Done {
    New(SessionRecord),
    Again(SessionRecord),
    Known(RecordName),
}

/// A server, looked at.
struct Scene<'a> {
    context: &'a Context,
    session: &'a str,
    server: &'a Server<'a>,
    layout: Layout,
    now: String,
}

impl<'a> Scene<'a> {
    fn look(context: &'a Context, session: &'a str, server: &'a Server<'a>) -> Result<Self, Trouble> {
        let silent = |why: String| {
            Trouble::new(
                "no-answer",
                Exit::TryAgain,
                format!("session {session} does not say what it shows: {why}"),
            )
        };
        let answer = server.ask(Layout::request()).map_err(|why| silent(why.to_string()))?;
        let layout = Layout::read(&answer).ok_or_else(|| silent("its answer holds no panes".to_owned()))?;
        Ok(Self { context, session, server, layout, now: clock::utc(clock::now()) })
    }

    fn process_info(&self, panes: &[&Pane]) -> Vec<Option<ProcessInfo>> {
        let requests: Vec<_> = panes.iter().map(|pane| pane::process_info_request(&pane.pane_id)).collect();
        let answers = self.server.ask_all(&requests).into_iter();
        answers.map(|answer| pane::process_info(&answer.ok()?)).collect()
    }

    /// The agent in a pane; `None` when it is not to be told, or when `mam launch` runs it.
    fn found<'k>(&self, pane: &Pane, kind: &'k Kind, info: &ProcessInfo) -> Option<Found<'k>> {
        let kernel = self.context.kernel();
        let arguments = |pid: u32| kernel.arguments(pid);
        if info.shell_pid.and_then(arguments).is_some_and(|words| is_launcher(&words)) {
            return None;
        }
        let pid = agent_of(kind, &info.foreground, info.foreground_group, info.shell_pid, arguments)?;
        let words = arguments(pid);
        let details = kernel.details(pid);
        let reported = pane.conversation.clone().filter(|reported| argv::check(kind, reported).is_ok());
        let conversation =
            reported.or_else(|| argv::conversation_of(words.as_deref().unwrap_or_default(), kind));
        let workspaces = &self.layout.workspaces;
        let workspace = workspaces.iter().find(|workspace| workspace.workspace_id == pane.workspace_id);
        Some(Found {
            kind,
            conversation,
            arguments: words,
            executable: details.executable,
            directory: details.directory,
            environment: kernel.environment(pid),
            inherited: self.server.pid.and_then(|pid| kernel.environment(pid)),
            process: self.process(pid),
            place: Place {
                pane: pane.pane_id.clone(),
                terminal: pane.terminal_id.clone(),
                tab: self.layout.tab_of.get(&pane.pane_id).cloned(),
                workspace: Some(pane.workspace_id.clone()),
                server: self.server.pid.map(|pid| self.process(pid)),
                ..Place::default()
            },
            session: self.session.to_owned(),
            workspace: workspace.map(|workspace| workspace.label.clone()).filter(|label| !label.is_empty()),
        })
    }

    /// Writes down what `found` is; a new one under `name`, where one is given.
    fn record(
        &self,
        records: &[Recorded],
        found: Found<'_>,
        name: Option<&RecordName>,
    ) -> Result<Done, Trouble> {
        match recognize(records, found.kind, &found.process, found.conversation.as_ref()) {
            Recognized::Known(record) => Ok(Done::Known(record.name.clone())),
            Recognized::Again(profile, record) => {
                let store = SessionStore::new(&profile.home(&self.context.places.home));
                let changed = store.update(&record.name, |record| self.take_up(record, &found));
                Ok(Done::Again(changed.map_err(|why| why.failure())?))
            }
            Recognized::New => {
                let store = SessionStore::new(&self.context.home);
                let directory = found.directory.clone().unwrap_or_default();
                let name = name.cloned().unwrap_or_else(|| {
                    adopt::default_name(found.kind, &directory, |name| store.path(name).exists())
                });
                let record = adopt::record(name, found, &self.now).ok_or_else(|| {
                    let text = "nobody knows the directory of the agent; it is not recorded";
                    Trouble::new("no-agent", Exit::No, text)
                })?;
                Ok(Done::New(store.create(&record).map_err(|why| why.failure())?))
            }
        }
    }

    /// The session was taken up by hand. What it was launched with stays: a bare `--resume` would lose it.
    fn take_up(&self, record: &mut SessionRecord, found: &Found<'_>) {
        if record.flags == Flags::Unknown
            && let Some(fresh) = adopt::record(record.name.clone(), found.clone(), &self.now)
            && fresh.flags == Flags::Known
        {
            record.argv = fresh.argv;
            record.flags = Flags::Known;
        }
        record.place = Some(found.place.clone());
        record.session.clone_from(&found.session);
        record.status = Status::Running { process: found.process.clone() };
        let mut launch = Launch::new(LaunchedBy::Adopt, &self.now);
        launch.pid = Some(found.process.pid);
        record.note_launch(launch);
    }

    /// An adopted agent is watched by nobody: it has ended when its process is gone, its pane is there, and
    /// herdr has let go of its conversation. After a crash of the server herdr has not.
    fn note_ends(&self) {
        let Ok(table) = self.context.kernel().table() else { return };
        let boot = self.context.kernel().boot();
        let has_ended = |record: &SessionRecord| {
            let Status::Running { process } = &record.status else { return false };
            let own =
                record.place.as_ref().and_then(|place| conversation::own_pane(place, &self.layout.panes));
            record.session == self.session
                && record.origin == Origin::Adopted
                && record.history.first().is_some_and(|launch| launch.how == LaunchedBy::Adopt)
                && !is_alive(process, Some(&table), boot.as_deref())
                && own.is_some_and(|pane| pane.agent.is_none() && pane.conversation.is_none())
        };
        for (_, store) in of_all_profiles(&self.context.places.home) {
            for record in store.list().records.iter().filter(|record| has_ended(record)) {
                // What is not written now is written at the next call.
                drop(store.update(&record.name, |record| {
                    if has_ended(record) {
                        record.note_end(Ended::Unseen(()), &self.now);
                    }
                }));
            }
        }
    }

    fn records(&self) -> Vec<Recorded> {
        let state = &self.context.places.state;
        let mut found = Vec::new();
        for (profile, store) in of_all_profiles(&self.context.places.home) {
            for record in store.list().records {
                // A lease that cannot be asked is held: nothing is taken from anybody.
                let holder = lease::holder(state, &profile, &record.name);
                let is_leased = holder.map_or(true, |holder| holder.is_some());
                found.push(Recorded { profile: profile.clone(), record, is_leased });
            }
        }
        found
    }

    fn process(&self, pid: u32) -> ProcessId {
        let kernel = self.context.kernel();
        ProcessId { pid, start: started_of(kernel, pid), boot: kernel.boot() }
    }

    fn lock(&self) -> Result<Lock, Trouble> {
        let path = self.context.places.state.join("adopt.lock");
        match Lock::take(&path, PATIENCE) {
            Attempt::Held(lock) => Ok(lock),
            Attempt::Busy => Err(Trouble::new("busy", Exit::TryAgain, "somebody else is adopting agents")),
            Attempt::Failed(error) => {
                let text = format!("`{}`: {}", path.display(), mam_share::files::reason(&error));
                Err(Trouble::new("cannot-write", Exit::CannotWrite, text))
            }
        }
    }
}

/// Whether what was started is a session: an agent whose arguments nobody can read is taken for one.
fn is_session(found: &Found<'_>) -> bool {
    let arguments = found.arguments.as_deref().filter(|words| found.kind.program_words(words).is_some());
    arguments.is_none_or(|words| argv::is_session(words, found.kind))
}
