//! What a session is made of: workspaces, tabs, panes.

pub(crate) mod ids;
pub(crate) mod layout;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::procs;
use crate::pty::Terminal;
use layout::Node;

/// A workspace: a named group of tabs.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) cwd: PathBuf,
    pub(crate) tabs: Vec<Tab>,
    pub(crate) active_tab: usize,
    pub(crate) next_pane: u32,
    pub(crate) next_tab: u32,
    pub(crate) worktree: Option<Worktree>,
}

impl Workspace {
    /// What it is called: its name, or that of its directory.
    pub(crate) fn label(&self) -> String {
        let directory = || {
            let name = self.cwd.file_name().unwrap_or(self.cwd.as_os_str());
            name.to_string_lossy().into_owned()
        };
        self.name.clone().unwrap_or_else(directory)
    }

    pub(crate) fn tab(&self) -> Option<&Tab> {
        self.tabs.get(self.active_tab)
    }

    pub(crate) fn panes(&self) -> Vec<u32> {
        self.tabs.iter().flat_map(|tab| tab.layout.panes()).collect()
    }

    /// Whether closing it takes other workspaces along.
    pub(crate) fn heads_a_group(&self, all: &[Self]) -> bool {
        let Some(own) = self.worktree.as_ref().filter(|tree| !tree.is_linked_worktree) else {
            return false;
        };
        let linked = |other: &&Self| other.id != self.id && other.has_key(&own.key);
        all.iter().any(|other| linked(&other))
    }

    pub(crate) fn has_key(&self, key: &str) -> bool {
        self.worktree.as_ref().is_some_and(|tree| tree.key == key)
    }
}

/// A tab: a place that is cut into panes.
#[derive(Debug)]
pub(crate) struct Tab {
    pub(crate) number: u32,
    pub(crate) name: Option<String>,
    pub(crate) layout: Node,
    pub(crate) focused: u32,
    pub(crate) zoomed: bool,
    pub(crate) root: u32,
}

impl Tab {
    pub(crate) fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.number.to_string())
    }
}

/// The repository that a workspace belongs to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Worktree {
    pub(crate) key: String,
    pub(crate) label: String,
    pub(crate) repo_root: PathBuf,
    pub(crate) checkout_path: PathBuf,
    pub(crate) is_linked_worktree: bool,
}

/// The conversation that an integration reported for a pane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgentSession {
    pub(crate) source: String,
    pub(crate) agent: String,
    pub(crate) kind: String,
    pub(crate) value: String,
}

/// An agent that runs in a pane.
#[derive(Debug, Clone)]
pub(crate) struct Agent {
    pub(crate) name: String,
    pub(crate) status: String,
    pub(crate) since: Instant,
    pub(crate) changes: u64,
    /// Set when a report made it known, and no process did.
    pub(crate) reported_by: Option<String>,
    /// Set when a handoff only supposes it, until the processes are looked at.
    pub(crate) unproved: bool,
}

impl Agent {
    pub(crate) fn new(name: &str, status: &str) -> Self {
        let (name, status) = (name.to_owned(), status.to_owned());
        Self { name, status, since: Instant::now(), changes: 0, reported_by: None, unproved: false }
    }
}

/// A pane: a terminal with a program, and what is known about it.
#[derive(Debug)]
pub(crate) struct Pane {
    /// Its number in `session.json`, which no other pane of the session has.
    pub(crate) key: u32,
    /// Its number within the workspace.
    pub(crate) number: u32,
    pub(crate) terminal_id: String,
    pub(crate) terminal: Terminal,
    pub(crate) start_cwd: PathBuf,
    pub(crate) label: Option<String>,
    pub(crate) agent: Option<Agent>,
    pub(crate) session: Option<AgentSession>,
    /// The plugin and its entry point that opened the pane.
    pub(crate) plugin: Option<(String, String)>,
    /// The agent that ran before a handoff; it is found again without an event.
    pub(crate) agent_before: Option<String>,
}

impl Pane {
    /// Where its program is now.
    pub(crate) fn cwd(&self) -> PathBuf {
        procs::cwd(self.terminal.pid()).unwrap_or_else(|| self.start_cwd.clone())
    }

    /// Where the program in the foreground is.
    pub(crate) fn foreground_cwd(&self) -> PathBuf {
        let leader = procs::one(self.terminal.pid()).map(|shell| shell.foreground);
        leader.and_then(procs::cwd).unwrap_or_else(|| self.cwd())
    }

    pub(crate) fn status(&self) -> &str {
        self.agent.as_ref().map_or("unknown", |agent| &agent.status)
    }
}

/// The directory, or the home directory when it is gone.
pub(crate) fn existing(cwd: &Path) -> PathBuf {
    if cwd.is_dir() {
        return cwd.to_path_buf();
    }
    crate::env::var("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from)
}
