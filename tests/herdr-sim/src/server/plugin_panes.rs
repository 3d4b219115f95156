//! `plugin.pane.open`: a pane that runs the argv of a manifest's entry, with no shell in between.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;

use super::Server;
use super::requests::{Answer, refuse};
use super::spawn::Launch;
use crate::model::layout::Direction;
use crate::plugins::registry;

#[derive(Deserialize)]
pub(super) struct OpenParams {
    plugin_id: String,
    entrypoint: String,
    placement: Option<Placement>,
    target_pane_id: Option<String>,
    workspace_id: Option<String>,
    direction: Option<Direction>,
    cwd: Option<PathBuf>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    focus: bool,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Placement {
    Overlay,
    Popup,
    Split,
    Tab,
    Zoomed,
}

impl Server {
    pub(super) fn plugin_pane_open(&mut self, params: OpenParams) -> Answer {
        let mut plugins = registry::load_quietly().into_iter();
        let Some(plugin) = plugins.find(|plugin| plugin.plugin_id == params.plugin_id) else {
            return refuse("plugin_not_found", "plugin not found");
        };
        if !plugin.enabled {
            return refuse("plugin_disabled", "plugin is disabled");
        }
        let entry = plugin.panes.iter().find(|entry| entry.id == params.entrypoint).cloned();
        let Some(entry) = entry else {
            let message = format!("plugin pane entrypoint '{}' not found", params.entrypoint);
            return refuse("plugin_pane_not_found", message);
        };
        let usual = serde_json::from_value(json!(entry.placement)).unwrap_or(Placement::Overlay);
        let placement = params.placement.unwrap_or(usual);
        for dir in [plugin.config_dir(), plugin.state_dir()] {
            if let Err(error) = std::fs::create_dir_all(dir) {
                return refuse("plugin_user_dir_create_failed", error.to_string());
            }
        }
        let mut env = params.env;
        env.extend(self.plugin_environment(&plugin, &self.context("api", "plugin-pane")));
        env.insert("HERDR_PLUGIN_ENTRYPOINT_ID".to_owned(), entry.id.clone());
        let cwd = params.cwd.unwrap_or_else(|| plugin.plugin_root.clone());
        let launch = Launch { argv: entry.command.clone(), cwd, env };
        let key = match placement {
            Placement::Split | Placement::Zoomed => {
                let target = self.pane_or_focused(params.target_pane_id.as_deref())?;
                let focus = params.focus || placement == Placement::Zoomed;
                let direction = params.direction.unwrap_or(Direction::Horizontal);
                let key = self.split(target, direction, None, launch, focus)?;
                if placement == Placement::Zoomed {
                    self.zoom_on(key);
                }
                key
            }
            Placement::Tab => {
                let id = params.workspace_id.as_deref();
                let at = id.map_or(Ok(self.active), |id| self.workspace_at(id))?;
                self.open_tab(at, None, launch, params.focus)?.1
            }
            Placement::Overlay | Placement::Popup => {
                return refuse("invalid_request", "herdr-sim opens no overlays and no popups");
            }
        };
        if let Some(pane) = self.panes.get_mut(&key) {
            pane.label = Some(entry.title);
            pane.plugin = Some((plugin.plugin_id.clone(), entry.id.clone()));
        }
        let info = self.pane_info(key);
        if placement != Placement::Tab {
            self.emit("pane.created", json!({"pane": info}));
        }
        Ok(json!({
            "type": "plugin_pane_opened",
            "plugin_pane": {
                "plugin_id": plugin.plugin_id,
                "entrypoint": entry.id,
                "pane": info,
            },
        }))
    }

    fn zoom_on(&mut self, key: u32) {
        let Some((at, tab_at)) = self.place(key) else {
            return;
        };
        if let Some(tab) = self.workspaces.get_mut(at).and_then(|ws| ws.tabs.get_mut(tab_at)) {
            tab.zoomed = true;
        }
    }
}
