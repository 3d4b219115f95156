//! The doctor on real files: each thing that can be wrong is made so, and found.

use std::collections::BTreeMap;

use serde_json::Value;

use super::rig::Newcomer;
use crate::support::herdr::Herdr;
use crate::support::home::write;

/// The findings that are not well, by check.
fn ill(new: &Newcomer) -> BTreeMap<String, String> {
    let ran = new.mam(&["doctor", "--json"]);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"));
    let findings = answer["findings"].as_array().unwrap();
    let is_well = findings.iter().all(|finding| finding["verdict"] != "bad");
    assert_eq!((answer["well"].as_bool(), ran.code), (Some(is_well), Some(i32::from(!is_well))), "{ran}");
    let ill = findings.iter().filter(|finding| finding["verdict"] != "ok");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for it in ill {
        let words = format!("{}: {} → {}\n", text(&it["verdict"]), text(&it["text"]), text(&it["remedy"]));
        found.entry(text(&it["check"])).or_default().push_str(&words);
    }
    found
}

#[test]
fn a_home_that_was_set_up_and_runs_is_well() {
    for herdr in Herdr::all() {
        let new = Newcomer::new(&herdr, "bash");
        assert!(ill(&new)["overlay"].contains("is not there → mam setup"), "{:?}", ill(&new));
        assert!(ill(&new)["plugin"].contains("bad: not linked"));
        new.ok(&["setup", "--yes"]);
        new.ok(&["start"]);
        let text = new.ok(&["doctor"]).stdout;
        assert!(text.ends_with("all is well\n"), "{text}");
        assert!(text.contains("ok    in force   the host runs on the overlay: restore is off\n"), "{text}");
        let ill = ill(&new);
        // No agent is here, which is worth knowing and no fault.
        assert_eq!(ill.keys().collect::<Vec<_>>(), ["agents"], "{ill:?}");
    }
}

#[test]
fn each_thing_that_is_wrong_is_found() {
    for herdr in Herdr::all() {
        let new = Newcomer::new(&herdr, "bash");
        new.ok(&["setup", "--yes"]);
        new.ok(&["start"]);
        new.home.write_config("[ui]\nsidebar_width = 30\n");
        new.home.write(".config/mam/config.toml", "[hosts]\n");
        new.home.write(".config/mam/.env", "TOKEN=secret\n");
        new.chmod(".config/mam/.env", 0o644);
        new.chmod(".local/state/mam/overlays", 0o755);
        new.home.write(".claude/hooks/herdr-agent-state.sh", "# HERDR_INTEGRATION_VERSION=1\n");
        new.home.program("codex", "#!/bin/sh\n");
        write(&new.home.path(".config/mam/init.bash"), "# mine\n");
        fs_err::remove_file(new.home.path("bin/mam-render-config")).unwrap();
        let found = ill(&new);
        for (check, text) in [
            ("overlay", "is stale"),
            ("config", "did you mean `host`"),
            ("files", ".env is open to others (mode 644)"),
            ("agents", "codex"),
            ("shell", "→ mam setup"),
            ("programs", "gives no overlay without it"),
        ] {
            let said = found.get(check).map_or("", String::as_str);
            assert!(said.contains(text), "{check}: {found:?}");
        }
        let text = new.mam(&["doctor"]).expect(1).stdout.clone();
        assert!(text.contains("claude: the integration is outdated (v1 < v"), "{text}");
        assert!(text.contains("/.local/state/mam/overlays'"), "{text}");
        assert!(text.contains("things have to be done"), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}

#[test]
fn a_server_of_somebody_else_and_one_without_the_overlay_are_found() {
    for herdr in Herdr::all() {
        let new = Newcomer::new(&herdr, "bash");
        new.ok(&["setup", "--yes"]);
        new.ok(&["start"]);
        new.ok(&["stop", "--all"]);
        let mut server = new.home.command(new.home.path("bin/herdr"));
        server.args(["--session", "mam", "server"]).stdout(std::process::Stdio::null());
        let mut server = server.stderr(std::process::Stdio::null()).spawn().unwrap();
        let socket = new.home.path(".config/herdr/sessions/mam/herdr.sock");
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while std::os::unix::net::UnixStream::connect(&socket).is_err() {
            assert!(std::time::Instant::now() < deadline, "the server does not listen");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let found = ill(&new);
        assert!(found["host"].contains("a herdr server that mam did not start"), "{found:?}");
        server.kill().unwrap();
        server.wait().unwrap();
    }
}
