//! The `tab.*` methods.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;

use super::Server;
use super::requests::{Answer, Refusal, done, refuse};
use super::spawn::{Launch, Spot};
use crate::model::Tab;
use crate::model::layout::Node;

#[derive(Deserialize)]
pub(super) struct CreateParams {
    workspace_id: Option<String>,
    cwd: Option<PathBuf>,
    label: Option<String>,
    #[serde(default)]
    focus: bool,
    #[serde(default)]
    env: BTreeMap<String, String>,
}

#[derive(Deserialize)]
pub(super) struct ListParams {
    workspace_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Target {
    tab_id: String,
}

impl Server {
    pub(super) fn tab_create(&mut self, params: CreateParams) -> Answer {
        let at = match params.workspace_id.as_deref() {
            Some(id) => self.workspace_at(id)?,
            None => self.active,
        };
        let cwd = params.cwd.or_else(|| Some(self.workspaces.get(at)?.cwd.clone()));
        let launch = Launch { cwd: self.new_cwd(cwd), env: params.env, ..Launch::default() };
        let (tab_at, key) = self.open_tab(at, params.label, launch, params.focus)?;
        Ok(json!({
            "type": "tab_created",
            "tab": self.tab_info(at, tab_at),
            "root_pane": self.pane_info(key),
        }))
    }

    /// Opens a tab with one program, and tells the plugins.
    pub(super) fn open_tab(
        &mut self,
        at: usize,
        name: Option<String>,
        launch: Launch,
        focus: bool,
    ) -> Result<(usize, u32), Refusal> {
        let number = self.take_number(at);
        let Some(workspace) = self.workspaces.get_mut(at) else {
            return refuse("workspace_not_found", "workspace not found");
        };
        let tab = workspace.next_tab;
        workspace.next_tab += 1;
        let spot = Spot { workspace: workspace.id.clone(), tab, number };
        let key = self.spawn(&spot, launch)?;
        let layout = Node::Pane(key);
        let tab = Tab { number: tab, name, layout, focused: key, zoomed: false, root: key };
        let mut tab_at = 0;
        if let Some(workspace) = self.workspaces.get_mut(at) {
            tab_at = workspace.tabs.len();
            workspace.tabs.push(tab);
        }
        if focus {
            self.moving_focus(|server| server.bring_to_front(key));
        }
        self.changed();
        self.emit("tab.created", json!({"tab": self.tab_info(at, tab_at)}));
        self.emit("pane.created", json!({"pane": self.pane_info(key)}));
        Ok((tab_at, key))
    }

    pub(super) fn tab_list(&self, params: ListParams) -> Answer {
        let wanted = params.workspace_id.as_deref().map(|id| self.workspace_at(id)).transpose()?;
        let mut tabs = Vec::new();
        for (at, workspace) in self.workspaces.iter().enumerate() {
            if wanted.is_none_or(|wanted| wanted == at) {
                tabs.extend((0..workspace.tabs.len()).map(|tab| self.tab_info(at, tab)));
            }
        }
        Ok(json!({"type": "tab_list", "tabs": tabs}))
    }

    pub(super) fn tab_get(&self, params: Target) -> Answer {
        let (at, tab_at) = self.tab_at(&params.tab_id)?;
        Ok(json!({"type": "tab_info", "tab": self.tab_info(at, tab_at)}))
    }

    pub(super) fn tab_focus(&mut self, params: Target) -> Answer {
        let (at, tab_at) = self.tab_at(&params.tab_id)?;
        let tab = self.workspaces.get(at).and_then(|workspace| workspace.tabs.get(tab_at));
        let key = tab.map_or(0, |tab| tab.focused);
        self.moving_focus(|server| server.bring_to_front(key));
        self.changed();
        self.tab_get(params)
    }

    pub(super) fn tab_close(&mut self, params: Target) -> Answer {
        let (at, tab_at) = self.tab_at(&params.tab_id)?;
        let workspace = self.workspaces.get(at);
        if workspace.is_some_and(|workspace| workspace.tabs.len() == 1) {
            self.confirm_group_close(at, "this tab heads a worktree group")?;
            self.close_workspace(at);
            return done();
        }
        let workspace_id = workspace.map(|workspace| workspace.id.clone());
        self.moving_focus(|server| server.remove_tab(at, tab_at));
        self.changed();
        self.emit("tab.closed", json!({"tab_id": params.tab_id, "workspace_id": workspace_id}));
        done()
    }

    /// Takes a tab out of its workspace, which has others.
    pub(super) fn remove_tab(&mut self, at: usize, tab_at: usize) {
        let Some(workspace) = self.workspaces.get_mut(at) else {
            return;
        };
        let tab = workspace.tabs.remove(tab_at);
        if tab_at < workspace.active_tab || workspace.active_tab == workspace.tabs.len() {
            workspace.active_tab = workspace.active_tab.saturating_sub(1);
        }
        tab.layout.panes().into_iter().for_each(|key| self.hang_up(key));
    }

    fn tab_at(&self, id: &str) -> Result<(usize, usize), Refusal> {
        for (at, workspace) in self.workspaces.iter().enumerate() {
            let is = |tab: &Tab| super::info::tab_id(workspace, tab) == id;
            if let Some(tab_at) = workspace.tabs.iter().position(is) {
                return Ok((at, tab_at));
            }
        }
        refuse("tab_not_found", format!("tab {id} not found"))
    }
}
