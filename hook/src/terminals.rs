//! Watching the terminals of the shells that a server has just restored, and marking them: see [`mark`].
//!
//! A mark is all that is done to a terminal, and only to one of this user's. Who asks how long a terminal
//! has been idle (`w`) is told 16 s more.

use std::collections::BTreeMap;
use std::time::Duration;

use mam_share::process::{Kernel, Process, ProcessTable, State};

use crate::facts::Server;
use crate::mark::{self, STARTING, Sample, Step, Watch};
use crate::verdict::RESTORE;

/// How often is looked.
const PAUSE: Duration = Duration::from_millis(100);

/// The terminals of a server's shells while these start.
pub struct Terminals<'a> {
    server: &'a Server,
    kernel: &'a dyn Kernel,
    watched: BTreeMap<u32, Watch>,
}

impl<'a> Terminals<'a> {
    /// Those of `server`. Nothing was looked at so far.
    pub fn new(server: &'a Server, kernel: &'a dyn Kernel) -> Self {
        Self { server, kernel, watched: BTreeMap::new() }
    }

    /// Looks until every shell has settled or had its time, for 12 s at most.
    pub fn watch(&mut self) {
        while self.look() {
            std::thread::sleep(PAUSE);
        }
    }

    /// Looks once and puts marks where they belong; whether to look again.
    pub fn look(&mut self) -> bool {
        let Ok(table) = self.kernel.table() else { return false };
        let age = table.now.saturating_sub(self.server.started);
        // herdr starts all of them at once; on a busy machine that takes a moment.
        let mut again = age < STARTING;
        for shell in table.children(self.server.pid) {
            again |= self.is_restored(shell) && self.see(&table, shell);
        }
        again && age <= RESTORE + STARTING
    }

    /// Whether a child of the server is the shell of a pane that a restore made.
    fn is_restored(&self, shell: &Process) -> bool {
        let after = shell.started.checked_sub(self.server.started);
        shell.session == shell.pid && after.is_some_and(|after| after <= RESTORE)
    }

    /// Looks at one shell; whether to look again.
    fn see(&mut self, table: &ProcessTable, shell: &Process) -> bool {
        let Some(tty) = &shell.tty else { return false };
        let terminal = self.kernel.terminal(tty);
        let Some(last_input) = terminal.last_input else { return false };
        let started = table.started_wall(shell);
        let sample = Sample {
            now: table.wall,
            started,
            last_input,
            is_idle: shell.state == State::Sleeping
                && shell.foreground == Some(shell.group)
                && terminal.is_canonical == Some(false),
        };
        match self.watched.entry(shell.pid).or_default().see(sample) {
            Step::Over => false,
            Step::Wait => true,
            // A terminal that cannot be marked is unwatched, and its pane stays.
            Step::Mark => self.kernel.set_last_input(tty, mark::mark(started)).is_ok(),
        }
    }
}
