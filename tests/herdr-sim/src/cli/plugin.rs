//! `plugin …`: through the server when there is one, else straight in the registry.

use std::os::unix::net::UnixStream;

use serde_json::{Value, json};

use super::options::{Kind, Spec, parse};
use super::{Exit, api, complain, say, usage};
use crate::paths::Session;
use crate::plugins::manifest::Plugin;
use crate::plugins::registry;

const ID: &str = "cli:plugin";

const OPTIONS: &[Spec] = &[
    ("--plugin", "plugin_id", Kind::Text),
    ("--limit", "limit", Kind::Number),
    ("--entrypoint", "entrypoint", Kind::Text),
    ("--placement", "placement", Kind::Text),
    ("--target-pane", "target_pane_id", Kind::Text),
    ("--workspace", "workspace_id", Kind::Text),
    ("--direction", "direction", Kind::Text),
    ("--cwd", "cwd", Kind::Text),
    ("--env", "env", Kind::Pairs),
    ("--focus", "focus", Kind::On),
    ("--no-focus", "focus", Kind::Off),
    ("--disabled", "enabled", Kind::Off),
    ("--enabled", "enabled", Kind::On),
    ("--json", "json", Kind::On),
];

/// `herdr plugin …`.
pub(super) fn run(session: &Session, args: &[&str]) -> Exit {
    let (mut params, words) = match parse(args, OPTIONS) {
        Ok(parsed) => parsed,
        Err(message) => {
            complain(&message);
            return Ok(2);
        }
    };
    let as_json = params.remove("json").is_some();
    let mut with = |name: &str, value: Value| drop(params.insert(name.to_owned(), value));
    let method = match words.as_slice() {
        ["link", path] => {
            let path = std::path::absolute(path).map_err(|error| error.to_string())?;
            with("path", json!(path));
            "plugin.link"
        }
        ["list"] => "plugin.list",
        [verb @ ("unlink" | "enable" | "disable"), id] => {
            with("plugin_id", json!(id));
            &format!("plugin.{verb}")
        }
        ["action", "list"] => "plugin.action.list",
        ["action", "invoke", action] => {
            with("action_id", json!(action));
            "plugin.action.invoke"
        }
        ["log", "list"] => "plugin.log.list",
        ["pane", "open"] => "plugin.pane.open",
        [group @ "pane", verb @ ("close" | "focus"), pane] => {
            with("pane_id", json!(pane));
            &format!("plugin.{group}.{verb}")
        }
        _ => {
            return usage("plugin <link PATH|list|unlink ID|enable ID|disable ID|action …|log list|pane …>");
        }
    };
    let params = Value::Object(params);
    let answer = match UnixStream::connect(&session.socket) {
        Ok(_) => api::request(session, ID, method, params),
        Err(_) => match offline(method, &params) {
            Some(changed) => answer(changed),
            None => api::request(session, ID, method, params),
        },
    };
    if method == "plugin.list" && !as_json && answer.get("result").is_some() {
        return list();
    }
    api::print(&answer)
}

/// What needs no server.
fn offline(method: &str, params: &Value) -> Option<registry::Changed> {
    let of = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
    let enabled = params.get("enabled").and_then(Value::as_bool).unwrap_or(true);
    match method {
        "plugin.link" => Some(registry::link(of("path"), enabled)),
        "plugin.list" => Some(registry::list(params.get("plugin_id").and_then(Value::as_str))),
        "plugin.unlink" => Some(registry::unlink(of("plugin_id"))),
        "plugin.enable" => Some(registry::set_enabled(of("plugin_id"), true)),
        "plugin.disable" => Some(registry::set_enabled(of("plugin_id"), false)),
        _ => None,
    }
}

fn answer(changed: registry::Changed) -> Value {
    match changed {
        Ok(result) => json!({"id": ID, "result": result}),
        Err((code, message)) => json!({"id": ID, "error": {"code": code, "message": message}}),
    }
}

fn list() -> Exit {
    let plugins = registry::load_quietly();
    let many = if plugins.len() == 1 { "" } else { "s" };
    say(&format!("{} plugin{many} installed:", plugins.len()));
    plugins.iter().for_each(show);
    Ok(0)
}

fn show(plugin: &Plugin) {
    let state = if plugin.enabled { "enabled" } else { "disabled" };
    let (id, name, root) = (&plugin.plugin_id, &plugin.name, plugin.plugin_root.display());
    say(&format!("- {id} ({name}) {state} [local:{root}]"));
    say(&format!("  config: {}", plugin.config_dir().display()));
    plugin.warnings.iter().for_each(|warning| say(&format!("  warning: {warning}")));
}
