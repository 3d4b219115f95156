//! Panes that are never closed, however idle they are.

use serde_json::json;

use super::rig::{Rig, SESSION};

on_each_herdr!(the_last_pane_stays, panes_older_than_their_server_stay, shells_younger_than_the_restore_stay,);

/// H11.
fn the_last_pane_stays(rig: &mut Rig) {
    rig.save(&[super::rig::Saved { cwd: rig.dir("src"), conversation: Some("A".into()) }]);
    rig.start();
    rig.until("it is back", || rig.restored("A").is_some());
    let said = rig.close("A");
    assert!(said.stderr.contains("last pane"), "{}", said.stderr);
    assert!(rig.restored("A").is_some());
}

/// H13. After a handoff herdr shows agents where only shells are.
fn panes_older_than_their_server_stay(rig: &mut Rig) {
    rig.install();
    rig.restore(&["A", "B"]);
    let before = rig.server_pid();
    rig.ask("server.live_handoff", &json!({}));
    rig.until("the new server answers", || {
        rig.try_ask("ping", &json!({})).is_ok() && rig.server_pid() != before && rig.panes().len() == 3
    });
    for _ in 0..3 {
        let said = rig.close("A");
        assert!(!said.stderr.contains("closed"), "{}", said.stderr);
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    let resumed = rig.new_pane(&rig.dir("src"));
    rig.run_agent(&resumed, "B", true);
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(rig.panes().len(), 4);
    assert_eq!(rig.read(".local/state/mam/journal.jsonl"), "");
}

/// H7b, and H4's plain shell.
fn shells_younger_than_the_restore_stay(rig: &mut Rig) {
    rig.restore(&["A"]);
    std::thread::sleep(std::time::Duration::from_secs(11));
    let pane = rig.new_pane(&rig.dir("src"));
    // Reported, and never seen by herdr: an agent behind an unknown wrapper.
    rig.ask(
        "pane.report_agent_session",
        &json!({"pane_id": pane, "source": "herdr:claude",
        "agent": "claude", "agent_session_id": "A"}),
    );
    let shown = rig.panes().into_iter().find(|it| it["pane_id"] == *pane).unwrap();
    assert!(shown["agent_session"]["value"] == "A" && shown["agent"].is_null(), "{shown}");
    let said = rig.hook(&["close", "--session", SESSION, "--session-id", "A"]);
    let line = said.stderr.lines().find(|line| line.contains(&format!("kept pane {pane} "))).unwrap();
    assert!(line.contains("no restore made it"), "{}", said.stderr);
    assert!(rig.panes().iter().any(|it| it["pane_id"] == *pane), "{}", said.stderr);
}
