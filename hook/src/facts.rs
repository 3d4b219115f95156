//! Everything a verdict is made from: one moment of one server, as plain values.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use mam_share::herdr::pane::{Pane, ProcessInfo, Workspace};
use mam_share::process::{Process, ProcessTable, Terminal};

/// One moment of one server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The server's process.
    pub server: Server,
    /// All panes of the session.
    pub panes: Vec<Pane>,
    /// All workspaces; `None` when herdr did not say.
    pub workspaces: Option<Vec<Workspace>>,
    /// What herdr says of the processes of the panes that it was asked about: the answer, or why there
    /// is none.
    pub informed: BTreeMap<String, Result<ProcessInfo, String>>,
    /// All processes; `None` when the kernel did not say.
    pub table: Option<ProcessTable>,
    /// What the kernel says of the shells of those panes, by process id.
    pub shells: BTreeMap<u32, Shell>,
    /// Processes that were started in a pane of this server and may have left its terminal.
    pub jobs: Vec<Job>,
}

/// A server's process. Two servers are never equal, not even after a reboot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// Its process id.
    pub pid: u32,
    /// When it started, on the scale of [`ProcessTable::now`].
    pub started: Duration,
    /// The boot of the machine it runs in.
    pub boot: String,
}

/// A shell, beyond its row in the process table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shell {
    /// The directory it was started in, when something says so.
    pub start_directory: Option<PathBuf>,
    /// The directory it is in.
    pub directory: Option<PathBuf>,
    /// The name of its program file.
    pub program: Option<String>,
    /// Its terminal.
    pub terminal: Terminal,
}

/// A process with a pane of this server in its environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its process id.
    pub pid: u32,
    /// The pane it was started in.
    pub pane_id: String,
}

impl Server {
    /// A name for files about this server: no other server has it, before or after.
    pub fn key(&self) -> String {
        let boot: String = self.boot.chars().filter(char::is_ascii_alphanumeric).take(12).collect();
        let started = u64::try_from(self.started.as_millis()).unwrap_or(u64::MAX);
        format!("{}-{started}-{boot}", self.pid)
    }
}

impl Facts {
    /// The shell of a pane: herdr's answer, and the process it names.
    pub fn shell_of(&self, pane: &Pane) -> Option<&Process> {
        let info = self.informed.get(&pane.pane_id)?.as_ref().ok()?;
        self.table.as_ref()?.get(info.shell_pid?)
    }
}
