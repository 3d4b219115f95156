//! What happens to agents when nobody types anything.

use std::process::{Child, Stdio};

use serde_json::json;

use super::rig::{Agents, on_each};
use crate::host::rig::{kill, until};
use crate::support::tools::needs;

/// A supervisor that ends with the test.
struct Supervisor(Child);

impl Drop for Supervisor {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn wants_resume(agents: &Agents) {
    agents.rig.home.write(".config/mam/config.toml", "[resume]\non_start = true\n");
}

/// The named sessions run again, each once, and their restored shells are closed.
#[track_caller]
fn assert_back(agents: &Agents, names: &[&str]) {
    until("the agents run again", || {
        let states = agents.states();
        names.iter().all(|name| states[*name] == "running") && agents.unseen() >= names.len()
    });
    let mut found: Vec<Vec<String>> = agents.new_launches().iter().map(super::rig::Launched::words).collect();
    let mut wanted: Vec<Vec<String>> = names
        .iter()
        .map(|name| ["--resume", &agents.conversation(name), "--verbose"].map(str::to_owned).to_vec())
        .collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    until("the restored shells are closed", || {
        agents.panes().iter().all(|pane| pane["agent_session"].is_null() || !pane["agent"].is_null())
    });
}

#[test]
fn sessions_are_resumed_when_the_host_has_started_and_only_where_that_is_wanted() {
    on_each(|agents| {
        let rig = &agents.rig;
        let names = ["one", "two"];
        for name in names {
            agents.create(name, &["--", "--verbose"]);
        }
        agents.crash_with(&names);
        agents.new_launches();
        rig.ok(&["start"]);
        until("they are restored shells", || agents.states().values().all(|state| state == "restoredShell"));
        // The plugin has been called when its mark of the server's life is there; a moment more for mam.
        std::thread::sleep(std::time::Duration::from_secs(1));
        assert_eq!((agents.new_launches(), agents.running()), (vec![], 0));
        rig.ok(&["stop"]);

        wants_resume(agents);
        rig.ok(&["start"]);
        assert_back(agents, &names);
        rig.ok(&["stop"]);
    });
}

/// Under s6, and nobody types: the server is killed, it comes back on the overlay, and every agent once.
#[test]
fn under_a_supervisor_a_killed_server_comes_back_with_its_agents() {
    if needs("s6-supervise").is_none() {
        return;
    }
    on_each(|agents| {
        let rig = &agents.rig;
        wants_resume(agents);
        let directory = rig.home.path("service");
        rig.ok(&["unit", "install", "s6", "--directory", directory.to_str().unwrap()]);
        let mut supervise = rig.home.command("s6-supervise");
        supervise.arg(&directory).env("SHELL", "/bin/bash").stdout(Stdio::null()).stderr(Stdio::null());
        let _supervisor = Supervisor(supervise.spawn().unwrap());
        rig.ok(&["start"]);
        let names = ["one", "two", "three"];
        for name in names {
            agents.create(name, &["--", "--verbose"]);
        }
        for _ in 0..2 {
            agents.settle(&names);
            let saved: Vec<String> = names.iter().map(|name| agents.conversation(name)).collect();
            agents.wait_until_saved(&saved);
            agents.new_launches();
            let first = rig.pid();
            kill(first);
            until("another server runs", || {
                rig.record().is_some() && rig.status()["owner"] == "host" && rig.pid() != first
            });
            assert_eq!(rig.status()["overlayInForce"], true);
            assert_back(agents, &names);
        }
        rig.ok(&["stop"]);
    });
}

/// An agent that the user starts by hand in a pane of the host is recorded, and its conversations are
/// learned, `/clear` included.
#[test]
fn an_agent_that_was_started_by_hand_is_recorded_and_comes_back_with_its_flags() {
    on_each(|agents| {
        let rig = &agents.rig;
        rig.ok(&["start"]);
        let work = agents.dir("by hand");
        let made = rig.ask("workspace.create", &json!({"cwd": work, "label": "by hand"}));
        let pane = made["root_pane"]["pane_id"].as_str().unwrap().to_owned();
        // One more, so that the first is not the last pane of its session when it is closed.
        rig.ask("workspace.create", &json!({"cwd": work, "label": "other"}));
        let typed = json!({"pane_id": pane, "text": "claude --verbose", "keys": ["Enter"]});
        rig.ask("pane.send_input", &typed);
        let names = || agents.store().list().records.into_iter().map(|it| it.name.to_string());
        until("it is recorded", || names().count() == 1);
        let name = names().next().unwrap();
        agents.report(&pane, "first");
        let conversation = || agents.record(&name).conversation.map(|it| it.value);
        until("its conversation is known", || conversation().as_deref() == Some("first"));
        agents.clear(&pane, "second");
        until("its next one is known", || conversation().as_deref() == Some("second"));
        agents.crash(&["second".to_owned()]);
        agents.new_launches();
        rig.ok(&["resume", &name]).says("closed restored pane");
        let again = agents.new_launches();
        assert_eq!(again.len(), 1);
        // A script's first word is the script itself.
        assert!(
            again[0].words().ends_with(&["--resume", "second", "--verbose"].map(str::to_owned)),
            "{again:?}"
        );
        assert_eq!(again[0].cwd, work);
        rig.ok(&["stop"]);
    });
}
