//! The exact shape of answers: which fields, and in which order.

use crate::support::{Rig, wait};
use serde_json::{Value, json};

const PANE: &[&str] = &[
    "pane_id",
    "terminal_id",
    "workspace_id",
    "tab_id",
    "focused",
    "cwd",
    "foreground_cwd",
    "agent_status",
    "scroll",
    "revision",
];
const PANE_WITH_AGENT: &[&str] = &[
    "pane_id",
    "terminal_id",
    "workspace_id",
    "tab_id",
    "focused",
    "cwd",
    "foreground_cwd",
    "label",
    "agent",
    "agent_status",
    "agent_session",
    "scroll",
    "revision",
];
const WORKSPACE: &[&str] = &[
    "workspace_id",
    "number",
    "label",
    "focused",
    "pane_count",
    "tab_count",
    "active_tab_id",
    "agent_status",
];
const TAB: &[&str] = &["tab_id", "workspace_id", "number", "label", "focused", "pane_count", "agent_status"];
const AGENT: &[&str] = &[
    "terminal_id",
    "agent",
    "agent_status",
    "agent_session",
    "workspace_id",
    "tab_id",
    "pane_id",
    "focused",
    "state_change_seq",
    "cwd",
    "foreground_cwd",
    "revision",
];
const SNAPSHOT: &[&str] = &[
    "version",
    "protocol",
    "focused_workspace_id",
    "focused_tab_id",
    "focused_pane_id",
    "workspaces",
    "tabs",
    "panes",
    "layouts",
    "agents",
];
const LAYOUT: &[&str] = &["workspace_id", "tab_id", "zoomed", "area", "focused_pane_id", "panes", "splits"];

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn every_answer_has_its_fields_in_their_order() {
    let rig = Rig::started();
    rig.home.fake_agent("claude");
    let cwd = rig.home.dir("a");
    let made = rig.call("workspace.create", json!({"cwd": cwd, "label": "A"}));
    assert_eq!(keys(&made), ["type", "workspace", "tab", "root_pane"]);
    assert_eq!(keys(&made["workspace"]), WORKSPACE);
    assert_eq!(keys(&made["tab"]), TAB);
    assert_eq!(keys(&made["root_pane"]), PANE);
    assert_eq!(made["root_pane"]["scroll"]["viewport_rows"], 40);
    let terminal = made["root_pane"]["terminal_id"].as_str().unwrap();
    assert!(terminal.starts_with("term_"), "{terminal}");
    rig.wait_idle("w1:p1");
    assert_eq!(rig.pane("w1:p1")["scroll"]["viewport_rows"], 39);
    rig.type_line("w1:p1", "claude");
    rig.wait_agent("w1:p1", Some("claude"));
    rig.report("w1:p1", "claude", "one");
    rig.call("pane.rename", json!({"pane_id": "w1:p1", "label": "l"}));
    assert_eq!(keys(&rig.pane("w1:p1")), PANE_WITH_AGENT);
    let shown = rig.call("session.snapshot", json!({}));
    assert_eq!(keys(&shown), ["type", "snapshot"]);
    let snapshot = &shown["snapshot"];
    assert_eq!(keys(snapshot), SNAPSHOT);
    assert_eq!(keys(&snapshot["layouts"][0]), LAYOUT);
    assert_eq!(snapshot["layouts"][0]["area"], json!({"x": 26, "y": 1, "width": 94, "height": 39}));
    assert_eq!(keys(&snapshot["agents"][0]), AGENT);
    let info = wait("the agent's child runs", || {
        let info = rig.info("w1:p1");
        (info["foreground_processes"].as_array()?.len() == 2).then_some(info)
    });
    let order = ["pane_id", "shell_pid", "foreground_process_group_id", "foreground_processes"];
    assert_eq!(keys(&info), order);
    let process = &info["foreground_processes"][0];
    assert_eq!(keys(process), ["pid", "name", "argv", "cmdline", "cwd"]);
    assert_eq!(process["pid"], info["foreground_process_group_id"]);
}

#[test]
fn an_empty_session_has_nothing_in_front() {
    let rig = Rig::started();
    let shown = rig.call("session.snapshot", json!({}))["snapshot"].clone();
    let order = ["version", "protocol", "workspaces", "tabs", "panes", "layouts", "agents"];
    assert_eq!(keys(&shown), order);
}
