//! `plugins.json`: the plugins that a user linked, for all sessions.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::manifest::Plugin;
use crate::paths;

/// What a change of the registry answers, or a code and a message.
pub(crate) type Changed = Result<Value, (&'static str, String)>;

fn path() -> PathBuf {
    paths::config_dir().join("plugins.json")
}

/// The linked plugins.
pub(crate) fn load() -> io::Result<Vec<Plugin>> {
    match std::fs::read_to_string(path()) {
        Ok(text) => Ok(serde_json::from_str(&text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The linked plugins; none when the file cannot be read.
pub(crate) fn load_quietly() -> Vec<Plugin> {
    load().unwrap_or_default()
}

/// Links the plugin at a path, over an older link of the same id.
pub(crate) fn link(at: &str, enabled: bool) -> Changed {
    let plugin = Plugin::load(at.as_ref(), enabled)?;
    change(|plugins| {
        plugins.retain(|other| other.plugin_id != plugin.plugin_id);
        plugins.push(plugin.clone());
    })?;
    Ok(json!({"type": "plugin_linked", "plugin": plugin}))
}

/// Forgets a plugin.
pub(crate) fn unlink(id: &str) -> Changed {
    let mut removed = false;
    change(|plugins| {
        let before = plugins.len();
        plugins.retain(|plugin| plugin.plugin_id != id);
        removed = plugins.len() < before;
    })?;
    Ok(json!({"type": "plugin_unlinked", "plugin_id": id, "removed": removed}))
}

/// Lets a plugin's commands run, or not.
pub(crate) fn set_enabled(id: &str, enabled: bool) -> Changed {
    let mut found = None;
    change(|plugins| {
        if let Some(plugin) = plugins.iter_mut().find(|plugin| plugin.plugin_id == id) {
            plugin.enabled = enabled;
            found = Some(plugin.clone());
        }
    })?;
    let plugin = found.ok_or(("plugin_not_found", "plugin not found".to_owned()))?;
    let kind = if enabled { "plugin_enabled" } else { "plugin_disabled" };
    Ok(json!({"type": kind, "plugin": plugin}))
}

/// The answer that lists the plugins, or one of them.
pub(crate) fn list(id: Option<&str>) -> Changed {
    let mut plugins = load().map_err(failed)?;
    plugins.retain(|plugin| id.is_none_or(|id| plugin.plugin_id == id));
    Ok(json!({"type": "plugin_list", "plugins": plugins}))
}

fn change(edit: impl FnOnce(&mut Vec<Plugin>)) -> Result<(), (&'static str, String)> {
    let mut plugins = load().map_err(failed)?;
    edit(&mut plugins);
    plugins.sort_by(|a, b| a.plugin_id.cmp(&b.plugin_id));
    write(&plugins).map_err(failed)
}

fn write(plugins: &[Plugin]) -> io::Result<()> {
    let path = path();
    std::fs::create_dir_all(paths::config_dir())?;
    let new = path.with_extension(format!("json.tmp{}", std::process::id()));
    std::fs::write(&new, serde_json::to_string_pretty(plugins)?)?;
    std::fs::rename(new, path)
}

fn failed(error: io::Error) -> (&'static str, String) {
    ("plugin_registry_failed", error.to_string())
}
