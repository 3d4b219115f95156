//! Which calls of herdr are for a server of mam's, and which of them `mam` makes itself.
//!
//! A client that finds no server starts one, with the environment of whoever called it, and nobody owns
//! that. So what would start one of mam's servers, or be a client of one, is left to `mam attach` and
//! `mam run`.

use std::ffi::OsString;

use mam_share::environment::Environment;
use mam_share::herdr::invocation::{self, Plain, Target};
use mam_share::herdr::places;
use mam_share::herdr::session_name::SessionName;
use mam_share::places::Places;
use mam_share::profile::ProfileName;
use mam_share::settings::Settings;
use mam_share::variable::MAM_PROFILE;

/// A server of mam's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Server {
    /// The host.
    Host,
    /// The own server of a standalone profile.
    Own(ProfileName),
}

/// The server that a herdr command line is for; `None` when it is none of mam's. `is_standalone` says
/// it of a profile.
pub fn server(
    arguments: &[OsString],
    environment: &Environment,
    settings: &Settings,
    is_standalone: &dyn Fn(&ProfileName) -> bool,
) -> Option<Server> {
    let session = match invocation::target(arguments, environment) {
        Target::Session(session) => session,
        Target::Socket { socket, .. } => places::session_of(environment, &socket)?,
        Target::Default | Target::Refused => return None,
    };
    of_session(&session, settings, is_standalone)
}

fn of_session(
    session: &SessionName,
    settings: &Settings,
    is_standalone: &dyn Fn(&ProfileName) -> bool,
) -> Option<Server> {
    if *session == settings.session {
        return Some(Server::Host);
    }
    let profile = ProfileName::of_own_session(session, &settings.session)?;
    is_standalone(&profile).then_some(Server::Own(profile))
}

/// The arguments of the `mam` that does what `herdr ARGUMENTS` is to do; `None` when herdr does it.
pub fn verb(
    arguments: &[OsString],
    environment: &Environment,
    settings: &Settings,
    is_standalone: &dyn Fn(&ProfileName) -> bool,
) -> Option<Vec<String>> {
    let verb = match invocation::plain(arguments)? {
        Plain::Client => "attach",
        Plain::Server => "run",
    };
    let profile = match server(arguments, environment, settings, is_standalone)? {
        Server::Own(profile) => Some(profile),
        // The session that was named is the host's. A profile that does not live there does not matter.
        Server::Host => {
            let caller = environment.text(MAM_PROFILE).and_then(|name| name.parse().ok());
            caller.filter(is_standalone).map(|_| ProfileName::root())
        }
    };
    let named = profile.into_iter().flat_map(|profile| ["--profile".to_owned(), profile.to_string()]);
    Some(named.chain([verb.to_owned()]).collect())
}

/// Whether a profile has, by its config, a server of its own.
pub fn is_standalone(profile: &ProfileName, places: &Places) -> bool {
    let config = profile.home(&places.home).join("config.toml");
    !profile.is_root() && Settings::load(&config).0.is_standalone
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Arguments, variables, and the arguments of `mam`.
    type Row<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], Option<&'a str>);

    #[test]
    fn what_would_start_one_of_mams_servers_is_mams_to_start() {
        let (settings, _) =
            Settings::parse(Path::new("/m"), "[host]\nsession = \"host\"\nmore_sessions = [\"more\"]\n");
        let is_standalone = |profile: &ProfileName| profile.as_str() == "alone";
        let socket = ("HERDR_SOCKET_PATH", "/h/.config/herdr/sessions/host/herdr.sock");
        let rows: &[Row<'_>] = &[
            (&["--session", "host"], &[], Some("attach")),
            (&["session", "attach", "host"], &[], Some("attach")),
            (&[], &[("HERDR_SESSION", "host")], Some("attach")),
            (&[], &[socket], Some("attach")),
            (&["--session", "host", "server"], &[], Some("run")),
            (&["--session", "host"], &[("MAM_PROFILE", "ops")], Some("attach")),
            (&["--session", "host"], &[("MAM_PROFILE", "alone")], Some("--profile default attach")),
            (&["--session", "host-alone"], &[], Some("--profile alone attach")),
            (&["--session", "host-alone", "server"], &[], Some("--profile alone run")),
            (&["--session", "host-ops"], &[], None),
            (&["--session", "more"], &[], None),
            (&["--session", "other"], &[("HERDR_SESSION", "host")], None),
            (&[], &[], None),
            (&["--session", "host", "pane", "list"], &[], None),
            (&["--session", "host", "server", "stop"], &[], None),
            (&["--session", "host", "--no-session"], &[], None),
            (&[], &[("HERDR_SOCKET_PATH", "/x/sessions/host/herdr.sock"), ("HERDR_SESSION", "host")], None),
        ];
        for (arguments, variables, expected) in rows {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            let environment =
                Environment::new([("HOME", "/h")].into_iter().chain(variables.iter().copied()), "/", "/tmp");
            let verb = verb(&arguments, &environment, &settings, &is_standalone);
            assert_eq!(
                verb.map(|words| words.join(" ")).as_deref(),
                *expected,
                "{arguments:?} {variables:?}"
            );
        }
    }
}
