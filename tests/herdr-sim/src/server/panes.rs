//! The `pane.*` methods that open, show and move panes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;

use super::Server;
use super::requests::{Answer, Refusal, refuse};
use super::spawn::{Launch, Spot};
use crate::model::layout::{Direction, Node};

#[derive(Deserialize)]
pub(super) struct SplitParams {
    direction: Direction,
    target_pane_id: Option<String>,
    cwd: Option<PathBuf>,
    ratio: Option<f32>,
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
pub(super) struct CurrentParams {
    caller_pane_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub(super) pane_id: String,
}

#[derive(Deserialize)]
pub(super) struct RenameParams {
    pane_id: String,
    label: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct OptionalTarget {
    pane_id: Option<String>,
    #[serde(default)]
    mode: ZoomMode,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum ZoomMode {
    #[default]
    Toggle,
    On,
    Off,
}

impl Server {
    pub(super) fn pane_split(&mut self, params: SplitParams) -> Answer {
        let target = self.pane_or_focused(params.target_pane_id.as_deref())?;
        let beside = self.panes.get(&target).map(crate::model::Pane::cwd);
        let cwd = params.cwd.or(beside).unwrap_or_default();
        let launch = Launch { cwd, env: params.env, ..Launch::default() };
        let key = self.split(target, params.direction, params.ratio, launch, params.focus)?;
        self.emit("pane.created", json!({"pane": self.pane_info(key)}));
        Ok(json!({"type": "pane_info", "pane": self.pane_info(key)}))
    }

    /// Starts a program beside another pane. The tab is unzoomed by it.
    pub(super) fn split(
        &mut self,
        target: u32,
        direction: Direction,
        ratio: Option<f32>,
        launch: Launch,
        focus: bool,
    ) -> Result<u32, Refusal> {
        let Some((at, tab_at)) = self.place(target) else {
            return refuse("pane_not_found", "pane not found");
        };
        let number = self.take_number(at);
        let place = self.workspaces.get(at).and_then(|ws| Some((&ws.id, ws.tabs.get(tab_at)?.number)));
        let (workspace, tab) = place.map_or_else(Default::default, |(id, tab)| (id.clone(), tab));
        let key = self.spawn(&Spot { workspace, tab, number }, launch)?;
        let ratio = ratio.unwrap_or(0.5).clamp(0.1, 0.9);
        if let Some(tab) = self.workspaces.get_mut(at).and_then(|ws| ws.tabs.get_mut(tab_at)) {
            tab.layout.split(target, key, direction, ratio);
            tab.zoomed = false;
        }
        if focus {
            self.moving_focus(|server| server.bring_to_front(key));
        }
        self.changed();
        Ok(key)
    }

    pub(super) fn pane_list(&self, params: ListParams) -> Answer {
        let wanted = params.workspace_id.as_deref().map(|id| self.workspace_at(id)).transpose()?;
        let keys = self
            .pane_keys()
            .into_iter()
            .filter(|key| wanted.is_none_or(|wanted| self.place(*key).is_some_and(|(at, _)| at == wanted)));
        let panes: Vec<_> = keys.map(|key| self.pane_info(key)).collect();
        Ok(json!({"type": "pane_list", "panes": panes}))
    }

    pub(super) fn pane_current(&self, params: CurrentParams) -> Answer {
        let key = self.pane_or_focused(params.caller_pane_id.as_deref())?;
        Ok(json!({"type": "pane_current", "pane": self.pane_info(key)}))
    }

    pub(super) fn pane_get(&self, params: Target) -> Answer {
        let key = self.pane_key(&params.pane_id)?;
        Ok(json!({"type": "pane_info", "pane": self.pane_info(key)}))
    }

    /// Brings a pane to the front, and its workspace with it.
    pub(super) fn pane_focus(&mut self, params: Target) -> Answer {
        let key = self.pane_key(&params.pane_id)?;
        self.moving_focus(|server| server.bring_to_front(key));
        self.changed();
        self.pane_get(params)
    }

    pub(super) fn pane_rename(&mut self, params: RenameParams) -> Answer {
        let key = self.pane_key(&params.pane_id)?;
        if let Some(pane) = self.panes.get_mut(&key) {
            pane.label = params.label.filter(|label| !label.is_empty());
        }
        self.changed();
        self.pane_get(Target { pane_id: params.pane_id })
    }

    pub(super) fn pane_zoom(&mut self, params: OptionalTarget) -> Answer {
        let key = self.pane_or_focused(params.pane_id.as_deref())?;
        let Some((at, tab_at)) = self.place(key) else {
            return refuse("pane_not_found", "pane not found");
        };
        let focus_changed = self.focused_pane() != Some(key);
        self.moving_focus(|server| server.bring_to_front(key));
        let tab = self.workspaces.get_mut(at).and_then(|ws| ws.tabs.get_mut(tab_at));
        let Some(tab) = tab else {
            return refuse("pane_not_found", "pane not found");
        };
        let single = matches!(tab.layout, Node::Pane(_));
        let zoomed = !single
            && match params.mode {
                ZoomMode::Toggle => !tab.zoomed,
                ZoomMode::On => true,
                ZoomMode::Off => false,
            };
        let zoom_changed = zoomed != tab.zoomed;
        tab.zoomed = zoomed;
        self.changed();
        let mut zoom = json!({
            "changed": zoom_changed || focus_changed,
            "zoom_changed": zoom_changed,
            "focus_changed": focus_changed,
        });
        if let Some(map) = zoom.as_object_mut() {
            if single {
                map.insert("reason".to_owned(), json!("single_pane"));
            }
            map.insert("pane_id".to_owned(), json!(self.public_id(key)));
            map.insert("focused_pane_id".to_owned(), json!(self.public_id(key)));
            map.insert("zoomed".to_owned(), json!(zoomed));
            map.insert("layout".to_owned(), self.layout_info(at, tab_at));
        }
        Ok(json!({"type": "pane_zoom", "zoom": zoom}))
    }

    pub(super) fn pane_layout(&self, params: OptionalTarget) -> Answer {
        let key = self.pane_or_focused(params.pane_id.as_deref())?;
        let (at, tab_at) = self.place(key).unwrap_or_default();
        Ok(json!({"type": "pane_layout", "layout": self.layout_info(at, tab_at)}))
    }

    /// Tells every program the size of its place.
    pub(super) fn lay_out(&mut self) {
        let area = self.area();
        for tab in self.workspaces.iter().flat_map(|workspace| &workspace.tabs) {
            let rects = tab.layout.rects(area);
            // Borders stand between panes, not around a single one.
            let border = if rects.len() > 1 { 2 } else { 0 };
            for (key, rect) in rects {
                let rect = if tab.zoomed && key == tab.focused { area } else { rect };
                let cells = |whole: u16| whole.saturating_sub(border).max(1);
                if let Some(pane) = self.panes.get_mut(&key) {
                    pane.terminal.resize((cells(rect.width), cells(rect.height)));
                }
            }
        }
    }
}
