//! When `mam launch` starts nothing.

use mam_host::session::record::Status;
use rustix::process::Signal;

use super::rig::{Rig, is_alive, signal, until};
use crate::support::home::run;
use crate::support::pty::Pty;

#[test]
fn two_launches_of_one_record_are_one_agent() {
    let rig = Rig::new();
    let first = rig.run("echo run >> \"$HOME/runs\"; echo up; sleep 60");
    first.wait_for("up");
    let mut second = rig.launch();
    second.wait_for(&format!("session `review` is run by another `mam launch` (pid {})", first.pid()));
    assert_eq!(second.wait_for_end().code(), Some(75));
    assert_eq!(rig.text("runs"), "run");
    assert!(is_alive(rig.agent()));
    assert!(rig.log().contains("\theld\t"), "{}", rig.log());
}

#[test]
fn twenty_launches_at_once_are_one_agent() {
    let rig = Rig::new();
    rig.script("echo run >> \"$HOME/runs\"; sleep 60", &[]);
    let mut all: Vec<Pty> = (0..20).map(|_| rig.launch()).collect();
    rig.agent();
    let launcher = std::cell::Cell::new(0);
    until("one has the lease", || {
        let agent = mam_share::process::Kernel::table(&mam_share::process::kernel()).unwrap();
        launcher.set(agent.get(rig.agent()).map_or(0, |agent| agent.parent));
        launcher.get() != 0
    });
    for pty in all.iter_mut().filter(|pty| pty.pid() != launcher.get()) {
        assert_eq!(pty.wait_for_end().code(), Some(75), "{}", pty.screen());
    }
    assert_eq!(rig.text("runs"), "run");
}

#[test]
fn an_agent_that_outlived_its_launcher_is_not_started_again() {
    let rig = Rig::new();
    let pty = rig.run("trap '' HUP; echo run >> \"$HOME/runs\"; echo up; while :; do sleep 0.1; done");
    pty.wait_for("up");
    let agent = rig.agent();
    signal(pty.pid(), Signal::KILL);
    until("the launcher is gone", || !is_alive(pty.pid()));
    assert!(is_alive(agent));
    let mut second = rig.launch();
    second.wait_for(&format!("(pid {agent}) still runs, without its `mam launch`"));
    assert_eq!(second.wait_for_end().code(), Some(75));
    assert_eq!(rig.text("runs"), "run");
    signal(agent, Signal::KILL);
    until("the agent is gone", || !is_alive(agent));
    let mut third = rig.launch();
    third.wait_for("mam resume review");
    assert_eq!(third.wait_for_end().code(), Some(78));
    assert_eq!(rig.text("runs"), "run");
}

#[test]
fn what_nobody_asked_for_is_not_started() {
    let rig = Rig::new();
    let mut nothing = rig.launch();
    nothing.wait_for("there is no session `review`");
    assert_eq!(nothing.wait_for_end().code(), Some(78));
    let pty = rig.run("echo run >> \"$HOME/runs\"");
    pty.wait_for("ready>");
    let mut again = rig.launch();
    again.wait_for("no launch of session `review` was asked for");
    assert_eq!(again.wait_for_end().code(), Some(78));
    assert_eq!(rig.text("runs"), "run");
}

#[test]
fn without_a_terminal_of_its_own_nothing_is_started() {
    let rig = Rig::new();
    rig.script("echo run >> \"$HOME/runs\"", &[]);
    let ran = run(&mut rig.command());
    ran.expect(78).says("stdin is no terminal").says("mam resume review");
    assert!(matches!(rig.record().status, Status::Launching { .. }));
    assert!(!rig.home.path("runs").exists());
}

#[test]
fn a_stage_whose_launcher_is_gone_starts_nothing() {
    let rig = Rig::new();
    let mut command = rig.home.command(env!("CARGO_BIN_EXE_mam"));
    // Its stdin is at its end.
    command.args(["become", "/bin/sh", "sh", "-c", "echo run"]);
    let ran = run(&mut command);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(75), ""), "{ran}");
}

#[test]
fn no_agent_runs_that_no_record_names_wherever_its_launcher_is_killed() {
    let rig = Rig::new();
    for step in 0..60_u64 {
        drop(fs_err::remove_file(rig.home.path("runs")));
        rig.script("echo $$ >> \"$HOME/runs\"; exec sleep 60", &[]);
        let pty = rig.launch();
        std::thread::sleep(std::time::Duration::from_micros(step * 700));
        signal(pty.pid(), Signal::KILL);
        until("the launcher is gone", || !is_alive(pty.pid()));
        // What was let go gets as far as it gets.
        let recorded = match rig.record().status {
            Status::Running { process } => Some(process.pid.to_string()),
            Status::Launching { .. } => None,
            status @ (Status::Ended { .. } | Status::Failed { .. }) => panic!("step {step}: {status:?}"),
        };
        until("nobody is half started", || {
            let table = mam_share::process::Kernel::table(&mam_share::process::kernel()).unwrap();
            rig.processes().iter().all(|pid| table.get(*pid).is_none_or(|found| found.name != "mam"))
        });
        let runs = rig.home.path("runs");
        let runs = if runs.exists() { crate::support::home::read(&runs) } else { String::new() };
        let ran: Vec<&str> = runs.lines().collect();
        assert!(
            ran.is_empty() || Some(ran[0].to_owned()) == recorded && ran.len() == 1,
            "step {step}: {ran:?}, {recorded:?}"
        );
        for pid in rig.processes() {
            signal(pid, Signal::KILL);
        }
    }
}
