//! mam as a plugin of herdr: its manifest, and what has to be done so that herdr uses it.

use std::path::Path;

use serde_json::Value;

/// The manifest, with the bare names of the programs in its commands.
const MANIFEST: &str = include_str!("../../share/plugin/herdr-plugin.toml");

/// The plugin's id.
pub const ID: &str = "mam";

/// The file name herdr looks for.
pub const FILE: &str = "herdr-plugin.toml";

/// How things stand with the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// herdr does not know it.
    NotLinked,
    /// herdr has a plugin of this id in another directory.
    Elsewhere(String),
    /// herdr works from another manifest than the one of this program.
    Stale,
    /// All is well, but the user has switched it off.
    Disabled,
    /// herdr uses it.
    Current,
}

/// The manifest with the absolute paths of `mam-restore-hook` and of `mam` in its commands, so that they
/// work with any `PATH`. `None` for a path that TOML cannot hold: one that is not UTF-8.
pub fn manifest(hook: &Path, mam: &Path) -> Option<String> {
    // A JSON string without the escapes that TOML lacks is a TOML string.
    let quoted = |path: &Path| Some(Value::from(path.to_str()?).to_string());
    let text = MANIFEST.replace("[\"mam-restore-hook\"", &format!("[{}", quoted(hook)?));
    Some(text.replace("[\"mam\"", &format!("[{}", quoted(mam)?)))
}

/// How things stand, by herdr's `plugin list --json`, the directory mam links, the manifest in it and
/// the manifest that is wanted.
pub fn standing(list: &Value, directory: &Path, present: Option<&[u8]>, wanted: &str) -> Standing {
    let plugins = list.pointer("/result/plugins").or_else(|| list.get("plugins")).and_then(Value::as_array);
    let of_ours = |plugin: &&Value| plugin.get("plugin_id").and_then(Value::as_str) == Some(ID);
    let Some(plugin) = plugins.and_then(|plugins| plugins.iter().find(of_ours)) else {
        return Standing::NotLinked;
    };
    let root = plugin.get("plugin_root").and_then(Value::as_str).unwrap_or_default();
    if Path::new(root) != directory {
        return Standing::Elsewhere(root.to_owned());
    }
    // herdr reads the manifest when it links and never again, so both have to be the wanted one.
    if present != Some(wanted.as_bytes()) || cached(plugin) != declared(wanted) {
        return Standing::Stale;
    }
    match plugin.get("enabled").and_then(Value::as_bool) {
        Some(false) => Standing::Disabled,
        Some(true) | None => Standing::Current,
    }
}

/// What herdr runs, by its list.
fn cached(plugin: &Value) -> Vec<String> {
    let kinds = ["startup", "events", "actions", "panes"].iter();
    let entries = kinds.filter_map(|kind| plugin.get(*kind)?.as_array()).flatten();
    entries.filter_map(|entry| entry.get("command")).map(Value::to_string).collect()
}

/// What our manifest declares. Its commands are in herdr's order, each on one line, in strings that
/// JSON reads as TOML does.
fn declared(manifest: &str) -> Vec<String> {
    let commands = manifest.lines().filter_map(|line| line.strip_prefix("command = "));
    commands.filter_map(|json| serde_json::from_str::<Value>(json).ok()).map(|it| it.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn commands_hold_the_programs_own_path() {
        let text = manifest(Path::new("/opt/a \"b\"\\c/mam-restore-hook"), Path::new("/opt/a [\"mam\"/mam"))
            .unwrap();
        assert_eq!(declared(&text).len(), 5);
        assert!(text.contains(r#"command = ["/opt/a \"b\"\\c/mam-restore-hook", "startup"]"#), "{text}");
        assert!(text.contains(r#"command = ["/opt/a [\"mam\"/mam", "launch"]"#), "{text}");
        assert!(!text.contains("[\"mam-restore-hook\"") && !text.contains("[\"mam\""), "{text}");
        let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.lines().any(|line| line == version), "the manifest has another version");
    }

    #[test]
    fn what_has_to_be_done_follows_from_the_list_and_the_file() {
        let wanted = manifest(Path::new("/bin/hook"), Path::new("/bin/mam")).unwrap();
        let old = manifest(Path::new("/old/hook"), Path::new("/bin/mam")).unwrap();
        let entry = |root: &str, enabled: bool, program: &str| {
            json!({"result": {"plugins": [{"plugin_id": "other"}, {
                "plugin_id": "mam", "plugin_root": root, "enabled": enabled,
                "startup": [{"command": [program, "startup"]}],
                "events": [{"on": "pane.agent_detected", "command": [program, "event"]}],
                "actions": [{"command": [program, "close"]}, {"command": [program, "list"]}],
                "panes": [{"id": "launch", "command": ["/bin/mam", "launch"]}],
            }]}})
        };
        let without_panes = json!({"plugins": [{
            "plugin_id": "mam", "plugin_root": "/p", "enabled": true,
            "startup": [{"command": ["/bin/hook", "startup"]}],
            "events": [{"on": "pane.agent_detected", "command": ["/bin/hook", "event"]}],
            "actions": [{"command": ["/bin/hook", "close"]}, {"command": ["/bin/hook", "list"]}],
        }]});
        let rows = [
            (json!({"result": {"plugins": []}}), Some(&wanted), Standing::NotLinked),
            (json!(null), Some(&wanted), Standing::NotLinked),
            (entry("/x", true, "/bin/hook"), Some(&wanted), Standing::Elsewhere("/x".into())),
            (entry("/p", true, "/bin/hook"), None, Standing::Stale),
            (entry("/p", true, "/bin/hook"), Some(&old), Standing::Stale),
            (entry("/p", true, "/old/hook"), Some(&wanted), Standing::Stale),
            (entry("/p", false, "/old/hook"), Some(&wanted), Standing::Stale),
            (without_panes, Some(&wanted), Standing::Stale),
            (entry("/p", false, "/bin/hook"), Some(&wanted), Standing::Disabled),
            (entry("/p", true, "/bin/hook"), Some(&wanted), Standing::Current),
        ];
        for (list, present, expected) in rows {
            let present = present.map(String::as_bytes);
            assert_eq!(standing(&list, Path::new("/p"), present, &wanted), expected, "{list}");
        }
    }
}
