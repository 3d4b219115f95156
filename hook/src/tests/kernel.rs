//! What the kernel says: the witnesses against a shell that only looks idle.

use mam_share::process::{Process, State, Tty};

use super::scene::{BOOT, Row, SERVER, SHELL, STARTED, Scene, check, process, seconds};
use crate::facts::Job;
use crate::mark::mark;

/// A minute and more after the restore: nothing is waited for.
const SETTLED: &[Row] = &[
    ("no process table", |scene| scene.has_table = false, "keep no-process-table"),
    ("nothing known of the shell", |scene| scene.shell = None, "keep shell-gone"),
    (
        "older than the server: a live handoff",
        |scene| scene.shell().started = seconds(99),
        "keep older-than-server",
    ),
    (
        "an agent behind a wrapper that herdr does not detect",
        |scene| {
            scene.shell().started = seconds(111);
        },
        "keep younger-than-restore",
    ),
    (
        "nine seconds after the server",
        |scene| {
            scene.shell().started = seconds(109);
            scene.more().terminal.last_input = Some(mark(seconds(BOOT + 109)));
        },
        "close",
    ),
    ("another's child", |scene| scene.shell().parent = 1, "keep not-the-servers"),
    (
        "a command in the foreground, by herdr",
        |scene| {
            scene.info().foreground_group = Some(1020);
            scene.info().foreground[0].pid = 1020;
        },
        "keep foreground",
    ),
    (
        "a command in the foreground, by the kernel",
        |scene| scene.shell().foreground = Some(1020),
        "keep foreground",
    ),
    ("no foreground known", |scene| scene.shell().foreground = None, "keep no-process-info"),
    (
        "a second process in the shell's group",
        |scene| {
            let mut other = scene.info().foreground[0].clone();
            other.pid = 1020;
            scene.info().foreground.push(other);
        },
        "keep foreground",
    ),
    ("sleep 300 &", |scene| scene.processes.push(process(1020, SHELL, "sleep")), "keep child"),
    (
        "a stopped editor",
        |scene| {
            scene.processes.push(Process { state: State::Stopped, ..process(1020, SHELL, "vim") });
        },
        "keep stopped-job",
    ),
    ("a coprocess", |scene| scene.processes.push(process(1020, SHELL, "bash")), "keep child"),
    ("a nested shell", |scene| scene.processes.push(process(1020, SHELL, "bash")), "keep child"),
    (
        "a dead child that nobody has noticed",
        |scene| {
            scene.processes.push(Process { state: State::Zombie, tty: None, ..process(1020, SHELL, "x") });
        },
        "keep child",
    ),
    (
        "a busy loop",
        |scene| {
            scene.shell().state = State::Running;
            scene.waited = seconds(1);
        },
        "keep computes",
    ),
    ("a prompt that is being redrawn", |scene| scene.shell().state = State::Running, "wait computes"),
    ("a stopped shell", |scene| scene.shell().state = State::Stopped, "keep odd-state"),
    ("a shell that waits for a disk", |scene| scene.shell().state = State::Blocked, "keep odd-state"),
    ("a state nobody knows", |scene| scene.shell().state = State::Other('Q'), "keep odd-state"),
    (
        "a disowned job on the terminal",
        |scene| scene.processes.push(process(1020, 1, "sleep")),
        "keep shares-terminal",
    ),
    (
        "a job in a session of its own",
        |scene| {
            scene.processes.push(Process { tty: None, session: 1020, ..process(1020, 1, "sleep") });
            scene.jobs.push(Job { pid: 1020, pane_id: "w1:p1".into() });
        },
        "keep job",
    ),
    (
        "such a job of another pane",
        |scene| {
            scene.processes.push(Process { tty: None, session: 1020, ..process(1020, 1, "sleep") });
            scene.jobs.push(Job { pid: 1020, pane_id: "w2:p1".into() });
        },
        "close",
    ),
    (
        "such a job that has just ended",
        |scene| scene.jobs.push(Job { pid: 1020, pane_id: "w1:p1".into() }),
        "close",
    ),
    (
        "a process on another terminal",
        |scene| {
            scene.processes.push(Process { tty: Some(Tty::new("pts/2")), ..process(1020, 1, "vim") });
        },
        "close",
    ),
    ("a shell without a terminal", |scene| scene.shell().tty = None, "keep no-terminal"),
    ("gitstatusd", |scene| scene.processes.push(process(1020, SHELL, "gitstatusd-linu")), "close"),
    (
        "gitstatusd in the shell's group",
        |scene| {
            scene.processes.push(Process { group: SHELL, ..process(1020, SHELL, "gitstatusd-linu") });
            let mut other = scene.info().foreground[0].clone();
            other.pid = 1020;
            scene.info().foreground.push(other);
        },
        "close",
    ),
    (
        "gitstatusd that lost its parent",
        |scene| scene.processes.push(process(1020, 1, "gitstatusd-linu")),
        "close",
    ),
    (
        "a worker of zsh",
        |scene| {
            scene.shell().name = "zsh".into();
            let worker = process(1020, SHELL, "zsh");
            scene.processes.push(Process { session: 1020, tty: Some(Tty::new("pts/7")), ..worker });
        },
        "close",
    ),
    ("read x", |scene| scene.more().terminal.is_canonical = Some(true), "keep reads-line"),
    (
        "dash has no line editor, and may hold half a line",
        |scene| {
            scene.more().terminal.is_canonical = Some(true);
            scene.more().program = Some("dash".into());
        },
        "keep reads-line",
    ),
    ("modes of the terminal unknown", |scene| scene.more().terminal.is_canonical = None, "keep no-terminal"),
    ("use of the terminal unknown", |scene| scene.more().terminal.last_input = None, "keep no-terminal"),
    (
        "a half-typed command",
        |scene| scene.more().terminal.last_input = Some(seconds(BOOT + 140)),
        "keep typed",
    ),
    (
        "something was read at the start",
        |scene| scene.more().terminal.last_input = Some(seconds(BOOT + 101)),
        "keep unwatched",
    ),
    (
        "nobody marked its terminal",
        |scene| scene.more().terminal.last_input = Some(STARTED),
        "keep unwatched",
    ),
    (
        "the clock was put forward",
        |scene| scene.more().terminal.last_input = Some(seconds(BOOT + 40)),
        "keep clock",
    ),
    ("the user changed directory", |scene| scene.more().directory = Some("/tmp".into()), "keep moved"),
    ("directory unknown", |scene| scene.more().directory = None, "keep no-directory"),
    (
        "start directory unknown: only a typed command changes it",
        |scene| scene.more().start_directory = None,
        "close",
    ),
    (
        "nu, by its pid and not by its name",
        |scene| {
            scene.shell().name = "nu".into();
            scene.more().program = Some("nu".into());
        },
        "close",
    ),
    (
        "the server's own child",
        |scene| scene.processes.push(process(1020, SERVER, "bash")),
        "keep shares-terminal",
    ),
];

#[test]
fn every_witness_can_keep_a_pane() {
    check(SETTLED);
}

#[test]
fn a_young_shell_is_given_time_unless_it_was_typed_into() {
    let busy: [(&str, fn(&mut Scene)); 5] = [
        ("child", |scene| scene.processes.push(process(1020, SHELL, "sleep"))),
        ("foreground", |scene| scene.shell().foreground = Some(1020)),
        ("computes", |scene| scene.shell().state = State::Running),
        ("reads-line", |scene| scene.more().terminal.is_canonical = Some(true)),
        ("odd-state", |scene| scene.shell().state = State::Blocked),
    ];
    for (name, change) in busy {
        let mut scene = Scene::new();
        scene.now = 103;
        scene.waited = seconds(2);
        change(&mut scene);
        assert_eq!(scene.short(), format!("wait {name}"));
        scene.now = 161;
        assert_eq!(scene.short(), format!("keep {name}"), "a minute later");
        scene.now = 120;
        scene.more().terminal.last_input = Some(seconds(BOOT + 110));
        let expected = if name == "reads-line" { "typed" } else { name };
        assert_eq!(scene.short(), format!("keep {expected}"), "typed into");
    }
}

#[test]
fn whoever_names_a_conversation_answers_for_a_start_that_nobody_watched() {
    let mut scene = Scene::new();
    scene.named = Some("X".into());
    scene.more().terminal.last_input = Some(STARTED);
    // The step of the kernel ends 4 s after the start.
    for (now, expected) in [(101, "wait unwatched"), (103, "wait unwatched"), (104, "close"), (300, "close")]
    {
        scene.now = now;
        assert_eq!(scene.short(), expected, "{now}");
    }
    // Something was read then, which nobody answers for.
    scene.more().terminal.last_input = Some(seconds(BOOT + 101));
    assert_eq!(scene.short(), "keep unwatched");
}

#[test]
fn a_shell_that_has_just_started_may_still_be_marked() {
    let mut scene = Scene::new();
    scene.more().terminal.last_input = Some(STARTED);
    for (now, expected) in [(101, "wait unwatched"), (103, "keep unwatched")] {
        scene.now = now;
        assert_eq!(scene.short(), expected);
    }
    scene.processes.push(process(1020, SHELL, "sleep"));
    for (now, expected) in [(101, "wait child"), (103, "keep child")] {
        scene.now = now;
        assert_eq!(scene.short(), expected);
    }
}
