//! What an agent finds when it starts: every byte of its arguments, its own environment, the foreground.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use super::rig::Rig;

/// Writes down what the kernel says of the agent. `$$` is the agent itself. A shell blocks signals for as
/// long as it starts another process, so that the masks are read by the shell's own words.
const REPORT: &str = "while IFS= read -r line; do echo \"$line\"; done < /proc/$$/status > \"$HOME/status\"; \
    for what in cmdline environ stat; do cat /proc/$$/$what > \"$HOME/$what\"; done; \
    tty > \"$HOME/tty\"; pwd > \"$HOME/pwd\"; readlink /proc/$$/cwd > \"$HOME/cwd\"; \
    stty -a > \"$HOME/stty\"; : > \"$HOME/done\"";

fn raw(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

/// Arguments that break whoever quotes, splits, decodes or interprets them.
fn awkward() -> Vec<OsString> {
    let every_byte: Vec<u8> = (1..=255).collect();
    let texts: [&[u8]; 16] = [
        b"",
        b"$HOME",
        b"it's",
        b"m x",
        b"--",
        b"-p",
        b"--profile",
        b"--json",
        b"a\nb",
        b"\xff\xfe",
        b"\\",
        b"\"",
        b"`id`",
        b"*",
        b"",
        b"-",
    ];
    texts.iter().map(|text| raw(text)).chain([raw(&every_byte)]).collect()
}

#[test]
fn every_byte_of_the_arguments_arrives() {
    let rig = Rig::new();
    rig.script(REPORT, &awkward());
    let pty = rig.launch();
    rig.file("done");
    let mut expected: Vec<u8> = Vec::new();
    let argv = [raw(b"agent"), raw(b"-c"), raw(REPORT.as_bytes()), raw(b"agent")];
    for argument in argv.into_iter().chain(awkward()) {
        expected.extend(argument.into_vec());
        expected.push(0);
    }
    assert!(rig.file("cmdline") == expected, "{}", String::from_utf8_lossy(&rig.file("cmdline")));
    pty.wait_for("ready>");
}

#[test]
fn an_agent_is_alone_in_the_foreground_with_nothing_blocked_ignored_or_leaked() {
    let rig = Rig::new();
    rig.script(REPORT, &[]);
    let mut command = rig.command();
    command.env("FROM_PANE", "yes").env("MAM_LAUNCH", "another").env("MAM_HOST", "/x");
    let pty = crate::support::pty::Pty::start(command);
    rig.file("done");
    let stat = rig.text("stat");
    let (head, rest) = stat.rsplit_once(") ").unwrap();
    let pid = head.split_once(" (").unwrap().0;
    let fields: Vec<&str> = rest.split(' ').collect();
    let (parent, group, session, foreground) = (fields[1], fields[2], fields[3], fields[5]);
    assert_eq!((group, foreground), (pid, pid), "its own group, in the foreground");
    let launcher = pty.pid().to_string();
    assert_eq!((parent, session), (launcher.as_str(), launcher.as_str()));
    let status = rig.text("status");
    for mask in ["SigBlk", "SigIgn"] {
        let line = status.lines().find(|line| line.starts_with(mask)).unwrap();
        let mask = u64::from_str_radix(line.rsplit('\t').next().unwrap(), 16).unwrap();
        // Signals 32 and above are those of a C library.
        assert_eq!(mask & 0x7fff_ffff, 0, "{line}");
    }
    assert!(rig.text("tty").starts_with("/dev/pts/"), "stdin is the terminal itself");
    let directory = rig.home.path("a dir").to_str().unwrap().to_owned();
    assert_eq!((rig.text("pwd"), rig.text("cwd")), (directory.clone(), directory.clone()));
    let environ = rig.text("environ");
    let variables: Vec<&str> = environ.split('\0').collect();
    assert!(variables.contains(&"FROM_PANE=yes") && variables.contains(&&*format!("PWD={directory}")));
    assert!(!environ.contains("MAM_LAUNCH") && !environ.contains("MAM_HOST"), "{environ}");
    pty.wait_for("claude has ended; `mam resume review` brings it back");
    pty.wait_for("ready>");
}

#[test]
fn no_descriptor_leaks_into_an_agent() {
    let rig = Rig::new();
    // The fourth is the listing's own.
    let pty = rig.run("exec ls /proc/self/fd");
    pty.wait_for("claude has ended");
    let screen = pty.screen();
    let listed = screen.split("mam:").next().unwrap().split_whitespace();
    assert_eq!(listed.collect::<Vec<_>>(), ["0", "1", "2", "3"]);
}

#[test]
fn a_pane_names_the_session_in_its_environment() {
    let rig = Rig::new();
    rig.script("echo started-$((40+2)); sleep 60", &[]);
    let mut command = rig.home.command(env!("CARGO_BIN_EXE_mam"));
    command.arg("launch").env("MAM_LAUNCH", "review").env("SHELL", "/bin/sh");
    crate::support::pty::Pty::start(command).wait_for("started-42");
}

#[test]
fn a_new_size_of_the_terminal_reaches_the_agent() {
    let rig = Rig::new();
    let script = "trap 'echo size $(stty size)' WINCH; echo up; while :; do sleep 0.1; done";
    let pty = rig.run(script);
    pty.wait_for("up");
    pty.resize(33, 77);
    pty.wait_for("size 33 77");
}
