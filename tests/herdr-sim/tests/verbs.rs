//! The verbs of the command line.

use crate::support::{Rig, wait};
use serde_json::{Value, json};

#[test]
fn the_verbs_of_the_command_line() {
    let rig = Rig::started();
    let run = |args: &[&str]| {
        let out = rig.command(args).output().unwrap();
        assert!(out.status.success(), "{args:?}: {out:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    let json = |args: &[&str]| serde_json::from_str::<Value>(&run(args)).unwrap()["result"].clone();
    let cwd = rig.home.dir("a");
    let made = json(&["workspace", "create", "--cwd", &cwd, "--label", "A", "--no-focus"]);
    assert_eq!(made["root_pane"]["pane_id"], "w1:p1");
    rig.wait_idle("w1:p1");
    assert_eq!(json(&["pane", "list"])["panes"].as_array().unwrap().len(), 1);
    let info = json(&["pane", "process-info", "--pane", "w1:p1"]);
    assert!(info["process_info"]["shell_pid"].is_i64());
    assert_eq!(run(&["pane", "run", "w1:p1", "echo", "--odd", "x"]), "");
    wait("the text arrived", || {
        let read = json(&["pane", "read", "w1:p1"])["read"]["text"].clone();
        read.as_str().unwrap().contains("\n--odd x").then_some(())
    });
    let split = json(&["pane", "split", "w1:p1", "--direction", "down", "--cwd", "/tmp", "--env", "A=b"]);
    assert_eq!(split["pane"]["cwd"], "/tmp");
    run(&["pane", "rename", "w1:p2", "two", "words"]);
    assert_eq!(json(&["pane", "get", "w1:p2"])["pane"]["label"], "two words");
    run(&["pane", "rename", "w1:p2", "--clear"]);
    assert_eq!(json(&["pane", "zoom", "w1:p2", "--on"])["zoom"]["zoomed"], true);
    run(&["pane", "focus", "w1:p1"]);
    run(&["pane", "send-text", "w1:p1", "echo typed"]);
    run(&["pane", "send-keys", "w1:p1", "enter"]);
    let report = ["--source", "herdr:claude", "--agent", "claude", "--state", "idle"];
    let id = ["--agent-session-id", "one"];
    run(&[&["pane", "report-agent", "w1:p1"], &report[..], &id[..]].concat());
    assert_eq!(rig.pane("w1:p1")["agent_session"]["value"], "one");
    let id = ["--agent-session-id", "two", "w1:p1"];
    run(&[&["pane", "report-agent"], &report[..], &id[..]].concat());
    assert_eq!(rig.pane("w1:p1")["agent_session"]["value"], "two");
    assert_eq!(json(&["agent", "list"])["agents"], json!([]));
    run(&["pane", "close", "w1:p2"]);
    assert!(run(&["status"]).contains("status: running"));
    let wrong = rig.command(&["pane", "close", "w1:p2"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("pane_not_found"));
    assert_eq!(rig.command(&["pane", "bogus"]).output().unwrap().status.code(), Some(2));
    assert_eq!(rig.command(&["bogus"]).output().unwrap().status.code(), Some(2));
}
