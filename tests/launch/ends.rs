//! How an agent ends, and what the pane is then: recorded, said, and a shell on a sane terminal.

use std::ffi::OsString;

use mam_host::session::record::{Ended, Status};
use rustix::process::Signal;

use super::rig::{Rig, is_alive, signal, until};

#[track_caller]
fn ended(rig: &Rig) -> Ended {
    let found = std::cell::Cell::new(None);
    until("its end is recorded", || match rig.record().status {
        Status::Ended { how, at } => {
            assert!(at.ends_with('Z') && at.len() == 20, "{at}");
            found.set(Some(how));
            true
        }
        Status::Launching { .. } | Status::Running { .. } | Status::Failed { .. } => false,
    });
    let how = found.get().unwrap();
    assert_eq!(rig.record().history[0].ended, Some(how));
    how
}

#[test]
fn each_end_is_recorded_and_said_and_a_shell_follows_in_the_directory() {
    for (script, how, words) in [
        ("exit 0", Ended::Code(0), "claude has ended;"),
        ("exit 7", Ended::Code(7), "claude ended with exit code 7;"),
        ("kill -SEGV $$", Ended::Signal(11), "claude was ended by SIGSEGV;"),
        ("kill -KILL $$", Ended::Signal(9), "claude was ended by SIGKILL;"),
    ] {
        let rig = Rig::new();
        let mut pty = rig.run(script);
        pty.wait_for(words);
        pty.wait_for("`mam resume review` brings it back");
        pty.wait_for("ready>");
        assert_eq!(ended(&rig), how, "{script}");
        pty.send("echo in $PWD with ${MAM_LAUNCH-nothing}; echo pid $$\n");
        pty.wait_for(&format!("in {} with nothing", rig.home.path("a dir").display()));
        // The pane's process is the shell now: nothing of ours stays behind it.
        pty.wait_for(&format!("pid {}", pty.pid()));
        assert_eq!(rig.processes(), [pty.pid()], "{script}");
    }
}

#[test]
fn a_crash_in_raw_mode_leaves_a_sane_terminal() {
    for end in ["kill -SEGV $$", "kill -KILL $$", "exit 1"] {
        let rig = Rig::new();
        // The alternate screen, the mouse, pasted text in brackets, no cursor.
        let script =
            format!("stty raw -echo; printf '\\033[?1049h\\033[?1003h\\033[?2004h\\033[?25l'; {end}");
        rig.script(&script, &[]);
        let mut command = rig.command();
        command.env("TERM", "xterm-256color");
        let mut pty = crate::support::pty::Pty::start(command);
        pty.wait_for("ready>");
        let screen = pty.screen();
        for off in ["\x1b[?1049l", "\x1b[?1003l", "\x1b[?2004l", "\x1b[?25h"] {
            let (on, off) = (screen.rfind("\x1b[?25l").unwrap(), screen.rfind(off));
            assert!(off > Some(on), "{off:?} does not follow: {screen:?}");
        }
        pty.send("stty -a\n");
        pty.wait_for("rows 50");
        pty.wait("cooked modes", |screen| {
            let modes = screen.rsplit("rows 50").next().unwrap_or_default();
            [" icanon ", " echo ", " isig ", " opost ", " icrnl "]
                .iter()
                .all(|mode| format!(" {} ", modes.replace(['\r', '\n', ';'], " ")).contains(mode))
        });
    }
}

#[test]
fn an_agent_without_a_terminal_is_not_left_over() {
    // One that does not listen is killed.
    for (trap, how) in
        [("", Ended::Signal(1)), ("trap 'exit 5' HUP; ", Ended::Code(5)), ("trap '' HUP; ", Ended::Signal(9))]
    {
        let rig = Rig::new();
        let mut pty = rig.run(&format!("{trap}echo up; while :; do sleep 0.05; done"));
        pty.wait_for("up");
        let agent = rig.agent();
        pty.hang_up();
        until("the agent is gone", || !is_alive(agent));
        pty.wait_for_end();
        assert_eq!(ended(&rig), how, "{trap}");
        until("nothing is left", || rig.processes().is_empty());
    }
}

#[test]
fn a_pane_that_is_asked_to_end_ends_with_its_agent() {
    let rig = Rig::new();
    let mut pty = rig.run("trap 'exit 4' TERM; echo up; while :; do sleep 0.05; done");
    pty.wait_for("up");
    signal(pty.pid(), Signal::TERM);
    assert_eq!(pty.wait_for_end().code(), Some(0));
    assert_eq!(ended(&rig), Ended::Code(4));
}

#[test]
fn an_agent_that_is_ended_from_outside_leaves_its_pane() {
    let rig = Rig::new();
    let pty = rig.run("echo up; exec sleep 60");
    pty.wait_for("up");
    signal(rig.agent(), Signal::TERM);
    pty.wait_for("claude was ended by SIGTERM;");
    pty.wait_for("ready>");
    assert_eq!(ended(&rig), Ended::Signal(15));
}

#[test]
fn a_program_or_directory_that_is_missing_is_said_and_a_shell_follows() {
    let argv = |name: &str| vec![OsString::from(name)];
    let rig = Rig::new();
    let broken = rig.home.program("broken", "#!/nonexistent/interpreter\n");
    for (argv, directory, words) in [
        (
            argv("nosuch"),
            "a dir",
            vec!["there is no program `nosuch`", "PATH searched: ", "/bin:/usr/local/bin:/usr/bin:/bin"],
        ),
        (argv("./nosuch"), "a dir", vec!["there is no program `./nosuch`"]),
        (argv(broken.to_str().unwrap()), "a dir", vec!["cannot be run"]),
        (argv("agent"), "gone", vec!["/gone` of the agent is gone", "resume review --cwd DIR"]),
    ] {
        let mut record = rig.asked(argv);
        record.cwd = rig.home.path(directory);
        rig.write(&record);
        let pty = rig.launch();
        for word in words {
            pty.wait_for(word);
        }
        pty.wait_for("ready>");
        let Status::Failed { reason, .. } = rig.record().status else { panic!("{:?}", rig.record()) };
        assert!(rig.log().contains(reason.lines().next().unwrap()), "{reason}");
    }
}
