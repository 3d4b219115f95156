//! A live handoff: another process, the same panes, and no lock.

use serde_json::json;

use super::rig::{environment_of, is_alive, log_of, on_each, until};

#[test]
fn the_new_process_is_the_owner_and_nobody_starts_a_second_one() {
    on_each(|rig| {
        rig.profile("ops");
        rig.ok(&["start"]);
        let old = rig.pid();
        rig.ask("workspace.create", &json!({"cwd": rig.home.path("")}));
        let panes = || rig.ask("pane.list", &json!({}))["panes"].as_array().map(Vec::len);
        let before = panes();
        rig.ask("server.live_handoff", &json!({}));
        until("the old process is gone", || !is_alive(old));
        until("the new one answers", || rig.status()["owner"] == "host");
        let new = rig.pid();
        assert!(new != old, "the record names the new process");
        assert_eq!(environment_of(new).get("MAM_HOST"), Some(&rig.state().display().to_string()));
        assert_eq!(panes(), before);
        let status = rig.status();
        assert_eq!((&status["pid"], &status["overlayInForce"]), (&json!(new), &json!(true)));
        // Its lock is free, and still nobody takes it.
        for _ in 0..3 {
            rig.supervised(&["run"]).expect(75);
        }
        assert!(rig.ok(&["start"]).stdout.starts_with(&format!("already running: pid {new}")));
        assert!(rig.ok(&["-p", "ops", "start"]).stdout.contains(&format!("pid {new}")));
        assert_eq!(rig.servers(), [new]);
        assert!(log_of(&rig.root()).contains("\thanded-over\t"));
        rig.ok(&["restart", "--all"]);
        assert!(!is_alive(new));
        assert_eq!(rig.servers(), [rig.pid()]);
        rig.ok(&["stop"]);
    });
}
