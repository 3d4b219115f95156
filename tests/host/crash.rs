//! Many at once, and SIGKILL at any moment: never two owners, and the next start works.

use std::process::Stdio;
use std::time::Duration;

use super::rig::{Rig, is_alive, kill, on_each};
use crate::support::home::run;

#[test]
fn twenty_starts_at_once_are_one_server_and_twenty_successes() {
    on_each(|rig| {
        let mut commands: Vec<_> = (0..20).map(|_| rig.command(&["start"])).collect();
        let threads: Vec<_> =
            commands.drain(..).map(|mut command| std::thread::spawn(move || run(&mut command))).collect();
        let ran: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        for ran in &ran {
            ran.expect(0);
        }
        let pid = rig.pid();
        assert_eq!(rig.servers(), [pid]);
        assert!(ran.iter().all(|ran| ran.stdout.contains(&format!("pid {pid},"))));
    });
}

#[test]
fn a_start_after_a_kill_at_any_moment_works() {
    on_each(|rig| {
        for step in 0..40_u64 {
            let (verb, pause) = if step % 2 == 0 { ("run", 3) } else { ("start", 4) };
            let mut child = rig.command(&[verb]);
            let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(step / 2 * pause));
            child.kill().unwrap();
            child.wait().unwrap();
            rig.ok(&["start", "-q"]);
            let pid = rig.pid();
            assert_eq!(rig.servers(), [pid], "step {step}");
            assert!(is_alive(pid));
            // The host too ends by force, and leaves its record and its sockets.
            kill(pid);
            super::rig::until("it is gone", || !is_alive(pid));
        }
    });
}

#[test]
fn a_restart_that_was_killed_leaves_something_to_start_from() {
    let rig = Rig::sim();
    for step in 0..20_u64 {
        rig.ok(&["start", "-q"]);
        let mut child = rig.command(&["restart", "--all"]);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(step * 5));
        child.kill().unwrap();
        child.wait().unwrap();
        rig.ok(&["start", "-q"]);
        assert_eq!(rig.servers().len(), 1, "step {step}");
    }
}

#[test]
fn starts_stops_and_restarts_at_once_leave_at_most_one() {
    let rig = Rig::sim();
    let verbs: [&[&str]; 6] = [
        &["start"],
        &["restart", "--all"],
        &["stop"],
        &["start"],
        &["restart", "--all"],
        &["start", "--all"],
    ];
    for _ in 0..5 {
        let threads: Vec<_> = verbs
            .iter()
            .map(|verb| {
                let mut command = rig.command(verb);
                std::thread::spawn(move || run(&mut command))
            })
            .collect();
        for thread in threads {
            let ran = thread.join().unwrap();
            assert!(matches!(ran.code, Some(0 | 75)), "{ran}");
        }
        assert!(rig.servers().len() <= 1, "{:?}", rig.servers());
        rig.ok(&["start"]);
        assert_eq!(rig.servers(), [rig.pid()]);
    }
}
