//! Whether a recorded session runs already: asked before anything is started, and for people.

use std::ffi::OsStr;
use std::path::Path;

use super::kinds::Kinds;
use super::live::Running;
use super::record::{SessionRecord, Status};
use super::survey::Survey;
use super::{batch, learn, lease};
use crate::context::Context;
use crate::lock::Holder;

/// Whether the session runs: by its lease, by its recorded process, by its conversation.
pub fn now(context: &Context, kinds: &Kinds, survey: &Survey, record: &SessionRecord) -> Option<Running> {
    let at_its_place = || {
        let place = record.place.as_ref()?;
        let pane = survey.layout.pane(&place.pane)?;
        (pane.terminal_id == place.terminal).then(|| pane.pane_id.clone())
    };
    let here = |pid: Option<u32>, launcher: Option<u32>| {
        let pane = at_its_place()
            .or_else(|| launcher.and_then(|launcher| learn::place(context, survey, record, launcher)));
        let place = pane.as_ref().map_or("mam launch".to_owned(), |pane| format!("pane {pane}"));
        Running { place, pane, pid }
    };
    let agent = match &record.status {
        Status::Running { process } if batch::is_alive(context, process) => Some(process.pid),
        Status::Running { .. } | Status::Launching { .. } | Status::Ended { .. } | Status::Failed { .. } => {
            None
        }
    };
    match lease::holder(&context.places.state, &context.profile, &record.name) {
        Ok(Some(Holder::Pid(pid))) => {
            return Some(here(agent.or(Some(pid)), Some(pid)));
        }
        Ok(Some(Holder::Hidden)) => return Some(here(agent, None)),
        // `mam launch` decides once more, and nothing starts without the lease.
        Ok(None) | Err(_) => {}
    }
    if agent.is_some() {
        return Some(here(agent, None));
    }
    elsewhere(kinds, survey, record)
}

/// Where its conversation runs, whoever started it.
pub fn elsewhere(kinds: &Kinds, survey: &Survey, record: &SessionRecord) -> Option<Running> {
    let conversation = record.conversation.as_ref()?;
    let recorded = record.argv.first().map(|program| Path::new(program).as_os_str());
    let kind = kinds.get(&record.agent);
    let known = kind.into_iter().flat_map(|kind| std::iter::once(&kind.executable).chain(&kind.also));
    let programs: Vec<&OsStr> = known.map(OsStr::new).chain(recorded).collect();
    survey.running(conversation, &programs)
}
