//! The `plugin.*` methods that are not about panes.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Server;
use super::requests::{Answer, Refusal, params, refuse};
use crate::plugins::manifest::{Action, Plugin};
use crate::plugins::registry;
use crate::plugins::run::Call;

#[derive(Deserialize)]
struct LinkParams {
    path: String,
    #[serde(default = "yes")]
    enabled: bool,
}

#[derive(Deserialize)]
struct IdParams {
    plugin_id: String,
}

#[derive(Deserialize)]
struct OptionalId {
    plugin_id: Option<String>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
struct InvokeParams {
    action_id: String,
    plugin_id: Option<String>,
}

fn yes() -> bool {
    true
}

/// Turns what the registry says into an answer.
fn answer(changed: registry::Changed) -> Answer {
    changed.or_else(|(code, message)| refuse(code, message))
}

impl Server {
    pub(super) fn plugin_call(&mut self, method: &str, value: Value) -> Answer {
        match method {
            "plugin.link" => {
                let LinkParams { path, enabled } = params(value)?;
                answer(registry::link(&path, enabled))
            }
            "plugin.list" => {
                let OptionalId { plugin_id, .. } = params(value)?;
                answer(registry::list(plugin_id.as_deref()))
            }
            "plugin.unlink" => answer(registry::unlink(&params::<IdParams>(value)?.plugin_id)),
            "plugin.enable" | "plugin.disable" => {
                let IdParams { plugin_id } = params(value)?;
                answer(registry::set_enabled(&plugin_id, method == "plugin.enable"))
            }
            "plugin.action.list" => {
                let OptionalId { plugin_id, .. } = params(value)?;
                let plugins = registry::load_quietly().into_iter();
                let wanted = plugins.filter(|plugin| {
                    plugin.enabled && plugin_id.as_ref().is_none_or(|id| *id == plugin.plugin_id)
                });
                let actions: Vec<Value> = wanted
                    .flat_map(|plugin| {
                        let infos = plugin.actions.iter().map(|action| info(&plugin, action));
                        infos.collect::<Vec<_>>()
                    })
                    .collect();
                Ok(json!({"type": "plugin_action_list", "actions": actions}))
            }
            "plugin.action.invoke" => self.invoke(&params(value)?),
            "plugin.log.list" => {
                let OptionalId { plugin_id, limit } = params(value)?;
                let logs = self.plugins.logs(plugin_id.as_deref(), limit.unwrap_or(usize::MAX));
                Ok(json!({"type": "plugin_log_list", "logs": logs}))
            }
            "plugin.pane.open" => self.plugin_pane_open(params(value)?),
            "plugin.pane.focus" => self.pane_focus(params(value)?),
            "plugin.pane.close" => self.pane_close(params(value)?),
            _ => refuse("invalid_request", format!("herdr-sim does not answer `{method}`")),
        }
    }

    fn invoke(&mut self, params: &InvokeParams) -> Answer {
        let (plugin, action) = find_action(params)?;
        let context = self.context("api", "plugin.action.invoke");
        let call = Call { action: Some(action.id.clone()), ..Call::default() };
        let log = self
            .run_hook(&plugin, &action.command, call, &context)
            .or_else(|message| refuse("plugin_command_limit_reached", message))?;
        let action = info(&plugin, &action);
        Ok(json!({
            "type": "plugin_action_invoked",
            "action": action,
            "context": context,
            "log": log,
        }))
    }
}

fn find_action(params: &InvokeParams) -> Result<(Plugin, Action), Refusal> {
    let wanted = |plugin: &Plugin| params.plugin_id.as_ref().is_none_or(|id| *id == plugin.plugin_id);
    let plugins = registry::load_quietly().into_iter().filter(|plugin| plugin.is_usable());
    for plugin in plugins.filter(wanted) {
        let action = plugin.actions.iter().find(|action| action.id == params.action_id).cloned();
        if let Some(action) = action {
            return Ok((plugin, action));
        }
    }
    refuse("plugin_action_not_found", "plugin action not found")
}

fn info(plugin: &Plugin, action: &Action) -> Value {
    let mut info = json!({
        "plugin_id": plugin.plugin_id,
        "action_id": action.id,
        "title": action.title,
        "command": action.command,
    });
    if let (Some(platforms), Some(map)) = (&plugin.platforms, info.as_object_mut()) {
        map.insert("platforms".to_owned(), json!(platforms));
    }
    info
}
