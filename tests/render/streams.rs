//! Standard streams that are closed, full, or read by nobody.

use std::process::Stdio;

use crate::support::home::{Home, read, run};

const CONFIG: &str = "[ui]\nsidebar_width = 30\n";

/// Every command that prints, with what it exits with after a first render.
const COMMANDS: &[&[&str]] = &[
    &["--no-herdr-check"],
    &["--no-herdr-check", "--json"],
    &["check"],
    &["check", "--json"],
    &["print", "--no-herdr-check"],
    &["diff", "--no-herdr-check"],
    &["explain", "--no-herdr-check"],
    &["explain", "--json", "--no-herdr-check"],
    &["env", "sh", "--no-herdr-check"],
    &["init", "bash"],
    &["completions", "zsh"],
    &["man"],
    &["--help"],
    &["explain", "--help"],
    &["--version"],
];

fn home() -> Home {
    let home = Home::new();
    home.write_config(CONFIG);
    home.render(&["--no-herdr-check"]);
    home
}

/// In a shell, with `redirections`.
fn in_shell(home: &Home, arguments: &[&str], redirections: &str) -> crate::support::home::Ran {
    let mut command = home.command("/bin/sh");
    command.args(["-c", &format!("exec \"$0\" \"$@\" {redirections}")]).arg(home.renderer()).args(arguments);
    run(&mut command)
}

#[test]
fn a_reader_that_went_away_is_no_failure() {
    let home = home();
    for arguments in COMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = home.mam(arguments);
        let status = command.stdout(writer).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{arguments:?}: {status}");
    }
}

#[test]
fn an_answer_that_cannot_be_written_is_one() {
    let home = home();
    for arguments in COMMANDS {
        let ran = in_shell(&home, arguments, "> /dev/full");
        // What the parser of the command line prints by itself ends as it likes.
        let is_parsers = arguments.iter().any(|word| ["--help", "--version"].contains(word));
        if is_parsers {
            assert_ne!(ran.code, None, "{ran}");
        } else {
            ran.expect(73).says("error: the answer cannot be written: No space left on device");
        }
    }
    // Also to a person whose terminal is gone.
    in_shell(&home, &["--no-herdr-check", "--set", "x=1"], "2> /dev/full").expect(0);
}

/// A file that is opened in the place of a closed stream would get what is printed.
#[test]
fn closed_streams_never_put_output_into_a_file() {
    for redirections in ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        let home = Home::new();
        home.program("herdr", "#!/bin/sh\necho 'config: issues found'\necho 'unknown config key x'\n");
        home.write_config(CONFIG);
        for arguments in [&[][..], &["--json"], &["explain"], &["--config", "/nonexistent/x", "write-back"]] {
            in_shell(&home, arguments, redirections).expect(0);
        }
        assert_eq!(read(&home.config()), CONFIG, "{redirections}");
        let overlay = format!(
            "# Made by mam-render-config from {}: edit that file, not this one.\n{CONFIG}\n[session]\n\
             resume_agents_on_restore = false\n",
            home.config().display()
        );
        assert_eq!(home.overlay_text(), overlay, "{redirections}");
        home.render(&["check"]);
    }
}

/// herdr, too, would open its files in their place.
#[test]
fn herdr_is_started_with_all_three_streams() {
    for redirections in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
        let home = Home::new().without_mam();
        home.program(
            "herdr",
            "#!/bin/sh\n[ \"$1\" = config ] || for number in 0 1 2; do\n  [ -e /proc/$$/fd/$number ] && echo open\n\
             done > \"$HOME/streams\"\necho 'config: ok'\n",
        );
        in_shell(&home, &["exec", "--", "herdr", "--session", "mam"], redirections).expect(0);
        assert_eq!(read(&home.path("streams")), "open\nopen\nopen\n", "{redirections}");
    }
}
