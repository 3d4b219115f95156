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
    /// The server behind a socket that `HERDR_SOCKET_PATH` names.
    Socket(PathBuf),
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
                return Target::Socket(environment.absolute(socket));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_beat_the_socket_and_the_socket_beats_the_session() {
        let session = |name: &str| Target::Session(name.parse().unwrap());
        let socket = || Target::Socket("/s/herdr.sock".into());
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
            (&[], &[("HERDR_SESSION", "mam"), ("HERDR_SOCKET_PATH", "/s/herdr.sock")], socket()),
            (&["--session", "mam"], &[("HERDR_SOCKET_PATH", "/s/herdr.sock")], session("mam")),
        ];
        for (arguments, variables, expected) in rows {
            let environment = Environment::new(variables.iter().copied(), "/", "/tmp");
            assert_eq!(target(arguments, &environment), *expected, "{arguments:?} {variables:?}");
        }
    }
}
