//! The faults that a test can ask for while the server runs.

use std::time::{Duration, Instant};

use crate::support::{Rig, wait};
use serde_json::{Value, json};

fn with(rules: &Value) -> Rig {
    let rig = Rig::started();
    set(&rig, rules);
    rig
}

fn set(rig: &Rig, rules: &Value) {
    let path = format!("{}/sim-faults.json", rig.dir());
    std::fs::write(format!("{path}.new"), rules.to_string()).unwrap();
    std::fs::rename(format!("{path}.new"), path).unwrap();
    // The file is read at the beginning of a turn.
    std::thread::sleep(Duration::from_millis(100));
}

const LIST: &str = "{\"id\":\"t\",\"method\":\"pane.list\",\"params\":{}}";

#[test]
fn answers_go_wrong_on_their_way() {
    let rig = with(&json!([{"on": "pane.list", "do": "drop"}]));
    assert_eq!(rig.raw(LIST).unwrap(), "");
    assert!(rig.try_call("ping", json!({})).is_some(), "other methods are untouched");
    set(&rig, &json!([{"on": "*", "do": "half"}]));
    let half = rig.raw(LIST).unwrap();
    assert!(half.starts_with("{\"id\"") && !half.ends_with('\n'), "{half}");
    set(&rig, &json!([{"on": "pane.list", "do": "huge"}]));
    assert_eq!(rig.raw(LIST).unwrap().len(), 10 * 1024 * 1024);
    set(&rig, &json!([{"on": "pane.list", "do": "slow", "ms": 400}]));
    let start = Instant::now();
    rig.call("ping", json!({}));
    assert!(start.elapsed() < Duration::from_millis(300));
    rig.call("pane.list", json!({}));
    assert!(start.elapsed() > Duration::from_millis(400));
    set(&rig, &json!([{"on": "ping", "do": "stall", "ms": 400}]));
    let start = Instant::now();
    rig.call("ping", json!({}));
    assert!(start.elapsed() > Duration::from_millis(400));
}

#[test]
fn rules_count_their_requests() {
    let rig = with(&json!([{"on": "pane.list", "do": "drop", "skip": 1, "times": 1}]));
    assert_ne!(rig.raw(LIST).unwrap(), "");
    assert_eq!(rig.raw(LIST).unwrap(), "");
    assert_ne!(rig.raw(LIST).unwrap(), "");
}

#[test]
fn answers_are_not_what_they_should_be() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    set(
        &rig,
        &json!([
            {"on": "pane.process_info", "do": "omit", "fields": ["shell_pid", "cwd"]},
            {"on": "ping", "do": "merge", "result": {"protocol": 21, "novel": {"a": [1]}}},
            {"on": "pane.close", "do": "error", "code": "strange", "message": "why not"},
            {"on": "pane.get", "do": "replace", "from": "\"term_", "to": "\"other_"},
        ]),
    );
    let info = rig.info(&pane);
    assert!(info.get("shell_pid").is_none());
    assert!(info["foreground_processes"][0].get("cwd").is_none());
    assert!(info["foreground_processes"][0].get("pid").is_some());
    let pong = rig.call("ping", json!({}));
    assert_eq!((&pong["protocol"], &pong["novel"]), (&json!(21), &json!({"a": [1]})));
    assert_eq!(pong["version"], "0.8.2");
    assert_eq!(rig.error("pane.close", json!({"pane_id": pane})), "strange");
    assert_eq!(rig.panes().len(), 1, "nothing was closed");
    assert!(rig.pane(&pane)["terminal_id"].as_str().unwrap().starts_with("other_"));
}

#[test]
fn pane_ids_can_come_again() {
    let rig = Rig::started();
    let first = rig.workspace("a");
    let second = rig.split(&first);
    let terminal = rig.pane(&second)["terminal_id"].clone();
    set(&rig, &json!([{"on": "pane.split", "do": "reuse_ids"}]));
    rig.call("pane.close", json!({"pane_id": second}));
    assert_eq!(rig.split(&first), second);
    assert_ne!(rig.pane(&second)["terminal_id"], terminal);
}

#[test]
fn a_server_can_be_killed_in_the_middle() {
    let mut rig = with(&json!([{"on": "pane.list", "do": "kill"}]));
    assert!(rig.try_call("pane.list", json!({})).is_none());
    let status = rig.server.take().unwrap().wait().unwrap();
    assert!(!status.success());
    assert!(rig.socket().exists());
}

#[test]
fn a_broken_file_is_said_in_the_log() {
    let rig = with(&json!({"on": "nothing"}));
    wait("the log says it", || rig.file("herdr-server.log").contains("sim-faults.json: ").then_some(()));
    assert!(rig.try_call("ping", json!({})).is_some());
}

#[test]
fn the_server_can_claim_another_version() {
    let mut rig = Rig::new();
    rig.env("HERDR_SIM_VERSION", "0.9.1");
    rig.start();
    assert_eq!(rig.call("ping", json!({}))["version"], "0.9.1");
}
