//! Resuming recorded sessions, any number at once: everything that stands against one is found out before
//! anything starts, then all of them start together, then what they leave is tidied up.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mam_hook::verdict::Named;
use mam_share::exit::Exit;
use mam_share::files;
use mam_share::herdr::pane::Conversation;
use mam_share::herdr::places;
use mam_share::herdr::session_name::SessionName;
use mam_share::lock::{Attempt, Lock};

use super::argv::resume_argv;
use super::batch::{self, Job};
use super::conversation;
use super::kind::Kind;
use super::kinds::Kinds;
use super::layout::{self, Layout};
use super::live::Running;
use super::name::RecordName;
use super::permissions::widened;
use super::place::Spot;
use super::prepare::{self, Values};
use super::record::{Flags, LaunchedBy, SessionRecord, Status};
use super::server::Server;
use super::store::SessionStore;
use super::survey::Survey;
use super::{learn, leftovers, running};
use crate::command::start;
use crate::context::Context;
use crate::ready::How;
use crate::words::{Trouble, mam};

/// How long herdr may show an agent that has ended.
const SETTLING: Duration = Duration::from_secs(3);

/// How often it is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(150);

/// How it is to be done.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Another directory, from now on.
    pub cwd: Option<PathBuf>,
    /// A new conversation where none is known.
    pub is_new: bool,
    /// More may be allowed than was recorded.
    pub may_widen: bool,
    /// Who asks.
    pub asked: Asked,
}

/// Who asks for a resume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asked {
    /// A person, for each session by its name.
    ByName,
    /// A person, for all of them.
    ForAll,
    /// Nobody: a server has started. The environment is the server's, and has no values for references.
    #[default]
    Unattended,
}

/// What became of one session.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Its agent runs in this pane.
    Resumed(String),
    /// Its agent ran already.
    Ran(Running),
    /// It was not resumed.
    Failed(Trouble),
}

/// A session and what became of it.
#[derive(Clone, Debug)]
pub struct Done {
    /// The session.
    pub name: RecordName,
    /// What became of it.
    pub outcome: Outcome,
}

/// A session that nothing stands against so far.
struct Ready {
    record: SessionRecord,
    argv: Vec<std::ffi::OsString>,
    cwd: PathBuf,
    values: Vec<(String, String)>,
    /// Nobody else resumes it meanwhile.
    _turn: Lock,
}

/// Resumes the sessions `names` of the context's profile.
pub fn resume(context: &Context, kinds: &Kinds, names: &[RecordName], options: &Options) -> Vec<Done> {
    let mut done = Vec::new();
    let mut sessions: BTreeMap<String, Vec<Ready>> = BTreeMap::new();
    let values = Values::new(context, options.asked != Asked::Unattended);
    for name in names {
        match ready(context, kinds, &values, name, options) {
            Ok(ready) => sessions.entry(ready.record.session.clone()).or_default().push(ready),
            Err(trouble) => done.push(Done { name: name.clone(), outcome: Outcome::Failed(trouble) }),
        }
    }
    for (session, ready) in sessions {
        let names: Vec<RecordName> = ready.iter().map(|ready| ready.record.name.clone()).collect();
        match on_session(context, kinds, &session, ready, options) {
            Ok(some) => done.extend(some),
            Err(trouble) => done.extend(
                names.into_iter().map(|name| Done { name, outcome: Outcome::Failed(trouble.clone()) }),
            ),
        }
    }
    let place = |done: &Done| names.iter().position(|name| *name == done.name);
    done.sort_by_key(place);
    done
}

/// Everything that can be known without a server.
fn ready(
    context: &Context,
    kinds: &Kinds,
    values: &Values<'_>,
    name: &RecordName,
    options: &Options,
) -> Result<Ready, Trouble> {
    let turn = turn(context, name)?;
    let store = SessionStore::new(&context.home);
    let record = store.read(name).map_err(|error| error.failure())?;
    let missing = || super::trouble::StoreError::Missing(name.clone()).failure();
    let record = record.ok_or_else(missing)?;
    if record.flags == Flags::Unknown && options.asked != Asked::ByName {
        let text = format!("the flags of session `{name}` are not known, so it is resumed only by its name");
        return Err(Trouble::new("flags-unknown", Exit::NeedsChange, text)
            .hint(format!("{} resume {name}", mam(&context.profile))));
    }
    let cwd = prepare::directory(context, &record, options.cwd.as_deref())?;
    let handed = values.of(&record)?;
    let kind = kind(kinds, &record)?;
    let argv = arguments(context, kind, &record, options)?;
    Ok(Ready { record, argv, cwd, values: handed, _turn: turn })
}

/// Nobody else resumes the session while this is held.
fn turn(context: &Context, name: &RecordName) -> Result<Lock, Trouble> {
    let directory = context.places.state.join("turns");
    let unusable = |why: String| {
        let text = format!("`{}` cannot be used: {why}; nothing was started", directory.display());
        Trouble::new("state", Exit::CannotWrite, text).hint("set MAM_STATE_DIR to a directory of yours")
    };
    files::private_dir(&directory).map_err(|error| unusable(files::reason(&error)))?;
    match Lock::take(&directory.join(format!("{}.{name}.lock", context.profile)), Duration::ZERO) {
        Attempt::Held(lock) => Ok(lock),
        Attempt::Busy => {
            let text = format!("another mam resumes session `{name}` just now; nothing was started");
            Err(Trouble::new("busy", Exit::TryAgain, text).hint(format!("mam show {name}")))
        }
        Attempt::Failed(error) => Err(unusable(files::reason(&error))),
    }
}

/// The kind of a record.
///
/// # Errors
/// The table does not have it (any more).
pub fn kind<'a>(kinds: &'a Kinds, record: &SessionRecord) -> Result<&'a Kind, Trouble> {
    kinds.get(&record.agent).ok_or_else(|| {
        let text = format!("session `{}`: {}", record.name, kinds.unknown(&record.agent));
        Trouble::new("kind", Exit::NeedsChange, text)
            .hint(format!("add [agents.{}] to mam's config.toml", record.agent))
    })
}

/// The arguments of the launch.
fn arguments(
    context: &Context,
    kind: &Kind,
    record: &SessionRecord,
    options: &Options,
) -> Result<Vec<std::ffi::OsString>, Trouble> {
    let name = &record.name;
    let has_run = record.history.iter().any(|launch| launch.pid.is_some());
    let conversation = match &record.conversation {
        // A conversation that never began cannot be resumed; its id is in the arguments.
        _ if !has_run => return Ok(record.argv.clone()),
        Some(conversation) => conversation,
        None if options.is_new || !matches!(record.status, Status::Running { .. }) => {
            return Ok(record.argv.clone());
        }
        None => {
            let text = format!("nobody knows which conversation session `{name}` had");
            let verb = mam(&context.profile);
            return Err(Trouble::new("no-conversation", Exit::NeedsChange, text)
                .hint(format!("{verb} resume {name} --new starts a new one")));
        }
    };
    let refuse = |why: String| {
        let text = format!("session `{name}` cannot be resumed: {why}");
        Trouble::new("argv", Exit::NeedsChange, text)
    };
    let argv = resume_argv(&record.argv, kind, conversation).map_err(|why| refuse(why.to_string()))?;
    let more = widened(kind, &record.argv, &argv);
    if !more.is_empty() && !options.may_widen {
        let text = format!("a resume would allow more than was recorded: {}", more.join(", "));
        let verb = mam(&context.profile);
        return Err(refuse(text).hint(format!("{verb} resume {name} --widen, if that is meant")));
    }
    Ok(argv)
}

/// The server of a session. The host is started when it is down.
///
/// # Errors
/// It cannot be started, or it is not mam's to start and does not run.
pub fn server<'a>(context: &'a Context, session: &SessionName) -> Result<Server<'a>, Trouble> {
    if *session == context.seat()?.session {
        let ready = start::ensure(context)?;
        if ready.how == How::Started {
            context.say(&format!("the host was not running: started, pid {}", ready.pid));
        }
    }
    let socket = places::socket(&context.environment, Some(session));
    Server::find(&socket, context.kernel()).map_err(|error| {
        let text = format!("herdr session `{session}` does not answer: {error}");
        Trouble::new("no-server", Exit::NoHerdr, text).hint(format!("herdr --session {session}"))
    })
}

fn on_session(
    context: &Context,
    kinds: &Kinds,
    session: &str,
    ready: Vec<Ready>,
    options: &Options,
) -> Result<Vec<Done>, Trouble> {
    let session: SessionName = session.parse().map_err(|error| {
        let text = format!("`{session}` is no herdr session of mam's: {error}");
        Trouble::new("session-name", Exit::NeedsChange, text)
    })?;
    let server = server(context, &session)?;
    let survey = settled(context, &session, &server, &ready)?;
    let mut done = Vec::new();
    let mut named = Named::new();
    let mut due: Vec<(Ready, Spot, Option<String>)> = Vec::new();
    for mut ready in ready {
        let name = ready.record.name.clone();
        let mut finish = |outcome| done.push(Done { name: name.clone(), outcome });
        if let Some(running) = running::now(context, kinds, &survey, &ready.record) {
            // What an earlier resume did not get to.
            if running.pane.is_some() {
                named.extend(ready.record.conversation.iter().map(|it| it.value.clone()));
            }
            finish(Outcome::Ran(running));
            continue;
        }
        if learn::from_restored(context, &survey, &mut ready.record) {
            match kind(kinds, &ready.record).and_then(|kind| arguments(context, kind, &ready.record, options))
            {
                Ok(argv) => ready.argv = argv,
                Err(trouble) => {
                    finish(Outcome::Failed(trouble));
                    continue;
                }
            }
            if let Some(running) = running::elsewhere(kinds, &survey, &ready.record) {
                finish(Outcome::Ran(running));
                continue;
            }
        }
        if let Some(twin) = due.iter().find(|(other, ..)| is_same(&other.record, &ready.record)) {
            let text = format!("session `{name}` has the conversation of session `{}`", twin.0.record.name);
            finish(Outcome::Failed(
                Trouble::new("twin", Exit::NeedsChange, text).hint("mam forget one of them"),
            ));
            continue;
        }
        let (spot, label) = spot(&survey.layout, &survey, &ready.record);
        due.push((ready, spot, label));
    }
    let jobs: Vec<Job> = due.iter().map(|(ready, spot, label)| job(ready, spot, label.as_ref())).collect();
    let launched = batch::launch(context, &server, &jobs);
    for ((ready, ..), launched) in due.iter().zip(&launched) {
        let outcome = match launched {
            Ok(opened) => {
                named.extend(ready.record.conversation.iter().map(|it| it.value.clone()));
                Outcome::Resumed(opened.pane_id.clone())
            }
            Err(trouble) => Outcome::Failed(trouble.clone()),
        };
        done.push(Done { name: ready.record.name.clone(), outcome });
    }
    leftovers::close(context, &session, &server, named);
    put_back(context, &server, &survey.layout, &batch::replaced(&jobs, &launched));
    Ok(done)
}

/// A look at the server. herdr shows an agent for a moment after it has ended, so one whose record says that
/// it has is looked at again.
fn settled(
    context: &Context,
    session: &SessionName,
    server: &Server<'_>,
    ready: &[Ready],
) -> Result<Survey, Trouble> {
    let deadline = Instant::now() + SETTLING;
    loop {
        let survey = Survey::take(context, session, server).map_err(|error| {
            let text =
                format!("herdr session `{session}` does not say what runs: {error}; nothing was started");
            Trouble::new("no-answer", Exit::TryAgain, text).hint("try again")
        })?;
        let is_shown = |ready: &Ready| {
            let place = ready.record.place.as_ref();
            let own = place.and_then(|place| conversation::own_pane(place, &survey.layout.panes));
            matches!(ready.record.status, Status::Ended { .. })
                && own.is_some_and(|pane| pane.agent.is_some())
        };
        if Instant::now() >= deadline || !ready.iter().any(is_shown) {
            return Ok(survey);
        }
        std::thread::sleep(PAUSE);
    }
}

fn job(ready: &Ready, spot: &Spot, label: Option<&String>) -> Job {
    Job {
        name: ready.record.name.clone(),
        argv: ready.argv.clone(),
        cwd: ready.cwd.clone(),
        values: ready.values.clone(),
        spot: spot.clone(),
        label: label.cloned(),
        by: LaunchedBy::Resume,
    }
}

fn is_same(one: &SessionRecord, other: &SessionRecord) -> bool {
    one.conversation.is_some() && one.conversation == other.conversation
}

/// Where a session is resumed: beside the restored shell of its conversation, else beside the pane it was
/// in, else in a workspace of its own; and the label that its pane gets.
fn spot(layout: &Layout, survey: &Survey, record: &SessionRecord) -> (Spot, Option<String>) {
    let of_conversation = |conversation: &Conversation| -> Option<(String, Option<String>)> {
        let recorded = record.place.as_ref().map(|place| place.pane.as_str());
        let mut idle: Vec<_> = survey.idle(conversation).collect();
        // The one that has its own place first.
        idle.sort_by_key(|pane| Some(pane.pane_id.as_str()) != recorded);
        idle.first().map(|pane| (pane.pane_id.clone(), pane.label.clone()))
    };
    let before = || {
        let place = record.place.as_ref()?;
        let pane = layout.pane(&place.pane).filter(|pane| pane.terminal_id == place.terminal)?;
        Some((pane.pane_id.clone(), pane.label.clone()))
    };
    match record.conversation.as_ref().and_then(of_conversation).or_else(before) {
        Some((pane, label)) => (Spot::Beside(pane), label),
        None => (Spot::Workspace(record.workspace.clone().unwrap_or_else(|| record.name.to_string())), None),
    }
}

/// Zoom and focus, as they were before the panes were opened.
fn put_back(context: &Context, server: &Server<'_>, before: &Layout, replaced: &BTreeMap<String, String>) {
    let Some(after) = server.ask(Layout::request()).ok().and_then(|answer| Layout::read(&answer)) else {
        context.step("herdr does not say what it shows: zoom and focus stay as they are");
        return;
    };
    for request in layout::put_back(before, &after, replaced) {
        // One after the other: the last one says where the focus is.
        drop(server.ask(request));
    }
}
