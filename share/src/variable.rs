//! Every environment variable that mam reads or sets, in one table.

/// An environment variable and what mam does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name as it stands in the environment.
    pub name: &'static str,
    /// What mam does with it, for the reference table in the documentation.
    pub purpose: &'static str,
}

macro_rules! registry {
    ($($name:ident: $purpose:literal;)*) => {
        $(#[doc = $purpose] pub const $name: Variable = Variable { name: stringify!($name), purpose: $purpose };)*
        /// All of them, in the order of the documentation.
        pub const ALL: &[Variable] = &[$($name),*];
    };
}

registry! {
    HERDR_CONFIG_PATH: "herdr's own: the config file herdr reads. Read to find the user config, set for herdr to the overlay";
    HERDR_SESSION: "herdr's own: the named session, when no `--session` is given";
    HERDR_SESSION_NAME: "the session that `mam-restore-hook` acts on when no `--session` is given; it beats `HERDR_SESSION`";
    HERDR_SOCKET_PATH: "herdr's own: the socket to talk to; it beats `HERDR_SESSION` and loses to `--session`";
    HERDR_ENV: "herdr's own: `1` inside its panes. The shell integration does nothing there";
    XDG_CONFIG_HOME: "where herdr's config directory is (any value, as herdr has it) and mam's home (absolute values)";
    XDG_STATE_HOME: "where mam's state directory is (absolute values)";
    HOME: "the base of all of these when they are unset";
    PATH: "where `herdr` is looked for";
    MAM_HOME: "mam's home, instead of `~/.config/mam`";
    MAM_STATE_DIR: "mam's state directory, instead of `~/.local/state/mam`";
    INVOCATION_ID: "systemd's own: set for a unit's processes. An attach is then worth another try, not a success";
    XPC_SERVICE_NAME: "launchd's own: the job that runs this process; `0` is none";
    MAM_PROFILE: "the profile, when no `-p` is given";
    MAM_HOST: "set by mam in the environment of its servers: the directory of the server's lock, for the host mam's state directory. It tells them from other servers";
    MAM_LAUNCH: "the session that `mam launch` runs, when it is not named. Set in the panes that mam opens, and not passed on";
    MAM_SUPERVISED: "`1` in mam's own units: a supervisor runs this process";
    SHELL: "the user's shell, whose profile file `mam setup` edits; and the shell that a pane has once its agent has ended";
    ZDOTDIR: "zsh's own: where `.zshrc` is";
    ENV: "the shells' own: the file that an interactive `sh` reads";
    XDG_RUNTIME_DIR: "where the user's systemd is looked for";
    NO_COLOR: "any value that is not empty: no colours";
    TERM: "`dumb`: no colours";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_is_named_once_and_says_what_it_does() {
        for (index, variable) in ALL.iter().enumerate() {
            assert!(!variable.purpose.is_empty(), "{}", variable.name);
            assert!(ALL[..index].iter().all(|other| other.name != variable.name), "{} twice", variable.name);
        }
    }
}
