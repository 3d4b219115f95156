//! The environment of server, panes and what runs in them, read from the kernel.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::rig::{environment_of, on_each, until};
use crate::support::home::{run, write};

const PLANTED: &[(&str, &str)] = &[
    ("OPENAI_API_KEY", "planted"),
    ("OPS_TOKEN", "planted-of-ops"),
    ("CLAUDECODE", "1"),
    ("CLAUDE_CODE_ENTRYPOINT", "cli"),
    ("CODEX_THREAD_ID", "t"),
    ("CODEX_SANDBOX", "s"),
    ("TMUX", "/tmp/tmux,1,0"),
    ("TMUX_PANE", "%1"),
    ("STY", "1.pts"),
    ("ZELLIJ", "0"),
    ("ZELLIJ_SESSION_NAME", "z"),
    ("INVOCATION_ID", "i"),
    ("MAM_SUPERVISED", "0"),
    ("MAM_PROFILE", "default"),
];

#[test]
fn nobodys_secrets_and_no_marker_reach_the_host_or_its_panes() {
    on_each(|rig| {
        let ops = rig.profile("ops");
        write(&ops.join(".env"), "OPS_TOKEN=planted-of-ops\n");
        rig.home.write(".config/mam/config.toml", "[env]\npass = [\"MINE\", \"TMUX\"]\n");
        let dot_env = rig.home.write(".config/mam/.env", "ROOT_TOKEN=of-root\nNOT_PUT_IN=$OPENAI_API_KEY\n");
        fs_err::set_permissions(dot_env, std::fs::Permissions::from_mode(0o600)).unwrap();
        let mut start = rig.command(&["start"]);
        start.envs(PLANTED.iter().copied()).env("MINE", "m").env("LC_TIME", "C").env("SSH_AUTH_SOCK", "/s");
        // The variables of a pane of another server: the host is started all the same.
        start.env("HERDR_ENV", "1").env("HERDR_SESSION", "work").env("HERDR_SOCKET_PATH", "/nowhere");
        start.env("HERDR_PANE_ID", "w1:p1");
        let ran = run(&mut start);
        ran.expect(0).says("not passed on to the server: OPENAI_API_KEY, OPS_TOKEN");
        let host = rig.pid();
        let server = environment_of(host);
        let expected = [
            ("HERDR_CONFIG_PATH", rig.home.overlay().display().to_string()),
            ("MAM_HOST", rig.state().display().to_string()),
            ("ROOT_TOKEN", "of-root".to_owned()),
            ("NOT_PUT_IN", "$OPENAI_API_KEY".to_owned()),
            ("MINE", "m".to_owned()),
            ("LC_TIME", "C".to_owned()),
            ("SSH_AUTH_SOCK", "/s".to_owned()),
        ];
        for (name, value) in expected {
            assert_eq!(server.get(name), Some(&value), "{name} in {server:?}");
        }
        let clean = |environment: &std::collections::BTreeMap<String, String>, whose: &str| {
            for (name, _) in PLANTED {
                assert!(!environment.contains_key(*name), "{name} reached {whose}");
            }
            assert!(!environment.values().any(|value| value.contains("planted")), "{whose}: {environment:?}");
        };
        clean(&server, "the server");
        assert!(!server.contains_key("HERDR_SOCKET_PATH") && !server.contains_key("HERDR_PANE_ID"));

        rig.ask("workspace.create", &json!({"cwd": rig.home.path("")}));
        let shells = || -> Vec<u32> {
            let panes = rig.ask("pane.list", &json!({}));
            let ids = panes["panes"].as_array().cloned().unwrap_or_default();
            let info = |pane: &Value| rig.ask("pane.process_info", &json!({"pane_id": pane["pane_id"]}));
            ids.iter()
                .filter_map(|pane| info(pane)["process_info"]["shell_pid"].as_u64())
                .map(|pid| u32::try_from(pid).unwrap())
                .collect()
        };
        until("a pane has a shell", || !shells().is_empty());
        for shell in shells() {
            let pane = environment_of(shell);
            clean(&pane, "a pane");
            assert_eq!(pane.get("ROOT_TOKEN").map(String::as_str), Some("of-root"));
            assert_eq!(pane.get("HERDR_SESSION").map(String::as_str), Some("mam"), "the pane is the host's");
        }
    });
}

#[test]
fn env_explain_says_of_each_why() {
    let rig = super::rig::Rig::sim();
    rig.home.write(".config/mam/config.toml", "[env]\npass = [\"MINE\"]\n");
    let mut explain = rig.command(&["env", "explain"]);
    explain.env("MINE", "secret-m").env("OTHER", "o").env("TMUX", "t");
    let ran = run(&mut explain);
    ran.expect(0);
    for row in ["+ MINE", "- OTHER", "- TMUX", "+ PATH"] {
        assert!(ran.stdout.lines().any(|line| line.starts_with(row)), "{row}\n{ran}");
    }
    assert!(!ran.stdout.contains("secret-m"), "values are not shown unless asked for");
}

/// The same saved session, with and without mam: a bare server relaunches the agent, the host does not.
#[test]
fn saved_agents_are_not_relaunched_after_mam_start() {
    const CONVERSATION: &str = "11111111-2222-3333-4444-555555555555";
    on_each(|rig| {
        let ran = rig.home.path("claude-ran");
        rig.home
            .program("claude", &format!("#!/bin/sh\necho \"$@\" >> '{}'\nexec sleep 600\n", ran.display()));
        rig.ok(&["start"]);
        rig.ask("workspace.create", &json!({"cwd": rig.home.path("")}));
        let pane = || rig.ask("pane.list", &json!({}))["panes"][0].clone();
        let id = pane()["pane_id"].as_str().unwrap().to_owned();
        let mut report = rig.home.command(rig.home.path("bin/herdr"));
        report.args(["--session", "mam", "pane", "report-agent", &id, "--source", "herdr:claude"]);
        report.args(["--agent", "claude", "--state", "idle", "--agent-session-id", CONVERSATION]);
        run(&mut report).expect(0);
        let saved = rig.home.path(".config/herdr/sessions/mam/session.json");
        until("the session is saved", || {
            saved.exists() && crate::support::home::read(&saved).contains(CONVERSATION)
        });
        let session = crate::support::home::read(&saved);
        super::rig::kill(rig.pid());
        rig.ok(&["start"]);
        let conversation = || pane()["agent_session"]["value"] == CONVERSATION;
        until("the pane is restored", conversation);
        std::thread::sleep(std::time::Duration::from_secs(2));
        assert!(!ran.exists(), "{}", crate::support::home::read(&ran));
        let environment = environment_of(rig.pid());
        assert_eq!(environment.get("HERDR_CONFIG_PATH"), Some(&rig.home.overlay().display().to_string()));
        crate::support::herdr::assert_off(&rig.home, "after mam start");

        super::rig::kill(rig.pid());
        until("the host is gone", || rig.servers().is_empty());
        // The very same session: the host may have been killed while it wrote it again.
        write(&saved, session);
        let mut bare = rig.home.command(rig.home.path("bin/herdr"));
        bare.args(["--session", "mam", "server"]).stdout(std::process::Stdio::null());
        let mut bare = bare.stderr(std::process::Stdio::null()).spawn().unwrap();
        until("a bare server relaunches the agent", || ran.exists());
        bare.kill().unwrap();
        bare.wait().unwrap();
    });
}
