//! Colours: for a person at a terminal that has some, and who did not refuse.

use crate::support::home::Home;
use crate::support::pty::Pty;

/// What a command prints on a terminal.
fn on_terminal(home: &Home, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = home.command("/bin/sh");
    command.args(["-c", "\"$0\" \"$@\"; echo the-end"]).arg(home.renderer()).args(arguments);
    command.envs(variables.iter().copied());
    let terminal = Pty::start(command);
    terminal.wait_for("the-end");
    terminal.screen().replace("the-end", "")
}

#[test]
fn a_terminal_gets_colours_unless_somebody_refuses() {
    let home = Home::new();
    home.program(
        "herdr",
        "#!/bin/sh\necho 'config: issues found'\necho 'unknown config key x; ignoring key'\n",
    );
    home.write_config("x = 1\n[session]\nresume_agents_on_restore = true\n");
    let commands: [(&[&str], &[&str]); 4] = [
        (
            &["diff"],
            &["\u{1b}[31m-resume_agents_on_restore = true", "\u{1b}[32m+resume_agents_on_restore = false"],
        ),
        (&["--set", "a=1"], &["\u{1b}[1m\u{1b}[33mwarning:\u{1b}[0m herdr says: unknown config key x"]),
        (&["--herdr", "/nonexistent"], &["\u{1b}[1m\u{1b}[31merror:\u{1b}[0m", "\u{1b}[36mhint:\u{1b}[0m"]),
        (&["nosuch"], &["\u{1b}["]),
    ];
    for (arguments, coloured) in commands {
        let screen = on_terminal(&home, arguments, &[]);
        for text in coloured {
            assert!(screen.contains(text), "{arguments:?}: no {text:?} in\n{screen:?}");
        }
        for refusal in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            let screen = on_terminal(&home, arguments, &[refusal]);
            assert!(!screen.is_empty() && !screen.contains('\u{1b}'), "{refusal:?}: {screen:?}");
        }
    }
    // What is an answer for programs is never coloured.
    for arguments in [&["print"][..], &["explain"], &["explain", "--json"], &["check"], &["env", "sh"]] {
        let screen = on_terminal(&home, arguments, &[]);
        let answer: Vec<&str> =
            screen.lines().filter(|line| !line.starts_with("mam-render-config: ")).collect();
        assert!(!answer.is_empty() && answer.iter().all(|line| !line.contains('\u{1b}')), "{screen:?}");
    }
}
