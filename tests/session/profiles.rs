//! The agents of one profile among those of others, and a live handoff under all of them.

use serde_json::json;

use super::rig::{Agents, on_each};
use crate::host::rig::{is_alive, log_of, until};
use crate::support::home::write;

/// One agent of the root and two of `ops`.
fn three(agents: &Agents) -> [String; 3] {
    let rig = &agents.rig;
    rig.profile("ops");
    rig.ok(&["start"]);
    rig.ok(&["-p", "ops", "start"]);
    let work = agents.dir("work");
    for (profile, name) in [("default", "root"), ("ops", "one"), ("ops", "two")] {
        let words = [
            "-p",
            profile,
            "create",
            name,
            "--agent",
            "claude",
            "--cwd",
            work.to_str().unwrap(),
            "--",
            "--verbose",
        ];
        rig.ok(&words);
    }
    until("all run", || agents.unseen() == 3);
    let ids = agents.new_launches();
    let id = |index: usize| ids[index].words()[1].clone();
    [id(0), id(1), id(2)]
}

fn states(agents: &Agents, profile: &str) -> Vec<String> {
    let listed: serde_json::Value =
        serde_json::from_str(&agents.rig.ok(&["-p", profile, "list", "--json"]).stdout).unwrap();
    let sessions = listed["sessions"].as_array().unwrap();
    sessions.iter().map(|session| session["state"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_named_profiles_restart_and_stop_are_its_own_agents_and_nobody_elses() {
    on_each(|agents| {
        let rig = &agents.rig;
        let [root, one, two] = three(agents);
        let (host, before) = (rig.pid(), rig.pid());

        let ran = rig.ok(&["-p", "ops", "restart"]);

        assert!(ran.stdout.contains("2 agents stopped, 2 resumed"), "{ran}");
        assert_eq!(rig.pid(), host, "the server of all is not touched");
        until("two run again", || agents.unseen() == 2);
        let mut again: Vec<_> = agents.new_launches().iter().map(super::rig::Launched::words).collect();
        again.sort();
        let mut wanted =
            [&one, &two].map(|id| vec!["--resume".to_owned(), id.clone(), "--verbose".to_owned()]);
        wanted.sort();
        assert_eq!(again, wanted);
        assert_eq!(agents.running(), 3);

        let ran = rig.ok(&["-p", "ops", "stop"]);

        ran.says("2 agents of profile `ops` were stopped");
        assert_eq!((agents.running(), rig.pid()), (1, before));
        assert_eq!(states(agents, "ops"), ["stopped", "stopped"]);
        assert_eq!(states(agents, "default"), ["running"]);
        rig.mam(&["-p", "ops", "resume", "one"]).expect(78).says("parked");
        // Nobody lost anything: unparked, it goes on.
        rig.ok(&["-p", "ops", "start"]);
        rig.ok(&["-p", "ops", "resume", "--all"]);
        until("two run again", || agents.unseen() == 2);
        assert_eq!(agents.running(), 3);
        assert_eq!(agents.conversation("root"), root);
        rig.ok(&["stop"]);
    });
}

/// herdr calls the plugin after a handoff as after a start: the record changes hands, and that is all.
#[test]
fn a_live_handoff_stops_and_resumes_no_agent_and_the_record_follows() {
    on_each(|agents| {
        let rig = &agents.rig;
        three(agents);
        for profile in ["default", "ops"] {
            let home = if profile == "default" { rig.root() } else { rig.home_of(profile) };
            write(&home.join("config.toml"), "[resume]\non_start = true\n");
        }
        let (old, panes) = (rig.pid(), agents.panes().len());
        rig.ask("server.live_handoff", &json!({}));
        until("the old process is gone", || !is_alive(old));
        let is_taken = || log_of(&rig.root()).contains("\thanded-over\t");
        until("the record was taken over, and nobody asked", is_taken);
        let new = rig.pid();
        assert!(new != old && is_alive(new));
        assert_eq!(rig.status()["owner"], "host");
        assert_eq!(agents.panes().len(), panes);
        assert_eq!((agents.running(), agents.unseen()), (3, 0), "all run on, and none was launched");
        assert!(!log_of(&rig.root()).contains("\tresumed\t"));
        rig.ok(&["stop"]);
    });
}
