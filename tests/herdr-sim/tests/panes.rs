//! Panes: real shells on real terminals, in a layout.

use std::os::fd::AsFd as _;

use crate::support::{Rig, process_env, wait};
use serde_json::json;

#[test]
fn the_shell_has_the_servers_environment_and_its_own_place() {
    let mut rig = Rig::new();
    rig.env("SECRET", "yes");
    rig.env("CODEX_THREAD_ID", "gone");
    rig.env("HERDR_PANE_ID", "w7:p7");
    rig.start();
    let cwd = rig.home.dir("a");
    let params = json!({"cwd": cwd, "env": {"MORE": "1", "SECRET": ""}});
    let made = rig.call("workspace.create", params);
    let pane = made["root_pane"]["pane_id"].as_str().unwrap();
    assert_eq!(made["workspace"]["label"], "a");
    let env = process_env(rig.shell_pid(pane));
    let socket = rig.socket();
    for pair in [
        "HERDR_ENV=1",
        "HERDR_SESSION=s",
        "HERDR_WORKSPACE_ID=w1",
        "HERDR_TAB_ID=w1:t1",
        "HERDR_PANE_ID=w1:p1",
        &format!("HERDR_SOCKET_PATH={}", socket.display()),
        &format!("HERDR_BIN_PATH={}", crate::support::SIM),
        &format!("PWD={cwd}"),
        "MORE=1",
        "SECRET=",
    ] {
        assert!(env.contains(&pair.to_owned()), "{pair} in {env:?}");
    }
    assert!(!env.iter().any(|pair| pair.starts_with("CODEX_THREAD_ID")));
}

#[test]
fn shells_are_not_login_shells_unless_the_config_says_so() {
    let mut rig = Rig::new();
    rig.home.write(".config/herdr/config.toml", b"[terminal]\ndefault_shell = \"\"\n");
    rig.env("SHELL", "/bin/bash");
    rig.start();
    let name = |rig: &Rig| {
        let made = rig.call("workspace.create", json!({"cwd": rig.home.dir("a")}));
        let info = rig.info(made["root_pane"]["pane_id"].as_str().unwrap());
        info["foreground_processes"][0]["argv"][0].as_str().unwrap_or_default().to_owned()
    };
    wait("the shell was executed", || (name(&rig) == "/bin/bash").then_some(()));
    rig.config("shell_mode = \"login\"\n");
    rig.call("server.reload_config", json!({}));
    wait("the shell was executed", || (name(&rig) == "-bash").then_some(()));
}

#[test]
fn without_a_client_there_are_120_columns_and_40_rows() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    rig.type_line(&pane, "stty size | tr ' ' x > size");
    let size =
        wait("the shell told its size", || Some(rig.home.read("a/size")).filter(|text| text.ends_with('\n')));
    assert_eq!(size, "39x94\n");
    assert_eq!(rig.pane(&pane)["scroll"]["viewport_rows"], 39);
}

#[test]
fn process_info_shows_the_foreground_only() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    let shell = rig.info(&pane);
    assert_eq!(shell["foreground_processes"][0]["argv"], json!(["bash", "--norc", "-i"]));
    assert_eq!(shell["foreground_processes"][0]["cmdline"], "bash --norc -i");
    assert_eq!(shell["foreground_processes"][0]["cwd"], rig.home.text("a"));
    rig.type_line(&pane, "sleep 301");
    let busy = wait("sleep runs", || {
        Some(rig.info(&pane)).filter(|info| info["foreground_processes"][0]["name"] == "sleep")
    });
    let sleep = busy["foreground_processes"][0].clone();
    assert_eq!(busy["foreground_process_group_id"], sleep["pid"]);
    assert_ne!(busy["shell_pid"], sleep["pid"]);
    rig.call("pane.send_keys", json!({"pane_id": pane, "keys": ["ctrl+z"]}));
    wait("the shell is back", || rig.foreground_is_shell(&pane).then_some(()));
    assert_eq!(rig.info(&pane)["foreground_processes"].as_array().unwrap().len(), 1);
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", sleep["pid"])).unwrap();
    let state = stat.rsplit(") ").next().unwrap().split(' ').next().unwrap();
    assert_eq!(state, "T", "the stopped job is still there");
}

#[test]
fn busy_shells_look_idle_in_process_info() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    for line in ["sleep 302 &", "coproc sleep 303", "while :; do :; done"] {
        rig.type_line(&pane, line);
    }
    let pid = rig.shell_pid(&pane);
    wait("the shell loops, with two children", || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
        let two = children.split_whitespace().count() == 2;
        (stat.contains(") R ") && two && rig.foreground_is_shell(&pane)).then_some(())
    });
}

#[test]
fn the_terminal_tells_read_from_a_line_editor() {
    let rig = Rig::started();
    let pane = rig.workspace("a");
    let tty = std::fs::File::open(format!("/proc/{}/fd/0", rig.shell_pid(&pane))).unwrap();
    let canonical = || {
        let modes = rustix::termios::tcgetattr(tty.as_fd()).unwrap();
        modes.local_modes.contains(rustix::termios::LocalModes::ICANON)
    };
    wait("the line editor switched it off", || (!canonical()).then_some(()));
    rig.type_line(&pane, "read x");
    wait("read switched it on", || canonical().then_some(()));
    assert!(rig.foreground_is_shell(&pane));
}
