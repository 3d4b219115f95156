//! An interactive shell on a pty, driven line by line.

use std::path::PathBuf;

use crate::support::home::{Home, read};
use crate::support::pty::Pty;
use crate::support::tools::needs;

/// A shell under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bash,
    Zsh,
    Fish,
    Dash,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Bash, Self::Zsh, Self::Fish, Self::Dash];

    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
            Self::Dash => "dash",
        }
    }

    /// The name that `init` knows.
    pub(crate) fn init_name(self) -> &'static str {
        if self == Self::Dash { "sh" } else { self.program() }
    }

    /// Interactive, without any file of the machine's or the tester's.
    pub(crate) fn interactive(self) -> &'static [&'static str] {
        match self {
            Self::Bash => &["--noprofile", "--norc", "--noediting", "-i"],
            Self::Zsh => &["-f", "-i", "+Z"],
            Self::Fish => &["--no-config", "-i"],
            Self::Dash => &["-i"],
        }
    }

    /// A line that sources `path`.
    pub(crate) fn source(self, path: &std::path::Path) -> String {
        let path = path.to_str().unwrap();
        let quoted = match self {
            Self::Fish => format!("'{}'", path.replace('\\', "\\\\").replace('\'', "\\'")),
            Self::Bash | Self::Zsh | Self::Dash => format!("'{}'", path.replace('\'', "'\\''")),
        };
        format!(". {quoted}")
    }

    /// An expression for the exit status of the last command.
    pub(crate) fn status(self) -> &'static str {
        if self == Self::Fish { "$status" } else { "$?" }
    }
}

/// A herdr that writes down how it was called and how it was given the overlay.
const HERDR: &str = "#!/bin/sh\n[ \"$1 $2\" = 'config check' ] && { echo 'config: ok'; exit 0; }\n\
    { printf 'config=%s\\n' \"${HERDR_CONFIG_PATH-unset}\"; for word; do printf '<%s>\\n' \"$word\"; done; } > \"$HOME/called\"\n\
    case \"$*\" in *wait*) echo waiting; exec sleep 60;; *fail*) exit 42;; esac\n";

/// A home with the integration of each shell, our program, and a herdr that writes down its calls.
pub(crate) fn home() -> Home {
    let home = Home::new().without_mam();
    home.program("herdr", HERDR);
    integrate(&home);
    home
}

/// Puts the program on the PATH and the integration of each shell into the home.
pub(crate) fn integrate(home: &Home) {
    home.link_program("mam-render-config", home.renderer());
    for kind in Kind::ALL {
        for scope in ["hosts", "all"] {
            let text = home.render(&["init", kind.init_name(), "--scope", scope]).stdout;
            home.write(&format!("{}.{scope}", kind.program()), text);
        }
    }
}

/// A running shell.
pub(crate) struct Session<'a> {
    pub(crate) kind: Kind,
    home: &'a Home,
    pty: Pty,
    lines: usize,
}

impl<'a> Session<'a> {
    /// Starts the shell; `None` when the machine does not have it.
    pub(crate) fn start(kind: Kind, home: &'a Home, variables: &[(&str, &str)]) -> Option<Self> {
        let program = needs(kind.program())?;
        Some(Self::start_program(kind, home, &program, kind.interactive(), variables))
    }

    pub(crate) fn start_program(
        kind: Kind,
        home: &'a Home,
        program: &PathBuf,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let mut command = home.command(program);
        command.args(arguments).envs(variables.iter().copied()).env("PS1", "> ");
        // fish asks its terminal what it can do and waits for the answer.
        command.env("TERM", "dumb").env("fish_features", "no-query-term");
        let mut session = Self { kind, home, pty: Pty::start(command), lines: 0 };
        session.run("true");
        session
    }

    /// Runs a line and returns what it printed.
    #[track_caller]
    pub(crate) fn run(&mut self, line: &str) -> String {
        self.lines += 1;
        let number = self.lines;
        // Put together by the shell, so that the echo of the line is not taken for its output.
        let mark = |word: &str| format!("printf '%s\\n' {word}-''{number}-''mark");
        let before = self.pty.screen().len();
        // One line, so that no prompt comes between the output and the marks.
        self.pty.send(&format!("{}; {line}; {}\n", mark("begin"), mark("end")));
        let (begin, end) = (format!("begin-{number}-mark"), format!("end-{number}-mark"));
        self.pty.wait(&format!("end of {line:?}"), |screen| screen.contains(&end));
        let screen = self.pty.screen();
        let output = screen.get(before..).unwrap_or_default();
        let after = output.split_once(&begin).map_or(output, |(_, rest)| rest);
        let text = after.split_once(&end).map_or(after, |(text, _)| text);
        text.trim_start_matches("\r\n").to_owned()
    }

    pub(crate) fn source(&mut self, scope: &str) -> String {
        let path = self.home.path(&format!("{}.{scope}", self.kind.program()));
        self.run(&self.kind.source(&path))
    }

    /// Runs a line that calls herdr, and returns what herdr was called with.
    #[track_caller]
    pub(crate) fn call(&mut self, line: &str) -> String {
        drop(fs_err::remove_file(self.home.path("called")));
        let printed = self.run(line);
        let called = self.home.path("called");
        assert!(called.exists(), "{:?}: herdr was not called by {line:?}:\n{printed}", self.kind);
        read(&called)
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.pty.send(text);
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        self.pty.wait_for(text);
    }
}
