//! The verbs that are one request each: `workspace`, `tab`, `pane`, `agent`.

use serde_json::{Map, Value, json};

use super::options::{Kind, Spec, parse};
use super::{Exit, api, complain, usage};
use crate::env;
use crate::paths::Session;

/// A verb: its words, the method, the parameter that a word fills, and its options.
struct Verb {
    group: &'static str,
    name: &'static str,
    method: &'static str,
    words: &'static [&'static str],
    options: &'static [Spec],
    /// Whether the answer is printed.
    prints: bool,
}

const fn verb(
    group: &'static str,
    name: &'static str,
    method: &'static str,
    words: &'static [&'static str],
    options: &'static [Spec],
) -> Verb {
    Verb { group, name, method, words, options, prints: true }
}

const fn silent(verb: Verb) -> Verb {
    Verb { prints: false, ..verb }
}

const PANE: &[&str] = &["pane_id"];
const IN_PANE: &[Spec] = &[("--pane", "pane_id", Kind::Text), ("--current", "current", Kind::On)];
const NEW: &[Spec] = &[
    ("--workspace", "workspace_id", Kind::Text),
    ("--cwd", "cwd", Kind::Text),
    ("--label", "label", Kind::Text),
    ("--env", "env", Kind::Pairs),
    ("--focus", "focus", Kind::On),
    ("--no-focus", "focus", Kind::Off),
];
const SPLIT: &[Spec] = &[
    ("--pane", "target_pane_id", Kind::Text),
    ("--current", "current", Kind::On),
    ("--direction", "direction", Kind::Text),
    ("--ratio", "ratio", Kind::Number),
    ("--cwd", "cwd", Kind::Text),
    ("--env", "env", Kind::Pairs),
    ("--right-click", "right_click", Kind::Text),
    ("--focus", "focus", Kind::On),
    ("--no-focus", "focus", Kind::Off),
];
const ZOOM: &[Spec] = &[
    ("--pane", "pane_id", Kind::Text),
    ("--current", "current", Kind::On),
    ("--toggle", "mode", Kind::Set("toggle")),
    ("--on", "mode", Kind::Set("on")),
    ("--off", "mode", Kind::Set("off")),
];
const READ: &[Spec] = &[
    ("--source", "source", Kind::Text),
    ("--lines", "lines", Kind::Number),
    ("--format", "format", Kind::Text),
    ("--ansi", "format", Kind::Set("ansi")),
];
const REPORT: &[Spec] = &[
    ("--source", "source", Kind::Text),
    ("--agent", "agent", Kind::Text),
    ("--state", "state", Kind::Text),
    ("--message", "message", Kind::Text),
    ("--seq", "seq", Kind::Number),
    ("--agent-session-id", "agent_session_id", Kind::Text),
    ("--agent-session-path", "agent_session_path", Kind::Text),
    ("--session-start-source", "session_start_source", Kind::Text),
];
const WORKTREE: &[Spec] = &[
    ("--workspace", "workspace_id", Kind::Text),
    ("--branch", "branch", Kind::Text),
    ("--path", "path", Kind::Text),
    ("--label", "label", Kind::Text),
    ("--focus", "focus", Kind::On),
    ("--no-focus", "focus", Kind::Off),
];
const IN_WORKSPACE: &[Spec] = &[("--workspace", "workspace_id", Kind::Text)];
const CLEAR: &[Spec] = &[("--clear", "clear", Kind::On)];

const VERBS: &[Verb] = &[
    verb("workspace", "create", "workspace.create", &[], NEW),
    verb("workspace", "list", "workspace.list", &[], &[]),
    verb("workspace", "get", "workspace.get", &["workspace_id"], &[]),
    verb("workspace", "focus", "workspace.focus", &["workspace_id"], &[]),
    verb("workspace", "rename", "workspace.rename", &["workspace_id", "label"], &[]),
    verb("workspace", "close", "workspace.close", &["workspace_id"], &[]),
    verb("worktree", "create", "worktree.create", &[], WORKTREE),
    verb("tab", "create", "tab.create", &[], NEW),
    verb("tab", "list", "tab.list", &[], IN_WORKSPACE),
    verb("tab", "get", "tab.get", &["tab_id"], &[]),
    verb("tab", "focus", "tab.focus", &["tab_id"], &[]),
    verb("tab", "close", "tab.close", &["tab_id"], &[]),
    verb("pane", "list", "pane.list", &[], IN_WORKSPACE),
    verb("pane", "current", "pane.current", &[], IN_PANE),
    verb("pane", "get", "pane.get", PANE, &[]),
    verb("pane", "layout", "pane.layout", &[], IN_PANE),
    verb("pane", "process-info", "pane.process_info", &[], IN_PANE),
    verb("pane", "focus", "pane.focus", PANE, &[]),
    verb("pane", "zoom", "pane.zoom", PANE, ZOOM),
    verb("pane", "rename", "pane.rename", &["pane_id", "label"], CLEAR),
    verb("pane", "read", "pane.read", PANE, READ),
    verb("pane", "split", "pane.split", &["target_pane_id"], SPLIT),
    verb("pane", "close", "pane.close", PANE, &[]),
    silent(verb("pane", "run", "pane.send_input", &["pane_id", "text"], &[])),
    silent(verb("pane", "send-text", "pane.send_text", &["pane_id", "text"], &[])),
    silent(verb("pane", "send-keys", "pane.send_keys", &["pane_id", "keys"], &[])),
    silent(verb("pane", "report-agent", "pane.report_agent", PANE, REPORT)),
    silent(verb("pane", "report-agent-session", "pane.report_agent_session", PANE, REPORT)),
    silent(verb("pane", "release-agent", "pane.release_agent", PANE, REPORT)),
    verb("agent", "list", "agent.list", &[], &[]),
    verb("agent", "get", "agent.get", &["target"], &[]),
];

/// Runs a verb of one of the groups; `None` when there is no such group.
pub(super) fn run(session: &Session, group: &str, args: &[&str]) -> Option<Exit> {
    let mut in_group = VERBS.iter().filter(|verb| verb.group == group).peekable();
    in_group.peek()?;
    let names: Vec<&str> = in_group.clone().map(|verb| verb.name).collect();
    let Some((name, rest)) = args.split_first() else {
        return Some(usage(&format!("{group} <{}>", names.join("|"))));
    };
    let Some(verb) = in_group.find(|verb| verb.name == *name) else {
        return Some(usage(&format!("{group} <{}>", names.join("|"))));
    };
    Some(verb.run(session, rest))
}

impl Verb {
    fn run(&self, session: &Session, args: &[&str]) -> Exit {
        // What comes after the pane of `run` and `send-…` is meant for the pane.
        let (head, tail) = match self.words {
            ["pane_id", "text" | "keys"] => args.split_at(args.len().min(1)),
            _ => (args, &[][..]),
        };
        let (mut params, words) = match parse(head, self.options) {
            Ok(parsed) => parsed,
            Err(message) => {
                complain(&message);
                return Ok(2);
            }
        };
        let words = [words, tail.to_vec()].concat();
        if self.name == "read" {
            params.entry("source").or_insert_with(|| json!("recent"));
        }
        if params.remove("current").is_some() {
            let param = self.words.first().copied().unwrap_or("pane_id");
            params.insert(param.to_owned(), json!(env::var("HERDR_PANE_ID")));
        }
        if !self.take_words(&mut params, &words) {
            let words = self.words.join("> <");
            return usage(&format!("{} {} <{words}> [OPTIONS]", self.group, self.name));
        }
        let id = format!("cli:{}:{}", self.group, self.name.replace('-', "_"));
        let call = if self.prints { api::ask } else { api::tell };
        call(session, &id, self.method, Value::Object(params))
    }

    /// Puts words into the parameters; `false` when they do not fit.
    fn take_words(&self, params: &mut Map<String, Value>, words: &[&str]) -> bool {
        let Some((first, rest)) = words.split_first() else {
            let optional = self.words.iter().all(|word| params.contains_key(*word));
            return optional || matches!(self.name, "zoom" | "split");
        };
        let Some(name) = self.words.first() else {
            return false;
        };
        params.insert((*name).to_owned(), json!(first));
        match (self.words.get(1), rest.is_empty()) {
            (None, fits) => return fits,
            (Some(&"label"), true) => return params.remove("clear").is_some(),
            (Some(_), true) => return false,
            (Some(&"keys"), false) => params.insert("keys".to_owned(), json!(rest)),
            (Some(other), false) => params.insert((*other).to_owned(), json!(rest.join(" "))),
        };
        if self.name == "run" {
            params.insert("keys".to_owned(), json!(["Enter"]));
        }
        true
    }
}
