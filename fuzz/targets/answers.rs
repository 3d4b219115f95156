//! Any bytes as herdr's answer: they are read or refused, and nothing comes out that does not stand in them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mam_hook::plan;
use mam_share::herdr::pane::{self, Pane, ProcessInfo, Workspace};
use mam_share::herdr::socket::{self, NoAnswer};
use serde_json::{Map, Value};

fn text<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

fn list<'a>(answer: &'a Value, key: &str) -> &'a [Value] {
    answer.as_object().and_then(|answer| answer.get(key)).and_then(Value::as_array).expect("there is no list")
}

/// The one object in `entries` that has this id.
fn entry<'a>(entries: &'a [Value], key: &str, id: &str) -> &'a Map<String, Value> {
    let mut found = entries.iter().filter_map(Value::as_object).filter(|entry| text(entry, key) == Some(id));
    let entry = found.next().expect("nothing has this id");
    assert!(found.next().is_none(), "two have this id");
    entry
}

fn pane_stands_there(entries: &[Value], pane: &Pane) {
    let entry = entry(entries, "pane_id", &pane.pane_id);
    assert!(!pane.pane_id.is_empty() && !pane.terminal_id.is_empty());
    assert_eq!(text(entry, "terminal_id"), Some(pane.terminal_id.as_str()));
    assert_eq!(text(entry, "workspace_id"), Some(pane.workspace_id.as_str()));
    let focused = entry.get("focused").filter(|focused| !focused.is_null());
    assert_eq!(focused.unwrap_or(&Value::Bool(false)), &Value::Bool(pane.focused));
    assert_eq!(text(entry, "cwd"), pane.cwd.as_deref());
    assert_eq!(text(entry, "label"), pane.label.as_deref());
    // Whatever is said about an agent, there is one.
    let agent = entry.get("agent").filter(|agent| !agent.is_null());
    assert_eq!(agent.is_some(), pane.agent.is_some());
    assert_eq!(agent.map(|agent| agent.as_str().unwrap_or_default()), pane.agent.as_deref());
    if let Some(conversation) = &pane.conversation {
        let entry = entry.get("agent_session").and_then(Value::as_object).expect("it is no object");
        assert_eq!(text(entry, "agent"), Some(conversation.agent.as_str()));
        assert_eq!(text(entry, "kind"), Some(conversation.kind.as_str()));
        assert_eq!(text(entry, "value"), Some(conversation.value.as_str()));
    }
}

fn workspace_stands_there(entries: &[Value], workspace: &Workspace) {
    let entry = entry(entries, "workspace_id", &workspace.workspace_id);
    let worktree = entry.get("worktree").filter(|worktree| !worktree.is_null());
    assert_eq!(worktree.is_some(), workspace.worktree.is_some());
    if let (Some(entry), Some(worktree)) = (worktree, &workspace.worktree) {
        let entry = entry.as_object().expect("it is no object");
        assert_eq!(text(entry, "repo_key"), worktree.repo_key.as_deref());
        assert_eq!(entry.get("is_linked_worktree").and_then(Value::as_bool), worktree.is_linked_worktree);
    }
}

fn info_stands_there(answer: &Value, info: &ProcessInfo) {
    let entry = answer["process_info"].as_object().expect("it is no object");
    let number = |object: &Map<String, Value>, key: &str| object.get(key).and_then(Value::as_u64);
    assert_eq!(text(entry, "pane_id"), Some(info.pane_id.as_str()));
    assert_eq!(number(entry, "shell_pid"), info.shell_pid.map(u64::from));
    assert_eq!(number(entry, "foreground_process_group_id"), info.foreground_group.map(u64::from));
    let processes =
        entry.get("foreground_processes").map_or(&[][..], |list| list.as_array().expect("a list"));
    assert_eq!(processes.len(), info.foreground.len());
    for (entry, process) in processes.iter().zip(&info.foreground) {
        let entry = entry.as_object().expect("it is no object");
        assert_eq!(number(entry, "pid"), Some(u64::from(process.pid)));
        assert_eq!(text(entry, "name").unwrap_or_default(), process.name);
    }
}

fuzz_target!(|input: &[u8]| {
    let answer = match socket::parse(input) {
        Ok(answer) => answer,
        Err(NoAnswer::Refused { code, message }) => {
            let whole: Value = serde_json::from_slice(input).expect("it was read");
            assert_eq!(whole["error"]["code"], Value::String(code));
            assert_eq!(whole["error"]["message"].as_str().unwrap_or_default(), message);
            return;
        }
        Err(NoAnswer::Unreadable(_)) => return,
        Err(error @ (NoAnswer::NotRunning | NoAnswer::Broken(_))) => panic!("{error}"),
    };
    let whole: Value = serde_json::from_slice(input).expect("it was read");
    assert_eq!(whole.as_object().and_then(|whole| whole.get("result")), Some(&answer));
    if let Some(panes) = pane::panes(&answer) {
        let entries = list(&answer, "panes");
        assert!(panes.len() <= entries.len());
        panes.iter().for_each(|pane| pane_stands_there(entries, pane));
        for id in plan::candidates_and_witnesses(&panes, None) {
            assert!(panes.iter().any(|pane| pane.pane_id == id && pane.conversation.is_some()));
        }
    }
    if let Some(workspaces) = pane::workspaces(&answer) {
        let entries = list(&answer, "workspaces");
        assert_eq!(workspaces.len(), entries.len(), "one was left out");
        workspaces.iter().for_each(|workspace| workspace_stands_there(entries, workspace));
    }
    if let Some(info) = pane::process_info(&answer) {
        info_stands_there(&answer, &info);
    }
});
