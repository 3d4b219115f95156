//! What answers and events say about workspaces, tabs, panes and agents.

use serde_json::{Map, Value, json};

use super::Server;
use crate::env;
use crate::model::ids::encode;
use crate::model::layout::Rect;
use crate::model::{Pane, Tab, Workspace};

/// The columns that the sidebar takes, and the row that the tab bar takes.
const SIDEBAR: u16 = 26;
const TAB_BAR: u16 = 1;

impl Server {
    /// The place that a tab's panes share.
    pub(super) fn area(&self) -> Rect {
        let (columns, rows) = self.size;
        let (width, height) = (columns.saturating_sub(SIDEBAR), rows.saturating_sub(TAB_BAR));
        Rect { x: SIDEBAR, y: TAB_BAR, width: width.max(1), height: height.max(1) }
    }

    pub(super) fn workspace_info(&self, at: usize) -> Value {
        let Some(workspace) = self.workspaces.get(at) else {
            return Value::Null;
        };
        let mut info = json!({
            "workspace_id": workspace.id,
            "number": at + 1,
            "label": workspace.label(),
            "focused": at == self.active,
            "pane_count": workspace.panes().len(),
            "tab_count": workspace.tabs.len(),
            "active_tab_id": workspace.tab().map(|tab| tab_id(workspace, tab)),
            "agent_status": self.status_of(&workspace.panes()),
        });
        if let (Some(tree), Some(info)) = (&workspace.worktree, info.as_object_mut()) {
            let tree = json!({
                "repo_key": tree.key,
                "repo_name": tree.label,
                "repo_root": tree.repo_root,
                "checkout_path": tree.checkout_path,
                "is_linked_worktree": tree.is_linked_worktree,
            });
            info.insert("worktree".to_owned(), tree);
        }
        info
    }

    pub(super) fn tab_info(&self, at: usize, tab_at: usize) -> Value {
        let found = self.workspaces.get(at).and_then(|ws| Some((ws, ws.tabs.get(tab_at)?)));
        let Some((workspace, tab)) = found else {
            return Value::Null;
        };
        json!({
            "tab_id": tab_id(workspace, tab),
            "workspace_id": workspace.id,
            "number": tab.number,
            "label": tab.label(),
            "focused": at == self.active && tab_at == workspace.active_tab,
            "pane_count": tab.layout.panes().len(),
            "agent_status": self.status_of(&tab.layout.panes()),
        })
    }

    pub(super) fn pane_info(&self, key: u32) -> Value {
        let Some((pane, workspace, tab)) = self.found(key) else {
            return Value::Null;
        };
        let mut info = Map::new();
        let mut put = |name: &str, value: Value| drop(info.insert(name.to_owned(), value));
        put("pane_id", json!(pane_id(workspace, pane)));
        put("terminal_id", json!(pane.terminal_id));
        put("workspace_id", json!(workspace.id));
        put("tab_id", json!(tab_id(workspace, tab)));
        put("focused", json!(self.focused_pane() == Some(key)));
        put("cwd", json!(pane.cwd()));
        put("foreground_cwd", json!(pane.foreground_cwd()));
        if let Some(label) = &pane.label {
            put("label", json!(label));
        }
        if let Some(agent) = &pane.agent {
            put("agent", json!(agent.name));
        }
        put("agent_status", json!(pane.status()));
        if let Some(session) = &pane.session {
            put("agent_session", json!(session));
        }
        let scroll = json!({
            "offset_from_bottom": 0,
            "max_offset_from_bottom": 0,
            "viewport_rows": pane.terminal.size().1,
        });
        put("scroll", scroll);
        put("revision", json!(0));
        Value::Object(info)
    }

    pub(super) fn agent_info(&self, key: u32) -> Value {
        let Some((pane, workspace, tab)) = self.found(key) else {
            return Value::Null;
        };
        let mut info = json!({"terminal_id": pane.terminal_id});
        let Some(map) = info.as_object_mut() else {
            return info;
        };
        let mut put = |name: &str, value: Value| drop(map.insert(name.to_owned(), value));
        if let Some(agent) = &pane.agent {
            put("agent", json!(agent.name));
        }
        put("agent_status", json!(pane.status()));
        if let Some(session) = &pane.session {
            put("agent_session", json!(session));
        }
        put("workspace_id", json!(workspace.id));
        put("tab_id", json!(tab_id(workspace, tab)));
        put("pane_id", json!(pane_id(workspace, pane)));
        put("focused", json!(self.focused_pane() == Some(key)));
        put("state_change_seq", json!(pane.agent.as_ref().map_or(0, |agent| agent.changes)));
        put("cwd", json!(pane.cwd()));
        put("foreground_cwd", json!(pane.foreground_cwd()));
        put("revision", json!(0));
        info
    }

    pub(super) fn layout_info(&self, at: usize, tab_at: usize) -> Value {
        let found = self.workspaces.get(at).and_then(|ws| Some((ws, ws.tabs.get(tab_at)?)));
        let Some((workspace, tab)) = found else {
            return Value::Null;
        };
        let area = self.area();
        let public = |key: u32| self.panes.get(&key).map(|pane| pane_id(workspace, pane));
        let rects = match tab.zoomed {
            true => vec![(tab.focused, area)],
            false => tab.layout.rects(area),
        };
        let panes: Vec<Value> = rects
            .into_iter()
            .map(|(key, rect)| json!({"pane_id": public(key), "focused": key == tab.focused, "rect": rect}))
            .collect();
        json!({
            "workspace_id": workspace.id,
            "tab_id": tab_id(workspace, tab),
            "zoomed": tab.zoomed,
            "area": area,
            "focused_pane_id": public(tab.focused),
            "panes": panes,
            "splits": tab.layout.cuts(area),
        })
    }

    pub(super) fn snapshot(&self) -> Value {
        let mut snapshot = json!({"version": env::version(), "protocol": 20});
        let Some(map) = snapshot.as_object_mut() else {
            return snapshot;
        };
        let mut put = |name: &str, value: Value| drop(map.insert(name.to_owned(), value));
        if let Some(key) = self.focused_pane() {
            let pane = self.pane_info(key);
            for (name, from) in [
                ("focused_workspace_id", "workspace_id"),
                ("focused_tab_id", "tab_id"),
                ("focused_pane_id", "pane_id"),
            ] {
                put(name, pane.get(from).cloned().unwrap_or_default());
            }
        }
        let tabs: Vec<(usize, usize)> = self
            .workspaces
            .iter()
            .enumerate()
            .flat_map(|(at, workspace)| (0..workspace.tabs.len()).map(move |tab| (at, tab)))
            .collect();
        let workspaces = (0..self.workspaces.len()).map(|at| self.workspace_info(at));
        put("workspaces", workspaces.collect());
        put("tabs", tabs.iter().map(|(at, tab)| self.tab_info(*at, *tab)).collect());
        put("panes", self.pane_keys().into_iter().map(|key| self.pane_info(key)).collect());
        put("layouts", tabs.iter().map(|(at, tab)| self.layout_info(*at, *tab)).collect());
        put("agents", self.agents());
        json!({"type": "session_snapshot", "snapshot": snapshot})
    }

    /// The panes in the order of workspaces and tabs.
    pub(super) fn pane_keys(&self) -> Vec<u32> {
        self.workspaces.iter().flat_map(Workspace::panes).collect()
    }

    /// A pane with its workspace and its tab.
    pub(super) fn found(&self, key: u32) -> Option<(&Pane, &Workspace, &Tab)> {
        let (at, tab_at) = self.place(key)?;
        let workspace = self.workspaces.get(at)?;
        Some((self.panes.get(&key)?, workspace, workspace.tabs.get(tab_at)?))
    }

    /// The pane's id, as everyone outside calls it.
    pub(super) fn public_id(&self, key: u32) -> String {
        self.found(key).map(|(pane, workspace, _)| pane_id(workspace, pane)).unwrap_or_default()
    }

    /// The most pressing status among some panes.
    fn status_of(&self, keys: &[u32]) -> &str {
        let has = |status: &str| {
            keys.iter().filter_map(|key| self.panes.get(key)).any(|pane| pane.status() == status)
        };
        let order = ["blocked", "working", "done", "idle"];
        order.into_iter().find(|status| has(status)).unwrap_or("unknown")
    }
}

pub(super) fn pane_id(workspace: &Workspace, pane: &Pane) -> String {
    format!("{}:p{}", workspace.id, encode(pane.number))
}

pub(super) fn tab_id(workspace: &Workspace, tab: &Tab) -> String {
    format!("{}:t{}", workspace.id, encode(tab.number))
}
