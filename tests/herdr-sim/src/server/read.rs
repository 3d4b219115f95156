//! The `pane.*` methods that look into a pane's program and talk to it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Server;
use super::requests::{Answer, done, refuse};
use crate::{keys, procs};

#[derive(Deserialize)]
pub(super) struct InfoParams {
    pane_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct SendParams {
    pane_id: String,
    text: Option<String>,
    keys: Option<Vec<String>>,
}

#[derive(Deserialize)]
pub(super) struct ReadParams {
    pane_id: String,
    source: Source,
    lines: Option<usize>,
    #[serde(default = "text")]
    format: String,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Source {
    Visible,
    Recent,
    RecentUnwrapped,
    Detection,
}

fn text() -> String {
    "text".to_owned()
}

impl Server {
    pub(super) fn pane_process_info(&mut self, params: InfoParams) -> Answer {
        let key = self.pane_or_focused(params.pane_id.as_deref())?;
        let pane_id = self.public_id(key);
        let shell = self.panes.get(&key).map(|pane| pane.terminal.pid()).unwrap_or_default();
        let mut info = json!({"pane_id": pane_id, "shell_pid": shell});
        let found = self.table().foreground(shell);
        if let (Some((group, procs)), Some(map)) = (found, info.as_object_mut()) {
            let processes: Vec<Value> = procs
                .iter()
                .map(|proc| {
                    let argv = procs::argv(proc.pid);
                    json!({
                        "pid": proc.pid,
                        "name": proc.comm,
                        "argv": argv,
                        "cmdline": argv.join(" "),
                        "cwd": procs::cwd(proc.pid),
                    })
                })
                .collect();
            map.insert("foreground_process_group_id".to_owned(), json!(group));
            map.insert("foreground_processes".to_owned(), json!(processes));
        }
        Ok(json!({"type": "pane_process_info", "process_info": info}))
    }

    pub(super) fn pane_send(&mut self, method: &str, params: SendParams) -> Answer {
        let missing = match method {
            "pane.send_text" if params.text.is_none() => Some("text"),
            "pane.send_keys" if params.keys.is_none() => Some("keys"),
            _ => None,
        };
        if let Some(field) = missing {
            return refuse("invalid_request", format!("invalid request: missing field `{field}`"));
        }
        let key = self.pane_key(&params.pane_id)?;
        let mut bytes = params.text.unwrap_or_default().into_bytes();
        for name in params.keys.unwrap_or_default() {
            match keys::bytes(&name) {
                Some(key) => bytes.extend(key),
                None => return refuse("invalid_key", format!("unsupported key {name}")),
            }
        }
        match self.panes.get_mut(&key).map(|pane| pane.terminal.type_bytes(&bytes)) {
            Some(Err(error)) => refuse("pane_send_failed", error.to_string()),
            _ => done(),
        }
    }

    pub(super) fn pane_read(&mut self, params: ReadParams) -> Answer {
        let key = self.pane_key(&params.pane_id)?;
        let (output, rows) = self.panes.get_mut(&key).map_or((Vec::new(), 0), |pane| {
            pane.terminal.drain();
            (pane.terminal.output().to_vec(), usize::from(pane.terminal.size().1))
        });
        let raw = String::from_utf8_lossy(&output).into_owned();
        let plain = if params.format == "ansi" { raw } else { without_escapes(&raw) };
        let lines: Vec<&str> = plain.lines().collect();
        let (name, most) = match params.source {
            Source::Visible => ("visible", rows),
            Source::Recent => ("recent", params.lines.unwrap_or(usize::MAX)),
            Source::RecentUnwrapped => ("recent_unwrapped", params.lines.unwrap_or(usize::MAX)),
            Source::Detection => ("detection", rows),
        };
        let skipped = lines.len().saturating_sub(most);
        let shown: Vec<&str> = lines.into_iter().skip(skipped).collect();
        let info = self.pane_info(key);
        let of = |field: &str| info.get(field).cloned().unwrap_or_default();
        Ok(json!({
            "type": "pane_read",
            "read": {
                "pane_id": params.pane_id,
                "workspace_id": of("workspace_id"),
                "tab_id": of("tab_id"),
                "source": name,
                "format": params.format,
                "text": shown.join("\n"),
                "revision": 0,
                "truncated": skipped > 0,
            },
        }))
    }
}

/// Takes escape sequences and carriage returns out; the simulator has no screen.
fn without_escapes(raw: &str) -> String {
    let mut plain = String::with_capacity(raw.len());
    let mut characters = raw.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\x1b' => match characters.next() {
                Some('[') => {
                    // A control sequence ends with its first letter.
                    let _end = characters.by_ref().find(|c| ('@'..='~').contains(c));
                }
                Some(']') => {
                    let _end = characters.by_ref().find(|c| matches!(c, '\x07' | '\\'));
                }
                _ => {}
            },
            '\r' | '\x07' => {}
            other => plain.push(other),
        }
    }
    plain
}
