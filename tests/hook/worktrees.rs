//! Groups of worktrees: herdr asks a question under the user's typing, or closes more than it was asked to,
//! when the only pane of a group's head is closed.

use serde_json::{Value, json};

use super::rig::{Rig, Saved};

on_each_herdr!(
    the_head_of_a_worktree_group_stays,
    of_two_leftovers_in_the_head_one_stays,
    a_group_of_leftovers_goes_from_its_end,
);

/// The conversation of all panes here.
const CONVERSATION: &str = "same";

/// A directory of this home that is a git repository.
fn repository(rig: &Rig) -> std::path::PathBuf {
    let repository = rig.dir("repo");
    let git = |arguments: &[&str]| {
        let mut all = vec!["-C", repository.to_str().unwrap(), "-c", "user.name=x", "-c", "user.email=x@x"];
        all.extend(arguments);
        assert_eq!(rig.run("/usr/bin/git", &all).code, 0, "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "x"]);
    repository
}

/// Adds a worktree to the workspace of `pane`; the pane of the new workspace.
fn add_worktree(rig: &Rig, pane: &str) -> String {
    let workspace = pane.split(':').next().unwrap();
    let made =
        rig.ask("worktree.create", &json!({"workspace_id": workspace, "branch": "side", "focus": false}));
    made["root_pane"]["pane_id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
}

/// Runs agents of the one conversation in these panes, and has the server come back without them.
fn crash_with(rig: &mut Rig, panes: &[String]) {
    for pane in panes {
        rig.until("the shell is idle", || rig.is_idle(pane));
        rig.run_agent(pane, CONVERSATION, true);
    }
    let saved = rig.session_dir().join("session.json");
    let all = rig.panes().len();
    rig.until("the layout is saved", || {
        let text = fs_err::read_to_string(&saved).unwrap_or_default();
        text.matches(&format!("\"{CONVERSATION}\"")).count() == panes.len()
    });
    rig.crash();
    rig.start();
    rig.until("all panes are back", || rig.panes().len() == all && leftovers(rig).len() == panes.len());
}

fn leftovers(rig: &Rig) -> Vec<String> {
    let of = |pane: &Value| {
        let is_one = pane["agent_session"]["value"] == CONVERSATION && pane["agent"].is_null();
        is_one.then(|| pane["pane_id"].as_str().unwrap().to_owned())
    };
    rig.panes().iter().filter_map(of).collect()
}

/// H11b.
fn the_head_of_a_worktree_group_stays(rig: &mut Rig) {
    let saved =
        |cwd, conversation: Option<&str>| Saved { cwd, conversation: conversation.map(str::to_owned) };
    rig.save(&[saved(repository(rig), Some("A")), saved(rig.dir("src"), None)]);
    rig.start();
    rig.until("it is back", || rig.restored("A").is_some());
    add_worktree(rig, &rig.restored("A").unwrap());
    let said = rig.close("A");
    assert!(said.stderr.contains("worktree group"), "{}", said.stderr);
    assert!(rig.restored("A").is_some());
    assert!(!rig.read(".local/state/mam/journal.jsonl").contains("closing"));
}

/// H11b: once one of them is closed, the other one is the only pane of the head.
fn of_two_leftovers_in_the_head_one_stays(rig: &mut Rig) {
    let repository = repository(rig);
    rig.start();
    let first = rig.new_pane(&repository);
    let split = json!({"target_pane_id": first, "direction": "right", "focus": false});
    let second = rig.ask("pane.split", &split)["pane"]["pane_id"].as_str().unwrap().to_owned();
    rig.new_pane(&rig.dir("src"));
    crash_with(rig, &[first, second]);
    let side = add_worktree(rig, &leftovers(rig)[0]);
    let before = rig.panes().len();
    let said = rig.close(CONVERSATION);
    assert_eq!(said.stderr.matches("closed restored pane").count(), 1, "{}", said.stderr);
    assert!(said.stderr.contains("kept pane") && said.stderr.contains("worktree group"), "{}", said.stderr);
    assert_eq!((leftovers(rig).len(), rig.panes().len()), (1, before - 1));
    assert!(rig.panes().iter().any(|pane| pane["pane_id"] == *side));
    // It was not even tried.
    assert_eq!(rig.read(".local/state/mam/journal.jsonl").matches("\"closing\"").count(), 1);
}

/// The head and its worktree are left over both: together they would be a question, one after the other
/// they are not.
fn a_group_of_leftovers_goes_from_its_end(rig: &mut Rig) {
    let repository = repository(rig);
    rig.start();
    let head = rig.new_pane(&repository);
    let side = add_worktree(rig, &head);
    rig.new_pane(&rig.dir("src"));
    crash_with(rig, &[head, side]);
    let before = rig.panes().len();
    let said = rig.close(CONVERSATION);
    assert_eq!(said.stderr.matches("closed restored pane").count(), 2, "{}", said.stderr);
    assert_eq!((leftovers(rig).len(), rig.panes().len()), (0, before - 2));
    let journal = rig.read(".local/state/mam/journal.jsonl");
    let steps: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let order: Vec<&str> = steps.iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(order, ["closing", "closed", "closing", "closed"], "{journal}");
    assert!(steps[0]["cwd"].as_str().unwrap().ends_with("side"), "{journal}");
}
