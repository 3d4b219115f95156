//! Plugins: linked once for a user, told of some events, with panes of their own.

use crate::support::{Rig, process_env, wait};
use serde_json::{Value, json};

fn hook(event: &str) -> String {
    format!("[[events]]\non = \"{event}\"\ncommand = [\"./hook\"]\n")
}

#[test]
fn the_manifest_is_read_when_it_is_linked() {
    let rig = Rig::started();
    rig.probe(&hook("pane.created"));
    let listed = rig.call("plugin.list", json!({}))["plugins"][0].clone();
    assert_eq!(listed["plugin_id"], "mam.probe");
    assert_eq!(listed["events"], json!([{"on": "pane.created", "command": ["./hook"]}]));
    assert_eq!(listed["source"], json!({"kind": "local"}));
    let registry: Value = serde_json::from_str(&rig.home.read(".config/herdr/plugins.json")).unwrap();
    assert_eq!(registry[0], listed);
    let manifest = rig.home.read("plug/herdr-plugin.toml").replace("pane.created", "tab.created");
    rig.home.write("plug/herdr-plugin.toml", manifest.as_bytes());
    rig.workspace("a");
    wait("the linked hook ran", || (rig.events() == ["pane.created"]).then_some(()));
    let gone = rig.call("plugin.unlink", json!({"plugin_id": "mam.probe"}));
    assert_eq!(gone["removed"], true);
    rig.call("plugin.link", json!({"path": rig.home.text("plug")}));
    rig.workspace("b");
    wait("the new hook ran", || (rig.events() == ["pane.created", "tab.created"]).then_some(()));
    rig.call("plugin.disable", json!({"plugin_id": "mam.probe"}));
    rig.workspace("c");
    rig.call("plugin.enable", json!({"plugin_id": "mam.probe"}));
    assert_eq!(rig.events().len(), 2);
    assert_eq!(rig.error("plugin.enable", json!({"plugin_id": "x"})), "plugin_not_found");
    let missing = json!({"path": "/nonexistent"});
    assert_eq!(rig.error("plugin.link", missing), "plugin_manifest_not_found");
}

#[test]
fn a_manifest_may_ask_for_a_newer_herdr() {
    let rig = Rig::started();
    rig.probe("");
    let manifest = rig.home.read("plug/herdr-plugin.toml").replace("0.7.5", "0.9.0");
    rig.home.write("plug/herdr-plugin.toml", manifest.as_bytes());
    let path = json!({"path": rig.home.text("plug")});
    assert_eq!(rig.error("plugin.link", path), "plugin_requires_newer_herdr");
}

#[test]
fn startup_runs_once_and_knows_where_it_is() {
    let mut rig = Rig::new();
    rig.home.script("plug/start", "#!/bin/sh\nenv > ../start.new && mv ../start.new ../start.env\n");
    rig.probe("[[startup]]\ncommand = [\"./start\"]\n");
    rig.start();
    let env = wait("it ran", || Some(rig.home.read("start.env")).filter(|env| !env.is_empty()));
    let socket = rig.socket();
    for line in [
        "HERDR_ENV=1",
        "HERDR_PLUGIN_EVENT=startup",
        "HERDR_PLUGIN_ID=mam.probe",
        "HERDR_SESSION=s",
        &format!("HERDR_BIN_PATH={}", crate::support::SIM),
        &format!("HERDR_SOCKET_PATH={}", socket.display()),
        &format!("HERDR_PLUGIN_ROOT={}", rig.home.text("plug")),
        &format!("HERDR_PLUGIN_CONFIG_DIR={}", rig.home.text(".config/herdr/plugins/config/mam.probe")),
        &format!("HERDR_PLUGIN_STATE_DIR={}", rig.home.text(".local/state/herdr/plugins/mam.probe")),
        "HERDR_PLUGIN_CONTEXT_JSON={\"invocation_source\":\"startup\",\"correlation_id\":\"plugin.startup\"}",
    ] {
        assert!(env.lines().any(|own| own == line), "{line} in {env}");
    }
    assert!(!env.contains("HERDR_PLUGIN_EVENT_JSON"));
}

#[test]
fn the_default_session_is_told_too_without_a_session_name() {
    let mut rig = Rig::new();
    rig.session = "default";
    rig.home.script("plug/start", "#!/bin/sh\nenv > ../start.new && mv ../start.new ../start.env\n");
    rig.probe("[[startup]]\ncommand = [\"./start\"]\n");
    rig.start();
    let env = wait("it ran", || Some(rig.home.read("start.env")).filter(|env| !env.is_empty()));
    assert!(!env.lines().any(|line| line.starts_with("HERDR_SESSION=")), "{env}");
}

#[test]
fn events_tell_of_the_pane_and_come_from_the_one_in_front() {
    let mut rig = Rig::new();
    rig.home.fake_agent("claude");
    let events = [
        "pane.created",
        "pane.closed",
        "pane.agent_detected",
        "pane.agent_status_changed",
        "pane.exited",
        "pane.updated",
    ];
    rig.probe(&events.map(hook).concat());
    rig.start();
    let front = rig.workspace("a");
    let back = rig.workspace("b");
    rig.type_line(&back, "claude");
    wait("the status came", || rig.events().contains(&"pane.agent_status_changed".to_owned()).then_some(()));
    let line = |event: &str| {
        let start = format!("{event}|");
        rig.hooks().into_iter().rfind(|line| line.starts_with(&start)).unwrap()
    };
    let detected = json!({"event": "pane_agent_detected", "data": {
        "type": "pane_agent_detected", "pane_id": back, "workspace_id": "w2", "agent": "claude",
    }});
    assert_eq!(line("pane.agent_detected"), format!("pane.agent_detected|{front}|{detected}"));
    let changed = json!({"event": "pane_agent_status_changed", "data": {
        "type": "pane_agent_status_changed", "pane_id": back, "workspace_id": "w2",
        "agent_status": "idle", "agent": "claude",
    }});
    let told = format!("pane.agent_status_changed|{front}|{changed}");
    assert_eq!(line("pane.agent_status_changed"), told);
    assert!(line("pane.created").contains("\"viewport_rows\":40"));
    let before = rig.events().len();
    rig.report(&back, "claude", "one");
    let params = json!({
        "pane_id": back, "source": "herdr:claude", "agent": "claude", "agent_session_id": "two",
    });
    rig.call("pane.report_agent_session", params);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(rig.events().len(), before, "naming a conversation is no event");
    rig.call("pane.close", json!({"pane_id": back}));
    wait("the close was told", || rig.events().contains(&"pane.closed".to_owned()).then_some(()));
    assert!(!rig.events().contains(&"pane.exited".to_owned()));
}

#[test]
fn at_most_32_commands_run_and_further_ones_are_dropped() {
    let rig = Rig::started();
    let go = rig.home.text("go");
    let slow = format!("#!/bin/sh\necho x >> ../ran\nwhile [ ! -e {go} ]; do sleep 0.1; done\n");
    rig.home.script("plug/slow", &slow);
    rig.probe("[[actions]]\nid = \"slow\"\ntitle = \"Slow\"\ncommand = [\"./slow\"]\n");
    let invoke = || rig.answer("plugin.action.invoke", json!({"action_id": "slow"}));
    let answers: Vec<Value> = (0..50).map(|_| invoke()).collect();
    let lost = answers.iter().filter(|answer| answer["error"]["code"] == "plugin_command_limit_reached");
    assert_eq!(lost.count(), 18);
    wait("32 ran", || (rig.home.read("ran").lines().count() == 32).then_some(()));
    rig.home.write("go", b"");
    let logs = || rig.call("plugin.log.list", json!({}))["logs"].as_array().unwrap().clone();
    let with = |status: &str| logs().iter().filter(|log| log["status"] == status).count();
    wait("they end", || (with("succeeded") == 32).then_some(()));
    assert_eq!(with("failed"), 18);
    assert_eq!(invoke()["result"]["type"], "plugin_action_invoked");
}

#[test]
fn output_is_capped() {
    let rig = Rig::started();
    rig.probe("[[actions]]\nid = \"big\"\ntitle = \"Big\"\ncommand = [\"seq\", \"100000\"]\n");
    rig.call("plugin.action.invoke", json!({"action_id": "big"}));
    let log = wait("it ends", || {
        let log = rig.call("plugin.log.list", json!({"limit": 1}))["logs"][0].clone();
        (log["exit_code"] == 0).then_some(log)
    });
    let length = log["stdout"].as_str().unwrap().len();
    assert!((64 * 1024..65 * 1024).contains(&length), "{length}");
}

/// An entry that runs a launcher, which is named by its whole path.
fn launcher(rig: &Rig, text: &str) -> String {
    let path = rig.home.script("plug/launcher", text);
    format!(
        "[[panes]]
id = \"launch\"
title = \"mam\"
placement = \"split\"
\
         command = [\"{path}\", \"a b\", \"\", \"$HOME\", \"it's\"]
"
    )
}

fn open(rig: &Rig, target: &str) -> String {
    let params = json!({
        "plugin_id": "mam.probe", "entrypoint": "launch", "placement": "split",
        "target_pane_id": target, "direction": "right", "cwd": rig.home.dir("work"),
        "env": {"MORE": "yes"}, "focus": false,
    });
    let opened = rig.call("plugin.pane.open", params);
    assert_eq!(opened["plugin_pane"]["pane"]["label"], "mam");
    opened["plugin_pane"]["pane"]["pane_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_plugin_pane_runs_its_argv_with_nothing_in_between() {
    let rig = Rig::started();
    let go = rig.home.text("go");
    let text = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$PWD\" \"$@\" > ../args\nwhile [ ! -e {go} ]; do sleep 0.1; done\n"
    );
    let entry = launcher(&rig, &text);
    rig.probe(&format!("{entry}{}", hook("pane.exited")));
    let pane = rig.workspace("a");
    let opened = open(&rig, &pane);
    let place = |id: &str| rig.call("pane.layout", json!({"pane_id": id}))["layout"]["panes"].clone();
    assert_eq!(place(&opened).as_array().unwrap().len(), 2);
    assert_eq!(rig.call("pane.current", json!({}))["pane"]["pane_id"], pane.as_str());
    let args = wait("it ran", || Some(rig.home.read("args")).filter(|text| text.ends_with("it's\n")));
    assert_eq!(args, format!("{}\na b\n\n$HOME\nit's\n", rig.home.text("work")));
    let env = process_env(rig.shell_pid(&opened));
    for pair in ["MORE=yes", "HERDR_PLUGIN_ID=mam.probe", "HERDR_PLUGIN_ENTRYPOINT_ID=launch"] {
        assert!(env.contains(&pair.to_owned()), "{pair} in {env:?}");
    }
    assert!(env.contains(&format!("HERDR_PANE_ID={opened}")));
    rig.home.write("go", b"");
    wait("the pane closes with its command", || (rig.panes().len() == 1).then_some(()));
    wait("and says so", || (rig.events() == ["pane.exited"]).then_some(()));
}

#[test]
fn an_agent_in_the_foreground_of_a_launcher_is_detected_saved_and_restored_as_a_shell() {
    let mut rig = Rig::new();
    rig.config("[session]\nresume_agents_on_restore = false\n");
    rig.home.fake_agent("claude");
    let entry = launcher(&rig, "#!/bin/bash\nset -m\nclaude --session-id one\n");
    rig.probe(&entry);
    rig.start();
    let pane = rig.workspace("a");
    let opened = open(&rig, &pane);
    rig.wait_agent(&opened, Some("claude"));
    assert!(!rig.foreground_is_shell(&opened));
    rig.report(&opened, "claude", "one");
    rig.wait_saved("\"one\"");
    rig.crash();
    rig.start();
    rig.wait_idle(&opened);
    assert_eq!(rig.pane(&opened)["agent"], Value::Null);
    assert_eq!(rig.pane(&opened)["agent_session"]["value"], "one");
}

#[test]
fn a_relative_program_of_a_pane_is_looked_for_where_the_pane_starts() {
    let rig = Rig::started();
    rig.home.script("plug/run", "#!/bin/sh\nsleep 305\n");
    rig.probe("[[panes]]\nid = \"run\"\ntitle = \"run\"\ncommand = [\"./run\"]\n");
    let pane = rig.workspace("a");
    let mut params = json!({
        "plugin_id": "mam.probe", "entrypoint": "run", "placement": "split", "target_pane_id": pane,
    });
    rig.call("plugin.pane.open", params.clone());
    params["cwd"] = json!(rig.home.text("a"));
    assert_eq!(rig.error("plugin.pane.open", params), "plugin_pane_open_failed");
    assert_eq!(rig.panes().len(), 2);
}
