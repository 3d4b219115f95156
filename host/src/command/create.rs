//! `mam create`: an agent that comes back exactly as it was launched.

use std::ffi::OsString;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::herdr::binary;
use mam_share::herdr::session_name::SessionName;
use mam_share::variable::PATH;
use serde_json::json;

use super::{answer, answer_json};
use crate::clock;
use crate::context::Context;
use crate::session::arguments::Create;
use crate::session::argv::launch_argv;
use crate::session::batch::{self, Job};
use crate::session::environment;
use crate::session::fingerprint::uuid;
use crate::session::kind::Kind;
use crate::session::layout::Layout;
use crate::session::place::Spot;
use crate::session::prepare::{self, Values};
use crate::session::record::{LaunchedBy, SessionRecord, Source, Variable};
use crate::session::resume::server;
use crate::session::server::Server;
use crate::session::store::SessionStore;
use crate::session::table;
use crate::words::{Trouble, mam};

/// Runs the command: the record is written before anything starts.
///
/// # Errors
/// What stands against it. The record stays when a pane was opened for it.
pub fn run(context: &Context, arguments: &Create, is_json: bool) -> Result<Exit, Trouble> {
    let kinds = table::kinds(context);
    let kind = kinds.get(&arguments.agent).ok_or_else(|| {
        Trouble::new("kind", Exit::Usage, kinds.unknown(&arguments.agent))
            .hint("add it to mam's config.toml: [agents.KIND]")
    })?;
    let record = record(context, kind, arguments)?;
    let cwd =
        prepare::directory(context, &record, None).map_err(|trouble| no_directory(&record, &trouble))?;
    let values = Values::new(context, true).of(&record)?;
    let store = SessionStore::new(&context.home);
    let record = store.create(&record).map_err(|error| error.failure())?;
    let launched = launch(context, kind, arguments, &record, |spot, label| Job {
        name: record.name.clone(),
        argv: record.argv.clone(),
        cwd: cwd.clone(),
        values: values.clone(),
        spot,
        label,
        by: LaunchedBy::Create,
    });
    let pane = match launched {
        Ok(pane) => pane,
        Err((trouble, has_pane)) => {
            // Nothing of it ever was: the name is free again.
            if !has_pane && let Err(error) = store.remove(&record.name) {
                context.warn(&error.warning());
            }
            return Err(trouble);
        }
    };
    context.note("create", "created", &format!("{} in {pane}", record.name));
    if is_json {
        answer_json(&json!({
            "version": 1,
            "name": record.name.as_str(),
            "agent": record.agent,
            "pane": pane,
            "session": record.session,
            "conversation": record.conversation,
        }))?;
    } else {
        answer(&format!(
            "{}: {} runs in pane {pane} of session {}\n",
            record.name, record.agent, record.session
        ))?;
    }
    Ok(Exit::Done)
}

/// The record, as it is asked for.
fn record(context: &Context, kind: &Kind, arguments: &Create) -> Result<SessionRecord, Trouble> {
    let no_bytes = |why: String| Trouble::new("random", Exit::TryAgain, why);
    let mut given: Vec<OsString> = vec![kind.executable.clone().into()];
    given.extend(arguments.arguments.iter().cloned());
    let launch = launch_argv(&given, kind, &uuid().map_err(no_bytes)?).map_err(|why| {
        Trouble::new("argv", Exit::Usage, format!("these arguments make no session: {why}"))
    })?;
    let session = session(context, arguments.session.as_deref())?;
    let cwd = arguments.cwd.as_deref().unwrap_or(context.environment.current_dir());
    let mut record = SessionRecord::new(
        arguments.name.clone(),
        &kind.name,
        launch.argv,
        context.environment.absolute(cwd),
        session.as_str(),
        &clock::utc(clock::now()),
    );
    record.conversation = launch.conversation;
    record.role.clone_from(&arguments.role);
    record.workspace.clone_from(&arguments.workspace);
    record.environment = arguments.variables.iter().map(variable).collect::<Result<_, _>>()?;
    Ok(record)
}

/// The herdr session: the named one, else the host's.
///
/// # Errors
/// It is no named session.
pub fn session(context: &Context, given: Option<&str>) -> Result<SessionName, Trouble> {
    let Some(given) = given else { return Ok(context.seat()?.session.clone()) };
    given.parse().map_err(|error| {
        let text = format!("`--session {given}`: {error}");
        Trouble::new("session-name", Exit::Usage, text).hint("mam never touches your default session")
    })
}

/// `K=V` is stored, `K` is a reference.
fn variable(word: &OsString) -> Result<Variable, Trouble> {
    environment::parse(word).map_err(|why| {
        Trouble::new("usage", Exit::Usage, format!("--env: {why}")).hint("--env K=V, or --env K")
    })
}

fn no_directory(record: &SessionRecord, trouble: &Trouble) -> Trouble {
    let text = format!("there is no directory `{}`; nothing was started", record.cwd.display());
    Trouble::new(trouble.reason, trouble.failure.exit, text).hint("--cwd DIR")
}

/// Launches it; the pane. On failure also whether a pane was opened.
fn launch(
    context: &Context,
    kind: &Kind,
    arguments: &Create,
    record: &SessionRecord,
    job: impl Fn(Spot, Option<String>) -> Job,
) -> Result<String, (Trouble, bool)> {
    let none = |trouble| (trouble, false);
    let session = session(context, Some(&record.session)).map_err(none)?;
    let server = server(context, &session).map_err(none)?;
    find_program(context, &server, kind, record).map_err(none)?;
    let (spot, label) = spot(&server, arguments).map_err(none)?;
    match batch::launch(context, &server, &[job(spot, label)]).pop() {
        Some(Ok(opened)) => Ok(opened.pane_id),
        Some(Err(trouble)) => {
            let has_pane = !matches!(trouble.reason, "plugin" | "no-server" | "not-opened" | "pane-closed");
            Err((trouble, has_pane))
        }
        None => Err(none(Trouble::new("not-opened", Exit::TryAgain, "nothing was launched"))),
    }
}

/// Where it is opened: beside the named pane, in a tab of the workspace with the label, else in a workspace
/// of its own.
fn spot(server: &Server<'_>, arguments: &Create) -> Result<(Spot, Option<String>), Trouble> {
    let name = arguments.name.to_string();
    if let Some(pane) = &arguments.beside {
        return Ok((Spot::Beside(pane.clone()), Some(name)));
    }
    let Some(label) = &arguments.workspace else { return Ok((Spot::Workspace(name), None)) };
    let layout = server.ask(Layout::request()).map_err(|error| {
        Trouble::new("no-answer", Exit::TryAgain, format!("herdr does not say what it shows: {error}"))
    })?;
    let workspaces = Layout::read(&layout).map(|layout| layout.workspaces).unwrap_or_default();
    Ok(match workspaces.into_iter().find(|workspace| workspace.label == *label) {
        Some(workspace) => (Spot::Tab(workspace.workspace_id), Some(name)),
        None => (Spot::Workspace(label.clone()), None),
    })
}

/// Whether the agent's program is where `mam launch` will look for it, as far as that can be told here.
fn find_program(
    context: &Context,
    server: &Server<'_>,
    kind: &Kind,
    record: &SessionRecord,
) -> Result<(), Trouble> {
    let stored = record.environment.iter().find(|variable| variable.name == PATH.name);
    let stored = stored.and_then(|variable| match &variable.source {
        Source::Stored { value } => Some(value.clone()),
        Source::Reference { .. } | Source::Noted => None,
    });
    let (own, _) = crate::dot_env::load(&context.home);
    let own =
        own.into_iter().rev().find(|(name, _)| name == PATH.name).map(|(_, value)| OsString::from(value));
    let inherited = || Some(context.kernel().environment(server.pid?)?.get(PATH.name)?.to_owned());
    let Some(path) = stored.or(own).or_else(inherited) else { return Ok(()) };
    let environment = Environment::new([(PATH.name, path.clone())], &record.cwd, "/tmp");
    if binary::find(kind.executable.as_ref(), &environment).is_some() {
        return Ok(());
    }
    let text = format!(
        "there is no program `{}`; no agent was started\nPATH searched: {}",
        kind.executable,
        path.to_string_lossy()
    );
    Err(Trouble::new("no-program", Exit::NeedsChange, text)
        .hint("install it, or name its directory in PATH: that of the host, or --env PATH=…")
        .hint(format!("{} env explain", mam(&context.profile))))
}
