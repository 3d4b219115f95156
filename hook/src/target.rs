//! Which session a call is for.

use std::path::PathBuf;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::places;
use mam_share::herdr::session_name::{NotAName, SessionName};
use mam_share::variable::{HERDR_SESSION, HERDR_SESSION_NAME, HERDR_SOCKET_PATH};

/// A named session and its socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The session.
    pub session: SessionName,
    /// Its own socket, absolute.
    pub socket: PathBuf,
}

/// The session that a person names: `--session`, else `HERDR_SESSION_NAME`, else `HERDR_SESSION`.
/// `None` for the default session and when nothing names one: there is nothing to do then. An inherited
/// `HERDR_SOCKET_PATH` names no session: the socket is always the session's own.
///
/// # Errors
/// When the name is none.
pub fn named(explicit: Option<&str>, environment: &Environment) -> Result<Option<Target>, Failure> {
    let filled = |variable| environment.filled(variable).and_then(|value| value.to_str());
    let name = explicit.or_else(|| filled(HERDR_SESSION_NAME)).or_else(|| filled(HERDR_SESSION));
    match name.map(str::parse) {
        None | Some(Err(NotAName::Default)) => Ok(None),
        Some(Ok(session)) => Ok(Some(target(session, environment))),
        Some(Err(error @ NotAName::Invalid)) => {
            let text = format!("`{}` is no session: {error}", name.unwrap_or_default());
            Err(Failure::new(Exit::Usage, text).hint("`herdr session list` shows the sessions"))
        }
    }
}

/// The session of the herdr that started this program: it says so in `HERDR_SESSION`, and its socket is
/// that session's own. `None` for everything else, the default session above all.
pub fn of_caller(environment: &Environment) -> Option<Target> {
    let target = target(environment.text(HERDR_SESSION)?.parse().ok()?, environment);
    let inherited = environment.get(HERDR_SOCKET_PATH)?;
    (environment.absolute(inherited) == target.socket).then_some(target)
}

fn target(session: SessionName, environment: &Environment) -> Target {
    let socket = places::socket(environment, Some(&session));
    Target { session, socket }
}

impl Target {
    /// Whether the socket leads to the one of the default session, as a link could.
    pub fn is_default_session(&self, environment: &Environment) -> bool {
        let default = places::socket(environment, None);
        match (fs_err::canonicalize(&self.socket), fs_err::canonicalize(default)) {
            (Ok(ours), Ok(default)) => ours == default,
            (Err(_), _) | (_, Err(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::new(variables.iter().copied().chain([("HOME", "/h")]), "/", "/tmp")
    }

    #[test]
    fn an_argument_beats_the_variables_and_the_default_session_is_nothing() {
        let rows: &[(Option<&str>, &[(&str, &str)], Result<Option<&str>, Exit>)] = &[
            (None, &[], Ok(None)),
            (Some("a"), &[("HERDR_SESSION_NAME", "b"), ("HERDR_SESSION", "c")], Ok(Some("a"))),
            (None, &[("HERDR_SESSION_NAME", "b"), ("HERDR_SESSION", "c")], Ok(Some("b"))),
            (None, &[("HERDR_SESSION_NAME", ""), ("HERDR_SESSION", "c")], Ok(Some("c"))),
            (Some("default"), &[("HERDR_SESSION", "c")], Ok(None)),
            (None, &[("HERDR_SESSION_NAME", "default"), ("HERDR_SESSION", "c")], Ok(None)),
            (Some("a b"), &[], Err(Exit::Usage)),
            (Some(""), &[], Err(Exit::Usage)),
            (None, &[("HERDR_SESSION", "../x")], Err(Exit::Usage)),
            (Some("a"), &[("HERDR_SOCKET_PATH", "/elsewhere/herdr.sock")], Ok(Some("a"))),
            (None, &[("HERDR_SOCKET_PATH", "/h/.config/herdr/herdr.sock")], Ok(None)),
        ];
        for (explicit, variables, expected) in rows {
            let found = named(*explicit, &environment(variables));
            let socket = |name: &str| PathBuf::from(format!("/h/.config/herdr/sessions/{name}/herdr.sock"));
            match (&found, expected) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(found.as_ref().map(|target| target.session.as_str()), *expected);
                    assert_eq!(found.as_ref().map(|target| target.socket.clone()), expected.map(socket));
                }
                (Err(failure), Err(exit)) => assert_eq!(failure.exit, *exit),
                (Ok(_), Err(_)) | (Err(_), Ok(_)) => panic!("{explicit:?} {variables:?}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_calling_herdr_is_believed_only_on_its_own_socket() {
        let own = ("HERDR_SOCKET_PATH", "/h/.config/herdr/sessions/mam/herdr.sock");
        let rows: &[(&[(&str, &str)], bool)] = &[
            (&[("HERDR_SESSION", "mam"), own], true),
            (&[("HERDR_SESSION", "mam")], false),
            (&[own], false),
            (&[("HERDR_SESSION", "default"), ("HERDR_SOCKET_PATH", "/h/.config/herdr/herdr.sock")], false),
            (&[("HERDR_SESSION", "mam"), ("HERDR_SOCKET_PATH", "/h/.config/herdr/herdr.sock")], false),
            (&[("HERDR_SESSION_NAME", "mam"), own], false),
            (&[("HERDR_SESSION", "other"), own], false),
            (&[("HERDR_SESSION", "mam"), ("HERDR_SESSION_NAME", "other"), own], true),
        ];
        for (variables, expected) in rows {
            assert_eq!(of_caller(&environment(variables)).is_some(), *expected, "{variables:?}");
        }
    }

    #[test]
    fn a_link_to_the_default_socket_is_the_default_session() {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::new([("HOME", home.path())], "/", "/tmp");
        let target = named(Some("mam"), &environment).unwrap().unwrap();
        fs_err::create_dir_all(target.socket.parent().unwrap()).unwrap();
        assert!(!target.is_default_session(&environment));
        let _listener = std::os::unix::net::UnixListener::bind(places::socket(&environment, None)).unwrap();
        std::os::unix::fs::symlink("../../herdr.sock", &target.socket).unwrap();
        assert!(target.is_default_session(&environment));
    }
}
