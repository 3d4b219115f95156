//! Faults that a test asks for, read from `sim-faults.json` in the session's directory.
//!
//! The file holds a list of rules and may change while the server runs. A rule names a method (or
//! `*`), skips some requests, then acts on some:
//! `[{"on": "pane.list", "do": "half", "skip": 1, "times": 2}]`.
//!
//! | `do` | what happens |
//! |---|---|
//! | `slow` | the answer comes `ms` later, the loop goes on |
//! | `stall` | the whole server stands still for `ms` before it answers |
//! | `drop` | the connection is closed without an answer |
//! | `half` | half of the answer's line is sent, then the connection is closed |
//! | `huge` | 10 MB are sent instead of an answer |
//! | `error` | nothing is done; the answer is an error with `code` and `message` |
//! | `omit` | the fields named in `fields` are missing, wherever they stand in the answer |
//! | `merge` | `result` is merged into the answer's result |
//! | `replace` | the text `from` becomes `to` throughout the answer |
//! | `reuse_ids` | a new pane takes the lowest free number, as if numbers came again |
//! | `kill` | the server is killed before it answers |

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::Value;

/// One rule.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Rule {
    on: String,
    #[serde(rename = "do")]
    pub(crate) action: Action,
    #[serde(default)]
    skip: u64,
    times: Option<u64>,
    #[serde(default)]
    ms: u64,
    #[serde(default)]
    pub(crate) code: String,
    #[serde(default)]
    pub(crate) message: String,
    #[serde(default)]
    fields: Vec<String>,
    #[serde(default)]
    result: Value,
    #[serde(default)]
    from: String,
    #[serde(default)]
    to: String,
}

/// What a rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Slow,
    Stall,
    Drop,
    Half,
    Huge,
    Error,
    Omit,
    Merge,
    Replace,
    ReuseIds,
    Kill,
}

/// The rules in force and how often each was met.
#[derive(Debug)]
pub(crate) struct Faults {
    path: PathBuf,
    read_at: Option<SystemTime>,
    rules: Vec<Rule>,
    met: HashMap<usize, u64>,
}

impl Faults {
    pub(crate) fn new(dir: &Path) -> Self {
        let path = dir.join("sim-faults.json");
        Self { path, read_at: None, rules: Vec::new(), met: HashMap::new() }
    }

    /// Reads the file again if it changed; a broken one is reported.
    pub(crate) fn refresh(&mut self) -> Option<String> {
        let changed = std::fs::metadata(&self.path).and_then(|data| data.modified()).ok();
        if changed == self.read_at {
            return None;
        }
        self.read_at = changed;
        self.met.clear();
        let text = std::fs::read_to_string(&self.path).unwrap_or_else(|_| "[]".to_owned());
        let read = serde_json::from_str(&text);
        let error = read.as_ref().err().map(ToString::to_string);
        self.rules = read.unwrap_or_default();
        error
    }

    /// The rules that act on this request; asking counts it.
    pub(crate) fn meet(&mut self, method: &str) -> Vec<Rule> {
        let mut acting = Vec::new();
        for (at, rule) in self.rules.iter().enumerate() {
            if rule.on != "*" && rule.on != method {
                continue;
            }
            let met = self.met.entry(at).or_default();
            let end = rule.times.map_or(u64::MAX, |times| rule.skip + times);
            if (rule.skip..end).contains(met) {
                acting.push(rule.clone());
            }
            *met += 1;
        }
        acting
    }

    /// Whether numbers of panes come again.
    pub(crate) fn reuses_ids(&self) -> bool {
        self.rules.iter().any(|rule| rule.action == Action::ReuseIds)
    }
}

impl Rule {
    pub(crate) fn wait(&self) -> Duration {
        Duration::from_millis(self.ms)
    }

    /// Changes an answer before it is written.
    pub(crate) fn distort(&self, answer: &mut Value) {
        match self.action {
            Action::Omit => self.fields.iter().for_each(|field| omit(answer, field)),
            Action::Merge => {
                if let Some(result) = answer.get_mut("result") {
                    merge(result, &self.result);
                }
            }
            Action::Replace => {
                let text = answer.to_string().replace(&self.from, &self.to);
                *answer = serde_json::from_str(&text).unwrap_or_default();
            }
            _ => {}
        }
    }
}

fn omit(value: &mut Value, field: &str) {
    match value {
        Value::Object(map) => {
            map.shift_remove(field);
            map.values_mut().for_each(|inner| omit(inner, field));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| omit(inner, field)),
        _ => {}
    }
}

fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from.clone(),
    }
}
