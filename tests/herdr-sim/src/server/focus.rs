//! Which workspace, tab and pane is in front, and how ids are found.

use serde_json::json;

use super::Server;
use super::requests::{Refusal, refuse};
use crate::model::ids::decode;

impl Server {
    /// The pane that a user would type into.
    pub(super) fn focused_pane(&self) -> Option<u32> {
        Some(self.workspaces.get(self.active)?.tab()?.focused)
    }

    /// The places of a pane's workspace and tab.
    pub(super) fn place(&self, key: u32) -> Option<(usize, usize)> {
        self.workspaces.iter().enumerate().find_map(|(at, workspace)| {
            let holds = |tab: &crate::model::Tab| tab.layout.panes().contains(&key);
            Some((at, workspace.tabs.iter().position(holds)?))
        })
    }

    /// The pane with that public id.
    pub(super) fn pane_key(&self, id: &str) -> Result<u32, Refusal> {
        let found = id.split_once(":p").and_then(|(workspace, number)| {
            let number = decode(number)?;
            let workspace = self.workspaces.iter().find(|own| own.id == workspace)?;
            let is = |key: &u32| self.panes.get(key).is_some_and(|pane| pane.number == number);
            workspace.panes().into_iter().find(is)
        });
        found.map_or_else(|| refuse("pane_not_found", format!("pane {id} not found")), Ok)
    }

    /// The pane with that id, or the one in front.
    pub(super) fn pane_or_focused(&self, id: Option<&str>) -> Result<u32, Refusal> {
        match (id, self.focused_pane()) {
            (Some(id), _) => self.pane_key(id),
            (None, Some(key)) => Ok(key),
            (None, None) => refuse("pane_not_found", "pane not found"),
        }
    }

    /// The place of the workspace with that id.
    pub(super) fn workspace_at(&self, id: &str) -> Result<usize, Refusal> {
        let found = self.workspaces.iter().position(|workspace| workspace.id == id);
        found.map_or_else(|| refuse("workspace_not_found", format!("workspace {id} not found")), Ok)
    }

    /// Does something that may move the focus, and tells the plugins if it moved.
    pub(super) fn moving_focus<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.focus_ids();
        let result = act(self);
        self.active = self.active.min(self.workspaces.len().saturating_sub(1));
        let after = self.focus_ids();
        let (Some([workspace, tab, pane]), true) = (&after, before != after) else {
            return result;
        };
        let old = before.unwrap_or_default();
        if *workspace != old[0] {
            self.emit("workspace.focused", json!({"workspace_id": workspace}));
        }
        if *tab != old[1] {
            self.emit("tab.focused", json!({"tab_id": tab, "workspace_id": workspace}));
        }
        self.emit("pane.focused", json!({"pane_id": pane, "workspace_id": workspace}));
        result
    }

    /// Puts a pane in front, with its tab and its workspace.
    pub(super) fn bring_to_front(&mut self, key: u32) {
        let Some((at, tab_at)) = self.place(key) else {
            return;
        };
        self.active = at;
        if let Some(workspace) = self.workspaces.get_mut(at) {
            workspace.active_tab = tab_at;
            if let Some(tab) = workspace.tabs.get_mut(tab_at) {
                tab.focused = key;
            }
        }
    }

    /// The ids of the workspace, the tab and the pane in front.
    fn focus_ids(&self) -> Option<[String; 3]> {
        let (pane, workspace, tab) = self.found(self.focused_pane()?)?;
        let ids = (super::info::tab_id(workspace, tab), super::info::pane_id(workspace, pane));
        Some([workspace.id.clone(), ids.0, ids.1])
    }
}
