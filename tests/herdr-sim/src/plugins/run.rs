//! Running the commands of plugins: at most 32 at a time, further ones are dropped.

use std::collections::VecDeque;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};

use super::manifest::Plugin;

/// So many commands run at once.
const MOST: usize = 32;
/// So much of a command's output is kept.
const KEPT: usize = 64 * 1024;
/// So many runs are remembered.
const LOGGED: usize = 200;

/// Why a command runs.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) event: Option<String>,
    pub(crate) event_json: Option<String>,
    pub(crate) action: Option<String>,
}

/// Starts commands and remembers how they ended.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    running: Arc<AtomicUsize>,
    logs: Arc<Mutex<VecDeque<Value>>>,
    next: u64,
    /// Events that are told after the change they belong to.
    pub(crate) waiting: Vec<(String, Value)>,
}

impl Runner {
    /// Starts a command of a plugin; the answer is its line in the log.
    pub(crate) fn start(
        &mut self,
        plugin: &Plugin,
        argv: &[String],
        call: Call,
        env: Vec<(String, String)>,
        named_session: bool,
    ) -> Result<Value, String> {
        let Some((program, args)) = argv.split_first() else {
            return Err("command must not be empty".to_owned());
        };
        for dir in [plugin.config_dir(), plugin.state_dir()] {
            std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
        }
        self.next += 1;
        let mut entry = entry(self.next, plugin, argv, &call);
        if self.running.load(Ordering::SeqCst) >= MOST {
            let message = format!("{MOST} plugin commands run already");
            entry.insert("status".to_owned(), json!("failed"));
            entry.insert("error".to_owned(), json!(message));
            self.remember(entry);
            return Err(message);
        }
        let mut command = Command::new(program);
        command.args(args).current_dir(&plugin.plugin_root).envs(env);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !named_session {
            command.env_remove("HERDR_SESSION");
        }
        for (name, value) in [
            ("HERDR_PLUGIN_EVENT", call.event),
            ("HERDR_PLUGIN_EVENT_JSON", call.event_json),
            ("HERDR_PLUGIN_ACTION_ID", call.action),
        ] {
            // A server that was started by a hook must not pass that hook's event on.
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        self.remember(entry.clone());
        self.running.fetch_add(1, Ordering::SeqCst);
        let (running, logs) = (Arc::clone(&self.running), Arc::clone(&self.logs));
        let started = Value::Object(entry.clone());
        std::thread::spawn(move || {
            let ended = wait_for(command);
            running.fetch_sub(1, Ordering::SeqCst);
            let id = entry.get("log_id").cloned();
            let mut logs = logs.lock().unwrap_or_else(PoisonError::into_inner);
            let own = logs.iter_mut().find(|log| log.get("log_id") == id.as_ref());
            if let Some(log) = own.and_then(Value::as_object_mut) {
                log.extend(ended);
            }
        });
        Ok(started)
    }

    fn remember(&self, entry: Map<String, Value>) {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        logs.push_back(Value::Object(entry));
        let extra = logs.len().saturating_sub(LOGGED);
        logs.drain(..extra);
    }

    /// The latest runs, of one plugin or of all.
    pub(crate) fn logs(&self, plugin: Option<&str>, limit: usize) -> Vec<Value> {
        let logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |log: &&Value| plugin.is_none_or(|id| log.get("plugin_id") == Some(&json!(id)));
        let mut latest: Vec<Value> = logs.iter().rev().filter(of).take(limit).cloned().collect();
        latest.reverse();
        latest
    }
}

fn entry(number: u64, plugin: &Plugin, argv: &[String], call: &Call) -> Map<String, Value> {
    let mut entry = Map::new();
    let mut put = |name: &str, value: Value| drop(entry.insert(name.to_owned(), value));
    put("log_id", json!(format!("plugin-log-{number}")));
    put("plugin_id", json!(plugin.plugin_id));
    if let Some(action) = &call.action {
        put("action_id", json!(action));
    }
    if let Some(event) = &call.event {
        put("event", json!(event));
    }
    put("command", json!(argv));
    put("status", json!("running"));
    put("started_unix_ms", json!(now()));
    entry
}

/// Runs a command to its end, and says how it ended.
fn wait_for(mut command: Command) -> Map<String, Value> {
    let mut ended = Map::new();
    let mut put = |name: &str, value: Value| drop(ended.insert(name.to_owned(), value));
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            put("status", json!("failed"));
            put("finished_unix_ms", json!(now()));
            put("error", json!(error.to_string()));
            return ended;
        }
    };
    let stderr = child.stderr.take();
    let errors = std::thread::spawn(move || stderr.map(read_capped).unwrap_or_default());
    let stdout = child.stdout.take().map(read_capped).unwrap_or_default();
    let code = child.wait().ok().and_then(|status| status.code());
    put("status", json!(if code == Some(0) { "succeeded" } else { "failed" }));
    put("finished_unix_ms", json!(now()));
    put("exit_code", json!(code));
    put("stdout", json!(stdout));
    put("stderr", json!(errors.join().unwrap_or_default()));
    ended
}

fn read_capped(mut from: impl Read) -> String {
    let mut kept = Vec::new();
    drop(from.by_ref().take(KEPT as u64).read_to_end(&mut kept));
    let more = std::io::copy(&mut from, &mut std::io::sink()).unwrap_or(0);
    let mut text = String::from_utf8_lossy(&kept).into_owned();
    if more > 0 {
        text.push_str(&format!("\n[output after {KEPT} bytes dropped]"));
    }
    text
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
