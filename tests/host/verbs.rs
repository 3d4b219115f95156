//! What each verb does and says.

use super::rig::{Rig, is_alive, on_each, until};
use crate::support::home::run;

#[test]
fn start_status_stop() {
    on_each(|rig| {
        rig.mam(&["status"]).expect(1);
        let started = rig.ok(&["start"]);
        started.says("session `mam`").says("unit none").says("pid none");
        let pid = rig.pid();
        assert_eq!(started.stdout, format!("started: pid {pid}, launched by default, serves default\n"));
        assert_eq!(rig.servers(), [pid]);
        let again = rig.ok(&["start"]);
        assert!(again.stdout.starts_with(&format!("already running: pid {pid}")), "{again}");
        let status = rig.ok(&["status"]);
        assert!(status.stdout.contains(&format!("running pid {pid}")), "{status}");
        assert!(status.stdout.contains("in force"), "{status}");
        let json = rig.status();
        assert_eq!((&json["owner"], &json["overlayInForce"]), (&"host".into(), &true.into()), "{json}");
        rig.ok(&["stop"]);
        assert!(!is_alive(pid) && rig.record().is_none());
        assert_eq!(rig.ok(&["stop"]).stdout, "not running\n");
    });
}

#[test]
fn a_profile_joins_is_parked_and_comes_back() {
    on_each(|rig| {
        rig.ok(&["start"]);
        let pid = rig.pid();
        let ops = rig.profile("ops");
        let joined = rig.ok(&["-p", "ops", "start"]);
        assert!(joined.stdout.contains("serves default, ops"), "{joined}");
        assert_eq!(rig.ok(&["-p", "ops", "stop"]).stdout, "parked\n");
        assert!(ops.join("parked").exists() && is_alive(pid));
        assert_eq!(rig.record().unwrap()["profiles"], serde_json::json!(["default"]));
        let refused = rig.mam(&["-p", "ops", "run"]);
        refused.expect(78).says("is parked").says("hint: mam -p ops start");
        let why = rig.ok(&["-p", "ops", "why"]);
        assert!(why.stdout.contains("parked") && why.stdout.contains("mam -p ops start"), "{why}");
        rig.ok(&["-p", "ops", "start"]);
        assert!(!ops.join("parked").exists());
        assert_eq!(rig.pid(), pid);
    });
}

#[test]
fn a_parked_profile_is_not_served_by_the_next_host_either() {
    let rig = Rig::sim();
    rig.profile("ops");
    rig.profile("coder");
    rig.ok(&["-p", "ops", "stop"]);
    let started = rig.ok(&["start"]);
    assert!(started.stdout.contains("serves coder, default\n"), "{started}");
}

#[test]
fn reload_renders_and_the_host_reads() {
    on_each(|rig| {
        rig.ok(&["reload"]).says("the host does not run");
        rig.ok(&["start"]);
        rig.home.write_config(
            "[update]\nversion_check = false\nmanifest_check = false\n[ui]\nconfirm_close = false\n",
        );
        rig.ok(&["reload"]).says("has read its config again");
        assert!(rig.home.overlay_text().contains("confirm_close = false"));
    });
}

#[test]
fn the_host_holds_nothing_open_of_whoever_started_it() {
    let rig = Rig::sim();
    // The shell leaks a pipe as descriptor 9; its reader ends when nobody has the other end any more.
    let mut shell = rig.home.command("/bin/sh");
    shell.args(["-c", "exec 9>&1; \"$0\" -q start >&2 | cat; printf done", env!("CARGO_BIN_EXE_mam")]);
    let begin = std::time::Instant::now();
    let ran = run(&mut shell);
    ran.expect(0);
    assert!(ran.stdout.ends_with("done") && begin.elapsed().as_secs() < 15, "{ran}");
    assert_eq!(rig.status()["owner"], "host");
    let open = fs_err::read_dir(format!("/proc/{}/fd", rig.pid())).unwrap();
    let names = open.map(|entry| fs_err::read_link(entry.unwrap().path()).unwrap_or_default());
    let kept: Vec<_> = names.filter(|name| name.starts_with(rig.state())).collect();
    assert_eq!(kept, [rig.state().join("host.lock")], "the lock, and nothing else of mam's");
}

#[test]
fn a_strange_server_is_refused_and_named() {
    on_each(|rig| {
        let mut server = rig.home.command(rig.home.path("bin/herdr"));
        server.args(["--session", "mam", "server"]).stdout(std::process::Stdio::null());
        let mut server = server.stderr(std::process::Stdio::null()).spawn().unwrap();
        until("the stranger listens", || rig.status()["owner"] == "stranger");
        for verb in
            [&["run"][..], &["start"], &["stop"], &["restart"], &["run", "--replace"], &["start", "--all"]]
        {
            let ran = rig.mam(verb);
            ran.expect(78).says(&format!("pid {}", server.id())).says("herdr --session mam server stop");
        }
        assert_eq!(server.try_wait().unwrap(), None, "it was ended");
        server.kill().unwrap();
        server.wait().unwrap();
        rig.ok(&["start"]);
    });
}

#[test]
fn mistakes_in_mams_config_are_named() {
    let rig = Rig::sim();
    rig.home.write(".config/mam/config.toml", "[host]\nexlude = [\"x\"]\n");
    rig.ok(&["start"]).says("did you mean `host.exclude`?");
    rig.ok(&["stop"]);
    rig.home.write(".config/mam/config.toml", "[host\n");
    rig.mam(&["start"]).expect(78).says("cannot be read").says("config.toml:1:");
    assert_eq!(rig.servers(), [0_u32; 0]);
    let excluded = "[host]\nexclude = [\"ops\"]\n";
    rig.home.write(".config/mam/config.toml", excluded);
    rig.profile("ops");
    rig.mam(&["-p", "ops", "start"]).expect(78).says("excludes profile `ops`");
    assert_eq!(rig.servers(), [0_u32; 0], "it would not be served by what it starts");
    rig.ok(&["start"]);
    rig.mam(&["-p", "ops", "run"]).expect(78).says("excludes it");
    rig.mam(&["-p", "nobody", "start"]).expect(78).says("mam profile create nobody");
    rig.mam(&["-p", "a/b", "start"]).expect(2);
}

#[test]
fn a_socket_that_no_kernel_takes_is_refused() {
    let rig = Rig::sim();
    let long = rig.home.path(&"x".repeat(90));
    for verb in ["run", "start"] {
        let ran = run(rig.command(&[verb]).env("XDG_CONFIG_HOME", &long));
        ran.expect(78).says("is too long").says("hint: give the host a shorter session name");
    }
}

#[test]
fn profiles_are_listed_made_and_removed() {
    let rig = Rig::sim();
    rig.profile("ops");
    rig.mam(&["profile", "create", "ops"]).expect(1);
    assert!(rig.ok(&["profile", "list"]).stdout.contains("ops"));
    rig.ok(&["start"]);
    rig.mam(&["profile", "remove", "ops", "--yes"]).expect(78).says("mam -p ops stop");
    rig.ok(&["-p", "ops", "stop"]);
    rig.mam(&["profile", "remove", "ops"]).expect(2).says("--yes");
    rig.ok(&["profile", "remove", "ops", "--yes"]);
    assert!(!rig.home_of("ops").exists());
    rig.mam(&["profile", "remove", "default", "--yes"]).expect(78);
}

#[test]
fn without_a_terminal_mam_alone_says_what_there_is() {
    let rig = Rig::sim();
    let ran = rig.mam(&[]);
    ran.expect(2);
    assert!(ran.stdout.contains("Usage: mam"), "{ran}");
    assert_eq!(rig.servers(), [0_u32; 0]);
}

#[test]
fn mam_on_a_terminal_is_a_client_of_the_host() {
    on_each(|rig| {
        let mut terminal = crate::support::pty::Pty::start(rig.command(&[]));
        until("the host runs", || rig.record().is_some() && rig.status()["owner"] == "host");
        let overlay = rig.home.overlay().display().to_string();
        until("herdr's client runs on the overlay", || {
            rig.processes().into_iter().any(|pid| {
                let line = fs_err::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                line == b"herdr\0--session\0mam\0"
                    && super::rig::environment_of(pid).get("HERDR_CONFIG_PATH") == Some(&overlay)
            })
        });
        terminal.send("\u{2}q");
    });
}
