//! `mam notice`: what mam's plugin of herdr says when a server has started.

use std::process::Stdio;

use serde_json::json;

use super::rig::{Rig, is_alive, log_of, on_each, until};
use crate::support::home::{Ran, run, write};

/// `mam notice startup`, as the plugin calls it: in the server's environment, as herdr's command.
fn startup(rig: &Rig, session: &str, socket: &std::path::Path) -> Ran {
    let socket = socket.to_str().unwrap();
    let mut notice = rig.command(&["notice", "startup", "--session", session, "--socket", socket]);
    run(notice.env("MAM_HOST", rig.state()).env("HERDR_ENV", "1").env("HERDR_SESSION", session))
}

#[track_caller]
fn assert_quiet(ran: &Ran) {
    ran.expect(0).silent();
    assert_eq!(ran.stdout, "", "{ran}");
}

#[test]
fn a_server_that_took_over_is_in_the_record_and_a_supervisor_waits() {
    on_each(|rig| {
        rig.ok(&["start"]);
        let old = rig.pid();
        assert_quiet(&startup(rig, "mam", &rig.socket()));
        assert_eq!(rig.pid(), old);
        // Whoever starts the host while it is handed over waits for its turn, again and again.
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            let supervisor = scope.spawn(|| {
                let mut codes = Vec::new();
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    codes.push(rig.supervised(&["run"]).code);
                }
                codes
            });
            rig.ask("server.live_handoff", &json!({}));
            assert_quiet(&startup(rig, "mam", &rig.socket()));
            let new = rig.pid();
            assert!(new != old && is_alive(new) && !is_alive(old), "the record names the new process");
            std::thread::sleep(std::time::Duration::from_millis(300));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            let codes = supervisor.join().unwrap();
            assert!(!codes.is_empty() && codes.iter().all(|code| *code == Some(75)), "{codes:?}");
            assert_eq!(rig.servers(), [new]);
        });
        let log = log_of(&rig.root());
        assert_eq!(log.matches("\thanded-over\t").count(), 1, "{log}");
        assert!(!log.contains("\tresumed\t"), "{log}");
        assert_quiet(&startup(rig, "mam", &rig.socket()));
    });
}

#[test]
fn a_profiles_own_server_that_took_over_is_in_its_record() {
    on_each(|rig| {
        let alone = rig.profile("alone");
        write(&alone.join("config.toml"), "[host]\nstandalone = true\n");
        rig.ok(&["start"]);
        rig.ok(&["-p", "alone", "start"]);
        let record = rig.state().join("standalone/alone/host.json");
        let pid = || {
            let record: serde_json::Value =
                serde_json::from_str(&crate::support::home::read(&record)).unwrap();
            u32::try_from(record["pid"].as_u64().unwrap()).unwrap()
        };
        let (old, host) = (pid(), rig.pid());
        let socket = rig.home.path(".config/herdr/sessions/mam-alone/herdr.sock");
        let limit = std::time::Duration::from_secs(20);
        mam_share::herdr::socket::ask(&socket, "server.live_handoff", &json!({}), limit).unwrap();
        assert_quiet(&startup(rig, "mam-alone", &socket));
        assert!(pid() != old && is_alive(pid()) && rig.pid() == host);
        assert!(log_of(&alone).contains("\thanded-over\t"));
        rig.ok(&["-p", "alone", "stop"]);
        assert_eq!(rig.servers(), [host]);
    });
}

#[test]
fn what_is_not_mams_server_is_nothing_to_do() {
    on_each(|rig| {
        let sessions = rig.home.path(".config/herdr/sessions");
        let of = |session: &str| sessions.join(session).join("herdr.sock");
        for session in ["mam", "mam-alone", "work", "default", "", "a b"] {
            assert_quiet(&startup(rig, session, &of(session)));
        }
        let mut stranger = rig.home.command(rig.home.path("bin/herdr"));
        stranger.args(["--session", "mam", "server"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut stranger = stranger.spawn().unwrap();
        until("the stranger listens", || rig.status()["owner"] == "stranger");
        assert_quiet(&startup(rig, "mam", &rig.socket()));
        assert!(rig.record().is_none());
        stranger.kill().unwrap();
        stranger.wait().unwrap();
        rig.ok(&["start"]);
        let before = rig.record();
        assert_quiet(&startup(rig, "mam", &of("elsewhere")));
        assert_eq!(rig.record(), before);
        let socket = rig.socket();
        let words = ["notice", "agents", "--session", "mam", "--socket", socket.to_str().unwrap()];
        assert_quiet(&rig.ok(&words));
    });
}

#[test]
fn a_server_that_cannot_be_proved_is_said_and_left_alone() {
    let rig = Rig::sim();
    rig.ok(&["start"]);
    let pid = rig.pid();
    let mut record = rig.record().unwrap();
    record["createTime"] = json!(12);
    rig.write_record(&record);
    startup(&rig, "mam", &rig.socket()).expect(75).says("is left alone");
    assert!(is_alive(pid) && log_of(&rig.root()).contains("\tWARNING\tnotice\tunproven\t"));
}
