//! The `workspace.*` methods.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Server;
use super::requests::{Answer, Refusal, done};
use super::spawn::{Launch, Spot};
use crate::model::ids::encode;
use crate::model::layout::Node;
use crate::model::{Tab, Workspace, existing};

#[derive(Deserialize)]
pub(super) struct CreateParams {
    cwd: Option<PathBuf>,
    label: Option<String>,
    #[serde(default)]
    focus: bool,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

#[derive(Deserialize)]
pub(super) struct Target {
    workspace_id: String,
}

#[derive(Deserialize)]
pub(super) struct RenameParams {
    workspace_id: String,
    label: String,
}

impl Server {
    pub(super) fn workspace_create(&mut self, params: CreateParams) -> Answer {
        let cwd = existing(&self.new_cwd(params.cwd));
        let launch = Launch { cwd, env: params.env, ..Launch::default() };
        let at = self.open_workspace(params.label, launch, params.focus)?;
        Ok(self.created(at, "workspace_created"))
    }

    /// Opens a workspace with one tab and one shell, and tells the plugins.
    pub(super) fn open_workspace(
        &mut self,
        name: Option<String>,
        launch: Launch,
        focus: bool,
    ) -> Result<usize, Refusal> {
        let id = format!("w{}", encode(self.next_workspace));
        let cwd = launch.cwd.clone();
        let key = self.spawn(&Spot { workspace: id.clone(), tab: 1, number: 1 }, launch)?;
        self.next_workspace += 1;
        let layout = Node::Pane(key);
        let tab = Tab { number: 1, name: None, layout, focused: key, zoomed: false, root: key };
        let tabs = vec![tab];
        let (next_pane, next_tab) = (2, 2);
        let workspace = Workspace { id, name, cwd, tabs, active_tab: 0, next_pane, next_tab, worktree: None };
        let at = self.workspaces.len();
        self.moving_focus(|server| {
            server.workspaces.push(workspace);
            if focus || at == 0 {
                server.active = at;
            }
        });
        self.changed();
        self.emit("tab.created", json!({"tab": self.tab_info(at, 0)}));
        self.emit("workspace.created", json!({"workspace": self.workspace_info(at)}));
        self.emit("pane.created", json!({"pane": self.pane_info(key)}));
        Ok(at)
    }

    /// What was created, as the methods that open a workspace say it.
    pub(super) fn created(&self, at: usize, kind: &str) -> Value {
        let root = self.workspaces.get(at).and_then(Workspace::tab).map_or(0, |tab| tab.root);
        json!({
            "type": kind,
            "workspace": self.workspace_info(at),
            "tab": self.tab_info(at, 0),
            "root_pane": self.pane_info(root),
        })
    }

    /// The directory of something new: the given one, else that of the pane in front.
    pub(super) fn new_cwd(&self, given: Option<PathBuf>) -> PathBuf {
        let front = || Some(self.panes.get(&self.focused_pane()?)?.cwd());
        given.or_else(front).or_else(|| std::env::current_dir().ok()).unwrap_or_default()
    }

    pub(super) fn workspace_list(&self) -> Value {
        let workspaces = (0..self.workspaces.len()).map(|at| self.workspace_info(at));
        json!({"type": "workspace_list", "workspaces": workspaces.collect::<Vec<_>>()})
    }

    pub(super) fn workspace_get(&self, params: Target) -> Answer {
        let at = self.workspace_at(&params.workspace_id)?;
        Ok(json!({"type": "workspace_info", "workspace": self.workspace_info(at)}))
    }

    pub(super) fn workspace_focus(&mut self, params: Target) -> Answer {
        let at = self.workspace_at(&params.workspace_id)?;
        self.moving_focus(|server| server.active = at);
        self.changed();
        self.workspace_get(params)
    }

    pub(super) fn workspace_rename(&mut self, params: RenameParams) -> Answer {
        let at = self.workspace_at(&params.workspace_id)?;
        if let Some(workspace) = self.workspaces.get_mut(at) {
            workspace.name = Some(params.label.clone());
        }
        self.changed();
        let event = json!({"workspace_id": params.workspace_id, "label": params.label});
        self.emit("workspace.renamed", event);
        self.workspace_get(Target { workspace_id: params.workspace_id })
    }

    pub(super) fn workspace_close(&mut self, params: Target) -> Answer {
        let at = self.workspace_at(&params.workspace_id)?;
        self.close_workspace(at);
        done()
    }

    /// Closes a workspace; one that heads a worktree group takes the linked ones along.
    pub(super) fn close_workspace(&mut self, at: usize) {
        let Some(workspace) = self.workspaces.get(at) else {
            return;
        };
        let mut closing = vec![workspace.id.clone()];
        if workspace.heads_a_group(&self.workspaces) {
            let key = workspace.worktree.as_ref().map(|tree| tree.key.clone()).unwrap_or_default();
            let linked = self.workspaces.iter().filter(|other| other.has_key(&key));
            closing = linked.map(|other| other.id.clone()).collect();
        }
        let info = self.workspace_info(at);
        let closed = json!({"workspace_id": closing.first(), "workspace": info});
        self.moving_focus(|server| {
            closing.iter().for_each(|id| server.remove_workspace(id));
        });
        self.changed();
        self.emit("workspace.closed", closed);
    }

    fn remove_workspace(&mut self, id: &str) {
        let Some(at) = self.workspaces.iter().position(|workspace| workspace.id == id) else {
            return;
        };
        let workspace = self.workspaces.remove(at);
        workspace.panes().into_iter().for_each(|key| self.hang_up(key));
        if at < self.active {
            self.active -= 1;
        }
    }
}
