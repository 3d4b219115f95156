//! Which session a herdr command line is for.

use std::ffi::OsStr;
use std::path::PathBuf;

use super::session_name::{NotAName, SessionName};
use crate::environment::Environment;
use crate::variable::{HERDR_SESSION, HERDR_SOCKET_PATH};

/// What a herdr command line talks to or starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The default session.
    Default,
    /// A named session.
    Session(SessionName),
    /// The server behind a socket that `HERDR_SOCKET_PATH` names. A server that is started so listens
    /// there, but restores the layout of the session that `HERDR_SESSION` names.
    Socket {
        /// The socket, absolute.
        socket: PathBuf,
        /// The session whose layout a new server restores.
        session: Option<SessionName>,
    },
    /// herdr will refuse the command line or the variable.
    Refused,
}

/// The target of `herdr ARGUMENTS` in `environment`, by herdr's rules: `--session NAME` anywhere
/// before `--` (the last one counts) or `session attach NAME`; else `HERDR_SOCKET_PATH`; else
/// `HERDR_SESSION`; else the default session.
pub fn target<A: AsRef<OsStr>>(arguments: &[A], environment: &Environment) -> Target {
    let words: Vec<&str> =
        arguments.iter().map(|word| word.as_ref().to_str().unwrap_or("\u{fffd}")).collect();
    match explicit(&words) {
        Explicit::Named(name) => named(name),
        Explicit::Malformed => Target::Refused,
        Explicit::None => {
            if let Some(socket) = environment.get(HERDR_SOCKET_PATH) {
                let session = environment.text(HERDR_SESSION).and_then(|name| name.parse().ok());
                return Target::Socket { socket: environment.absolute(socket), session };
            }
            environment.text(HERDR_SESSION).map_or(Target::Default, named)
        }
    }
}

enum Explicit<'a> {
    Named(&'a str),
    None,
    Malformed,
}

fn explicit<'a>(words: &[&'a str]) -> Explicit<'a> {
    if let ["session", "attach", rest @ ..] = words {
        return match rest {
            ["help" | "--help" | "-h", ..] => Explicit::None,
            [name] => Explicit::Named(name),
            _ => Explicit::Malformed,
        };
    }
    let mut found = Explicit::None;
    let mut words = words.iter().take_while(|word| **word != "--");
    while let Some(word) = words.next() {
        if *word == "--session" {
            match words.next() {
                Some(name) => found = Explicit::Named(name),
                None => return Explicit::Malformed,
            }
        } else if let Some(name) = word.strip_prefix("--session=") {
            found = Explicit::Named(name);
        }
    }
    found
}

fn named(name: &str) -> Target {
    match name.parse() {
        Ok(name) => Target::Session(name),
        Err(NotAName::Default) => Target::Default,
        Err(NotAName::Invalid) => Target::Refused,
    }
}

/// Whether a herdr command line may start a server: herdr's client and `server` do, its other commands
/// talk to one. What is not known counts as a start.
pub fn may_start<A: AsRef<OsStr>>(arguments: &[A]) -> bool {
    const TALK: [&str; 16] = [
        "agent",
        "api",
        "channel",
        "completion",
        "config",
        "integration",
        "notification",
        "pane",
        "plugin",
        "popup",
        "status",
        "tab",
        "update",
        "workspace",
        "worktree",
        "layout",
    ];
    let mut words = arguments.iter().map(|word| word.as_ref().to_str().unwrap_or_default());
    while let Some(word) = words.next() {
        match word {
            "--session" => drop(words.next()),
            _ if word.starts_with("--session=") => {}
            "server" | "session" => {
                let second = words.next().unwrap_or_default();
                return !matches!(second, "stop" | "reload-config" | "list" | "delete");
            }
            _ => return !TALK.contains(&word),
        }
    }
    true
}

/// A herdr command line that is nothing but a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// The client, which starts a server when it finds none.
    Client,
    /// The server, in the foreground.
    Server,
}

/// Whether a herdr command line is a start and says nothing but which session.
pub fn plain<A: AsRef<OsStr>>(arguments: &[A]) -> Option<Plain> {
    let words: Vec<&str> =
        arguments.iter().map(|word| word.as_ref().to_str().unwrap_or("\u{fffd}")).collect();
    if let ["session", "attach", _] = words[..] {
        return Some(Plain::Client);
    }
    let mut others = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--session" {
            words.next();
        } else if !word.starts_with("--session=") {
            others.push(word);
        }
    }
    match others[..] {
        [] => Some(Plain::Client),
        ["server"] => Some(Plain::Server),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_beat_the_socket_and_the_socket_beats_the_session() {
        let session = |name: &str| Target::Session(name.parse().unwrap());
        let socket = |session: Option<&str>| Target::Socket {
            socket: "/s/herdr.sock".into(),
            session: session.map(|name| name.parse().unwrap()),
        };
        let rows: &[(&[&str], &[(&str, &str)], Target)] = &[
            (&[], &[], Target::Default),
            (&["server"], &[], Target::Default),
            (&["--session", "mam"], &[], session("mam")),
            (&["--session=mam", "server"], &[], session("mam")),
            (&["pane", "list", "--session", "mam"], &[], session("mam")),
            (&["--session", "a", "--session=b"], &[], session("b")),
            (&["pane", "run", "w1:p1", "--", "--session", "x"], &[], Target::Default),
            (&["session", "attach", "mam"], &[], session("mam")),
            (&["session", "attach", "--help"], &[], Target::Default),
            (&["session", "attach"], &[], Target::Refused),
            (&["session", "list"], &[], Target::Default),
            (&["--session"], &[], Target::Refused),
            (&["--session", "a b"], &[], Target::Refused),
            (&["--session", "default"], &[("HERDR_SESSION", "mam")], Target::Default),
            (&[], &[("HERDR_SESSION", "mam")], session("mam")),
            (&[], &[("HERDR_SESSION", "default")], Target::Default),
            (&[], &[("HERDR_SESSION", "")], Target::Refused),
            (&[], &[("HERDR_SESSION", "mam"), ("HERDR_SOCKET_PATH", "/s/herdr.sock")], socket(Some("mam"))),
            (&[], &[("HERDR_SOCKET_PATH", "/s/herdr.sock")], socket(None)),
            (&["--session", "mam"], &[("HERDR_SOCKET_PATH", "/s/herdr.sock")], session("mam")),
        ];
        for (arguments, variables, expected) in rows {
            let environment = Environment::new(variables.iter().copied(), "/", "/tmp");
            assert_eq!(target(arguments, &environment), *expected, "{arguments:?} {variables:?}");
        }
    }

    #[test]
    fn a_plain_start_says_nothing_but_which_session() {
        let rows: &[(&[&str], Option<Plain>)] = &[
            (&[], Some(Plain::Client)),
            (&["--session", "mam"], Some(Plain::Client)),
            (&["--session=a", "--session", "mam"], Some(Plain::Client)),
            (&["session", "attach", "mam"], Some(Plain::Client)),
            (&["server"], Some(Plain::Server)),
            (&["--session", "mam", "server"], Some(Plain::Server)),
            (&["server", "--session=mam"], Some(Plain::Server)),
            (&["server", "stop"], None),
            (&["--session", "mam", "server", "--handoff-import", "x"], None),
            (&["session", "list"], None),
            (&["session", "attach"], None),
            (&["--session", "mam", "--no-session"], None),
            (&["--session", "mam", "--remote", "host"], None),
            (&["--session", "mam", "--help"], None),
            (&["--session", "mam", "pane", "list"], None),
            (&["--session", "mam", ""], None),
            (&["--", "--session", "mam"], None),
        ];
        for (arguments, expected) in rows {
            assert_eq!(plain(arguments), *expected, "{arguments:?}");
        }
    }

    #[test]
    fn what_only_talks_to_a_server_is_known() {
        let rows: &[(&[&str], bool)] = &[
            (&[], true),
            (&["--session", "mam"], true),
            (&["--session=mam", "server"], true),
            (&["server", "--handoff-import", "x"], true),
            (&["session", "attach", "mam"], true),
            (&["--no-such-option", "pane"], true),
            (&["no-such-command"], true),
            (&["--session", "mam", "pane", "list"], false),
            (&["pane", "list", "--session", "mam"], false),
            (&["server", "reload-config"], false),
            (&["session", "list"], false),
        ];
        for (arguments, expected) in rows {
            assert_eq!(may_start(arguments), *expected, "{arguments:?}");
        }
    }
}
