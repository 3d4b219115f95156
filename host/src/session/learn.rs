//! Learning which conversation a session has: only the agent knows, and herdr has it from the agent.
//!
//! The latest conversation that is reported for the record's own pane is the record's; those before are
//! its history. A report for another pane never touches it.

use super::conversation::{self, Learned};
use super::kinds::Kinds;
use super::record::{Place, SessionRecord};
use super::server::Server;
use super::store::{SessionStore, of_all_profiles};
use super::survey::Survey;
use crate::clock;
use crate::context::Context;
use mam_share::herdr::pane::{self, Conversation, Pane};
use mam_share::variable::HERDR_SOCKET_PATH;

/// Whether `pane` is the record's own, in this life of the server.
pub fn is_own(place: &Place, pane: &Pane) -> bool {
    place.pane == pane.pane_id && place.terminal == pane.terminal_id
}

/// Learns the conversations of a profile's records from the panes of a server; how many were new.
pub fn from_panes(context: &Context, kinds: &Kinds, panes: &[Pane]) -> usize {
    let store = SessionStore::new(&context.home);
    let now = clock::utc(clock::now());
    let mut learned = 0;
    for record in store.list().records {
        if conversation::learn(&mut record.clone(), panes, kinds, &now) == Learned::Nothing {
            continue;
        }
        // Once more, of the record as it is now.
        let changed = store.update(&record.name, |record| {
            conversation::learn(record, panes, kinds, &now);
        });
        learned += usize::from(changed.is_ok());
    }
    learned
}

/// As [`from_panes`], of what a server shows now.
pub fn from_server(context: &Context, kinds: &Kinds, server: &Server<'_>) -> usize {
    let panes = server.ask(pane::list_request()).ok().and_then(|answer| pane::panes(&answer));
    panes.map_or(0, |panes| from_panes(context, kinds, &panes))
}

/// Learns the conversation that the agent had when its server crashed, from the shell that was restored in
/// its place: same pane, same kind, same directory, and no other record's conversation. Whether there was
/// one, which is then in the record and on disk.
pub fn from_restored(context: &Context, survey: &Survey, record: &mut SessionRecord) -> bool {
    let Some(place) = &record.place else { return false };
    // In the same life of the server the report itself would have been there.
    let pane = survey.facts.panes.iter().find(|pane| pane.pane_id == place.pane && pane.agent.is_none());
    let Some(pane) = pane.filter(|pane| pane.terminal_id != place.terminal) else { return false };
    let Some(found) = &pane.conversation else { return false };
    let is_likely = found.agent == record.agent
        && record.conversation.as_ref() != Some(found)
        && !found.value.is_empty()
        && pane.cwd.as_deref() == record.cwd.to_str();
    if !is_likely || is_anothers(context, record, found) {
        return false;
    }
    let now = clock::utc(clock::now());
    let changed = SessionStore::new(&context.home).update(&record.name, |record| {
        conversation::note(record, found, &now);
    });
    match changed {
        Ok(changed) => {
            *record = changed;
            true
        }
        Err(_) => false,
    }
}

/// The pane of a running session, which its `mam launch` (`pid`) knows; written down when nobody got to it.
pub fn place(context: &Context, survey: &Survey, record: &SessionRecord, pid: u32) -> Option<String> {
    let environment = context.kernel().environment(pid);
    let value = |name: &str| environment.as_ref().and_then(|environment| environment.get(name));
    if value(HERDR_SOCKET_PATH.name) != Some(survey.socket.as_os_str()) {
        return None;
    }
    let pane = survey.layout.pane(value("HERDR_PANE_ID")?.to_str()?)?;
    if record.place.as_ref().is_some_and(|place| is_own(place, pane)) {
        return Some(pane.pane_id.clone());
    }
    let place = Place {
        pane: pane.pane_id.clone(),
        terminal: pane.terminal_id.clone(),
        tab: survey.layout.tab_of.get(&pane.pane_id).cloned(),
        workspace: Some(pane.workspace_id.clone()),
        server: survey.server.clone(),
        ..Place::default()
    };
    // What is not written now is written the next time.
    drop(SessionStore::new(&context.home).update(&record.name, |record| record.place = Some(place)));
    Some(pane.pane_id.clone())
}

fn is_anothers(context: &Context, record: &SessionRecord, conversation: &Conversation) -> bool {
    let stores = of_all_profiles(&context.places.home);
    stores.into_iter().any(|(profile, store)| {
        let others = store.list().records;
        others.iter().any(|other| {
            let is_it = profile == context.profile && other.name == record.name;
            !is_it && other.conversation.as_ref() == Some(conversation)
        })
    })
}
