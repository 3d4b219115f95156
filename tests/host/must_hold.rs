//! What must hold whatever happens: a command of one profile is never an outage for another.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use super::rig::{Rig, environment_of, is_alive, log_of, on_each, until};
use crate::support::home::{read, run, write};

fn secrets(home: &std::path::Path, text: &str) {
    let path = home.join(".env");
    write(&path, text);
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn start_all_leaves_a_live_owner_alone_and_names_everybody() {
    on_each(|rig| {
        let Some(mut owner) = rig.locker(&["herdr", "--session", "mam", "server"]) else { return };
        rig.profile("ops");
        rig.profile("coder");
        rig.write_record(&rig.record_of(owner.id(), &["default", "ops", "coder"]));
        for arguments in [&["start", "--all"][..], &["-p", "ops", "start", "--all"]] {
            let ran = rig.ok(arguments);
            let expected = format!(
                "already running: pid {}, launched by default, serves coder, default, ops\n",
                owner.id()
            );
            assert_eq!(ran.stdout, expected);
        }
        assert_eq!(owner.try_wait().unwrap(), None);
        owner.kill().unwrap();
        owner.wait().unwrap();
    });
}

#[test]
fn start_all_of_a_named_profile_starts_the_root() {
    on_each(|rig| {
        let ops = rig.profile("ops");
        secrets(&ops, "TELEGRAM=ops\n");
        let ran = run(rig.command(&["start", "--all"]).env("MAM_PROFILE", "ops").env("TELEGRAM", "ops"));
        ran.expect(0);
        let record = rig.record().unwrap();
        assert_eq!(record["home"], json!(rig.root()));
        assert!(!environment_of(rig.pid()).values().any(|value| value == "ops"));
        assert_eq!(read(&ops.join(".env")), "TELEGRAM=ops\n");
        let mut left: Vec<_> =
            fs_err::read_dir(&ops).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert!(left.iter().all(|name| name == ".env" || name == "logs"), "{left:?}");
    });
}

#[test]
fn restart_all_of_a_named_profile_without_an_owner_starts_one_detached_root() {
    on_each(|rig| {
        let ops = rig.profile("ops");
        secrets(&rig.root(), "DISCORD=root\n");
        secrets(&ops, "TELEGRAM=of-ops\nHTTPS_PROXY=http://of-ops\n");
        let mut command = rig.command(&["-p", "ops", "restart", "--all"]);
        command.env("TELEGRAM", "of-ops").env("OPENAI_API_KEY", "of-ops").env("HTTPS_PROXY", "http://of-ops");
        run(&mut command).expect(0);
        let pid = rig.pid();
        assert_eq!(rig.servers(), [pid]);
        let environment = environment_of(pid);
        assert_eq!(environment.get("DISCORD").map(String::as_str), Some("root"), "{environment:?}");
        let theirs: Vec<_> = environment.iter().filter(|(_, value)| value.contains("of-ops")).collect();
        assert!(theirs.is_empty(), "{theirs:?}");
        let record = rig.record().unwrap();
        assert_eq!(record["home"], json!(rig.root()));
        // A session of its own, and the root's `mam run --replace`.
        let table = mam_share::process::Kernel::table(&mam_share::process::kernel()).unwrap();
        assert_eq!(table.get(pid).unwrap().session, pid);
        let log = log_of(&rig.root());
        assert!(
            log.contains("\trun\tasked\t--replace") && log.matches("\trun\tstarted\t").count() == 1,
            "{log}"
        );
        assert!(!log_of(&ops).contains("\trun\t"));
    });
}

#[test]
fn restart_all_leaves_the_host_of_another_profile_alone() {
    on_each(|rig| {
        rig.profile("ops");
        rig.ok(&["start"]);
        let pid = rig.pid();
        let before = read(&rig.state().join("host.json"));
        let ran = rig.mam(&["-p", "ops", "restart", "--all"]);
        ran.expect(78).says("launched by profile `default`").says("hint: mam restart --all");
        assert!(is_alive(pid));
        assert_eq!(read(&rig.state().join("host.json")), before);
        rig.ok(&["stop"]);
        rig.ok(&["-p", "ops", "start"]);
        let pid = rig.pid();
        for arguments in [&["restart", "--all"][..], &["restart"]] {
            rig.mam(arguments)
                .expect(78)
                .says("launched by profile `ops`")
                .says("hint: mam -p ops restart --all");
        }
        assert!(is_alive(pid));
        rig.ok(&["-p", "ops", "restart", "--all"]);
        assert!(!is_alive(pid));
        assert_eq!(rig.record().unwrap()["home"], json!(rig.root()), "it is the root's again");
    });
}

#[test]
fn after_restart_all_the_old_record_is_gone_and_the_new_start_had_replace() {
    on_each(|rig| {
        rig.ok(&["start"]);
        let old = rig.pid();
        let ran = rig.ok(&["restart", "--all"]);
        let new = rig.pid();
        assert_eq!(ran.stdout, format!("restarted: pid {new} (before: {old})\n"));
        assert!(new != old && !is_alive(old) && is_alive(new));
        assert_eq!(rig.servers(), [new]);
        for entry in fs_err::read_dir(rig.state()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                assert!(!read(&path).contains(&format!("\"pid\": {old}")), "{}", path.display());
            }
        }
        assert!(log_of(&rig.root()).contains("\trun\tasked\t--replace"));
    });
}

#[test]
fn restart_all_of_any_profile_reaches_the_host() {
    let rig = Rig::sim();
    let alone = rig.profile("alone");
    write(&alone.join("config.toml"), "[host]\nstandalone = true\n");
    rig.profile("parked");
    rig.ok(&["-p", "parked", "stop"]);
    rig.home.write(".config/mam/config.toml", "[host]\nexclude = [\"out\"]\n");
    rig.profile("out");
    for name in ["alone", "parked", "out"] {
        rig.ok(&["-p", name, "restart", "--all"]);
        let pid = rig.pid();
        rig.mam(&["-p", name, "restart", "--all"]).expect(78).says("launched by profile `default`");
        assert!(is_alive(pid));
        rig.ok(&["stop", "--all"]);
    }
}

#[test]
fn a_supervised_attach_is_tried_again_and_a_refusal_is_found_in_the_log() {
    on_each(|rig| {
        let ops = rig.profile("ops");
        rig.ok(&["start"]);
        rig.supervised(&["run"]).expect(75).says("runs already");
        rig.mam(&["run"]).expect(0);
        for (name, value) in [("INVOCATION_ID", "x"), ("XPC_SERVICE_NAME", "dev.mam.host")] {
            run(rig.command(&["run"]).env(name, value)).expect(75);
        }
        run(rig.command(&["run"]).env("XPC_SERVICE_NAME", "0")).expect(0);
        rig.ok(&["-p", "ops", "stop"]);
        for ran in [rig.supervised(&["-p", "ops", "run"]), rig.mam(&["-p", "ops", "run"])] {
            ran.expect(78);
        }
        let log = log_of(&ops);
        let warnings: Vec<&str> =
            log.lines().filter(|line| line.contains("\tWARNING\trun\tparked\t")).collect();
        assert_eq!(warnings.len(), 2, "{log}");
        assert!(warnings.iter().all(|line| line.contains("hint: mam -p ops start")), "{log}");
    });
}

#[test]
fn replace_reaches_the_decision() {
    on_each(|rig| {
        rig.ok(&["start"]);
        let old = rig.pid();
        rig.profile("ops");
        rig.mam(&["-p", "ops", "run", "--replace"]).expect(78).says("does not serve profile `ops`");
        assert!(is_alive(old));
        let mut child = rig.command(&["run", "--replace"]);
        let mut child =
            child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        until("the new host runs", || rig.record().is_some_and(|record| record["pid"] == child.id()));
        until("it answers", || rig.status()["owner"] == "host");
        assert!(!is_alive(old));
        assert_eq!(rig.servers(), [child.id()]);
        child.kill().unwrap();
        child.wait().unwrap();
    });
}
