//! A profile with a server of its own: every verb is about that one, and the host is left alone.

use std::process::Stdio;

use serde_json::{Value, json};

use super::rig::{Rig, environment_of, is_alive, kill, log_of, on_each, until};
use crate::support::home::{run, write};

/// A profile `alone` with a server of its own by its config, and a secret.
fn with_alone(rig: &Rig) -> std::path::PathBuf {
    let alone = rig.profile("alone");
    write(&alone.join("config.toml"), "[host]\nstandalone = true\n");
    write(&alone.join(".env"), "ALONE=secret\n");
    fs_err::set_permissions(alone.join(".env"), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    alone
}

fn status(rig: &Rig) -> Value {
    serde_json::from_str(&rig.mam(&["-p", "alone", "status", "--json"]).stdout).unwrap()
}

#[track_caller]
fn pid(rig: &Rig) -> u32 {
    let status = status(rig);
    assert_eq!((&status["server"], &status["owner"]), (&json!("own"), &json!("host")), "{status}");
    u32::try_from(status["pid"].as_u64().unwrap()).unwrap()
}

/// What the root's status says of it.
fn seen_by_the_root(rig: &Rig) -> Value {
    let profiles = rig.status()["profiles"].as_array().unwrap().clone();
    profiles.into_iter().find(|profile| profile["name"] == "alone").unwrap()
}

#[test]
fn it_starts_restarts_and_stops_beside_the_host() {
    on_each(|rig| {
        let alone = with_alone(rig);
        rig.ok(&["start"]);
        let host = rig.pid();
        rig.mam(&["-p", "alone", "status"]).expect(1).says("session `mam-alone`").says("pid none");
        let started = rig.ok(&["-p", "alone", "start"]);
        let own = pid(rig);
        let expected = format!("started: pid {own}, launched by alone, serves alone\n");
        assert_eq!(started.stdout, expected);
        assert!(rig.ok(&["-p", "alone", "start"]).stdout.starts_with(&format!("already running: pid {own}")));
        let environment = environment_of(own);
        assert_eq!(environment.get("ALONE").map(String::as_str), Some("secret"));
        assert_ne!(environment.get("MAM_HOST"), Some(&rig.state().display().to_string()), "it is no host");
        let shown = rig.ok(&["-p", "alone", "status"]).stdout;
        assert!(
            shown.contains(&format!("own server   running pid {own}\nsession      mam-alone\n")),
            "{shown}"
        );
        assert_eq!(seen_by_the_root(rig)["ownServer"]["pid"], json!(own));
        let shown = rig.ok(&["status"]).stdout;
        assert!(shown.contains(&format!("alone    standalone, own server pid {own}\n")), "{shown}");

        rig.ok(&["-p", "alone", "reload"]).says(&format!("own server (pid {own}) has read its config"));
        let restarted = rig.ok(&["-p", "alone", "restart"]);
        let again = pid(rig);
        assert_eq!(restarted.stdout, format!("restarted: pid {again} (before: {own})\n"));
        assert!(again != own && !is_alive(own));

        assert_eq!(rig.ok(&["-p", "alone", "stop"]).stdout, "stopped\n");
        assert!(!is_alive(again));
        assert_eq!(
            seen_by_the_root(rig)["ownServer"],
            json!({
                "owner": "nobody", "pid": null, "session": "mam-alone",
                "socket": rig.home.path(".config/herdr/sessions/mam-alone/herdr.sock"),
            })
        );
        assert_eq!(rig.ok(&["-p", "alone", "stop"]).stdout, "parked\n");
        rig.ok(&["-p", "alone", "start"]);
        assert!(!alone.join("parked").exists());
        assert_eq!((rig.pid(), is_alive(host)), (host, true), "the host is left alone");
        // All of the host is not all there is.
        rig.ok(&["stop", "--all"]);
        assert!(!is_alive(host) && is_alive(pid(rig)));
    });
}

#[test]
fn a_crash_leaves_nothing_in_the_way_and_there_is_one_at_a_time() {
    on_each(|rig| {
        with_alone(rig);
        rig.ok(&["start"]);
        rig.ok(&["-p", "alone", "start"]);
        let first = pid(rig);
        run(rig.command(&["-p", "alone", "run"]).env("MAM_SUPERVISED", "1")).expect(75);
        rig.ok(&["-p", "alone", "run"]).says("the profile's own server runs already");
        kill(first);
        until("it is gone", || !is_alive(first));
        let threads: Vec<_> = (0..6)
            .map(|_| {
                let mut command = rig.command(&["-p", "alone", "start"]);
                std::thread::spawn(move || run(&mut command))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap().expect(0);
        }
        let second = pid(rig);
        let own = rig.processes().into_iter().filter(|pid| {
            let line = fs_err::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line == b"herdr\0--session\0mam-alone\0server\0"
        });
        assert_eq!(own.collect::<Vec<_>>(), [second]);
        let mut replacing = rig.command(&["-p", "alone", "run", "--replace"]);
        let mut replacing = replacing.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until("it was replaced", || status(rig)["pid"] == json!(replacing.id()));
        assert!(!is_alive(second));
        rig.ok(&["-p", "alone", "stop"]);
        replacing.wait().unwrap();
    });
}

#[test]
fn a_strange_server_on_its_session_is_left_alone_and_named() {
    on_each(|rig| {
        with_alone(rig);
        rig.ok(&["start"]);
        let mut server = rig.home.command(rig.home.path("bin/herdr"));
        server.args(["--session", "mam-alone", "server"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = server.spawn().unwrap();
        until("the stranger listens", || status(rig)["owner"] == "stranger");
        for verb in ["start", "run", "restart", "stop"] {
            let ran = rig.mam(&["-p", "alone", verb]);
            ran.expect(78)
                .says(&format!("pid {}", server.id()))
                .says("herdr --session mam-alone server stop");
        }
        assert_eq!(server.try_wait().unwrap(), None, "it was ended");
        server.kill().unwrap();
        server.wait().unwrap();
    });
}

#[test]
fn it_cannot_be_stopped_from_inside_but_from_a_pane_of_the_host() {
    let rig = Rig::sim();
    with_alone(&rig);
    rig.ok(&["start"]);
    rig.ok(&["-p", "alone", "start"]);
    let own = pid(&rig);
    let from = |mark: std::path::PathBuf, session: &str| {
        let mut command = rig.command(&["-p", "alone", "stop"]);
        command.env("MAM_HOST", mark).env("HERDR_ENV", "1").env("HERDR_SESSION", session);
        run(&mut command)
    };
    from(rig.state().join("standalone/alone"), "mam-alone").expect(78).says("would end itself");
    assert!(is_alive(own));
    from(rig.state(), "mam").expect(0);
    assert!(!is_alive(own));
}

#[test]
fn a_server_that_is_not_wanted_any_more_is_shown_and_stopped() {
    let rig = Rig::sim();
    let alone = with_alone(&rig);
    rig.ok(&["start"]);
    rig.ok(&["-p", "alone", "start"]);
    let own = pid(&rig);
    rig.mam(&["profile", "remove", "alone", "--yes"]).expect(78).says("has a server of its own");
    fs_err::remove_file(alone.join("config.toml")).unwrap();
    assert!(rig.ok(&["-p", "alone", "start"]).stdout.contains("serves alone, default"));
    assert_eq!(seen_by_the_root(&rig)["ownServer"]["pid"], json!(own));
    assert_eq!(rig.ok(&["-p", "alone", "stop"]).stdout, "stopped\n");
    assert!(!is_alive(own) && alone.join("parked").exists());
    assert_eq!(seen_by_the_root(&rig)["ownServer"], Value::Null);
    assert!(log_of(&alone).contains("\tstop\tstopped\tsession `mam-alone`"));
}
