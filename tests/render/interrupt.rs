//! Ctrl-C, and other ways to be asked to end, while herdr hangs: nothing is left behind.

use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::home::{Home, read, write};
use crate::support::pty::Pty;
use crate::support::tools::needs;

const INTERRUPT: i32 = 2;

/// A herdr whose `config check` hangs, and writes down itself and a child of its own.
const HANGS: &str = "#!/bin/sh\nsleep 600 &\necho $$ $! > \"$HOME/pids.new\"\nmv \"$HOME/pids.new\" \"$HOME/pids\"\n\
    echo half an answer\nwait\n";

/// One that answers when it is told to.
const WAITS: &str = "#!/bin/sh\necho $$ > \"$HOME/pids\"\nuntil [ -e \"$HOME/go\" ]; do sleep 0.02; done\n\
    echo 'config: ok'\n";

fn home() -> Home {
    let home = Home::new().without_mam();
    home.program("herdr", HANGS);
    home.write_config("[ui]\nsidebar_width = 30\n");
    fs_err::create_dir(home.path("tmp")).unwrap();
    home
}

/// Every command that asks herdr.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["--strict"],
    &["--json"],
    &["--reload"],
    &["print"],
    &["diff"],
    &["explain"],
    &["write-back", "--yes"],
    &["env", "sh"],
    &["exec", "--", "herdr", "--session", "mam"],
    &["exec", "--scope", "all", "--", "herdr"],
];

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until herdr hangs, and returns the processes that there are of it.
fn hanging(home: &Home) -> Vec<i32> {
    wait_until("herdr is not asked", || home.path("pids").exists());
    read(&home.path("pids")).split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

/// Whether a process runs; one that has ended and whose new parent has not looked yet does not.
fn is_alive(pid: i32) -> bool {
    let status = fs_err::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && !line.contains("zombie"))
}

#[track_caller]
fn assert_nothing_left(home: &Home, pids: &[i32], what: &str) {
    for pid in pids {
        wait_until(&format!("{what}: process {pid} is left"), || !is_alive(*pid));
    }
    for directory in ["tmp", ".config/herdr", ".local/state/mam/overlays"] {
        let entries = fs_err::read_dir(home.path(directory)).into_iter().flatten();
        let names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        assert!(names.iter().all(|name| !name.ends_with(".mam-tmp")), "{what}: {names:?} in {directory}");
    }
    drop(fs_err::remove_file(home.path("pids")));
}

fn command(home: &Home, arguments: &[&str]) -> std::process::Command {
    let mut command = home.mam(arguments);
    command.env("TMPDIR", home.path("tmp"));
    command
}

#[test]
fn ctrl_c_ends_every_command_that_waits_for_herdr_and_leaves_nothing() {
    let home = home();
    for arguments in COMMANDS {
        let mut terminal = Pty::start(command(&home, arguments));
        let pids = hanging(&home);
        terminal.send("\u{3}");
        let status = terminal.wait_for_end();
        assert_eq!(status.signal(), Some(INTERRUPT), "{arguments:?}: {status}\n{}", terminal.screen());
        assert_nothing_left(&home, &pids, &format!("{arguments:?}"));
        assert!(!home.overlay().exists(), "{arguments:?} wrote an overlay that nobody had checked");
    }
}

#[test]
fn a_file_that_was_there_before_is_still_there() {
    let home = home();
    home.render(&["--no-herdr-check"]);
    let before = home.overlay_text();
    home.write_config("[ui]\nsidebar_width = 31\n");
    let mut terminal = Pty::start(command(&home, &[]));
    let pids = hanging(&home);
    terminal.send("\u{3}");
    terminal.wait_for_end();
    assert_nothing_left(&home, &pids, "render");
    assert_eq!(home.overlay_text(), before);
}

#[test]
fn a_window_that_is_closed_and_a_kill_leave_nothing_either() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP, rustix::process::Signal::QUIT]
    {
        let home = home();
        let mut render = command(&home, &[]).process_group(0).spawn().unwrap();
        let pids = hanging(&home);
        rustix::process::kill_process(rustix::process::Pid::from_child(&render), signal).unwrap();
        let status = render.wait().unwrap();
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
        assert_nothing_left(&home, &pids, &format!("{signal:?}"));
    }
    let home = home();
    let mut terminal = Pty::start(command(&home, &[]));
    let pids = hanging(&home);
    terminal.hang_up();
    assert_eq!(terminal.wait_for_end().signal(), Some(1));
    assert_nothing_left(&home, &pids, "hung up");
}

/// As `nohup` has it: who asked for that does not want the render to end with the window.
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let home = home();
    home.program("herdr", WAITS);
    let mut shell = home.command("/bin/sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\""]).arg(home.renderer());
    let render = shell.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    hanging(&home);
    rustix::process::kill_process(rustix::process::Pid::from_child(&render), rustix::process::Signal::HUP)
        .unwrap();
    write(&home.path("go"), "");
    let ended = render.wait_with_output().unwrap();
    assert!(ended.status.success());
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "herdr was not heard to the end");
    assert!(home.overlay().exists());
}

/// herdr gets the signals that whoever called had: a program that blocks them cannot be ended any more.
#[test]
fn herdr_is_asked_with_no_signal_blocked() {
    let Some(awk) = needs("awk") else { return };
    let home = Home::new();
    // No shell: some unblock everything themselves.
    let program = format!(
        "#!{} -f\nBEGIN {{\n  while ((getline line < \"/proc/self/status\") > 0)\n    if (line ~ /^SigBlk/) \
         print line > (ENVIRON[\"HOME\"] \"/mask\")\n  print \"config: ok\"\n}}\n",
        awk.display()
    );
    home.program("herdr", &program);
    home.render(&[]).silent();
    assert_eq!(read(&home.path("mask")), "SigBlk:\t0000000000000000\n");
}

#[test]
fn ctrl_c_at_the_question_of_write_back_writes_nothing() {
    let home = Home::new();
    home.program("herdr", "#!/bin/sh\necho 'config: ok'\n");
    home.write_config("[ui]\n");
    home.render(&[]);
    write(&home.overlay(), home.overlay_text() + "\n[theme]\nname = \"nord\"\n");
    for (typed, signal, code) in
        [("\u{3}", Some(INTERRUPT), None), ("\u{4}", None, Some(1)), ("n\n", None, Some(1))]
    {
        let mut terminal = Pty::start(command(&home, &["write-back"]));
        terminal.wait_for("? [y/N] ");
        terminal.send(typed);
        let status = terminal.wait_for_end();
        assert_eq!((status.signal(), status.code()), (signal, code), "{typed:?}\n{}", terminal.screen());
        assert_nothing_left(&home, &[], "write-back");
        assert_eq!(read(&home.config()), "[ui]\n");
    }
}

#[test]
fn a_shell_sees_that_a_signal_ended_it() {
    let Some(bash) = needs("bash") else { return };
    let home = home();
    let mut shell = home.command(bash);
    shell
        .args(["--noprofile", "--norc", "--noediting", "-i"])
        .env("PS1", "> ")
        .env("TMPDIR", home.path("tmp"));
    let mut terminal = Pty::start(shell);
    terminal.send(&format!("{}\n", quoted(home.renderer())));
    let pids = hanging(&home);
    terminal.send("\u{3}");
    terminal.send("echo status-''$?-\n");
    terminal.wait_for("status-130-");
    assert_nothing_left(&home, &pids, "in a shell");
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_str().unwrap().replace('\'', "'\\''"))
}
