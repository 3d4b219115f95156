//! A herdr that is slow, silent, wordy, wrong or dead.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::rig::{Rig, Which};

/// The rule of a fault, whether the leftover may be gone after it, and a word of the message.
const FAULTS: &[(&str, bool, &str)] = &[
    (r#"{"on": "pane.list", "do": "half"}"#, false, "could not be read"),
    (r#"{"on": "pane.list", "do": "drop"}"#, false, "closed the connection"),
    (r#"{"on": "pane.list", "do": "huge"}"#, false, "error"),
    (r#"{"on": "pane.list", "do": "slow", "ms": 9000}"#, false, "error"),
    (r#"{"on": "pane.process_info", "do": "half"}"#, false, "does not say what runs"),
    (r#"{"on": "pane.process_info", "do": "omit", "fields": ["shell_pid"]}"#, false, "names no shell"),
    (
        r#"{"on": "pane.process_info", "do": "omit", "fields": ["foreground_process_group_id"]}"#,
        false,
        "kept",
    ),
    (
        r#"{"on": "pane.process_info", "do": "error", "code": "brand_new", "message": "no"}"#,
        false,
        "brand_new",
    ),
    (r#"{"on": "pane.process_info", "do": "omit", "fields": ["process_info"]}"#, false, "unknown form"),
    (r#"{"on": "pane.process_info", "do": "omit", "fields": ["foreground_processes"]}"#, false, "foreground"),
    // What a reader that goes by positions would take for an answer.
    (
        r#"{"on": "pane.process_info", "do": "merge", "result": {"process_info": ["w1:p1", 1, 1, []]}}"#,
        false,
        "unknown form",
    ),
    (r#"{"on": "pane.list", "do": "merge", "result": {"panes": {"w1:p1": {}}}}"#, false, "no list of panes"),
    (r#"{"on": "workspace.list", "do": "error", "code": "x", "message": "y"}"#, false, "tied to others"),
    (
        r#"{"on": "workspace.list", "do": "merge", "result": {"workspaces": [["w1", null], ["w2", null]]}}"#,
        false,
        "tied to others",
    ),
    (
        r#"{"on": "pane.close", "do": "error", "code": "confirmation_required", "message": "sure?"}"#,
        false,
        "confirmation_required",
    ),
    (r#"{"on": "pane.close", "do": "error", "code": "brand_new", "message": "no"}"#, false, "brand_new"),
    // Done, and the answer was lost.
    (r#"{"on": "pane.close", "do": "drop"}"#, true, "closed restored pane"),
    (
        r#"{"on": "pane.list", "do": "replace", "from": "term_", "to": "other_", "skip": 1}"#,
        true,
        "the terminal changed",
    ),
    (
        r#"{"on": "pane.list", "do": "merge", "result": {"new_field": {"x": 1}}}"#,
        true,
        "closed restored pane",
    ),
    (r#"{"on": "*", "do": "merge", "result": {"protocol": 21, "new": [1]}}"#, true, "closed restored pane"),
    (r#"{"on": "pane.list", "do": "slow", "ms": 1000}"#, true, "closed restored pane"),
];

/// H12, H14, H15, H16. Only the simulator can be told to fail.
#[test]
fn a_faulty_herdr_costs_bounded_time_and_no_pane() {
    let Some(mut rig) = Rig::new(Which::Simulated) else { return };
    rig.restore(&["A"]);
    let faults = rig.session_dir().join("sim-faults.json");
    for (rule, may_close, word) in FAULTS {
        if rig.restored("A").is_none() {
            rig.crash();
            rig.restore(&["A"]);
        }
        rig.until("the shell is idle", || rig.is_idle(&rig.restored("A").unwrap()));
        mam_share::files::write_atomic(&faults, format!("[{rule}]").as_bytes(), 0o644).unwrap();
        let started = Instant::now();
        let said = rig.hook(&["close", "--session-id", "A"]);
        let taken = started.elapsed();
        fs_err::remove_file(&faults).unwrap();
        std::thread::sleep(Duration::from_millis(1100));
        assert!(taken < Duration::from_secs(40), "{rule}: {taken:?}");
        assert!(said.stderr.contains(word), "{rule}: {}", said.stderr);
        assert!([0, 75].contains(&said.code), "{rule}: {}", said.code);
        assert_eq!(rig.restored("A").is_none(), *may_close, "{rule}: {}", said.stderr);
    }
}

/// H16, H17: the server dies under the hook, and another takes its place.
#[test]
fn a_hook_that_outlives_its_server_touches_no_pane_of_the_next() {
    let Some(mut rig) = Rig::new(Which::Simulated) else { return };
    rig.restore(&["A"]);
    rig.until("the shell is idle", || rig.is_idle(&rig.restored("A").unwrap()));
    let rule = json!([{"on": "pane.process_info", "do": "kill"}]).to_string();
    let faults = rig.session_dir().join("sim-faults.json");
    mam_share::files::write_atomic(&faults, rule.as_bytes(), 0o644).unwrap();
    let said = rig.hook(&["close", "--session-id", "A"]);
    assert!(!said.stderr.contains("closed restored"), "{}", said.stderr);
    fs_err::remove_file(&faults).unwrap();
    rig.crash();
    rig.restore(&["A"]);
    let panes: Vec<Value> = rig.panes();
    assert_eq!(panes.len(), 2);
}
