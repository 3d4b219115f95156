//! `herdr-plugin.toml`: what a plugin offers. It is read when the plugin is linked, and not again.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{env, paths};

/// The events that a plugin may hook. Others are accepted with a warning and never fire.
pub(crate) const EVENTS: &[&str] = &[
    "workspace.created",
    "workspace.updated",
    "workspace.closed",
    "workspace.renamed",
    "workspace.moved",
    "workspace.reordered",
    "workspace.focused",
    "worktree.created",
    "worktree.opened",
    "worktree.removed",
    "tab.created",
    "tab.closed",
    "tab.renamed",
    "tab.moved",
    "tab.focused",
    "pane.created",
    "pane.closed",
    "pane.focused",
    "pane.moved",
    "pane.exited",
    "pane.agent_detected",
    "pane.agent_status_changed",
];

/// The platform that the simulator runs on, as manifests call it.
const PLATFORM: &str = if cfg!(target_os = "macos") { "macos" } else { "linux" };

/// A linked plugin: its manifest, and what the registry adds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Plugin {
    pub(crate) plugin_id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) min_herdr_version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) manifest_path: PathBuf,
    pub(crate) plugin_root: PathBuf,
    pub(crate) enabled: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) platforms: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) startup: Vec<Startup>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) actions: Vec<Action>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) events: Vec<Hook>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) panes: Vec<PaneEntry>,
    #[serde(default = "local")]
    pub(crate) source: serde_json::Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// A `[[startup]]` entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Startup {
    pub(crate) command: Vec<String>,
}

/// An `[[actions]]` entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Action {
    pub(crate) id: String,
    pub(crate) title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) contexts: Vec<String>,
    pub(crate) command: Vec<String>,
}

/// An `[[events]]` entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Hook {
    pub(crate) on: String,
    pub(crate) command: Vec<String>,
}

/// A `[[panes]]` entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PaneEntry {
    pub(crate) id: String,
    pub(crate) title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(default = "overlay")]
    pub(crate) placement: String,
    pub(crate) command: Vec<String>,
}

/// The file as it is written.
#[derive(Deserialize)]
struct Raw {
    id: String,
    name: String,
    version: String,
    min_herdr_version: Option<String>,
    description: Option<String>,
    platforms: Option<Vec<String>>,
    #[serde(default)]
    startup: Vec<Startup>,
    #[serde(default)]
    actions: Vec<Action>,
    #[serde(default)]
    events: Vec<Hook>,
    #[serde(default)]
    panes: Vec<PaneEntry>,
}

fn overlay() -> String {
    "overlay".to_owned()
}

fn local() -> serde_json::Value {
    serde_json::json!({"kind": "local"})
}

impl Plugin {
    /// Reads the manifest at a path, which may be its directory. The error is a code and a message.
    pub(crate) fn load(path: &Path, enabled: bool) -> Result<Self, (&'static str, String)> {
        let path = if path.is_dir() { path.join("herdr-plugin.toml") } else { path.to_path_buf() };
        let path = path.canonicalize().map_err(|e| ("plugin_manifest_not_found", e.to_string()))?;
        let text =
            std::fs::read_to_string(&path).map_err(|e| ("plugin_manifest_read_failed", e.to_string()))?;
        let mut raw: Raw =
            toml::from_str(&text).map_err(|e| ("plugin_manifest_parse_failed", e.to_string()))?;
        let needs = raw.min_herdr_version.unwrap_or_default();
        let code = "invalid_plugin_min_herdr_version";
        let wanted = version(&needs).ok_or((code, format!("min_herdr_version is {needs:?}")))?;
        if Some(wanted) > version(&env::version()) {
            let message = format!("the plugin needs herdr {needs} or newer");
            return Err(("plugin_requires_newer_herdr", message));
        }
        raw.actions.sort_by(|a, b| a.id.cmp(&b.id));
        raw.events.sort_by(|a, b| (&a.on, &a.command).cmp(&(&b.on, &b.command)));
        raw.panes.sort_by(|a, b| a.id.cmp(&b.id));
        let odd = raw.events.iter().filter(|hook| !EVENTS.contains(&hook.on.as_str()));
        let mut warnings: Vec<_> = odd.map(|hook| format!("unknown event '{}'", hook.on)).collect();
        if raw.platforms.is_none() {
            warnings.push("the manifest names no platforms".to_owned());
        }
        Ok(Self {
            plugin_id: raw.id,
            name: raw.name,
            version: raw.version,
            min_herdr_version: needs,
            description: raw.description,
            plugin_root: path.parent().map(Path::to_path_buf).unwrap_or_default(),
            manifest_path: path,
            enabled,
            platforms: raw.platforms,
            startup: raw.startup,
            actions: raw.actions,
            events: raw.events,
            panes: raw.panes,
            source: local(),
            warnings,
        })
    }

    /// Whether its commands run: enabled, still there, and meant for this platform.
    pub(crate) fn is_usable(&self) -> bool {
        let platforms = self.platforms.as_deref();
        let here = platforms.is_none_or(|names| names.iter().any(|name| name == PLATFORM));
        self.enabled && here && self.manifest_path.exists()
    }

    pub(crate) fn config_dir(&self) -> PathBuf {
        paths::config_dir().join("plugins/config").join(&self.plugin_id)
    }

    pub(crate) fn state_dir(&self) -> PathBuf {
        paths::state_dir().join("plugins").join(&self.plugin_id)
    }

    /// The variables that tell its commands where they belong.
    pub(crate) fn variables(&self) -> [(String, String); 4] {
        let shown = |path: &Path| path.display().to_string();
        [
            ("HERDR_PLUGIN_ID".to_owned(), self.plugin_id.clone()),
            ("HERDR_PLUGIN_ROOT".to_owned(), shown(&self.plugin_root)),
            ("HERDR_PLUGIN_CONFIG_DIR".to_owned(), shown(&self.config_dir())),
            ("HERDR_PLUGIN_STATE_DIR".to_owned(), shown(&self.state_dir())),
        ]
    }
}

/// The three numbers of a version.
fn version(text: &str) -> Option<[u32; 3]> {
    let numbers: Vec<u32> = text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}
