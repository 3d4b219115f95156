//! Opening panes that run a recorded agent: mam's own entry of herdr's plugin panes, so nothing is typed,
//! and no shell and no quoting is in between.
//!
//! The entry's arguments are fixed (`mam launch`), so which record it is, and what only the caller has, is
//! in the pane's environment. Everything else comes from the record: arguments, directory, variables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mam_share::herdr::form::{Object, Odd, Read};
use mam_share::herdr::parallel::Request;
use mam_share::herdr::socket::NoAnswer;
use serde_json::{Value, json};

use super::layout::label_request;
use super::server::Server;

/// The plugin that has the entry.
const PLUGIN: &str = "mam";

/// The entry.
const ENTRYPOINT: &str = "launch";

/// Where a pane is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// In a split of this pane.
    Beside(String),
    /// In a tab of its own in this workspace.
    Tab(String),
    /// In a workspace of its own with this label.
    Workspace(String),
}

/// A pane to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where.
    pub spot: Spot,
    /// Its directory.
    pub cwd: PathBuf,
    /// Its label; `None` for none. Without this herdr shows the plugin's title.
    pub label: Option<String>,
    /// What it gets on top of the server's environment.
    pub variables: BTreeMap<String, String>,
}

/// A pane that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Its id.
    pub pane_id: String,
    /// Its terminal.
    pub terminal_id: String,
    /// Its workspace.
    pub workspace_id: String,
    /// Its tab.
    pub tab_id: Option<String>,
}

/// A workspace that was made for a pane, with the shell that herdr starts in every workspace.
struct Made {
    root_pane: Opened,
    workspace: Value,
}

impl Read for Opened {
    fn read(value: &Value) -> Result<Self, Odd> {
        let pane = Object::of(value)?;
        Ok(Self {
            pane_id: pane.text("pane_id")?,
            terminal_id: pane.text("terminal_id")?,
            workspace_id: pane.text("workspace_id")?,
            tab_id: pane.any_text("tab_id")?,
        })
    }
}

impl Read for Made {
    fn read(value: &Value) -> Result<Self, Odd> {
        let made = Object::of(value)?;
        let workspace = made.get("workspace").ok_or(Odd)?.clone();
        Ok(Self { root_pane: made.part("root_pane")?, workspace })
    }
}

/// Opens all of them at once; the results are in the same order. Where one cannot be opened, nothing of
/// it stays but what cannot be closed without asking the user.
pub fn open(server: &Server<'_>, openings: &[Opening]) -> Vec<Result<Opened, NoAnswer>> {
    let made = workspaces(server, openings);
    let targets = openings.iter().zip(&made).map(|(opening, made)| match (&opening.spot, made) {
        (Spot::Beside(pane), _) => Ok(json!({"placement": "split", "target_pane_id": pane})),
        (Spot::Tab(workspace), _) => Ok(json!({"placement": "tab", "workspace_id": workspace})),
        (Spot::Workspace(_), Some(Ok(made))) => {
            Ok(json!({"placement": "split", "target_pane_id": made.root_pane.pane_id}))
        }
        (Spot::Workspace(_), other) => Err(other.as_ref().and_then(|made| made.as_ref().err())),
    });
    let targets: Vec<_> = targets.collect();
    let request =
        |(opening, target): (&Opening, &Result<Value, _>)| Some(launch(opening, target.as_ref().ok()?));
    let requests: Vec<Request> = openings.iter().zip(&targets).filter_map(request).collect();
    let mut answers = server.ask_all(&requests).into_iter();
    let opened: Vec<Result<Opened, NoAnswer>> = targets
        .iter()
        .map(|target| match target {
            Ok(_) => answers.next().unwrap_or_else(|| Err(unreadable())).and_then(|answer| read(&answer)),
            Err(why) => Err(why.map_or_else(unreadable, again)),
        })
        .collect();
    tidy(server, openings, &made, &opened);
    opened
}

/// Makes the workspaces that are asked for; `None` where none is.
fn workspaces(server: &Server<'_>, openings: &[Opening]) -> Vec<Option<Result<Made, NoAnswer>>> {
    let request = |opening: &Opening| match &opening.spot {
        Spot::Workspace(label) => Some(Request::new(
            "workspace.create",
            json!({"cwd": text(&opening.cwd), "label": label, "focus": false}),
        )),
        Spot::Beside(_) | Spot::Tab(_) => None,
    };
    let requests: Vec<Option<Request>> = openings.iter().map(request).collect();
    let some: Vec<Request> = requests.iter().flatten().cloned().collect();
    let mut answers = server.ask_all(&some).into_iter();
    let read = |answer: Result<Value, NoAnswer>| {
        answer.and_then(|answer| Made::read(&answer).map_err(|Odd| unreadable()))
    };
    requests.iter().map(|request| request.as_ref().and_then(|_| answers.next().map(read))).collect()
}

/// The shells that came with the workspaces go, and the panes get their labels.
fn tidy(
    server: &Server<'_>,
    openings: &[Opening],
    made: &[Option<Result<Made, NoAnswer>>],
    opened: &[Result<Opened, NoAnswer>],
) {
    let mut requests = Vec::new();
    for ((opening, made), opened) in openings.iter().zip(made).zip(opened) {
        if let Ok(opened) = opened {
            requests.push(label_request(&opened.pane_id, opening.label.as_deref()));
        }
        if let Some(Ok(made)) = made
            // Alone in the head of a worktree group it would ask the user about all of the group.
            && (opened.is_ok() || made.workspace.get("worktree").is_none_or(Value::is_null))
        {
            requests.push(Request::new("pane.close", json!({"pane_id": made.root_pane.pane_id})));
        }
    }
    // A label and an empty shell are no reason to fail: the agent starts all the same.
    drop(server.ask_all(&requests));
}

fn launch(opening: &Opening, target: &Value) -> Request {
    let mut params = json!({
        "plugin_id": PLUGIN,
        "entrypoint": ENTRYPOINT,
        "env": opening.variables,
        "focus": false,
    });
    if let (Some(params), Some(target)) = (params.as_object_mut(), target.as_object()) {
        params.extend(target.clone());
        // A path that is not UTF-8 cannot be said in JSON; `mam launch` goes there by itself.
        params.extend(opening.cwd.to_str().map(|cwd| ("cwd".to_owned(), json!(cwd))));
        if params.contains_key("target_pane_id") {
            params.insert("direction".to_owned(), json!("right"));
        }
    }
    Request::new("plugin.pane.open", params)
}

fn read(answer: &Value) -> Result<Opened, NoAnswer> {
    let pane = answer.pointer("/plugin_pane/pane").ok_or_else(unreadable)?;
    Opened::read(pane).map_err(|Odd| unreadable())
}

fn text(path: &Path) -> Option<&str> {
    path.to_str()
}

fn unreadable() -> NoAnswer {
    NoAnswer::Unreadable("it does not name the pane".to_owned())
}

/// The same reason once more: errors of the operating system cannot be copied.
fn again(error: &NoAnswer) -> NoAnswer {
    match error {
        NoAnswer::NotRunning => NoAnswer::NotRunning,
        NoAnswer::Broken(error) => NoAnswer::Broken(std::io::Error::other(error.to_string())),
        NoAnswer::Unreadable(what) => NoAnswer::Unreadable(what.clone()),
        NoAnswer::Refused { code, message } => {
            NoAnswer::Refused { code: code.clone(), message: message.clone() }
        }
    }
}
