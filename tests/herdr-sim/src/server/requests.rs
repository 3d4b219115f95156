//! From a request line to an answer line.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::Server;
use super::faults::{Action, Rule};
use super::listen::{Reply, Waiting};
use super::methods::METHODS;
use crate::env;

/// Why a request was refused.
#[derive(Debug)]
pub(super) struct Refusal {
    code: String,
    message: String,
}

/// What a method answers.
pub(super) type Answer = Result<Value, Refusal>;

pub(super) fn refuse<T>(code: &str, message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code: code.to_owned(), message: message.into() })
}

/// The plain answer that something was done.
pub(super) fn done() -> Answer {
    Ok(json!({"type": "ok"}))
}

/// Reads the parameters of a method.
pub(super) fn params<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    serde_json::from_value(value)
        .or_else(|error| refuse("invalid_request", format!("invalid request: {error}")))
}

#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: String,
    method: Method,
    #[serde(default)]
    params: Value,
}

/// A method that herdr knows, answered here or not.
struct Method(String);

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if METHODS.contains(&name.as_str()) {
            return Ok(Self(name));
        }
        Err(D::Error::unknown_variant(&name, METHODS))
    }
}

impl Server {
    /// Answers one request, or lets it fail as a test asked.
    pub(super) fn answer(&mut self, waiting: Waiting) {
        let (mut answer, faults) = match serde_json::from_str::<Request>(&waiting.line) {
            Ok(request) => self.answer_request(request),
            Err(error) => {
                let message = format!("invalid request: {error}");
                let answer = failure("", Refusal { code: "invalid_request".to_owned(), message });
                (answer, Vec::new())
            }
        };
        if answer.pointer("/error/code").is_some_and(|code| code == "invalid_request") {
            self.log.warn(&format!("refused: {} -> {answer}", shortened(&waiting.line)));
        }
        faults.iter().for_each(|rule| rule.distort(&mut answer));
        // A client that went away needs no answer.
        drop(waiting.reply.send(Reply { text: answer.to_string(), faults }));
    }

    fn answer_request(&mut self, request: Request) -> (Value, Vec<Rule>) {
        let Request { id, method: Method(method), params } = request;
        let faults = self.faults.meet(&method);
        let of = |action| faults.iter().find(|rule: &&Rule| rule.action == action);
        if let Some(rule) = of(Action::Stall) {
            std::thread::sleep(rule.wait());
        }
        if of(Action::Kill).is_some() {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
        }
        if let Some(rule) = of(Action::Error) {
            let (code, message) = (rule.code.clone(), rule.message.clone());
            return (failure(&id, Refusal { code, message }), faults);
        }
        let params = if params.is_null() { json!({}) } else { params };
        let answer = match self.call(&method, params) {
            Ok(result) => json!({"id": id, "result": result}),
            // herdr refuses what it cannot read before it knows the id.
            Err(refusal) if refusal.code == "invalid_request" => failure("", refusal),
            Err(refusal) => failure(&id, refusal),
        };
        (answer, faults)
    }

    fn call(&mut self, method: &str, value: Value) -> Answer {
        match method {
            "ping" => Ok(json!({
                "type": "pong",
                "version": env::version(),
                "protocol": 20,
                "capabilities": {"live_handoff": true, "detached_server_daemon": true},
            })),
            "server.stop" => {
                self.stop.store(true, std::sync::atomic::Ordering::SeqCst);
                done()
            }
            "server.live_handoff" => {
                self.handoff = true;
                done()
            }
            "server.reload_config" => self.reload_config(),
            "session.snapshot" => Ok(self.snapshot()),
            "workspace.create" => self.workspace_create(params(value)?),
            "workspace.list" => Ok(self.workspace_list()),
            "workspace.get" => self.workspace_get(params(value)?),
            "workspace.focus" => self.workspace_focus(params(value)?),
            "workspace.rename" => self.workspace_rename(params(value)?),
            "workspace.close" => self.workspace_close(params(value)?),
            "worktree.create" => self.worktree_create(params(value)?),
            "tab.create" => self.tab_create(params(value)?),
            "tab.list" => self.tab_list(params(value)?),
            "tab.get" => self.tab_get(params(value)?),
            "tab.focus" => self.tab_focus(params(value)?),
            "tab.close" => self.tab_close(params(value)?),
            "pane.split" => self.pane_split(params(value)?),
            "pane.list" => self.pane_list(params(value)?),
            "pane.current" => self.pane_current(params(value)?),
            "pane.get" => self.pane_get(params(value)?),
            "pane.focus" => self.pane_focus(params(value)?),
            "pane.rename" => self.pane_rename(params(value)?),
            "pane.zoom" => self.pane_zoom(params(value)?),
            "pane.layout" => self.pane_layout(params(value)?),
            "pane.process_info" => self.pane_process_info(params(value)?),
            "pane.send_text" | "pane.send_keys" | "pane.send_input" => self.pane_send(method, params(value)?),
            "pane.read" => self.pane_read(params(value)?),
            "pane.close" => self.pane_close(params(value)?),
            "pane.report_agent" | "pane.report_agent_session" => self.pane_report(method, params(value)?),
            "pane.clear_agent_authority" | "pane.release_agent" => self.pane_release(params(value)?),
            "agent.list" => Ok(self.agent_list()),
            "agent.get" => self.agent_get(params(value)?),
            _ if method.starts_with("plugin.") => self.plugin_call(method, value),
            _ => refuse("invalid_request", format!("herdr-sim does not answer `{method}`")),
        }
    }

    fn reload_config(&mut self) -> Answer {
        let loaded = crate::config::load();
        let diagnostics: Vec<String> = loaded
            .diagnostics
            .iter()
            .map(|line| line.replace("; using defaults", "; keeping current config"))
            .collect();
        let status = match (loaded.was_dropped(), diagnostics.is_empty()) {
            (true, _) => "failed",
            (false, false) => "partial",
            (false, true) => "applied",
        };
        if !loaded.was_dropped() {
            self.config = loaded;
        }
        Ok(json!({"type": "config_reload", "status": status, "diagnostics": diagnostics}))
    }
}

fn failure(id: &str, refusal: Refusal) -> Value {
    json!({"id": id, "error": {"code": refusal.code, "message": refusal.message}})
}

/// Enough of a line to recognise it in the log.
fn shortened(line: &str) -> String {
    line.chars().take(200).collect()
}
