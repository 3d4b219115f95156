//! Launching recorded agents, many at once: what is to be launched is written into the records first,
//! then all panes are opened in one round, then it is watched what became of each.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mam_share::herdr::socket::NoAnswer;

use super::handover;
use super::layout::Layout;
use super::name::RecordName;
use super::place::{self, Opened, Opening, Spot};
use super::record::{Launch, LaunchedBy, Place, ProcessId, SessionRecord, Status};
use super::server::Server;
use super::store::SessionStore;
use super::words;
use crate::clock;
use crate::context::Context;
use crate::handle::started_of;
use crate::plugin;
use crate::words::Trouble;

/// How long an agent may take to run. `mam launch` has it running in some milliseconds; fifty of them
/// on a busy machine take seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often it is looked at.
const PAUSE: Duration = Duration::from_millis(40);

/// How long an agent has to run to count as one that runs: one that cannot read its configuration ends
/// sooner.
const STANDS: Duration = Duration::from_millis(400);

/// An agent to launch.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its record.
    pub name: RecordName,
    /// Its arguments, the program first.
    pub argv: Vec<OsString>,
    /// Its directory.
    pub cwd: PathBuf,
    /// The values of its references that the caller has.
    pub values: Vec<(String, String)>,
    /// Where.
    pub spot: Spot,
    /// The label of its pane.
    pub label: Option<String>,
    /// The verb.
    pub by: LaunchedBy,
}

/// What became of a job.
pub type Launched = Result<Opened, Trouble>;

/// Launches all of them; the results are in the same order. A record whose pane could not be opened is as
/// it was before.
pub fn launch(context: &Context, server: &Server<'_>, jobs: &[Job]) -> Vec<Launched> {
    let store = SessionStore::new(&context.home);
    let asked: Vec<Result<SessionRecord, Trouble>> = jobs.iter().map(|job| ask(&store, job)).collect();
    let due: Vec<&Job> =
        jobs.iter().zip(&asked).filter_map(|(job, asked)| asked.is_ok().then_some(job)).collect();
    let openings: Vec<Opening> = due.iter().map(|job| opening(context, job)).collect();
    let mut opened = open(context, server, &openings).into_iter();
    let mut results: Vec<Launched> = Vec::new();
    for (job, asked) in jobs.iter().zip(asked) {
        results.push(asked.and_then(|before| {
            let opened = opened.next().unwrap_or(Err(NoAnswer::NotRunning));
            opened.map_err(|error| {
                take_back(&store, job, &before);
                words::not_opened(&job.name, &error)
            })
        }));
    }
    note_places(&store, server, jobs, &results);
    watch(context, &store, server, jobs, results)
}

/// Writes into the record that a launch was asked for; the record as it was before.
fn ask(store: &SessionStore, job: &Job) -> Result<SessionRecord, Trouble> {
    let now = clock::utc(clock::now());
    let mut before = None;
    let asked = store.update(&job.name, |record| {
        before = Some(record.clone());
        record.argv.clone_from(&job.argv);
        record.cwd.clone_from(&job.cwd);
        record.status = Status::Launching { at: now.clone() };
        // One that was asked for and never came about is asked for again.
        let is_new =
            record.history.first().is_none_or(|latest| latest.pid.is_some() || latest.ended.is_some());
        if is_new {
            record.note_launch(Launch::new(job.by, &now));
        }
    });
    let asked = asked.map_err(|error| Trouble::from(error.failure()))?;
    Ok(before.unwrap_or(asked))
}

/// The launch will not be: the record says again what it said before.
fn take_back(store: &SessionStore, job: &Job, before: &SessionRecord) {
    // A record that stays as it is says that a launch was asked for, and the next one may carry it out.
    drop(store.update(&job.name, |record| {
        if matches!(record.status, Status::Launching { .. }) {
            *record = SessionRecord { updated_at: record.updated_at.clone(), ..before.clone() };
        }
    }));
}

fn opening(context: &Context, job: &Job) -> Opening {
    Opening {
        spot: job.spot.clone(),
        cwd: job.cwd.clone(),
        label: job.label.clone(),
        variables: handover::variables(&context.profile, job.name.as_str(), &job.values),
    }
}

/// Opens the panes. When herdr does not know mam's pane, or an old form of it, it is told, once.
fn open(context: &Context, server: &Server<'_>, openings: &[Opening]) -> Vec<Result<Opened, NoAnswer>> {
    let mut opened = place::open(server, openings);
    let is_unknown = |result: &Result<Opened, NoAnswer>| {
        matches!(result, Err(NoAnswer::Refused { code, .. })
            if matches!(code.as_str(), "plugin_not_found" | "plugin_pane_not_found" | "plugin_manifest_unavailable"))
    };
    if !opened.iter().any(is_unknown) {
        return opened;
    }
    if let Err(why) = plugin::link(context) {
        context.step(&format!("mam's plugin is not linked: {why}"));
    }
    let again: Vec<usize> =
        opened.iter().enumerate().filter_map(|(at, result)| is_unknown(result).then_some(at)).collect();
    let some: Vec<Opening> = again.iter().filter_map(|at| openings.get(*at).cloned()).collect();
    for (at, result) in again.into_iter().zip(place::open(server, &some)) {
        if let Some(slot) = opened.get_mut(at) {
            *slot = result;
        }
    }
    opened
}

/// Writes down where the agents are, for `list` and for the conversations that are reported there.
fn note_places(store: &SessionStore, server: &Server<'_>, jobs: &[Job], results: &[Launched]) {
    let process = server.process();
    for (job, opened) in jobs.iter().zip(results) {
        let Ok(opened) = opened else { continue };
        let place = Place {
            pane: opened.pane_id.clone(),
            terminal: opened.terminal_id.clone(),
            tab: opened.tab_id.clone(),
            workspace: Some(opened.workspace_id.clone()),
            server: process.clone(),
            ..Place::default()
        };
        // It can be looked up as long as the agent runs.
        drop(store.update(&job.name, |record| record.place = Some(place)));
    }
}

/// An agent that is waited for.
enum Wait {
    For(Opened, Option<Instant>),
    Over(Launched),
}

/// Waits until each agent runs, or it is known that it does not.
fn watch(
    context: &Context,
    store: &SessionStore,
    server: &Server<'_>,
    jobs: &[Job],
    results: Vec<Launched>,
) -> Vec<Launched> {
    let deadline = Instant::now() + PATIENCE;
    let start = |result: Launched| match result {
        Ok(opened) => Wait::For(opened, None),
        Err(trouble) => Wait::Over(Err(trouble)),
    };
    let mut waits: Vec<Wait> = results.into_iter().map(start).collect();
    loop {
        let is_over = Instant::now() >= deadline;
        let layout = server.ask(Layout::request()).ok().and_then(|answer| Layout::read(&answer));
        let mut is_open = false;
        for (job, wait) in jobs.iter().zip(&mut waits) {
            let Wait::For(opened, since) = wait else { continue };
            let end = match look(context, store, job, opened, layout.as_ref(), since) {
                None if is_over => Some(Err(words::no_agent(&job.name, &opened.pane_id, PATIENCE))),
                end => end,
            };
            match end {
                Some(end) => *wait = Wait::Over(end),
                None => is_open = true,
            }
        }
        if !is_open {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    let finish = |wait| match wait {
        Wait::Over(end) => end,
        Wait::For(opened, _) => Ok(opened),
    };
    waits.into_iter().map(finish).collect()
}

/// What is to be seen of one of them now; `None` when that may still change.
fn look(
    context: &Context,
    store: &SessionStore,
    job: &Job,
    opened: &Opened,
    layout: Option<&Layout>,
    since: &mut Option<Instant>,
) -> Option<Launched> {
    let pane = layout.map(|layout| layout.pane(&opened.pane_id));
    let record = match store.read(&job.name) {
        Ok(Some(record)) => record,
        Ok(None) => return Some(Err(words::gone(&job.name))),
        Err(error) => return Some(Err(error.failure().into())),
    };
    match &record.status {
        Status::Running { process } if is_alive(context, process) => {
            let seen = since.get_or_insert_with(Instant::now).elapsed();
            (seen >= STANDS).then(|| Ok(opened.clone()))
        }
        Status::Ended { how, .. } => Some(Err(words::ended_at_once(&job.name, *how, &opened.pane_id))),
        Status::Failed { reason, .. } => Some(Err(words::not_started(&job.name, reason, &opened.pane_id))),
        Status::Launching { .. } if pane == Some(None) => Some(Err(words::pane_closed(&job.name))),
        // It has ended, and how is about to be written; or it is about to run.
        Status::Running { .. } | Status::Launching { .. } => None,
    }
}

/// Whether a recorded process lives: the same pid, start and boot. What cannot be told counts as alive.
pub fn is_alive(context: &Context, process: &ProcessId) -> bool {
    let kernel = context.kernel();
    let is_other_boot = match (&process.boot, kernel.boot()) {
        (Some(then), Some(now)) => *then != now,
        (None, _) | (_, None) => false,
    };
    let started = started_of(kernel, process.pid);
    !is_other_boot && started.is_some() && (process.start.is_none() || process.start == started)
}

/// The panes that took the places of others.
pub fn replaced(jobs: &[Job], results: &[Launched]) -> BTreeMap<String, String> {
    let pair = |(job, result): (&Job, &Launched)| match (&job.spot, result) {
        (Spot::Beside(old), Ok(opened)) => Some((old.clone(), opened.pane_id.clone())),
        (Spot::Beside(_), Err(_)) | (Spot::Tab(_) | Spot::Workspace(_), _) => None,
    };
    jobs.iter().zip(results).filter_map(pair).collect()
}
