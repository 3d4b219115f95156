//! `session.json`: what is kept of a session, written some seconds after a change.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::Server;
use crate::env;
use crate::model::layout::Node;
use crate::model::{AgentSession, Workspace, Worktree};

/// The file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Saved {
    version: u32,
    pub(super) workspaces: Vec<SavedWorkspace>,
    pub(super) active: usize,
    selected: usize,
    sidebar_width: u16,
    sidebar_section_split: f32,
    collapsed_space_keys: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedWorkspace {
    pub(super) id: String,
    pub(super) custom_name: Option<String>,
    pub(super) identity_cwd: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) worktree_space: Option<Worktree>,
    pub(super) public_pane_numbers: BTreeMap<u32, u32>,
    pub(super) next_public_pane_number: u32,
    pub(super) public_tab_numbers: Vec<u32>,
    pub(super) next_public_tab_number: u32,
    pub(super) tabs: Vec<SavedTab>,
    pub(super) active_tab: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedTab {
    pub(super) custom_name: Option<String>,
    pub(super) layout: Node,
    pub(super) panes: BTreeMap<u32, SavedPane>,
    pub(super) zoomed: bool,
    pub(super) focused: u32,
    pub(super) root_pane: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedPane {
    pub(super) cwd: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) agent_session: Option<AgentSession>,
}

impl Server {
    /// Notes that the session changed; it is written later.
    pub(super) fn changed(&mut self) {
        let due = || Instant::now() + env::millis("SAVE_MS", 5000);
        self.save_at.get_or_insert_with(due);
    }

    pub(super) fn saved_path(&self) -> PathBuf {
        self.session.dir().join("session.json")
    }

    /// The session as it is kept.
    pub(super) fn saved(&self) -> Saved {
        Saved {
            version: 3,
            workspaces: self.workspaces.iter().map(|ws| self.saved_workspace(ws)).collect(),
            active: self.active,
            selected: self.active,
            sidebar_width: 26,
            sidebar_section_split: 0.5,
            collapsed_space_keys: Vec::new(),
        }
    }

    fn saved_workspace(&self, workspace: &Workspace) -> SavedWorkspace {
        let panes = workspace.panes();
        let numbers = panes.iter().filter_map(|key| Some((*key, self.panes.get(key)?.number)));
        let tabs = workspace.tabs.iter().map(|tab| SavedTab {
            custom_name: tab.name.clone(),
            layout: tab.layout.clone(),
            panes: tab.layout.panes().into_iter().filter_map(|key| self.saved_pane(key)).collect(),
            zoomed: tab.zoomed,
            focused: tab.focused,
            root_pane: tab.root,
        });
        SavedWorkspace {
            id: workspace.id.clone(),
            custom_name: workspace.name.clone(),
            identity_cwd: workspace.cwd.clone(),
            worktree_space: workspace.worktree.clone(),
            public_pane_numbers: numbers.collect(),
            next_public_pane_number: workspace.next_pane,
            public_tab_numbers: workspace.tabs.iter().map(|tab| tab.number).collect(),
            next_public_tab_number: workspace.next_tab,
            tabs: tabs.collect(),
            active_tab: workspace.active_tab,
        }
    }

    fn saved_pane(&self, key: u32) -> Option<(u32, SavedPane)> {
        let pane = self.panes.get(&key)?;
        let (label, agent_session) = (pane.label.clone(), pane.session.clone());
        Some((key, SavedPane { cwd: pane.cwd(), label, agent_session }))
    }

    /// Writes a session that has panes.
    pub(super) fn save(&mut self) {
        self.save_at = None;
        if self.panes.is_empty() {
            return;
        }
        let path = self.saved_path();
        let new = path.with_extension("json.tmp");
        let text = serde_json::to_string_pretty(&self.saved()).unwrap_or_default();
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path));
        if let Err(error) = written {
            self.log.warn(&format!("session not saved: {error}"));
        }
    }

    /// At a clean stop: an empty session leaves no file.
    pub(super) fn save_or_remove(&mut self) {
        if self.panes.is_empty() {
            drop(std::fs::remove_file(self.saved_path()));
        }
        self.save();
    }
}
