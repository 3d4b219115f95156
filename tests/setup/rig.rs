//! A newcomer's home: a herdr, the three programs on PATH, and a shell with a profile file.

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::herdr::Herdr;
use crate::support::home::{Home, Ran, run};
use crate::support::pty::Pty;

/// What mam may leave: what it remembers, and what belongs to herdr.
const NOT_OURS: &[&str] = &[
    ".local",
    ".config/herdr/plugins.json",
    ".config/herdr/.plugins.lock",
    ".config/herdr/plugins",
    ".config/herdr/sessions",
];

/// A shell: its path in `SHELL`, its profile file below the home, and further variables.
pub(super) struct Shell {
    pub(super) name: &'static str,
    pub(super) profile: &'static str,
}

/// Those that mam has an integration for.
pub(super) const SHELLS: &[Shell] = &[
    Shell { name: "bash", profile: ".bashrc" },
    Shell { name: "zsh", profile: ".zshrc" },
    Shell { name: "fish", profile: ".config/fish/config.fish" },
    Shell { name: "dash", profile: "shrc" },
];

pub(super) struct Newcomer {
    pub(super) home: Home,
    shell: &'static str,
}

impl Newcomer {
    pub(super) fn new(herdr: &Herdr, shell: &'static str) -> Self {
        let home = Home::new();
        home.link_program("herdr", &herdr.path);
        home.link_program("mam", env!("CARGO_BIN_EXE_mam").as_ref());
        home.link_program("mam-render-config", env!("CARGO_BIN_EXE_mam-render-config").as_ref());
        home.link_program("mam-restore-hook", env!("CARGO_BIN_EXE_mam-restore-hook").as_ref());
        home.write_config("[update]\nversion_check = false\nmanifest_check = false\n");
        Self { home, shell }
    }

    pub(super) fn sim(shell: &'static str) -> Self {
        Self::new(&Herdr::sim(), shell)
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.home.command(self.home.path("bin/mam"));
        command.args(arguments).env("SHELL", format!("/bin/{}", self.shell));
        if self.shell == "dash" {
            command.env("ENV", self.home.path("shrc"));
        }
        command
    }

    pub(super) fn mam(&self, arguments: &[&str]) -> Ran {
        run(&mut self.command(arguments))
    }

    #[track_caller]
    pub(super) fn ok(&self, arguments: &[&str]) -> Ran {
        let ran = self.mam(arguments);
        ran.expect(0);
        ran
    }

    /// `mam` on a terminal, with these arguments.
    pub(super) fn on_terminal(&self, arguments: &[&str]) -> Pty {
        Pty::start(self.command(arguments))
    }

    /// Every file, link and directory of the home with its mode and content; `but` are left out with all
    /// that is below them.
    pub(super) fn picture(&self, but: &[&str]) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.home.path("")];
        while let Some(directory) = open.pop() {
            for entry in fs_err::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                let below = path.strip_prefix(self.home.path("")).unwrap().to_owned();
                if but.iter().any(|but| below == Path::new(but)) {
                    continue;
                }
                let metadata = fs_err::symlink_metadata(&path).unwrap();
                let content = if metadata.is_symlink() {
                    fs_err::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
                } else if metadata.is_dir() {
                    open.push(path.clone());
                    Vec::new()
                } else if metadata.is_file() {
                    fs_err::read(&path).unwrap()
                } else {
                    Vec::new()
                };
                found.insert(below, (metadata.mode(), content));
            }
        }
        found
    }

    /// The picture of what has to be as it was after an undo.
    pub(super) fn users_own(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        self.picture(NOT_OURS)
    }

    pub(super) fn chmod(&self, below: &str, mode: u32) {
        fs_err::set_permissions(self.home.path(below), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(super) fn bytes(&self, below: &str) -> Vec<u8> {
        fs_err::read(self.home.path(below)).unwrap()
    }
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        // A test may have started the host.
        drop(run(self.command(&["stop", "--all"]).env("MAM_PROFILE", "")));
    }
}
