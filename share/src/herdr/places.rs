//! Where herdr looks for its files.

use std::path::{Path, PathBuf};

use super::session_name::SessionName;
use crate::environment::Environment;
use crate::variable::{HERDR_CONFIG_PATH, HOME, XDG_CONFIG_HOME};

/// herdr's config directory, absolute.
///
/// herdr joins `XDG_CONFIG_HOME` as it stands, also an empty or relative one, so this does too; a
/// relative result is relative to the current directory. Without `HOME` herdr uses the directory
/// for temporary files. The same on macOS.
pub fn config_dir(environment: &Environment) -> PathBuf {
    let base = match (environment.text(XDG_CONFIG_HOME), environment.text(HOME)) {
        (Some(base), _) => PathBuf::from(base),
        (None, Some(home)) => Path::new(home).join(".config"),
        (None, None) => environment.temp_dir().to_owned(),
    };
    environment.absolute(base.join("herdr"))
}

/// The config file herdr reads when `HERDR_CONFIG_PATH` is not set.
pub fn default_config_file(environment: &Environment) -> PathBuf {
    config_dir(environment).join("config.toml")
}

/// The config file that `HERDR_CONFIG_PATH` names, absolute; `None` when it is unset, empty, or not
/// UTF-8 (herdr reads an empty value as a path to nothing; see [`crate::variable`]).
pub fn named_config_file(environment: &Environment) -> Option<PathBuf> {
    let path = environment.text(HERDR_CONFIG_PATH).filter(|path| !path.is_empty())?;
    Some(environment.absolute(path))
}

/// The directory of a session's socket, layout and log. `None` is the default session.
pub fn session_dir(environment: &Environment, session: Option<&SessionName>) -> PathBuf {
    let base = config_dir(environment);
    match session {
        None => base,
        Some(name) => base.join("sessions").join(name.as_str()),
    }
}

/// The API socket of a session.
pub fn socket(environment: &Environment, session: Option<&SessionName>) -> PathBuf {
    session_dir(environment, session).join("herdr.sock")
}

/// The named session whose socket this is.
pub fn session_of(environment: &Environment, path: &Path) -> Option<SessionName> {
    let name: SessionName = path.parent()?.file_name()?.to_str()?.parse().ok()?;
    (socket(environment, Some(&name)) == path).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn files_are_where_herdr_looks() {
        let rows: &[(&[(&str, &str)], &str)] = &[
            (&[("HOME", "/h")], "/h/.config/herdr"),
            (&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x y")], "/x y/herdr"),
            (&[("HOME", "/h"), ("XDG_CONFIG_HOME", "rel")], "/cwd/rel/herdr"),
            (&[("HOME", "/h"), ("XDG_CONFIG_HOME", "")], "/cwd/herdr"),
            (&[], "/tmp/herdr"),
        ];
        for (variables, expected) in rows {
            let environment = Environment::new(variables.iter().copied(), "/cwd", "/tmp");
            assert_eq!(config_dir(&environment), Path::new(expected), "{variables:?}");
        }
    }

    #[test]
    fn a_value_that_is_not_utf8_is_no_value_to_herdr() {
        let value = OsStr::from_bytes(b"/x\xff");
        let environment = Environment::new(
            [(OsStr::new("XDG_CONFIG_HOME"), value), (OsStr::new("HOME"), OsStr::new("/h"))],
            "/",
            "/tmp",
        );
        assert_eq!(default_config_file(&environment), Path::new("/h/.config/herdr/config.toml"));
    }

    #[test]
    fn sessions_have_directories_of_their_own() {
        let environment = Environment::new([("HOME", "/h")], "/", "/tmp");
        let name = "mam".parse().unwrap();
        assert_eq!(socket(&environment, None), Path::new("/h/.config/herdr/herdr.sock"));
        let path = Path::new("/h/.config/herdr/sessions/mam/herdr.sock");
        assert_eq!(socket(&environment, Some(&name)), path);
        assert_eq!(session_of(&environment, path), Some(name));
        for other in ["/h/.config/herdr/herdr.sock", "/x/sessions/mam/herdr.sock", "/"] {
            assert_eq!(session_of(&environment, Path::new(other)), None);
        }
    }
}
