//! The command line, as it was typed. Nothing here looks at the world.

use std::ffi::OsString;
use std::path::PathBuf;

use mam_share::exit::Exit;
use mam_share::failure::Failure;

use crate::command_line::{self, Given, Opt, Program, Typed};

/// What can be typed.
pub static PROGRAM: Program = Program {
    name: "mam-restore-hook",
    about: "Closes the empty shells that herdr restored in place of agents that were resumed elsewhere",
    more: "Nothing else is ever closed: a pane stays at the slightest doubt, and `list` says which.",
    commands: &[
        command("close", Some("close-restored-shells"), "Close leftovers", CLOSE),
        command("list", None, "Show every restored shell and whether it would be closed", &[SESSION, JSON]),
        command("install", None, "Have herdr call this program: link it as a plugin", &[CHECK, HERDR]),
        command("uninstall", None, "Undo install", &[HERDR]),
        command("startup", None, "What herdr calls when a server has started", &[]),
        command("event", None, "What herdr calls when it has detected an agent", &[]),
    ],
    after: "Examples:
  mam-restore-hook install                 have herdr call it by itself
  mam-restore-hook list --session mam      what is left over, and why it stays
  mam-restore-hook close --session mam     close what is left over now

Exit codes: 0 done, 1 no (install --check), 2 usage, 69 herdr is not there, 73 cannot write,
75 try again, 78 will not work until someone changes something.",
};

const CLOSE: &[Opt] = &[
    Opt {
        name: "session-id",
        value: Some("ID"),
        help: "The conversation that was resumed: its restored shells are closed even where nobody can see it \
            run. Without it, those whose conversation runs in another pane",
        is_hidden: false,
    },
    SESSION,
    Opt {
        name: "dry-run",
        value: None,
        help: "Show what would be done, and change nothing",
        is_hidden: false,
    },
    JSON,
    Opt {
        name: "herdr",
        value: Some("PATH"),
        help: "Taken and not needed: the session's socket is used",
        is_hidden: true,
    },
];
const SESSION: Opt = Opt {
    name: "session",
    value: Some("NAME"),
    help: "The herdr session [default: $HERDR_SESSION_NAME, else $HERDR_SESSION]",
    is_hidden: false,
};
const JSON: Opt = Opt { name: "json", value: None, help: "Print the answer as JSON", is_hidden: false };
const CHECK: Opt = Opt {
    name: "check",
    value: None,
    help: "Say whether the plugin is linked, enabled and current, and change nothing",
    is_hidden: false,
};
const HERDR: Opt = Opt {
    name: "herdr",
    value: Some("PATH"),
    help: "The herdr program [default: the one on PATH]",
    is_hidden: false,
};

const fn command(
    name: &'static str,
    alias: Option<&'static str>,
    about: &'static str,
    options: &'static [Opt],
) -> command_line::Command {
    command_line::Command { name, alias, about, options }
}

/// What is wanted.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    /// `close`.
    Close(Close),
    /// `list`.
    List(List),
    /// `install`.
    Install(Install),
    /// `uninstall`, with the herdr program.
    Uninstall(Option<PathBuf>),
    /// `startup`.
    Startup,
    /// `event`.
    Event,
    /// This text, on stdout.
    Answer(String),
    /// This text, and it was wrong to type nothing.
    Help(String),
}

/// Arguments of `close`.
#[derive(Debug, PartialEq, Eq)]
pub struct Close {
    /// The conversation that was resumed.
    pub session_id: Option<String>,
    /// The herdr session.
    pub session: Option<String>,
    /// Change nothing.
    pub dry_run: bool,
    /// Answer in JSON.
    pub json: bool,
}

/// Arguments of `list`.
#[derive(Debug, PartialEq, Eq)]
pub struct List {
    /// The herdr session.
    pub session: Option<String>,
    /// Answer in JSON.
    pub json: bool,
}

/// Arguments of `install`.
#[derive(Debug, PartialEq, Eq)]
pub struct Install {
    /// Change nothing.
    pub check: bool,
    /// The herdr program.
    pub herdr: Option<PathBuf>,
}

/// Reads the words behind the program's name.
///
/// # Errors
/// What is not understood.
pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Wanted, Failure> {
    let (command, given) = match PROGRAM.read(words)? {
        Typed::Command(command, given) => (command, given),
        Typed::Question(text) => return Ok(Wanted::Answer(text)),
        Typed::Nothing(text) => return Ok(Wanted::Help(text)),
    };
    let herdr = |given: &Given| given.value("herdr").map(PathBuf::from);
    Ok(match command.name {
        "close" => Wanted::Close(Close {
            session_id: given.text("session-id")?,
            session: given.text("session")?,
            dry_run: given.has("dry-run"),
            json: given.has("json"),
        }),
        "list" => Wanted::List(List { session: given.text("session")?, json: given.has("json") }),
        "install" => Wanted::Install(Install { check: given.has("check"), herdr: herdr(&given) }),
        "uninstall" => Wanted::Uninstall(herdr(&given)),
        "startup" => Wanted::Startup,
        "event" => Wanted::Event,
        other => return Err(Failure::new(Exit::Usage, format!("`{other}` is not done by this program"))),
    })
}
