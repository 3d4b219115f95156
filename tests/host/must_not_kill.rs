//! Every doubt has its own outcome, and none of them is a kill.

use std::process::Child;

use serde_json::{Value, json};

use super::rig::{Rig, on_each};
use crate::support::home::{run, write};

/// A process that has nothing to do with mam.
fn bystander(rig: &Rig) -> Child {
    rig.home.command("/bin/sleep").arg("600").spawn().unwrap()
}

#[track_caller]
fn assert_untouched(mut child: Child) {
    assert_eq!(child.try_wait().unwrap(), None, "it was ended");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Changes of a record of a live process that holds no lock. A start goes past each of them.
#[test]
fn a_stale_record_is_gone_past() {
    let rows: [(&str, fn(&mut Value)); 6] = [
        ("wrong start time", |record| record["createTime"] = json!(12)),
        ("other boot", |record| record["bootId"] = json!("another")),
        ("other protocol", |record| record["protocolVersion"] = json!(2)),
        ("dead pid", |record| record["pid"] = json!(i32::MAX - 1)),
        ("everything right, but no lock", |_| {}),
        ("only what must be there", |record| {
            *record = json!({"role": "host", "pid": record["pid"]});
        }),
    ];
    on_each(|rig| {
        for (row, change) in rows {
            eprintln!("{row}");
            let child = bystander(rig);
            let mut record = rig.record_of(child.id(), &["default"]);
            change(&mut record);
            rig.write_record(&record);
            assert_eq!(rig.status()["owner"], "nobody", "{row}");
            assert_eq!(rig.ok(&["stop"]).stdout, "not running\n", "{row}");
            rig.ok(&["start"]);
            assert_ne!(rig.pid(), child.id(), "{row}");
            rig.ok(&["restart"]);
            rig.ok(&["stop"]);
            assert_untouched(child);
        }
    });
}

/// The same with the lock held by a process that is no herdr: somebody owns the host, and cannot be
/// proved.
#[test]
fn a_holder_that_is_not_proved_is_left_alone() {
    let rows: [(&str, fn(&mut Value)); 5] = [
        ("wrong start time", |record| record["createTime"] = json!(12)),
        ("other boot", |record| record["bootId"] = json!("another")),
        ("another pid", |record| record["pid"] = json!(i32::MAX - 1)),
        ("no start time", |record| {
            record.as_object_mut().unwrap().remove("createTime");
        }),
        ("no record", |record| *record = json!({"role": "gateway"})),
    ];
    for (row, change) in rows {
        eprintln!("{row}");
        let rig = Rig::sim();
        let Some(child) = rig.locker(&["/bin/sleep", "600"]) else { return };
        let mut record = rig.record_of(child.id(), &["default"]);
        change(&mut record);
        rig.write_record(&record);
        assert_eq!(rig.status()["owner"], "unproven", "{row}");
        for verb in [&["stop"][..], &["restart", "--all"]] {
            rig.mam(verb).expect(75).says("is left alone").says(&format!("kill {}", child.id()));
        }
        if row == "wrong start time" {
            rig.mam(&["run", "--replace"]).expect(75).says("does not say whom it serves");
            rig.mam(&["start", "--all"]).expect(75);
        }
        assert_eq!(rig.servers(), [0_u32; 0]);
        assert_untouched(child);
    }
}

#[test]
fn a_proved_owner_that_does_not_answer_is_not_taken_for_free() {
    let rig = Rig::sim();
    let Some(child) = rig.locker(&["/bin/sleep", "600"]) else { return };
    rig.write_record(&rig.record_of(child.id(), &["default"]));
    assert_eq!(rig.status()["owner"], "silent");
    rig.mam(&["run"]).expect(75).says("does not say whom it serves");
    rig.supervised(&["run"]).expect(75);
    assert_eq!(rig.servers(), [0_u32; 0]);
    assert_untouched(child);
}

#[test]
fn a_record_of_another_user_is_ignored_and_both_are_named() {
    if !crate::support::tools::needs_root() {
        return;
    }
    let rig = Rig::sim();
    let child = bystander(&rig);
    rig.write_record(&rig.record_of(child.id(), &["default"]));
    std::os::unix::fs::chown(rig.state().join("host.json"), Some(1), None).unwrap();
    let ran = rig.mam(&["status"]);
    ran.says("is ignored: it belongs to uid 1, not to uid 0");
    std::os::unix::fs::chown(rig.state(), Some(1), None).unwrap();
    let ran = rig.mam(&["start"]);
    ran.expect(75).says("belongs to uid 1, not to uid 0").says("nothing was started");
    assert_untouched(child);
}

#[test]
fn a_directory_that_cannot_be_opened_is_nobodys_host() {
    let rig = Rig::sim();
    let file = rig.home.write("a-file", "");
    for verb in [&["run"][..], &["start"], &["start", "--all"], &["stop"], &["restart", "--all"]] {
        let ran = run(rig.command(verb).env("MAM_STATE_DIR", &file));
        ran.expect(75).says("nobody can tell").says("MAM_STATE_DIR");
        assert!(!ran.stderr.contains("owns the host"), "{ran}");
    }
    assert_eq!(rig.servers(), [0_u32; 0]);
}

#[test]
fn a_wider_state_directory_is_tightened() {
    use std::os::unix::fs::PermissionsExt as _;
    let rig = Rig::sim();
    fs_err::create_dir_all(rig.state()).unwrap();
    fs_err::set_permissions(rig.state(), std::fs::Permissions::from_mode(0o755)).unwrap();
    rig.ok(&["start"]);
    let mode = |path: &std::path::Path| fs_err::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&rig.state()), 0o700);
    assert_eq!(mode(&rig.state().join("host.json")), 0o600);
    assert_eq!(fs_err::metadata(rig.state().join("host.lock")).unwrap().len(), 0);
}

#[test]
fn a_host_cannot_be_stopped_from_inside() {
    on_each(|rig| {
        rig.ok(&["start"]);
        let pid = rig.pid();
        for verb in [&["stop"][..], &["stop", "--all"], &["restart", "--all"]] {
            let mut inside = rig.command(verb);
            inside.env("MAM_HOST", rig.state()).env("HERDR_ENV", "1").env("HERDR_SESSION", "mam");
            run(&mut inside).expect(78).says("would end itself");
        }
        assert_eq!(rig.servers(), [pid]);
        // From a pane of another server it is the host that is addressed.
        let mut outside = rig.command(&["stop"]);
        outside.env("HERDR_ENV", "1").env("HERDR_SESSION", "work").env("HERDR_SOCKET_PATH", "/nowhere");
        run(&mut outside).expect(0);
        assert_eq!(rig.servers(), [0_u32; 0]);
    });
}

#[test]
fn a_process_that_ignores_the_wish_to_end_is_killed_after_a_while() {
    let rig = Rig::sim();
    let script = rig.home.write("stubborn", "trap '' TERM; while :; do sleep 1; done\n");
    let Some(mut child) = rig.locker(&["/bin/sh", script.to_str().unwrap()]) else { return };
    rig.write_record(&rig.record_of(child.id(), &["default"]));
    let begin = std::time::Instant::now();
    let stopper = std::thread::spawn({
        let mut command = rig.command(&["stop"]);
        move || run(&mut command)
    });
    let ended = child.wait().unwrap();
    assert!(!ended.success() && begin.elapsed().as_secs() >= 5);
    stopper.join().unwrap().expect(0);
    assert!(rig.record().is_none());
    write(&rig.state().join("host.json"), "{");
    rig.ok(&["start"]).says("is ignored");
}
