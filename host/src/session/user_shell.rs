//! The user's shell, as herdr starts it in a pane.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mam_share::variable::{HOME, SHELL};

/// The shell that is always there.
const PLAIN: &str = "/bin/sh";

/// What is started, and where.
#[derive(Clone)]
pub struct UserShell {
    /// Its program.
    pub program: PathBuf,
    /// Its arguments, its own name first.
    pub argv: Vec<OsString>,
    /// Its environment: that of the pane.
    pub environment: BTreeMap<OsString, OsString>,
    /// Its directory.
    pub directory: PathBuf,
}

impl UserShell {
    /// The shell of a pane with this environment, in `directory`, or where that is gone in the user's home.
    /// `is_login` is for platforms whose terminals start login shells.
    pub fn of(pane: &BTreeMap<OsString, OsString>, directory: &Path, is_login: bool) -> Self {
        let filled = |name: &str| pane.get(OsStr::new(name)).filter(|value| !value.is_empty());
        let program = filled(SHELL.name).map_or(PathBuf::from(PLAIN), PathBuf::from);
        let program = if program.is_absolute() { program } else { PathBuf::from(PLAIN) };
        let home = || filled(HOME.name).map(PathBuf::from).filter(|home| home.is_dir());
        let directory =
            if directory.is_dir() { directory.to_owned() } else { home().unwrap_or(PathBuf::from("/")) };
        let mut environment = pane.clone();
        environment.insert("PWD".into(), directory.clone().into());
        Self { argv: vec![name(&program, is_login)], program, environment, directory }
    }

    /// The shell that is always there, in the same surroundings.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { program: PLAIN.into(), argv: vec![PLAIN.into()], ..self }
    }

    /// Becomes it; returns only when that does not work.
    pub fn exec(&self) -> io::Error {
        let mut command = Command::new(&self.program);
        command.args(self.argv.iter().skip(1)).env_clear().envs(&self.environment);
        command.arg0(self.argv.first().map_or(OsStr::new(PLAIN), OsString::as_os_str));
        command.current_dir(&self.directory).exec()
    }
}

/// A login shell is told so by a `-` before its name.
fn name(program: &Path, is_login: bool) -> OsString {
    if !is_login {
        return program.as_os_str().to_owned();
    }
    let mut name = OsString::from("-");
    name.push(program.file_name().unwrap_or(program.as_os_str()));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_is_the_panes_and_is_always_there() {
        let rows = [
            (Some("/usr/bin/fish"), false, "/usr/bin/fish", "/usr/bin/fish"),
            (Some("/usr/bin/fish"), true, "/usr/bin/fish", "-fish"),
            (Some("fish"), false, PLAIN, PLAIN),
            (Some(""), false, PLAIN, PLAIN),
            (None, false, PLAIN, PLAIN),
        ];
        let gone = tempfile::tempdir().unwrap().path().join("gone");
        for (shell, is_login, program, name) in rows {
            let variables = [("SHELL", shell), ("HOME", Some("/tmp")), ("A", Some("b")), ("PWD", Some("/x"))];
            let pane = variables.iter().filter_map(|(name, value)| Some(((*name).into(), (*value)?.into())));
            let pane: BTreeMap<OsString, OsString> = pane.collect();
            let found = UserShell::of(&pane, &gone, is_login);
            assert_eq!((found.program.as_path(), found.argv), (Path::new(program), vec![name.into()]));
            assert_eq!(found.directory, Path::new("/tmp"));
            assert_eq!(found.environment.get(OsStr::new("PWD")), Some(&"/tmp".into()));
            assert_eq!(UserShell::of(&pane, Path::new("/usr"), false).directory, Path::new("/usr"));
        }
    }
}
