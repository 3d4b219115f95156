//! `mam`, which the hook tells what herdr has told, as it should not be: hanging, or not there.

use std::time::{Duration, Instant};

use super::rig::{HOOK, Rig, SESSION};

on_each_herdr!(a_mam_that_hangs_holds_nothing_up, without_mam_nobody_is_told);

/// A directory as somebody may have it.
const OWN: &str = "own it's \"q\" $HOME";

/// A copy of the hook with another `mam` beside it.
fn copy_of_hook(rig: &Rig) -> String {
    let hook = rig.dir(OWN).join("mam-restore-hook");
    fs_err::copy(HOOK, &hook).unwrap();
    hook.to_str().unwrap().to_owned()
}

fn closes_by_itself(rig: &mut Rig, hook: &str) {
    let said = rig.run(hook, &["install", "--herdr", rig.herdr()]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    rig.is_watched = false;
    rig.restore(&["A", "B"]);
    rig.resume("A");
    rig.until("the leftover is closed", || rig.restored("A").is_none());
    assert!(rig.restored("B").is_some());
}

fn a_mam_that_hangs_holds_nothing_up(rig: &mut Rig) {
    let hook = copy_of_hook(rig);
    let log = rig.path("told");
    rig.script(
        &format!("{OWN}/mam"),
        &format!("#!/bin/sh\necho \"$*\" >> {}\nexec sleep 300\n", log.display()),
    );
    closes_by_itself(rig, &hook);
    let told = || rig.read("told");
    rig.until("mam was told of agents", || told().contains("notice agents"));
    let socket = rig.socket().display().to_string();
    for what in ["startup", "agents"] {
        let line = format!("-q notice {what} --session {SESSION} --socket {socket}");
        assert_eq!(told().lines().filter(|said| *said == line).count(), 1, "{}", told());
    }
    // A call of the hook ends long before it.
    let started = Instant::now();
    let variables = [("HERDR_SESSION", SESSION), ("HERDR_SOCKET_PATH", &socket)];
    assert_eq!(rig.run_with(&hook, &["startup"], &variables).code, 0);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

fn without_mam_nobody_is_told(rig: &mut Rig) {
    let hook = copy_of_hook(rig);
    closes_by_itself(rig, &hook);
}
