//! What herdr says about panes, as far as mam reads it.
//!
//! Unknown fields are ignored, and a pane of an unknown form is left out: one that cannot be read is
//! neither a leftover nor a proof that something runs. Workspaces are read all or none: one that is left
//! out could be tied to another.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::form::{Object, Odd, Read, list};
use super::parallel::Request;

/// A pane of `pane.list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pane {
    /// Its id, such as `w1:p1`. Reused after a restart.
    pub pane_id: String,
    /// The id of its terminal, never reused.
    pub terminal_id: String,
    /// Its workspace.
    pub workspace_id: String,
    /// Whether it is the session's focused pane.
    pub focused: bool,
    /// The directory herdr shows for it.
    pub cwd: Option<String>,
    /// The user's name for it.
    pub label: Option<String>,
    /// The agent that herdr sees in it. A value of an unknown form counts as an agent without a name.
    pub agent: Option<String>,
    /// The conversation of the agent that is or was in it.
    pub conversation: Option<Conversation>,
}

/// What an agent resumes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessInfo {
    /// The pane it is about.
    pub pane_id: String,
    /// The process herdr started in it.
    pub shell_pid: Option<u32>,
    /// The process group in the foreground.
    pub foreground_group: Option<u32>,
    /// The processes of that group.
    pub foreground: Vec<ForegroundProcess>,
}

/// One process of the foreground group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForegroundProcess {
    /// Its id.
    pub pid: u32,
    /// Its name.
    pub name: String,
}

/// A workspace of `workspace.list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its id.
    pub workspace_id: String,
    /// The git worktree it stands for; `None` for most.
    pub worktree: Option<Worktree>,
}

/// What herdr knows about the worktree of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    /// Workspaces with the same key are one group.
    pub repo_key: Option<String>,
    /// Whether it is one of the group and not its head.
    pub is_linked_worktree: Option<bool>,
}

impl Read for Pane {
    fn read(value: &Value) -> Result<Self, Odd> {
        let pane = Object::of(value)?;
        let odd_is_nameless = |agent: &Value| agent.as_str().unwrap_or_default().to_owned();
        Ok(Self {
            pane_id: pane.text("pane_id")?,
            terminal_id: pane.text("terminal_id")?,
            workspace_id: pane.text("workspace_id")?,
            focused: pane.any_flag("focused")?.unwrap_or_default(),
            cwd: pane.text("cwd").ok(),
            label: pane.text("label").ok(),
            agent: pane.get("agent").map(odd_is_nameless),
            conversation: pane.any_part("agent_session").unwrap_or_default(),
        })
    }
}

impl Read for Conversation {
    fn read(value: &Value) -> Result<Self, Odd> {
        let conversation = Object::of(value)?;
        Ok(Self {
            agent: conversation.text("agent")?,
            kind: conversation.text("kind")?,
            value: conversation.text("value")?,
        })
    }
}

impl Read for ProcessInfo {
    fn read(value: &Value) -> Result<Self, Odd> {
        let info = Object::of(value)?;
        Ok(Self {
            pane_id: info.text("pane_id")?,
            shell_pid: info.any_id("shell_pid")?,
            foreground_group: info.any_id("foreground_process_group_id")?,
            foreground: info.any_list("foreground_processes")?,
        })
    }
}

impl Read for ForegroundProcess {
    fn read(value: &Value) -> Result<Self, Odd> {
        let process = Object::of(value)?;
        Ok(Self {
            pid: process.any_id("pid")?.ok_or(Odd)?,
            name: process.any_text("name")?.unwrap_or_default(),
        })
    }
}

impl Read for Workspace {
    fn read(value: &Value) -> Result<Self, Odd> {
        let workspace = Object::of(value)?;
        Ok(Self { workspace_id: workspace.text("workspace_id")?, worktree: workspace.any_part("worktree")? })
    }
}

impl Read for Worktree {
    fn read(value: &Value) -> Result<Self, Odd> {
        let worktree = Object::of(value)?;
        Ok(Self {
            repo_key: worktree.any_text("repo_key")?,
            is_linked_worktree: worktree.any_flag("is_linked_worktree")?,
        })
    }
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

/// The panes of a `pane.list` answer; `None` when it holds no list of panes, or one that gives two of
/// them the same id: a close would hit either.
pub fn panes(answer: &Value) -> Option<Vec<Pane>> {
    let list = list(answer, "panes").ok()?;
    let is_named = |pane: &Pane| !pane.pane_id.is_empty() && !pane.terminal_id.is_empty();
    (differ(list, "pane_id") && differ(list, "terminal_id"))
        .then(|| list.iter().flat_map(Pane::read).filter(is_named).collect())
}

/// The workspaces of a `workspace.list` answer; `None` when it holds no list of workspaces, one of them
/// has an unknown form, or two have the same id.
pub fn workspaces(answer: &Value) -> Option<Vec<Workspace>> {
    let list = list(answer, "workspaces").ok()?;
    if differ(list, "workspace_id") {
        list.iter().map(Workspace::read).collect::<Result<_, _>>().ok()
    } else {
        None
    }
}

/// The processes of a `pane.process_info` answer; `None` when it has another form.
pub fn process_info(answer: &Value) -> Option<ProcessInfo> {
    Object::of(answer).and_then(|answer| answer.part("process_info")).ok()
}

/// Whether no two entries have the same `key`, those that cannot be read as a whole included.
fn differ(list: &[Value], key: &str) -> bool {
    let ids: Vec<&str> = list.iter().filter_map(|entry| entry.get(key)?.as_str()).collect();
    ids.iter().collect::<BTreeSet<_>>().len() == ids.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pane(more: &Value) -> Value {
        let mut pane = json!({"pane_id": "w1:p1", "terminal_id": "t1", "workspace_id": "w1", "new": [1]});
        pane.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        pane
    }

    #[test]
    fn panes_of_unknown_forms_are_left_out_and_unknown_fields_ignored() {
        let conversation = json!({"source": "herdr:claude", "agent": "claude", "kind": "id", "value": "x"});
        let rows = [
            (pane(&json!({})), Some((None, false))),
            (pane(&json!({"agent": null, "agent_session": null})), Some((None, false))),
            (pane(&json!({"agent": "claude", "agent_session": conversation})), Some((Some("claude"), true))),
            (pane(&json!({"agent_session": conversation})), Some((None, true))),
            // An agent of an unknown form is one, and says nothing about which.
            (pane(&json!({"agent": {"name": "x"}})), Some((Some(""), false))),
            (pane(&json!({"agent": ["claude"]})), Some((Some(""), false))),
            (pane(&json!({"agent": false})), Some((Some(""), false))),
            (pane(&json!({"agent": 0})), Some((Some(""), false))),
            (pane(&json!({"agent": ""})), Some((Some(""), false))),
            // A conversation of an unknown form is none.
            (pane(&json!({"agent_session": {"value": 3}})), Some((None, false))),
            (pane(&json!({"agent_session": ["claude", "id", "x"]})), Some((None, false))),
            (pane(&json!({"agent_session": [conversation]})), Some((None, false))),
            (pane(&json!({"agent_session": "x"})), Some((None, false))),
            (pane(&json!({"cwd": 3, "label": [], "focused": true})), Some((None, false))),
            // No pane at all.
            (json!({"pane_id": "w1:p1"}), None),
            (json!(["w1:p1", "t1", "w1", false, null, null, null, null]), None),
            (json!([pane(&json!({}))]), None),
            (pane(&json!({"terminal_id": 7})), None),
            (pane(&json!({"terminal_id": ""})), None),
            (pane(&json!({"pane_id": ""})), None),
            (pane(&json!({"pane_id": null})), None),
            (pane(&json!({"workspace_id": ["w1"]})), None),
            (pane(&json!({"focused": "yes"})), None),
            (json!("w1:p1"), None),
            (json!(null), None),
        ];
        for (entry, expected) in rows {
            let read = panes(&json!({"type": "pane_list", "panes": [entry]})).unwrap();
            let read = read.first().map(|pane| (pane.agent.as_deref(), pane.conversation.is_some()));
            assert_eq!(read, expected, "{entry}");
        }
    }

    #[test]
    fn a_list_of_panes_is_a_list_of_different_ones() {
        let other = |id: &str, terminal: &str| pane(&json!({"pane_id": id, "terminal_id": terminal}));
        // The same id with an agent, in an entry that cannot be read as a whole.
        let half = json!({"pane_id": "w1:p1", "agent": "claude"});
        let rows = [
            (json!({"panes": []}), Some(0)),
            (json!({"panes": [pane(&json!({})), other("w1:p2", "t2")]}), Some(2)),
            (json!({"panes": [pane(&json!({})), [], 3, "w1:p1", null]}), Some(1)),
            (json!({"panes": [pane(&json!({})), other("w1:p1", "t2")]}), None),
            (json!({"panes": [pane(&json!({})), other("w1:p2", "t1")]}), None),
            (json!({"panes": [pane(&json!({})), half]}), None),
            (json!({"panes": {"w1:p1": pane(&json!({}))}}), None),
            (json!({"panes": {}}), None),
            (json!({"panes": null}), None),
            (json!({"panes": "w1:p1"}), None),
            (json!([[pane(&json!({}))]]), None),
            (json!({}), None),
            (json!(null), None),
        ];
        for (answer, expected) in rows {
            assert_eq!(panes(&answer).map(|panes| panes.len()), expected, "{answer}");
        }
    }

    #[test]
    fn process_information_may_lack_everything_but_the_pane() {
        let info = process_info(&json!({"process_info": {"pane_id": "w1:p1", "tty": null}})).unwrap();
        assert_eq!((info.shell_pid, info.foreground_group, info.foreground.len()), (None, None, 0));
        let full = json!({"pane_id": "w1:p1", "shell_pid": 5, "foreground_process_group_id": 6,
            "foreground_processes": [{"pid": 6, "name": "vim", "argv": ["vim"]}, {"pid": 7}]});
        let info = process_info(&json!({"process_info": full})).unwrap();
        assert_eq!((info.shell_pid, info.foreground_group, info.foreground.len()), (Some(5), Some(6), 2));
        let odd = [
            json!({}),
            json!([full]),
            json!({"process_info": {}}),
            json!({"process_info": [full]}),
            json!({"process_info": ["w1:p1", 5, 6, []]}),
            json!({"process_info": {"pane_id": "p", "shell_pid": -1}}),
            json!({"process_info": {"pane_id": "p", "shell_pid": "5"}}),
            json!({"process_info": {"pane_id": "p", "shell_pid": [5]}}),
            json!({"process_info": {"pane_id": "p", "foreground_process_group_id": 4_294_967_296_u64}}),
            json!({"process_info": {"shell_pid": 5}}),
            json!({"process_info": {"pane_id": "p", "foreground_processes": {}}}),
            json!({"process_info": {"pane_id": "p", "foreground_processes": {"pid": 6}}}),
            json!({"process_info": {"pane_id": "p", "foreground_processes": [6]}}),
            json!({"process_info": {"pane_id": "p", "foreground_processes": [[6, "vim"]]}}),
            json!({"process_info": {"pane_id": "p", "foreground_processes": [{"name": "vim"}]}}),
            json!({"process_info": {"pane_id": "p", "foreground_processes": [{"pid": 6, "name": 7}]}}),
        ];
        for odd in odd {
            assert_eq!(process_info(&odd), None, "{odd}");
        }
    }

    #[test]
    fn worktrees_of_workspaces_are_read_all_or_none() {
        let known = [
            json!({"workspace_id": "w1"}),
            json!({"workspace_id": "w2", "worktree": {"repo_key": "/r/.git", "is_linked_worktree": false}}),
            json!({"workspace_id": "w3", "worktree": {}}),
            json!({"workspace_id": "w4", "worktree": null, "new": {}}),
        ];
        let read = workspaces(&json!({"workspaces": known})).unwrap();
        assert_eq!(read.len(), 4);
        assert_eq!(read[1].worktree.as_ref().unwrap().repo_key.as_deref(), Some("/r/.git"));
        assert_eq!(read[2].worktree, Some(Worktree { repo_key: None, is_linked_worktree: None }));
        let odd = [
            json!({}),
            json!(["w5", null]),
            json!("w5"),
            json!({"workspace_id": 5}),
            json!({"workspace_id": "w1"}),
            json!({"workspace_id": "w5", "worktree": ["/r/.git", true]}),
            json!({"workspace_id": "w5", "worktree": "/r/.git"}),
            json!({"workspace_id": "w5", "worktree": {"repo_key": 1}}),
            json!({"workspace_id": "w5", "worktree": {"is_linked_worktree": "yes"}}),
        ];
        for odd in odd {
            let all: Vec<&Value> = known.iter().chain([&odd]).collect();
            assert_eq!(workspaces(&json!({"workspaces": all})), None, "{odd}");
        }
        assert_eq!(workspaces(&json!({"workspaces": {"w1": known[0]}})), None);
    }
}
