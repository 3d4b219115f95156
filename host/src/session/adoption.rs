//! Recording agents that were started by hand: looking at a pane, and at all panes of a server.

use mam_share::exit::Exit;
use mam_share::herdr::pane::Pane;
use mam_share::herdr::parallel::Request;
use mam_share::process::{Kernel, ProcessTable};
use serde_json::json;

use super::adopt::{self, Found};
use super::kind::Kind;
use super::kinds::Kinds;
use super::layout::Layout;
use super::name::RecordName;
use super::record::{Place, ProcessId, SessionRecord};
use super::server::Server;
use super::store::{SessionStore, of_all_profiles};
use crate::clock;
use crate::context::Context;
use crate::handle::started_of;
use crate::words::Trouble;

/// Records the agent in the pane `id` of `server`, which serves `session`.
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
    let answer = server.ask(Layout::request()).map_err(|error| {
        Trouble::new("no-answer", Exit::TryAgain, format!("herdr does not say what it shows: {error}"))
    })?;
    let layout = Layout::read(&answer).unwrap_or_default();
    let pane = layout
        .pane(id)
        .ok_or_else(|| no(format!("there is no pane {id} in session {session}")).hint("herdr pane list"))?;
    let agent = pane.agent.as_deref().ok_or_else(|| no(format!("herdr sees no agent in pane {id}")))?;
    let kind = kinds.get(agent).ok_or_else(|| no(kinds.unknown(agent)))?;
    if let Some(record) = recorded(context, session, pane) {
        let text = format!("the agent in pane {id} is session `{record}` already");
        return Err(no(text).hint(format!("mam show {record}")));
    }
    let found = found(context, kind, session, server, &layout, pane)
        .ok_or_else(|| no(format!("the agent in pane {id} is not to be found among the processes")))?;
    write(context, found, name)
}

/// The record that has the pane or its conversation.
fn recorded(context: &Context, session: &str, pane: &Pane) -> Option<RecordName> {
    let stores = of_all_profiles(&context.places.home);
    let records = stores.iter().flat_map(|(_, store)| store.list().records);
    let has = |record: &SessionRecord| {
        let is_in_it = record.session == session
            && record.place.as_ref().is_some_and(|place| place.terminal == pane.terminal_id);
        let conversation = pane.conversation.as_ref().filter(|it| !it.value.is_empty());
        is_in_it || (conversation.is_some() && record.conversation.as_ref() == conversation)
    };
    records.into_iter().find(|record| has(record)).map(|record| record.name)
}

fn found<'a>(
    context: &Context,
    kind: &'a Kind,
    session: &str,
    server: &Server<'_>,
    layout: &Layout,
    pane: &Pane,
) -> Option<Found<'a>> {
    let kernel = context.kernel();
    let answer = server.ask(Request::new("pane.process_info", json!({"pane_id": pane.pane_id}))).ok()?;
    let info = mam_share::herdr::pane::process_info(&answer)?;
    let table = kernel.table().ok()?;
    let pid = agent_of(kernel, &table, kind, &info)?;
    let details = kernel.details(pid);
    let workspace = layout.workspaces.iter().find(|workspace| workspace.workspace_id == pane.workspace_id);
    Some(Found {
        kind,
        conversation: pane.conversation.clone().filter(|it| !it.value.is_empty()),
        arguments: kernel.arguments(pid),
        executable: details.executable,
        directory: details.directory,
        environment: kernel.environment(pid),
        inherited: server.pid.and_then(|pid| kernel.environment(pid)),
        process: ProcessId { pid, start: started_of(kernel, pid), boot: kernel.boot() },
        place: Place {
            pane: pane.pane_id.clone(),
            terminal: pane.terminal_id.clone(),
            tab: layout.tab_of.get(&pane.pane_id).cloned(),
            workspace: Some(pane.workspace_id.clone()),
            server: server.process(),
            ..Place::default()
        },
        session: session.to_owned(),
        workspace: workspace.map(|workspace| workspace.label.clone()).filter(|label| !label.is_empty()),
    })
}

/// The agent among the foreground processes of its pane: one that is known by its arguments, else the
/// leader of the group.
fn agent_of(
    kernel: &dyn Kernel,
    table: &ProcessTable,
    kind: &Kind,
    info: &mam_share::herdr::pane::ProcessInfo,
) -> Option<u32> {
    let group = info.foreground_group.filter(|group| Some(*group) != info.shell_pid)?;
    let mut members = info.foreground.iter().map(|process| process.pid);
    let is_agent =
        |pid: &u32| kernel.arguments(*pid).is_some_and(|arguments| kind.program_words(&arguments).is_some());
    members.find(is_agent).or_else(|| table.get(group).map(|leader| leader.pid))
}

fn write(context: &Context, found: Found<'_>, name: Option<&RecordName>) -> Result<SessionRecord, Trouble> {
    let store = SessionStore::new(&context.home);
    let taken: Vec<RecordName> = {
        let listing = store.list();
        let unusable = listing.unusable.into_iter().map(|(name, _)| name);
        listing.records.into_iter().map(|record| record.name).chain(unusable).collect()
    };
    let directory = found.directory.clone().unwrap_or_default();
    let name = name
        .cloned()
        .unwrap_or_else(|| adopt::default_name(found.kind, &directory, |name| taken.contains(name)));
    let now = clock::utc(clock::now());
    let record = adopt::record(name, found, &now).ok_or_else(|| {
        Trouble::new("no-agent", Exit::No, "nobody knows the directory of the agent; it is not recorded")
    })?;
    Ok(store.create(&record).map_err(|error| error.failure())?)
}

/// Records the agents of a server that no record has; their names. For servers of mam's alone.
pub fn all(context: &Context, kinds: &Kinds, session: &str, server: &Server<'_>) -> Vec<RecordName> {
    let layout = server.ask(Layout::request()).ok().and_then(|answer| Layout::read(&answer));
    let layout = layout.unwrap_or_default();
    let with_agent = layout.panes.iter().filter(|pane| pane.agent.is_some());
    let adopted = with_agent.filter_map(|one| pane(context, kinds, session, server, &one.pane_id, None).ok());
    adopted.map(|record| record.name).collect()
}
