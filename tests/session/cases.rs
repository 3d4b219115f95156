//! What stands against a resume, and what a resume must carry over.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};

use mam_host::session::record::{Ended, Status};
use serde_json::json;

use super::rig::{Agents, on_each};
use crate::host::rig::{kill, until};
use crate::support::home::{read, run};

/// S1, S2: every byte, at create and at two resumes; the old conversation and the prompt go.
#[test]
fn arguments_come_back_byte_for_byte() {
    on_each(|agents| {
        let rig = &agents.rig;
        let work = agents.dir("work");
        let kept: &[&[u8]] = &[
            b"--dangerously-skip-permissions",
            b"--model",
            b"m x",
            b"--append-system-prompt",
            b"",
            b"--settings",
            b"$HOME; it's \"q\" \\ \xff\n\t*",
        ];
        let mut command =
            rig.command(&["create", "s", "--agent", "claude", "--cwd", work.to_str().unwrap(), "--"]);
        command.args(kept.iter().map(|word| OsStr::from_bytes(word))).arg("do this first");
        run(&mut command).expect(0);
        let conversation = agents.conversation("s");
        let wanted = |selector: &str, prompt: Option<&str>| -> Vec<Vec<u8>> {
            let first = [selector.as_bytes().to_vec(), conversation.as_bytes().to_vec()];
            let kept = kept.iter().map(|word| word.to_vec());
            first.into_iter().chain(kept).chain(prompt.map(|prompt| prompt.as_bytes().to_vec())).collect()
        };
        assert_eq!(agents.new_launches()[0].argv, wanted("--session-id", Some("do this first")));
        for _ in 0..2 {
            agents.crash_with(&["s"]);
            rig.ok(&["resume", "s"]).says("closed restored pane");
            let again = agents.new_launches();
            assert_eq!(again.len(), 1);
            assert_eq!(again[0].argv, wanted("--resume", None));
        }
        rig.ok(&["stop"]);
    });
}

/// S3, S4: variables, stored and by reference.
#[test]
fn each_session_has_its_own_variables_and_a_missing_one_stops_it_before_anything_starts() {
    on_each(|agents| {
        let rig = &agents.rig;
        let work = agents.dir("work");
        for name in ["one", "two"] {
            let variable = format!("CLAUDE_CONFIG_DIR={}/{name} 'x'", rig.home.path("").display());
            let words =
                ["create", name, "--agent", "claude", "--cwd", work.to_str().unwrap(), "--env", &variable];
            run(rig.command(&words).args(["--env", "TOKEN"]).env("TOKEN", format!("secret of {name}")))
                .expect(0);
        }
        let check = |agents: &Agents| {
            let mut launched = agents.new_launches();
            launched.sort_by_key(|launched| launched.environment["CLAUDE_CONFIG_DIR"].clone());
            for (launched, name) in launched.iter().zip(["one", "two"]) {
                assert!(launched.environment["CLAUDE_CONFIG_DIR"].ends_with(&format!("/{name} 'x'")));
                assert_eq!(launched.environment["TOKEN"], format!("secret of {name}"));
                assert!(!launched.environment.keys().any(|name| name.starts_with("MAM_VALUE_")));
            }
            launched.len()
        };
        assert_eq!(check(agents), 2);
        let text = read(&rig.root().join("sessions/one.json"));
        assert!(text.contains("one 'x'") && !text.contains("secret"), "{text}");
        agents.crash_with(&["one", "two"]);

        let refused = rig.mam(&["resume", "one"]);
        refused.expect(78).says("`TOKEN`").says("nothing was started");
        assert_eq!(agents.running(), 0);
        assert!(rig.servers().is_empty(), "not even the host was started");
        for name in ["one", "two"] {
            run(rig.command(&["resume", name]).env("TOKEN", format!("secret of {name}"))).expect(0);
        }
        assert_eq!(check(agents), 2);
        // The profile's own file does it as well.
        agents.crash_with(&["one", "two"]);
        rig.home.write(".config/mam/.env", "TOKEN='secret of one'\n");
        rig.ok(&["resume", "one"]);
        assert_eq!(agents.new_launches()[0].environment["TOKEN"], "secret of one");
        rig.ok(&["stop"]);
    });
}

/// S5.
#[test]
fn a_directory_that_is_gone_is_named_and_another_one_can_be_given() {
    on_each(|agents| {
        let rig = &agents.rig;
        let work = agents.create("s", &[]);
        agents.crash_with(&["s"]);
        agents.new_launches();
        fs_err::remove_dir_all(&work).unwrap();
        let refused = rig.mam(&["resume", "s"]);
        refused.expect(78).says(work.to_str().unwrap()).says("--cwd DIR");
        assert_eq!(agents.new_launches(), []);
        let other = agents.dir("other");
        rig.ok(&["resume", "s", "--cwd", "other"]).says("closed restored pane");
        assert_eq!(agents.new_launches()[0].cwd, other);
        assert_eq!(agents.record("s").cwd, other);
        rig.ok(&["stop"]);
    });
}

/// S6: live in another herdr session, or outside herdr.
#[test]
fn a_conversation_that_runs_elsewhere_is_not_started_again() {
    on_each(|agents| {
        let rig = &agents.rig;
        agents.create("s", &[]);
        agents.crash_with(&["s"]);
        agents.new_launches();
        let conversation = agents.conversation("s");
        let claude = rig.home.path("bin/claude");
        let mut outside = rig.home.command(&claude);
        let mut outside = outside.args(["--resume", &conversation]).stdout(Stdio::null()).spawn().unwrap();
        until("it runs", || agents.launches().len() == 2);
        agents.new_launches();
        let refused = rig.mam(&["resume", "s"]);
        refused.expect(75).says(&format!("pid {}", outside.id())).says("nothing was started");
        outside.kill().unwrap();
        outside.wait().unwrap();
        assert_eq!(agents.new_launches(), []);

        let mut other = rig.home.command(rig.home.path("bin/herdr"));
        other.args(["--session", "work", "server"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = other.spawn().unwrap();
        let socket = rig.home.path(".config/herdr/sessions/work/herdr.sock");
        let ask = |method: &str, params: serde_json::Value| {
            mam_share::herdr::socket::ask(&socket, method, &params, std::time::Duration::from_secs(10))
        };
        until("the other server answers", || ask("ping", json!({})).is_ok());
        let made = ask("workspace.create", json!({"cwd": rig.home.path("")})).unwrap();
        let pane = made["root_pane"]["pane_id"].as_str().unwrap().to_owned();
        ask("pane.send_input", json!({"pane_id": pane, "text": "claude", "keys": ["enter"]})).unwrap();
        until("the other herdr sees it", || {
            ask("pane.get", json!({"pane_id": pane})).unwrap()["pane"]["agent"] == "claude"
        });
        let report = json!({"pane_id": pane, "source": "herdr:claude", "agent": "claude",
            "agent_session_id": conversation});
        ask("pane.report_agent_session", report).unwrap();
        agents.new_launches();
        rig.mam(&["resume", "s"]).expect(75).says("session work, pane");
        assert_eq!(agents.new_launches(), []);
        server.kill().unwrap();
        server.wait().unwrap();
        rig.ok(&["resume", "s"]);
        rig.ok(&["stop"]);
    });
}

/// S6b: `/clear` starts a new conversation, and that one is resumed; S8: an agent that names its own.
#[test]
fn the_latest_conversation_of_its_own_pane_is_the_one() {
    on_each(|agents| {
        let rig = &agents.rig;
        agents.agent("codex");
        agents.create("s", &[]);
        rig.ok(&["create", "c", "--agent", "codex", "--", "--model", "o3"]);
        agents.settle(&["s"]);
        let first = agents.conversation("s");
        assert!(agents.record("c").conversation.is_none());
        let (s, c) = (agents.pane_of("s"), agents.pane_of("c"));
        until("herdr sees codex", || {
            agents.panes().iter().any(|pane| pane["pane_id"] == *c && pane["agent"] == "codex")
        });
        // A report for another pane never touches it.
        agents.report(&c, "not of s");
        agents.clear(&s, "after-clear");
        let report =
            json!({"pane_id": c, "source": "herdr:codex", "agent": "codex", "agent_session_id": "codex-1"});
        rig.ask("pane.report_agent_session", &report);
        rig.ok(&["list"]);
        assert_eq!(agents.conversation("s"), "after-clear");
        assert_eq!(agents.record("s").earlier[0].conversation.value, first);
        assert_eq!(agents.conversation("c"), "codex-1");
        // Nobody looked after the last one; the restored shell tells.
        agents.clear(&s, "after-another-clear");
        agents.new_launches();
        agents.crash(&["after-another-clear".to_owned(), "codex-1".to_owned()]);
        rig.ok(&["resume", "s", "c"]);
        let mut words: Vec<_> = agents.new_launches().iter().map(super::rig::Launched::words).collect();
        words.sort();
        assert_eq!(words[0], ["--resume", "after-another-clear"]);
        assert_eq!(words[1], ["resume", "codex-1", "--model", "o3"]);
        assert_eq!(agents.record("s").earlier.len(), 2);
        rig.ok(&["stop"]);
    });
}

/// S7, S11, S11b.
#[test]
fn an_agent_that_ends_leaves_its_pane_and_its_record() {
    on_each(|agents| {
        let rig = &agents.rig;
        rig.home.write("end", "7");
        let work = agents.dir("work");
        let words = ["create", "s", "--agent", "claude", "--cwd", work.to_str().unwrap()];
        rig.mam(&words).expect(1).says("it ended with exit code 7");
        assert!(matches!(agents.record("s").status, Status::Ended { how: Ended::Code(7), .. }));
        assert_eq!(agents.states()["s"], "stopped");
        rig.mam(&words).expect(78).says("there is a session `s` already").says("mam resume s");
        fs_err::remove_file(rig.home.path("end")).unwrap();
        let before = agents.panes().len();
        rig.ok(&["resume", "s"]);
        assert_eq!(agents.states()["s"], "running");
        assert_eq!(agents.panes().len(), before + 1, "the shell stays, and the agent comes up beside it");
        rig.ok(&["stop-session", "s"]);
        assert_eq!(agents.running(), 0);
        // At once: herdr still shows the agent for a moment.
        rig.ok(&["resume", "s"]);
        rig.ok(&["stop-session", "s"]);
        assert_eq!(agents.running(), 0);
        until("herdr has noticed", || agents.states()["s"] == "stopped");
        let shown = rig.ok(&["show", "s"]).stdout;
        assert!(shown.contains("stopped") && shown.contains("work"), "{shown}");
        assert_eq!(agents.panes().len(), before + 2);

        rig.mam(&["create", "x", "--agent", "cladue"])
            .expect(2)
            .says("did you mean `claude`?")
            .says("known are");
        rig.mam(&["create", "x", "--agent", "codex"])
            .expect(78)
            .says("there is no program `codex`")
            .says("PATH searched");
        rig.mam(&["show", "x"]).expect(78);
        rig.mam(&["resume", "x"]).expect(78).says("there is no session `x`");
        rig.ok(&["rename", "s", "t"]);
        rig.ok(&["forget", "t"]);
        assert!(agents.states().is_empty());
        rig.ok(&["stop"]);
    });
}

/// S9: the server came back with nothing. S12: the call comes from a pane of another server.
#[test]
fn without_a_restored_shell_it_gets_a_workspace_of_its_own() {
    on_each(|agents| {
        let rig = &agents.rig;
        agents.create("s", &["--workspace", "mine"]);
        agents.crash_with(&["s"]);
        fs_err::remove_file(rig.socket().with_file_name("session.json")).unwrap();
        let mut command = rig.command(&["resume", "s"]);
        command.env("HERDR_SOCKET_PATH", "/nowhere/herdr.sock").env("HERDR_SESSION", "other");
        command.env("HERDR_PANE_ID", "w9:p9").env("HERDR_ENV", "1").env("HERDR_CONFIG_PATH", "/nowhere/x");
        let ran = run(&mut command);
        ran.expect(0);
        let panes = agents.panes();
        assert_eq!(panes.len(), 1, "{panes:?}");
        let workspaces = rig.ask("workspace.list", &json!({}))["workspaces"].clone();
        assert_eq!(workspaces[0]["label"], "mine");
        let launched = agents.launches().pop().unwrap();
        assert_eq!(launched.environment["HERDR_PANE_ID"], panes[0]["pane_id"].as_str().unwrap());
        assert_eq!(launched.environment["HERDR_SOCKET_PATH"], rig.socket().to_str().unwrap());
        rig.ok(&["stop"]);
    });
}

/// A restored shell that is in use stays, and the agent comes up beside it.
#[test]
fn a_restored_shell_that_is_not_idle_stays() {
    on_each(|agents| {
        let rig = &agents.rig;
        agents.create("s", &[]);
        agents.crash_with(&["s"]);
        rig.ok(&["start"]);
        let restored = agents.panes()[0]["pane_id"].as_str().unwrap().to_owned();
        assert_eq!(agents.states()["s"], "restoredShell");
        rig.ask("pane.send_input", &json!({"pane_id": restored, "text": "sleep 600", "keys": ["enter"]}));
        until("it is busy", || agents.has_agent(&restored));
        let ran = rig.ok(&["resume", "s"]);
        ran.says("kept pane").says("sleep");
        let panes = agents.panes();
        assert_eq!(panes.len(), 2);
        assert_eq!(panes[0]["tab_id"], panes[1]["tab_id"]);
        rig.ok(&["stop"]);
    });
}

/// A kill at any moment: no record is lost, no agent runs twice, the next resume finishes.
#[test]
fn a_killed_mam_loses_nothing() {
    on_each(|agents| {
        let rig = &agents.rig;
        rig.ok(&["start"]);
        let work = agents.dir("work");
        for (number, delay) in [0, 4, 8, 12, 20, 30, 45, 70, 110, 200].into_iter().enumerate() {
            let name = format!("s{number}");
            let words = ["create", &name, "--agent", "claude", "--cwd", work.to_str().unwrap()];
            killed(&mut rig.command(&words), delay);
            if !agents.states().contains_key(&name) {
                // Not even the record was written: nothing is there.
                rig.mam(&words).expect(0);
            } else if agents.states()[&name] != "running" {
                let ran = rig.mam(&["resume", &name]);
                assert!(ran.code == Some(0) || ran.stderr.contains("runs already"), "{delay}: {ran}");
            }
            until("it runs", || agents.states()[&name] == "running");
        }
        assert_eq!(agents.running(), 10);
        let names: Vec<String> = (0..10).map(|number| format!("s{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        agents.crash_with(&names);
        agents.new_launches();
        rig.ok(&["start"]);
        for (name, delay) in names.iter().zip([0, 5, 10, 15, 25, 40, 60, 90, 150, 250]) {
            killed(&mut rig.command(&["resume", name]), delay);
        }
        let ran = rig.mam(&["resume", "--all"]);
        assert!(ran.code == Some(0), "{ran}");
        until("all run", || agents.running() == 10);
        assert_eq!(agents.new_launches().len(), 10, "each once");
        until("leftovers are closed", || {
            rig.mam(&["resume", "--all"]).expect(0);
            let is_leftover =
                |pane: &serde_json::Value| pane["agent"].is_null() && !pane["agent_session"].is_null();
            !agents.panes().iter().any(is_leftover)
        });
        assert_eq!(agents.running(), 10);
        rig.ok(&["stop"]);
    });
}

fn killed(command: &mut Command, delay: u64) {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(delay));
    kill(child.id());
    child.wait().unwrap();
}
