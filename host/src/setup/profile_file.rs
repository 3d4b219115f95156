//! Which file an interactive shell of the user reads.

use std::path::{Path, PathBuf};

use mam_share::environment::Environment;
use mam_share::shell::Shell;
use mam_share::variable::{ENV, HOME, SHELL, Variable, XDG_CONFIG_HOME, ZDOTDIR};

/// A shell and the file it reads when it becomes interactive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileFile {
    /// The shell.
    pub shell: Shell,
    /// The file, as the shell names it; it may be a link, or missing.
    pub path: PathBuf,
}

/// The shell of the user, by `SHELL`.
///
/// # Errors
/// Why none is known, or none that mam has an integration for.
pub fn shell(environment: &Environment) -> Result<Shell, String> {
    let Some(path) = environment.filled(SHELL) else { return Err("SHELL is not set".to_owned()) };
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    match &*name {
        "dash" | "ash" | "ksh" | "ksh93" | "mksh" | "busybox" => Ok(Shell::Sh),
        name => name.parse().map_err(|_| format!("mam has no integration for `{name}`")),
    }
}

/// The file that `shell` reads. `is_there` says whether a file exists. `is_login` is how terminals start
/// bash here: on macOS as a login shell, which does not read `~/.bashrc`.
///
/// # Errors
/// Why there is none.
pub fn find(
    shell: Shell,
    environment: &Environment,
    is_login: bool,
    is_there: &dyn Fn(&Path) -> bool,
) -> Result<ProfileFile, String> {
    let absolute =
        |variable: Variable| environment.get(variable).map(Path::new).filter(|path| path.is_absolute());
    let home = || absolute(HOME).ok_or_else(|| "HOME is not set to an absolute path".to_owned());
    let path = match shell {
        Shell::Bash if is_login => {
            let home = home()?;
            let names = [".bash_profile", ".bash_login", ".profile"];
            let read = names.map(|name| home.join(name)).into_iter().find(|path| is_there(path));
            read.unwrap_or_else(|| home.join(".bash_profile"))
        }
        Shell::Bash => home()?.join(".bashrc"),
        Shell::Zsh => absolute(ZDOTDIR).map_or_else(home, Ok)?.join(".zshrc"),
        Shell::Fish => {
            let config = absolute(XDG_CONFIG_HOME).map(PathBuf::from);
            config.map_or_else(|| Ok::<_, String>(home()?.join(".config")), Ok)?.join("fish/config.fish")
        }
        Shell::Sh => match environment.filled(ENV).map(Path::new) {
            Some(path) if path.is_absolute() => path.to_owned(),
            Some(path) => return Err(format!("ENV is `{}`, which is no absolute path", path.display())),
            None => return Err("`sh` reads a file only where ENV names one, and it is not set".to_owned()),
        },
    };
    Ok(ProfileFile { shell, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::new(variables.iter().copied(), "/", "/tmp")
    }

    #[test]
    fn the_shell_is_that_of_the_variable() {
        let rows = [
            ("/bin/bash", Ok(Shell::Bash)),
            ("/usr/local/bin/zsh", Ok(Shell::Zsh)),
            ("fish", Ok(Shell::Fish)),
            ("/bin/dash", Ok(Shell::Sh)),
            ("/bin/sh", Ok(Shell::Sh)),
            ("/usr/bin/nu", Err("mam has no integration for `nu`".to_owned())),
            ("", Err("SHELL is not set".to_owned())),
        ];
        for (value, expected) in rows {
            assert_eq!(shell(&environment(&[("SHELL", value)])), expected, "{value}");
        }
    }

    #[test]
    fn the_file_is_the_one_that_the_shell_reads() {
        let rows: &[(Shell, &[(&str, &str)], bool, &[&str], Result<&str, &str>)] = &[
            (Shell::Bash, &[("HOME", "/h")], false, &[], Ok("/h/.bashrc")),
            (Shell::Bash, &[("HOME", "/h")], true, &[], Ok("/h/.bash_profile")),
            (Shell::Bash, &[("HOME", "/h")], true, &["/h/.profile"], Ok("/h/.profile")),
            (Shell::Bash, &[], false, &[], Err("HOME is not set to an absolute path")),
            (Shell::Zsh, &[("HOME", "/h")], false, &[], Ok("/h/.zshrc")),
            (Shell::Zsh, &[("HOME", "/h"), ("ZDOTDIR", "/z")], false, &[], Ok("/z/.zshrc")),
            (Shell::Zsh, &[("HOME", "/h"), ("ZDOTDIR", "z")], false, &[], Ok("/h/.zshrc")),
            (Shell::Fish, &[("HOME", "/h")], false, &[], Ok("/h/.config/fish/config.fish")),
            (
                Shell::Fish,
                &[("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")],
                false,
                &[],
                Ok("/c/fish/config.fish"),
            ),
            (Shell::Sh, &[("HOME", "/h"), ("ENV", "/h/.shrc")], false, &[], Ok("/h/.shrc")),
            (
                Shell::Sh,
                &[("HOME", "/h"), ("ENV", "$HOME/x")],
                false,
                &[],
                Err("ENV is `$HOME/x`, which is no absolute path"),
            ),
            (
                Shell::Sh,
                &[("HOME", "/h")],
                false,
                &[],
                Err("`sh` reads a file only where ENV names one, and it is not set"),
            ),
        ];
        for (shell, variables, is_login, files, expected) in rows {
            let is_there = |path: &Path| files.iter().any(|file| Path::new(file) == path);
            let found = find(*shell, &environment(variables), *is_login, &is_there);
            let expected = expected
                .map(PathBuf::from)
                .map(|path| ProfileFile { shell: *shell, path })
                .map_err(ToOwned::to_owned);
            assert_eq!(found, expected, "{shell} {variables:?}");
        }
    }
}
