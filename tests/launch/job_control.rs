//! Keys that a terminal turns into signals, and jobs that stop.

use mam_host::session::record::{Ended, Status};
use rustix::process::Signal;

use super::rig::{Rig, is_alive, signal, until};

#[test]
fn ctrl_c_is_the_agents_alone() {
    let rig = Rig::new();
    let mut pty = rig.run("trap 'echo interrupted' INT; echo up; while :; do sleep 0.05; done");
    pty.wait_for("up");
    for _ in 0..3 {
        let before = pty.screen().matches("interrupted").count();
        pty.send("\x03");
        pty.wait("another interrupt", |screen| screen.matches("interrupted").count() > before);
    }
    pty.send("\x1c");
    pty.wait_for("claude was ended by SIGQUIT;");
    pty.wait_for("ready>");
}

#[test]
fn ctrl_c_ends_an_agent_and_not_the_pane() {
    let rig = Rig::new();
    let mut pty = rig.run("echo up; exec sleep 60");
    pty.wait_for("up");
    pty.send("\x03");
    pty.wait_for("claude was ended by SIGINT;");
    pty.wait_for("ready>");
    // What was typed once too often does not hit the shell.
    pty.send("echo still $((40+2))\n");
    pty.wait_for("still 42");
}

#[test]
fn ctrl_z_gives_a_shell_and_leaving_it_goes_on_with_the_agent() {
    let rig = Rig::new();
    let script = "trap 'echo continued' CONT; stty -echo; echo up; while :; do if read line; then echo got $line; \
        [ \"$line\" = quit ] && exit; fi; done";
    let mut pty = rig.run(script);
    pty.wait_for("up");
    let agent = rig.agent();
    for round in 1..3 {
        pty.send("\x1a");
        pty.wait("the words", |screen| {
            screen.matches("claude is stopped, and this is a shell beside it").count() == round
        });
        pty.wait("a prompt", |screen| screen.matches("ready>").count() >= round);
        assert!(matches!(rig.record().status, Status::Running { .. }));
        // A shell with the terminal as it was, and jobs of its own.
        pty.send(&format!("echo aside-$((40+{round}))\n"));
        pty.wait_for(&format!("aside-4{round}"));
        pty.send("stty -a | grep -o ' echo '; exit\n");
        pty.wait("it goes on", |screen| screen.matches("continued").count() >= round);
        pty.send(&format!("line{round}\n"));
        pty.wait_for(&format!("got line{round}"));
        assert_eq!(rig.agent(), agent);
    }
    let echoes = pty.screen().matches("\n echo ").count();
    assert_eq!(echoes, 2, "the shell beside had no echo: {}", pty.screen());
    // The agent has its own modes again: what is typed is not shown.
    assert!(!pty.screen().contains("\nline"), "{}", pty.screen());
    pty.send("quit\n");
    pty.wait_for("claude has ended;");
}

#[test]
fn an_agent_that_is_killed_while_it_is_stopped_is_recorded_at_once() {
    let rig = Rig::new();
    let mut pty = rig.run("echo up; exec sleep 60");
    pty.wait_for("up");
    pty.send("\x1a");
    pty.wait_for("ready>");
    signal(rig.agent(), Signal::KILL);
    pty.wait_for("claude was ended by SIGKILL;");
    until("it is recorded", || matches!(rig.record().status, Status::Ended { how: Ended::Signal(9), .. }));
    pty.send("echo aside-$((40+2)); exit\n");
    pty.wait_for("aside-42");
    pty.wait("the pane's own shell", |screen| screen.matches("ready>").count() >= 2);
    pty.send("echo pid $$\n");
    pty.wait_for(&format!("pid {}", pty.pid()));
}

#[test]
fn a_pane_that_is_closed_while_its_agent_is_stopped_leaves_nothing() {
    let rig = Rig::new();
    let mut pty = rig.run("echo up; exec sleep 60");
    pty.wait_for("up");
    let agent = rig.agent();
    pty.send("\x1a");
    pty.wait_for("ready>");
    pty.hang_up();
    until("the agent is gone", || !is_alive(agent));
    until("nothing is left", || rig.processes().is_empty());
    assert!(matches!(rig.record().status, Status::Ended { .. }));
}

#[test]
fn an_agent_whose_foreground_was_stolen_gets_it_back() {
    let Some(python) = crate::support::tools::needs("python3") else { return };
    let rig = Rig::new();
    // As a child does that is an interactive shell and is killed.
    let thief = "import os,signal\nsignal.signal(signal.SIGTTOU,signal.SIG_IGN)\nos.setpgid(0,0)\nos.tcsetpgrp(0,os.getpgrp())\n";
    rig.home.write("thief.py", thief);
    let script = format!(
        "echo up; read a; '{}' \"$HOME/thief.py\"; echo stolen; read b; echo read $b",
        python.display()
    );
    let mut pty = rig.run(&script);
    pty.wait_for("up");
    pty.send("x\n");
    pty.wait_for("stolen");
    pty.send("y\n");
    pty.wait_for("read y");
    pty.wait_for("claude has ended;");
    assert!(!pty.screen().contains("is stopped"), "{}", pty.screen());
}
