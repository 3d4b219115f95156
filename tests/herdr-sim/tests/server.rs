//! A server's life: where it lives, who may be it, how it ends.

use std::os::fd::AsRawFd as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Stdio;

use crate::support::{Home, Rig, wait};
use serde_json::json;

#[test]
fn it_says_where_it_listens_and_only_its_user_may_talk() {
    let mut rig = Rig::new();
    let mut command = rig.command(&["server"]);
    let out = std::fs::File::create(rig.home.path("out")).unwrap();
    command.stdout(out);
    rig.start_with(command);
    let (dir, said) = (rig.dir(), rig.home.read("out"));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "herdr server running; you can use any herdr CLI command in another terminal.",
            &format!("api socket: {dir}/herdr.sock"),
            &format!("client socket: {dir}/herdr-client.sock"),
            &format!("logs: {dir}/herdr-server.log"),
            "did you mean to open the Herdr TUI? run `herdr`; you do not need `herdr server`.",
        ]
    );
    for socket in ["herdr.sock", "herdr-client.sock"] {
        let mode = std::fs::metadata(format!("{dir}/{socket}")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{socket}");
    }
    let peer = std::os::unix::net::UnixStream::connect(rig.socket()).unwrap();
    let peer = rustix::net::sockopt::socket_peercred(&peer).unwrap();
    assert_eq!(peer.pid.as_raw_nonzero().get(), rig.pid());
}

#[test]
fn the_default_session_lives_in_the_config_directory() {
    let mut rig = Rig::new();
    rig.session = "default";
    rig.start();
    assert!(rig.home.path(".config/herdr/herdr.sock").exists());
    let pane = rig.workspace("a");
    let env = crate::support::process_env(rig.shell_pid(&pane));
    assert!(!env.iter().any(|pair| pair.starts_with("HERDR_SESSION=")), "{env:?}");
}

#[test]
fn there_is_one_server_per_session() {
    let rig = Rig::started();
    let second = rig.command(&["server"]).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(said.contains("herdr server is already running"), "{said}");
}

#[test]
fn sigterm_is_a_clean_stop() {
    let mut rig = Rig::started();
    let shell = rig.workspace("a");
    let shell = rig.shell_pid(&shell);
    rig.stop();
    assert!(!rig.socket().exists());
    assert!(!std::path::Path::new(&rig.dir()).join("herdr-client.sock").exists());
    wait("the shell is hung up", || crate::support::gone(shell).then_some(()));
    assert!(rig.file("session.json").contains("\"custom_name\": \"a\""));
}

#[test]
fn a_killed_server_leaves_its_sockets_and_the_next_one_starts() {
    let mut rig = Rig::started();
    rig.crash();
    assert!(rig.socket().exists());
    let list = rig.command(&["pane", "list"]).output().unwrap();
    assert_eq!(list.status.code(), Some(1));
    let said: serde_json::Value = serde_json::from_slice(&list.stderr).unwrap();
    assert_eq!(said["error"]["code"], "server_not_running");
    assert_eq!(said["id"], "cli:pane:list");
    rig.start();
    assert!(rig.panes().is_empty());
}

#[test]
fn session_names_are_checked() {
    let home = Home::new();
    let long = "x".repeat(65);
    for name in ["", "a b", "ä", "a/b", &long] {
        let out = home.run(&["--session", name, "pane", "list"]);
        assert_eq!(out.status.code(), Some(2), "{name:?}");
        assert!(!String::from_utf8(out.stderr).unwrap().starts_with('{'));
    }
    let fits = "A.b_c-9".to_owned() + &"x".repeat(57);
    assert_eq!(home.run(&["--session", &fits, "pane", "list"]).status.code(), Some(1));
}

#[test]
fn a_socket_path_may_be_too_long() {
    let home = Home::new();
    let name = "x".repeat(64);
    let deep = home.dir(&"d".repeat(60));
    let out = home.command(&["--session", &name, "server"]).env("HOME", deep).output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("local socket name length exceeds capacity of sun_path"), "{said}");
}

#[test]
fn the_option_beats_the_socket_variable_which_beats_the_session_variable() {
    let mut one = Rig::started();
    let pane = one.workspace("a");
    let list = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = one.home.command(args);
        let out = command.envs(env.iter().copied()).output().unwrap();
        String::from_utf8(out.stdout).unwrap().contains(&pane)
    };
    let socket = one.socket();
    let socket = socket.to_str().unwrap();
    let list_panes = &["pane", "list"];
    assert!(list(list_panes, &[("HERDR_SESSION", "s")]));
    assert!(!list(list_panes, &[("HERDR_SESSION", "other")]));
    assert!(list(list_panes, &[("HERDR_SOCKET_PATH", socket), ("HERDR_SESSION", "other")]));
    let option = &["--session", "other", "pane", "list"];
    assert!(!list(option, &[("HERDR_SOCKET_PATH", socket), ("HERDR_SESSION", "s")]));
    one.stop();
}

#[test]
fn sessions_are_listed_stopped_and_deleted() {
    let mut rig = Rig::started();
    let listed = rig.home.run(&["session", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed["sessions"][0]["name"], "default");
    assert_eq!(listed["sessions"][1]["name"], "s");
    assert_eq!(listed["sessions"][1]["running"], true);
    assert!(!rig.home.run(&["session", "delete", "s"]).status.success());
    assert!(rig.home.run(&["session", "stop", "s"]).status.success());
    rig.server.take().unwrap().wait().unwrap();
    assert!(rig.home.run(&["session", "delete", "s"]).status.success());
    assert!(!std::path::Path::new(&rig.dir()).exists());
}

#[test]
fn a_record_lock_taken_before_exec_stays_with_the_server_and_is_free_after_a_handoff() {
    let mut rig = Rig::new();
    let lock = std::fs::File::create(rig.home.path("lock")).unwrap();
    let number = lock.as_raw_fd();
    let mut command = rig.server_command();
    // SAFETY: the closure makes two system calls on a descriptor that stays open.
    unsafe {
        command.pre_exec(move || {
            let fd = std::os::fd::BorrowedFd::borrow_raw(number);
            rustix::fs::fcntl_lock(fd, rustix::fs::FlockOperation::NonBlockingLockExclusive)?;
            rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty())?;
            Ok(())
        });
    }
    rig.start_with(command);
    let pane = rig.workspace("a");
    let holder = || {
        let probe = rustix::process::Flock::from(rustix::process::FlockType::WriteLock);
        let held = rustix::process::fcntl_getlk(&lock, &probe).unwrap();
        held.and_then(|held| held.pid).map(|pid| pid.as_raw_nonzero().get())
    };
    assert_eq!(holder(), Some(rig.pid()));
    let fds = std::fs::read_dir(format!("/proc/{}/fd", rig.shell_pid(&pane))).unwrap();
    let mut targets = fds.flatten().filter_map(|fd| std::fs::read_link(fd.path()).ok());
    assert!(!targets.any(|target| target.ends_with("lock")), "the pane has the lock's file");
    rig.call("server.live_handoff", json!({}));
    rig.server.take().unwrap().wait().unwrap();
    assert_eq!(holder(), None);
}

#[test]
fn a_client_without_a_server_starts_one_with_its_environment() {
    let mut rig = Rig::new();
    rig.env("FROM_CLIENT", "yes");
    let mut client = rig.command(&[]).stdout(Stdio::null()).spawn().unwrap();
    wait("the server answers", || rig.try_call("ping", json!({})));
    let pane = rig.workspace("a");
    let env = crate::support::process_env(rig.shell_pid(&pane));
    assert!(env.contains(&"FROM_CLIENT=yes".to_owned()), "{env:?}");
    // The client has no terminal, so it claims 80 columns and 24 rows.
    wait("the panes follow the client", || (rig.pane(&pane)["scroll"]["viewport_rows"] == 23).then_some(()));
    client.kill().unwrap();
    client.wait().unwrap();
    wait("and the size without one", || (rig.pane(&pane)["scroll"]["viewport_rows"] == 39).then_some(()));
}
