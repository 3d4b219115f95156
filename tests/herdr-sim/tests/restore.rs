//! Restore: what a new server makes of the session that the old one left.

use crate::support::{Rig, process_env, wait};
use serde_json::{Value, json};

const OFF: &str = "[session]\nresume_agents_on_restore = false\n";

/// A session with an agent in one pane and a plain shell in another, crashed after it was saved.
fn crashed() -> Rig {
    let mut rig = Rig::started();
    rig.home.fake_agent("claude");
    let pane = rig.workspace("a");
    rig.type_line(&pane, "claude --session-id one");
    rig.wait_agent(&pane, Some("claude"));
    rig.report(&pane, "claude", "one");
    rig.workspace("b");
    rig.wait_saved("\"one\"");
    rig.wait_saved("/b\"");
    crash(&mut rig);
    rig
}

fn crash(rig: &mut Rig) {
    let agent = rig.panes().iter().find(|pane| pane["agent"] == "claude").cloned();
    let agent = agent.map(|pane| rig.info(pane["pane_id"].as_str().unwrap()));
    rig.crash();
    let pid = agent.and_then(|info| info["foreground_process_group_id"].as_i64());
    wait("the agent died with its terminal", || pid.is_none_or(crate::support::gone).then_some(()));
    std::fs::remove_file(rig.home.path("argv.log")).unwrap();
}

fn restores(rig: &Rig) -> usize {
    rig.file("herdr-server.log").matches("session restore evaluated").count()
}

#[test]
fn with_resume_on_the_bare_command_runs() {
    let mut rig = crashed();
    rig.start();
    rig.wait_agent("w1:p1", Some("claude"));
    assert_eq!(rig.home.read("argv.log"), "--resume one\n");
    assert_eq!(restores(&rig), 2);
    assert_eq!(rig.panes().len(), 2);
    assert_eq!(rig.pane("w1:p1")["cwd"], rig.home.text("a"));
}

#[test]
fn with_resume_off_a_plain_shell_keeps_the_conversation() {
    let mut rig = crashed();
    rig.config(OFF);
    rig.start();
    let started = kernel_start(i64::from(rig.pid()));
    rig.wait_idle("w1:p1");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(rig.home.read("argv.log"), "");
    let pane = rig.pane("w1:p1");
    assert_eq!(pane["agent"], Value::Null);
    assert_eq!(pane["agent_status"], "unknown");
    assert_eq!(pane["agent_session"]["value"], "one");
    assert_eq!(rig.error("agent.get", json!({"target": "w1:p1"})), "agent_not_found");
    assert!(rig.foreground_is_shell("w1:p1"));
    for pane in ["w1:p1", "w2:p1"] {
        let later = kernel_start(rig.shell_pid(pane)) - started;
        assert!((0..=30).contains(&later), "{pane} is {later} ticks younger than the server");
    }
    // An agent that runs in it again, and leaves, takes the conversation along.
    rig.type_line("w1:p1", "claude");
    rig.wait_agent("w1:p1", Some("claude"));
    rig.call("pane.send_keys", json!({"pane_id": "w1:p1", "keys": ["ctrl+c"]}));
    rig.wait_agent("w1:p1", None);
    assert_eq!(rig.pane("w1:p1")["agent_session"], Value::Null);
}

/// When a process started, in ticks of 10 ms.
fn kernel_start(pid: i64) -> i64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit(") ").next().unwrap().split(' ').nth(19).unwrap().parse().unwrap()
}

/// Restarts a crashed session under a config, and says whether the agent was relaunched.
fn relaunches(rig: &mut Rig, config: &str) -> bool {
    rig.home.write(".config/herdr/config.toml", config.as_bytes());
    rig.home.write("argv.log", b"");
    // A dropped config drops the shell with it.
    rig.env("SHELL", &rig.home.text("shell.sh"));
    rig.start();
    let relaunched = wait("the shell settled", || {
        let agent = rig.pane("w1:p1")["agent"] == "claude";
        let read = rig.call("pane.read", json!({"pane_id": "w1:p1", "source": "recent"}));
        let text = read["read"]["text"].as_str()?.trim_end().to_owned();
        let idle = (text.ends_with('$') || text.ends_with('#')) && !text.contains("--resume");
        (agent || idle).then_some(agent)
    });
    let logged = rig.home.read("argv.log").contains("--resume one");
    crash(rig);
    relaunched && logged
}

#[test]
fn configs_that_say_off_and_relaunch_all_the_same() {
    let mut rig = crashed();
    let shell = rig.home.read(".config/herdr/config.toml");
    let off = format!("{shell}{OFF}");
    for config in [
        format!("{off}[session]\n"),
        format!("{off}[ui]\nsidebar_width = \"wide\"\n"),
        format!("{off}[ui.toast]\ndelivery = \"x\"\n"),
        format!("{shell}[session]\nresume_agents_on_restore = \"false\"\n"),
    ] {
        assert!(relaunches(&mut rig, &config), "{config}");
    }
}

#[test]
fn configs_that_say_off_and_mean_it() {
    let mut rig = crashed();
    let shell = rig.home.read(".config/herdr/config.toml");
    let off = format!("{shell}{OFF}");
    for config in [
        format!("{off}[unknown]\nkey = 1\n"),
        format!("session.resume_agents_on_restore = false\n{shell}"),
        format!("session = {{ resume_agents_on_restore = false }}\n{shell}"),
        format!("\u{feff}{off}").replace('\n', "\r\n"),
    ] {
        assert!(!relaunches(&mut rig, &config), "{config}");
    }
}

#[test]
fn a_config_path_without_a_file_relaunches() {
    let mut rig = crashed();
    rig.config(OFF);
    rig.env("SHELL", &rig.home.text("shell.sh"));
    for path in ["", "/nonexistent/config.toml"] {
        rig.env("HERDR_CONFIG_PATH", path);
        rig.home.write("argv.log", b"");
        rig.start();
        rig.wait_agent("w1:p1", Some("claude"));
        let env = process_env(rig.shell_pid("w1:p1"));
        assert!(env.contains(&format!("HERDR_CONFIG_PATH={path}")));
        crash(&mut rig);
    }
}

#[test]
fn a_removed_directory_restores_in_the_home() {
    let mut rig = crashed();
    rig.config(OFF);
    std::fs::remove_dir_all(rig.home.path("a")).unwrap();
    rig.start();
    let home = rig.home.path("").display().to_string();
    assert_eq!(rig.pane("w1:p1")["cwd"], home.trim_end_matches('/'));
    assert_eq!(rig.pane("w2:p1")["cwd"], rig.home.text("b"));
}

#[test]
fn the_layout_the_labels_and_the_numbers_come_back() {
    let mut rig = Rig::started();
    let first = rig.workspace("a");
    let second = rig.split(&first);
    let third = rig.split(&first);
    rig.call("pane.rename", json!({"pane_id": third, "label": "three"}));
    rig.call("pane.close", json!({"pane_id": second}));
    let spare = rig.workspace("b");
    rig.call("pane.close", json!({"pane_id": spare}));
    let shape = |rig: &Rig| rig.call("pane.layout", json!({"pane_id": third}))["layout"].clone();
    let before = (shape(&rig), rig.pane(&third)["terminal_id"].clone());
    rig.stop();
    rig.start();
    assert_eq!(shape(&rig), before.0);
    assert_ne!(rig.pane(&third)["terminal_id"], before.1);
    assert_eq!(rig.pane(&third)["label"], "three");
    assert_eq!(rig.split(&first), "w1:p4", "numbers do not come again");
}

#[test]
fn the_session_is_written_some_time_after_a_change() {
    let mut rig = Rig::new();
    rig.env("HERDR_SIM_SAVE_MS", "1000");
    rig.start();
    rig.workspace("a");
    assert_eq!(rig.file("session.json"), "");
    rig.wait_saved("\"custom_name\": \"a\"");
    let saved: Value = serde_json::from_str(&rig.file("session.json")).unwrap();
    let pane = json!({"cwd": rig.home.text("a")});
    let tab = json!({
        "custom_name": null, "layout": {"Pane": 1}, "panes": {"1": pane}, "zoomed": false,
        "focused": 1, "root_pane": 1,
    });
    let workspace = json!({
        "id": "w1", "custom_name": "a", "identity_cwd": rig.home.text("a"),
        "public_pane_numbers": {"1": 1}, "next_public_pane_number": 2,
        "public_tab_numbers": [1], "next_public_tab_number": 2, "tabs": [tab], "active_tab": 0,
    });
    assert_eq!(
        saved,
        json!({
            "version": 3, "workspaces": [workspace], "active": 0, "selected": 0,
            "sidebar_width": 26, "sidebar_section_split": 0.5, "collapsed_space_keys": [],
        })
    );
}

#[test]
fn restore_fires_no_event_but_the_start() {
    let mut rig = crashed();
    let events = [
        "pane.created",
        "workspace.created",
        "tab.created",
        "pane.focused",
        "workspace.focused",
        "pane.agent_detected",
    ];
    let hooks: String =
        events.map(|event| format!("[[events]]\non = \"{event}\"\ncommand = [\"./hook\"]\n")).concat();
    rig.probe(&format!("[[startup]]\ncommand = [\"./hook\"]\n{hooks}"));
    rig.start();
    rig.wait_agent("w1:p1", Some("claude"));
    wait("both hooks ran", || (rig.events().len() == 2).then_some(()));
    let mut events = rig.events();
    events.sort();
    assert_eq!(events, ["pane.agent_detected", "startup"]);
}
