//! herdr calls, and nobody asks.

use std::time::Duration;

use serde_json::json;

use super::rig::{HOOK, Rig, SESSION};

on_each_herdr!(
    a_late_report_closes_the_leftover,
    a_server_that_is_not_on_an_overlay_is_left_alone,
    the_focus_goes_to_the_resumed_pane,
    two_closers_close_once,
    list_says_why,
);

/// H1, H18, H20: the agent's integration reports some seconds after herdr's only event.
fn a_late_report_closes_the_leftover(rig: &mut Rig) {
    rig.install();
    rig.restore(&["A", "B"]);
    let pane = rig.new_pane(&rig.dir("src"));
    rig.run_agent(&pane, "A", false);
    std::thread::sleep(Duration::from_secs(5));
    assert!(rig.restored("A").is_some());
    rig.report(&pane, "A");
    rig.until("the leftover is closed", || rig.restored("A").is_none());
    assert!(rig.restored("B").is_some());
    let journal = || rig.read(".local/state/mam/journal.jsonl");
    rig.until("the journal says so", || journal().contains("\"step\":\"closed\""));
    assert!(journal().contains("\"by\":\"event\"") && journal().lines().count() == 2, "{}", journal());
}

/// H18b.
fn a_server_that_is_not_on_an_overlay_is_left_alone(rig: &mut Rig) {
    rig.install();
    rig.has_overlay = false;
    let config = rig.read(".config/herdr/config.toml");
    rig.write(".config/herdr/config.toml", &format!("{config}[session]\nresume_agents_on_restore = false\n"));
    rig.restore(&["A"]);
    rig.resume("A");
    std::thread::sleep(Duration::from_secs(3));
    assert!(rig.restored("A").is_some());
    // Asked by a person it is another matter.
    assert!(rig.close("A").stderr.contains("closed restored pane"));
}

fn the_focus_goes_to_the_resumed_pane(rig: &mut Rig) {
    rig.restore(&["A", "B"]);
    let leftover = rig.restored("A").unwrap();
    rig.ask("pane.focus", &json!({"pane_id": leftover}));
    let a = rig.resume("A");
    let b = rig.resume("B");
    let focused = || {
        let panes = rig.panes();
        let focused = panes.iter().find(|pane| pane["focused"] == true).unwrap();
        focused["pane_id"].as_str().unwrap().to_owned()
    };
    assert_eq!(focused(), leftover);
    rig.close("B");
    assert_eq!(focused(), leftover, "another pane's close moves nothing");
    rig.close("A");
    assert_eq!(focused(), a);
    assert!(rig.panes().iter().any(|pane| pane["pane_id"] == *b));
}

/// H17.
fn two_closers_close_once(rig: &mut Rig) {
    rig.restore(&["A", "B"]);
    rig.resume("A");
    let rig = &*rig;
    let all: Vec<String> = std::thread::scope(|scope| {
        let close = || rig.hook(&["close"]).stderr;
        let both: Vec<_> = (0..4).map(|_| scope.spawn(close)).collect();
        both.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let closed = all.iter().filter(|said| said.contains("closed restored pane")).count();
    assert_eq!(closed, 1, "{all:?}");
    assert!(rig.restored("B").is_some());
}

fn list_says_why(rig: &mut Rig) {
    rig.restore(&["A", "B"]);
    rig.resume("A");
    rig.until("A is settled", || rig.is_idle(&rig.restored("A").unwrap()));
    let said = rig.run_with(HOOK, &["list", "--session", SESSION], &[]);
    let line = |conversation: &str| said.stdout.lines().find(|line| line.contains(conversation)).unwrap();
    assert!(line("claude A").contains("close") && line("claude A").contains("resumed in"), "{}", said.stdout);
    assert!(line("claude B").contains("keep"), "{}", said.stdout);
    let said = rig.run_with(HOOK, &["close", "--session", SESSION, "--dry-run", "--json"], &[]);
    let answer: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&answer["version"], &answer["panes"][0]["verdict"]), (&json!(1), &json!("close")));
    assert!(rig.restored("A").is_some(), "a dry run closes nothing");
    rig.crash();
    let said = rig.hook(&["list"]);
    assert_eq!(said.code, 69, "{}", said.stderr);
}
