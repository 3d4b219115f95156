//! Events: which plugin hooks they start, and what those hooks are told.

use serde_json::{Map, Value, json};

use super::Server;
use super::info::{pane_id, tab_id};
use crate::plugins::run::Call;
use crate::plugins::{manifest, registry};

impl Server {
    /// Tells the plugins of an event, now.
    pub(super) fn emit(&mut self, event: &str, data: Value) {
        let hooked = |plugin: &manifest::Plugin| plugin.events.iter().any(|hook| hook.on == event);
        let plugins: Vec<_> = registry::load_quietly()
            .into_iter()
            .filter(|plugin| plugin.is_usable() && hooked(plugin))
            .collect();
        if plugins.is_empty() || !manifest::EVENTS.contains(&event) {
            return;
        }
        let kind = event.replace('.', "_");
        let mut typed = Map::new();
        typed.insert("type".to_owned(), json!(kind));
        typed.extend(data.as_object().cloned().unwrap_or_default());
        let event_json = json!({"event": kind, "data": typed}).to_string();
        let context = self.context("api", event);
        for plugin in plugins {
            for hook in plugin.events.iter().filter(|hook| hook.on == event) {
                let call = Call {
                    event: Some(event.to_owned()),
                    event_json: Some(event_json.clone()),
                    ..Call::default()
                };
                drop(self.run_hook(&plugin, &hook.command, call, &context));
            }
        }
    }

    /// Notes an event that is told after the change it belongs to.
    pub(super) fn emit_later(&mut self, event: &str, data: Value) {
        self.plugins.waiting.push((event.to_owned(), data));
    }

    /// Tells the plugins of the noted events.
    pub(super) fn emit_waiting(&mut self) {
        for (event, data) in std::mem::take(&mut self.plugins.waiting) {
            self.emit(&event, data);
        }
    }

    /// Tells the plugins of something that happened in a pane.
    pub(super) fn emit_for_pane(&mut self, event: &str, key: u32, more: Value) {
        let Some((pane, workspace, _)) = self.found(key) else {
            return;
        };
        let mut data = json!({"pane_id": pane_id(workspace, pane), "workspace_id": workspace.id});
        if let (Some(data), Value::Object(more)) = (data.as_object_mut(), more) {
            data.extend(more);
        }
        self.emit(event, data);
    }

    /// `[[startup]]`: once in a server's life.
    pub(super) fn run_startup_hooks(&mut self) {
        let context = self.context("startup", "plugin.startup");
        for plugin in registry::load_quietly().into_iter().filter(manifest::Plugin::is_usable) {
            for hook in &plugin.startup {
                let call = Call { event: Some("startup".to_owned()), ..Call::default() };
                drop(self.run_hook(&plugin, &hook.command, call, &context));
            }
        }
    }

    /// What hooks are told about the session: always about the pane in front.
    pub(super) fn context(&self, source: &str, correlation: &str) -> Value {
        let mut context = Map::new();
        let mut put = |name: &str, value: Value| drop(context.insert(name.to_owned(), value));
        if let Some((pane, workspace, tab)) = self.focused_pane().and_then(|key| self.found(key)) {
            put("workspace_id", json!(workspace.id));
            put("workspace_label", json!(workspace.label()));
            put("workspace_cwd", json!(pane.cwd()));
            put("tab_id", json!(tab_id(workspace, tab)));
            put("tab_label", json!(tab.label()));
            put("focused_pane_id", json!(pane_id(workspace, pane)));
            put("focused_pane_cwd", json!(pane.cwd()));
            if let Some(agent) = &pane.agent {
                put("focused_pane_agent", json!(agent.name));
            }
            put("focused_pane_status", json!(pane.status()));
        }
        put("invocation_source", json!(source));
        put("correlation_id", json!(correlation));
        Value::Object(context)
    }

    /// Starts a plugin's command, unless too many run.
    pub(super) fn run_hook(
        &mut self,
        plugin: &manifest::Plugin,
        command: &[String],
        call: Call,
        context: &Value,
    ) -> Result<Value, String> {
        let mut env = self.plugin_environment(plugin, context);
        let of = |name: &str| context.get(name).and_then(Value::as_str).map(str::to_owned);
        for (variable, field) in [
            ("HERDR_WORKSPACE_ID", "workspace_id"),
            ("HERDR_TAB_ID", "tab_id"),
            ("HERDR_PANE_ID", "focused_pane_id"),
        ] {
            env.extend(of(field).map(|value| (variable.to_owned(), value)));
        }
        let result = self.plugins.start(plugin, command, call, env, self.session.name.is_some());
        if let Err(error) = &result {
            self.log.warn(&format!("plugin {}: {error}", plugin.plugin_id));
        }
        result
    }

    /// The variables of every command of a plugin.
    pub(super) fn plugin_environment(
        &self,
        plugin: &manifest::Plugin,
        context: &Value,
    ) -> Vec<(String, String)> {
        let socket = self.session.socket.display().to_string();
        let mut env = vec![
            ("HERDR_ENV".to_owned(), "1".to_owned()),
            ("HERDR_SOCKET_PATH".to_owned(), socket),
            ("HERDR_PLUGIN_CONTEXT_JSON".to_owned(), context.to_string()),
        ];
        env.extend(plugin.variables());
        let own = std::env::current_exe().ok();
        env.extend(own.map(|own| ("HERDR_BIN_PATH".to_owned(), own.display().to_string())));
        env.extend(self.session.name.clone().map(|name| ("HERDR_SESSION".to_owned(), name)));
        env
    }
}
