//! The server: a loop that owns the session and answers all waiting requests in one turn.

mod agents;
mod clients;
mod close;
mod events;
mod faults;
mod focus;
mod handoff;
mod info;
mod listen;
mod log;
mod methods;
mod panes;
mod plugin_api;
mod plugin_panes;
mod read;
mod requests;
mod restore;
mod save;
mod spawn;
mod start;
mod tabs;
mod workspaces;
mod worktrees;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use crate::config::Loaded;
use crate::model::{Pane, Workspace};
use crate::paths::Session;
use crate::plugins::run::Runner;
use crate::procs::Table;
use crate::pty::Size;
use clients::Clients;
use faults::Faults;
use listen::Waiting;
use log::Log;
pub(crate) use start::{handoff_import, run};

/// How long the server sleeps between two turns.
const TURN: Duration = Duration::from_millis(20);
/// How often it looks for agents.
const DETECTION: Duration = Duration::from_millis(200);
/// How long after the start `[[startup]]` runs.
const STARTUP_HOOKS: Duration = Duration::from_millis(60);

/// The session and everything that serves it.
#[derive(Debug)]
pub(crate) struct Server {
    session: Session,
    log: Log,
    config: Loaded,
    faults: Faults,
    workspaces: Vec<Workspace>,
    /// The place of the workspace in front.
    active: usize,
    panes: BTreeMap<u32, Pane>,
    next_key: u32,
    next_workspace: u32,
    terminals: u64,
    /// The size of the attached client, else the size without one.
    size: Size,
    headless: Size,
    /// Programs that were hung up and have not ended yet.
    leaving: Vec<Leaving>,
    plugins: Runner,
    /// When the changed session is written.
    save_at: Option<Instant>,
    started: Instant,
    hooks_ran: bool,
    /// No agent is looked for before; after a handoff that takes a moment.
    detect_at: Instant,
    /// The process table of this turn.
    table: Option<Table>,
    clients: Clients,
    stop: Arc<AtomicBool>,
    handoff: bool,
}

/// A program whose terminal is gone.
#[derive(Debug)]
struct Leaving {
    child: std::process::Child,
    since: Instant,
}

impl Server {
    /// Turns until the server is told to stop.
    fn turn_until_stopped(&mut self, queue: &Receiver<Waiting>, open: &AtomicUsize) {
        while !self.stop.load(Ordering::SeqCst) {
            let next = Instant::now() + TURN;
            self.turn(queue);
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            if std::mem::take(&mut self.handoff) && self.hand_over(open) {
                return;
            }
        }
        self.stop_cleanly(open);
    }

    fn turn(&mut self, queue: &Receiver<Waiting>) {
        self.table = None;
        if let Some(error) = self.faults.refresh() {
            self.log.warn(&format!("sim-faults.json: {error}"));
        }
        for waiting in queue.try_iter() {
            self.answer(waiting);
        }
        self.drain_terminals();
        self.close_ended_panes();
        self.size_from_clients();
        self.lay_out();
        if self.detect_at <= Instant::now() {
            self.detect_agents();
            self.detect_at = Instant::now() + DETECTION;
        }
        if !self.hooks_ran && self.started.elapsed() >= STARTUP_HOOKS {
            self.hooks_ran = true;
            self.run_startup_hooks();
        }
        if self.save_at.is_some_and(|at| at <= Instant::now()) {
            self.save();
        }
        self.reap();
    }

    /// The process table, read at most once a turn.
    fn table(&mut self) -> &Table {
        self.table.get_or_insert_with(Table::read)
    }

    fn drain_terminals(&mut self) {
        for pane in self.panes.values_mut() {
            pane.terminal.drain();
        }
    }

    fn reap(&mut self) {
        self.leaving.retain_mut(|leaving| {
            let here = matches!(leaving.child.try_wait(), Ok(None));
            if here && leaving.since.elapsed() > Duration::from_secs(1) {
                drop(leaving.child.kill());
            }
            here
        });
    }

    /// SIGTERM and `server.stop`: the panes are hung up, the session is kept, the sockets go.
    fn stop_cleanly(&mut self, open: &AtomicUsize) {
        self.save_or_remove();
        for pane in self.panes.values() {
            pane.terminal.hang_up();
        }
        self.panes.clear();
        drop(std::fs::remove_file(&self.session.socket));
        drop(std::fs::remove_file(self.session.client_socket()));
        wait_for_answers(open);
        self.log.info("server stopped");
    }
}

/// Lets answers that are under way arrive, for a moment.
fn wait_for_answers(open: &AtomicUsize) {
    let deadline = Instant::now() + Duration::from_millis(500);
    while open.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
}
