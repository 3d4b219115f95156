//! Where panes are, which one is in front, and what goes when one closes.

use crate::support::{Rig, wait};
use serde_json::{Value, json};

fn rect(rig: &Rig, pane: &str) -> Value {
    let layout = rig.call("pane.layout", json!({"pane_id": pane}))["layout"].clone();
    let panes = layout["panes"].as_array().unwrap().clone();
    panes.iter().find(|entry| entry["pane_id"] == pane).unwrap()["rect"].clone()
}

#[test]
fn a_split_that_replaces_a_pane_gets_its_rectangle() {
    let rig = Rig::started();
    let first = rig.workspace("a");
    let other = rig.split(&first);
    rig.call("pane.rename", json!({"pane_id": first, "label": "mine"}));
    rig.call("pane.zoom", json!({"pane_id": first, "mode": "on"}));
    let zoomed = |pane: &str| rig.call("pane.layout", json!({"pane_id": pane}))["layout"]["zoomed"].clone();
    assert_eq!(zoomed(&first), true);
    let layout = rig.call("session.snapshot", json!({}))["snapshot"]["layouts"][0].clone();
    assert_eq!(layout["panes"].as_array().unwrap().len(), 1, "a zoomed pane hides the others");
    rig.call("pane.zoom", json!({"pane_id": first, "mode": "off"}));
    let old = rect(&rig, &first);
    rig.call("pane.zoom", json!({"pane_id": first, "mode": "on"}));
    let new = rig.split(&first);
    assert_eq!(zoomed(&first), false, "a split unzooms");
    rig.call("pane.close", json!({"pane_id": first}));
    assert_eq!(rect(&rig, &new), old);
    assert_eq!(rig.pane(&new)["label"], Value::Null);
    assert_eq!(rig.pane(&new)["cwd"], rig.home.text("a"));
    assert!(rig.panes().iter().any(|pane| pane["pane_id"] == other.as_str()));
}

#[test]
fn focus_moves_when_it_is_asked_to() {
    let rig = Rig::started();
    let front = rig.workspace("a");
    let back = rig.workspace("b");
    let spare = rig.split(&back);
    let focused = || rig.call("pane.current", json!({}))["pane"]["pane_id"].clone();
    assert_eq!(focused(), front.as_str(), "the first workspace is in front");
    rig.call("pane.close", json!({"pane_id": spare}));
    assert_eq!(focused(), front.as_str(), "closing elsewhere moves nothing");
    rig.call("pane.focus", json!({"pane_id": back}));
    assert_eq!(focused(), back.as_str());
    let snapshot = rig.call("session.snapshot", json!({}))["snapshot"].clone();
    assert_eq!(snapshot["focused_workspace_id"], "w2");
    let neighbour = rig.split(&back);
    rig.call("pane.close", json!({"pane_id": back}));
    assert_eq!(focused(), neighbour.as_str());
}

#[test]
fn a_pane_closes_with_its_shell_and_the_last_one_empties_the_session() {
    let mut rig = Rig::started();
    let pane = rig.workspace("a");
    let other = rig.split(&pane);
    let shell = rig.shell_pid(&other);
    rig.type_line(&other, "exit");
    wait("the pane closed", || (rig.panes().len() == 1).then_some(()));
    rig.wait_saved("\"Pane\": 1");
    rig.call("pane.close", json!({"pane_id": pane}));
    assert!(rig.panes().is_empty());
    assert_eq!(rig.error("pane.current", json!({})), "pane_not_found");
    wait("the shell is gone", || crate::support::gone(shell).then_some(()));
    rig.stop();
    assert_eq!(rig.file("session.json"), "");
    assert!(!std::path::Path::new(&rig.dir()).join("session.json").exists());
}

fn group(rig: &Rig) -> (String, String) {
    let repo = rig.home.dir("repo");
    let git = |args: &[&str]| {
        let out = rig.home.command_of("git".as_ref(), args).current_dir(&repo).output().unwrap();
        assert!(out.status.success(), "{out:?}");
    };
    git(&["init", "-q"]);
    let as_someone = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
    git(&[&as_someone[..], &["commit", "-q", "--allow-empty", "-m", "x"]].concat());
    let head = rig.workspace("repo");
    let made = rig.call("worktree.create", json!({"workspace_id": "w1", "branch": "b1"}));
    assert_eq!(made["workspace"]["worktree"]["is_linked_worktree"], true);
    let key = format!("{repo}/.git");
    assert_eq!(made["workspace"]["worktree"]["repo_key"], key.as_str());
    let linked = made["root_pane"]["pane_id"].as_str().unwrap().to_owned();
    (head, linked)
}

#[test]
fn closing_the_head_of_a_worktree_group_must_be_confirmed() {
    let rig = Rig::started();
    let (head, linked) = group(&rig);
    assert_eq!(rig.error("pane.close", json!({"pane_id": head})), "confirmation_required");
    assert_eq!(rig.panes().len(), 2);
    rig.call("pane.close", json!({"pane_id": linked}));
    rig.call("pane.close", json!({"pane_id": head}));
    assert!(rig.panes().is_empty(), "alone it closes like any other");
}

#[test]
fn without_confirmation_the_linked_workspaces_go_too() {
    let mut rig = Rig::new();
    rig.config("[ui]\nconfirm_close = false\n");
    rig.start();
    let (head, linked) = group(&rig);
    let plain = rig.workspace("plain");
    let agent = rig.shell_pid(&linked);
    rig.call("pane.close", json!({"pane_id": head}));
    let left: Vec<Value> = rig.panes().iter().map(|pane| pane["pane_id"].clone()).collect();
    assert_eq!(left, [json!(plain)]);
    wait("what ran there is gone", || crate::support::gone(agent).then_some(()));
}
