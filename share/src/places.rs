//! Where mam keeps its own things.

use std::path::{Path, PathBuf};

use directories::BaseDirs;

use crate::environment::Environment;
use crate::variable::{HOME, MAM_HOME, MAM_STATE_DIR, Variable, XDG_CONFIG_HOME, XDG_STATE_HOME};

/// mam's two directories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The root home: mam's own `config.toml`. The user's to edit.
    pub home: PathBuf,
    /// What mam remembers. Nobody's to edit, and safe to delete.
    pub state: PathBuf,
}

/// No home directory could be found in any way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Homeless;

impl Places {
    /// Finds them: `MAM_HOME` and `MAM_STATE_DIR` as given (relative to the current directory), else
    /// below `XDG_CONFIG_HOME` and `XDG_STATE_HOME` when those are absolute, else below the home
    /// directory. The same on Linux and macOS, beside herdr's own directories.
    ///
    /// # Errors
    /// When one of them needs a home directory and neither `HOME` nor the user database has one.
    pub fn find(environment: &Environment) -> Result<Self, Homeless> {
        let find = |own: Variable, xdg: Variable, below_home: &str| {
            if let Some(path) = environment.filled(own) {
                return Ok(environment.absolute(path));
            }
            if let Some(base) = environment.get(xdg).map(Path::new).filter(|path| path.is_absolute()) {
                return Ok(base.join("mam"));
            }
            Ok(user_home(environment).ok_or(Homeless)?.join(below_home).join("mam"))
        };
        Ok(Self {
            home: find(MAM_HOME, XDG_CONFIG_HOME, ".config")?,
            state: find(MAM_STATE_DIR, XDG_STATE_HOME, ".local/state")?,
        })
    }

    /// mam's own config file.
    pub fn settings(&self) -> PathBuf {
        self.home.join("config.toml")
    }

    /// What is remembered of each rendered overlay.
    pub fn overlays(&self) -> PathBuf {
        self.state.join("overlays")
    }
}

/// The user's home directory: `HOME`, else the user database's entry.
fn user_home(environment: &Environment) -> Option<PathBuf> {
    match environment.get(HOME).map(Path::new).filter(|path| path.is_absolute()) {
        Some(home) => Some(home.to_owned()),
        None => BaseDirs::new().map(|dirs| dirs.home_dir().to_owned()).filter(|path| path.is_absolute()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_where_the_variables_say() {
        let rows: &[(&[(&str, &str)], &str, &str)] = &[
            (&[("HOME", "/h")], "/h/.config/mam", "/h/.local/state/mam"),
            (&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c"), ("XDG_STATE_HOME", "/s")], "/c/mam", "/s/mam"),
            (
                &[("HOME", "/h"), ("XDG_CONFIG_HOME", ""), ("XDG_STATE_HOME", "rel")],
                "/h/.config/mam",
                "/h/.local/state/mam",
            ),
            (&[("HOME", "/h"), ("MAM_HOME", "/m m"), ("MAM_STATE_DIR", "st")], "/m m", "/cwd/st"),
            (
                &[("HOME", "/h"), ("MAM_HOME", ""), ("MAM_STATE_DIR", "")],
                "/h/.config/mam",
                "/h/.local/state/mam",
            ),
        ];
        for (variables, home, state) in rows {
            let environment = Environment::new(variables.iter().copied(), "/cwd", "/tmp");
            let expected = Places { home: home.into(), state: state.into() };
            assert_eq!(Places::find(&environment), Ok(expected), "{variables:?}");
        }
    }
}
