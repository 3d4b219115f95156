//! What herdr says about panes, as far as mam reads it.
//!
//! Unknown fields are ignored, and an entry of an unknown form is left out: a pane that cannot be read
//! is neither a leftover nor a proof that something runs.

use serde::Deserialize;
use serde_json::{Value, json};

use super::parallel::Request;

/// A pane of `pane.list`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Pane {
    /// Its id, such as `w1:p1`. Reused after a restart.
    pub pane_id: String,
    /// The id of its terminal, never reused.
    pub terminal_id: String,
    /// Its workspace.
    pub workspace_id: String,
    /// Whether it is the session's focused pane.
    #[serde(default)]
    pub focused: bool,
    /// The directory herdr shows for it.
    #[serde(default, deserialize_with = "or_none")]
    pub cwd: Option<String>,
    /// The user's name for it.
    #[serde(default, deserialize_with = "or_none")]
    pub label: Option<String>,
    /// The agent that herdr sees in it. A value of an unknown form counts as an agent.
    #[serde(default, deserialize_with = "agent")]
    pub agent: Option<String>,
    /// The conversation of the agent that is or was in it.
    #[serde(default, rename = "agent_session", deserialize_with = "or_none")]
    pub conversation: Option<Conversation>,
}

/// What an agent resumes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, serde::Serialize)]
pub struct Conversation {
    /// The kind of agent.
    pub agent: String,
    /// What the value is: `id` or `path`.
    pub kind: String,
    /// The id or path. Never empty in a conversation that mam acts on.
    pub value: String,
}

impl std::fmt::Display for Conversation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.agent, self.value)
    }
}

/// The answer of `pane.process_info`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ProcessInfo {
    /// The pane it is about.
    pub pane_id: String,
    /// The process herdr started in it.
    pub shell_pid: Option<u32>,
    /// The process group in the foreground.
    #[serde(rename = "foreground_process_group_id")]
    pub foreground_group: Option<u32>,
    /// The processes of that group.
    #[serde(default, rename = "foreground_processes")]
    pub foreground: Vec<ForegroundProcess>,
}

/// One process of the foreground group.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ForegroundProcess {
    /// Its id.
    pub pid: u32,
    /// Its name.
    #[serde(default)]
    pub name: String,
}

/// A workspace of `workspace.list`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Workspace {
    /// Its id.
    pub workspace_id: String,
    /// The git worktree it stands for; `None` for most.
    pub worktree: Option<Worktree>,
}

/// What herdr knows about the worktree of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Worktree {
    /// Workspaces with the same key are one group.
    pub repo_key: Option<String>,
    /// Whether it is one of the group and not its head.
    pub is_linked_worktree: Option<bool>,
}

/// The request for all panes.
pub fn list_request() -> Request {
    Request::new("pane.list", json!({}))
}

/// The request for all workspaces.
pub fn workspaces_request() -> Request {
    Request::new("workspace.list", json!({}))
}

/// The request for the processes of a pane.
pub fn process_info_request(pane_id: &str) -> Request {
    Request::new("pane.process_info", json!({"pane_id": pane_id}))
}

/// The panes of a `pane.list` answer; `None` when it holds no list of panes.
pub fn panes(answer: &Value) -> Option<Vec<Pane>> {
    entries(answer, "panes")
}

/// The workspaces of a `workspace.list` answer; `None` when it holds no list of workspaces.
pub fn workspaces(answer: &Value) -> Option<Vec<Workspace>> {
    entries(answer, "workspaces")
}

/// The processes of a `pane.process_info` answer; `None` when it has another form.
pub fn process_info(answer: &Value) -> Option<ProcessInfo> {
    ProcessInfo::deserialize(answer.get("process_info")?).ok()
}

fn entries<T: for<'de> Deserialize<'de>>(answer: &Value, key: &str) -> Option<Vec<T>> {
    Some(answer.get(key)?.as_array()?.iter().filter_map(|entry| T::deserialize(entry).ok()).collect())
}

fn or_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: for<'v> Deserialize<'v>,
{
    Ok(T::deserialize(Value::deserialize(deserializer)?).ok())
}

fn agent<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Null => None,
        Value::String(name) => Some(name),
        odd @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Some(odd.to_string())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_unknown_forms_are_left_out_and_unknown_fields_ignored() {
        let conversation = json!({"source": "herdr:claude", "agent": "claude", "kind": "id", "value": "x"});
        let pane = |more: Value| {
            let mut pane = json!({"pane_id": "w1:p1", "terminal_id": "t1", "workspace_id": "w1", "new": [1]});
            pane.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            pane
        };
        let rows = [
            (pane(json!({})), Some((None, false))),
            (pane(json!({"agent": null, "agent_session": null})), Some((None, false))),
            (pane(json!({"agent": "claude", "agent_session": conversation})), Some((Some("claude"), true))),
            (pane(json!({"agent_session": conversation})), Some((None, true))),
            (pane(json!({"agent_session": {"value": 3}})), Some((None, false))),
            (pane(json!({"agent": {"name": "x"}})), Some((Some("{\"name\":\"x\"}"), false))),
            (pane(json!({"cwd": 3, "label": [], "focused": true})), Some((None, false))),
            (json!({"pane_id": "w1:p1"}), None),
            (pane(json!({"terminal_id": 7})), None),
            (json!("w1:p1"), None),
        ];
        for (entry, expected) in rows {
            let read = panes(&json!({"type": "pane_list", "panes": [entry]})).unwrap();
            let read = read.first().map(|pane| (pane.agent.as_deref(), pane.conversation.is_some()));
            assert_eq!(read, expected, "{entry}");
        }
        for answer in [json!({}), json!({"panes": {}}), json!(null), json!([])] {
            assert_eq!(panes(&answer), None);
        }
    }

    #[test]
    fn process_information_may_lack_everything_but_the_pane() {
        let info = process_info(&json!({"process_info": {"pane_id": "w1:p1", "tty": null}})).unwrap();
        assert_eq!((info.shell_pid, info.foreground_group, info.foreground.len()), (None, None, 0));
        for odd in [
            json!({}),
            json!({"process_info": {}}),
            json!({"process_info": {"pane_id": "p", "shell_pid": -1}}),
        ] {
            assert_eq!(process_info(&odd), None, "{odd}");
        }
    }

    #[test]
    fn worktrees_of_workspaces_are_read() {
        let answer = json!({"workspaces": [
            {"workspace_id": "w1"},
            {"workspace_id": "w2", "worktree": {"repo_key": "/r/.git", "is_linked_worktree": false}},
            {"workspace_id": "w3", "worktree": {}},
        ]});
        let read = workspaces(&answer).unwrap();
        assert_eq!(read.len(), 3);
        assert_eq!(read[1].worktree.as_ref().unwrap().repo_key.as_deref(), Some("/r/.git"));
        assert_eq!(read[2].worktree, Some(Worktree { repo_key: None, is_linked_worktree: None }));
    }
}
