//! A throw-away home, and commands that see nothing but it.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A home directory that is gone after the test. Its path is short (sockets must fit) and, unless a
/// test says otherwise, has a space and a quote in it (scripts must quote).
pub(crate) struct Home {
    directory: tempfile::TempDir,
    renderer: PathBuf,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self::with_prefix("m'm ")
    }

    pub(crate) fn with_prefix(prefix: &str) -> Self {
        let directory = tempfile::Builder::new().prefix(prefix).tempdir_in("/tmp").unwrap();
        let home = Self { directory, renderer: env!("CARGO_BIN_EXE_mam-render-config").into() };
        fs_err::create_dir(home.path("bin")).unwrap();
        home
    }

    /// The same home, with a `mam-render-config` that has no `mam` beside it.
    pub(crate) fn without_mam(mut self) -> Self {
        let alone = self.path("alone/mam-render-config");
        fs_err::create_dir(self.path("alone")).unwrap();
        if fs_err::hard_link(&self.renderer, &alone).is_err() {
            fs_err::copy(&self.renderer, &alone).unwrap();
        }
        self.renderer = alone;
        self
    }

    /// The `mam-render-config` of this home.
    pub(crate) fn renderer(&self) -> &Path {
        &self.renderer
    }

    /// A path below it; `""` is the home itself.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        if below.is_empty() { self.directory.path().to_owned() } else { self.directory.path().join(below) }
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.path(".config/herdr/config.toml")
    }

    pub(crate) fn overlay(&self) -> PathBuf {
        self.path(".config/herdr/config.mam.toml")
    }

    pub(crate) fn write(&self, below: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, content);
        path
    }

    pub(crate) fn write_config(&self, content: impl AsRef<[u8]>) {
        self.write(".config/herdr/config.toml", content);
    }

    /// An executable in `bin`, which is first on the PATH of every command.
    pub(crate) fn program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.write(&format!("bin/{name}"), script);
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub(crate) fn link_program(&self, name: &str, target: &Path) {
        let path = self.path("bin").join(name);
        drop(fs_err::remove_file(&path));
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    /// A command with this home and nothing else in its environment.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", self.path("")).env("PATH", self.search_path()).env("TERM", "xterm");
        command.env("LC_ALL", "C.UTF-8").current_dir(self.path("")).stdin(Stdio::null());
        command
    }

    pub(crate) fn search_path(&self) -> String {
        format!("{}:/usr/local/bin:/usr/bin:/bin", self.path("bin").display())
    }

    /// `mam-render-config` with these arguments.
    pub(crate) fn mam(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&self.renderer);
        command.args(arguments);
        command
    }

    /// Runs `mam-render-config` and expects success.
    #[track_caller]
    pub(crate) fn render(&self, arguments: &[&str]) -> Ran {
        let ran = run(&mut self.mam(arguments));
        ran.expect(0);
        ran
    }

    pub(crate) fn overlay_text(&self) -> String {
        read(&self.overlay())
    }
}

/// What a finished command said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    command: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn expect(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "stderr has no {text:?}\n{self}");
        self
    }

    #[track_caller]
    pub(crate) fn silent(&self) -> &Self {
        assert_eq!(self.stderr, "", "{self}");
        self
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { code, stdout, stderr, command } = self;
        write!(formatter, "{command}\nexit: {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n---")
    }
}

#[expect(clippy::disallowed_methods, reason = "a test that hangs is ended by its runner")]
pub(crate) fn run(command: &mut Command) -> Ran {
    let shown = format!("{command:?}");
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr), command: shown }
}

#[track_caller]
pub(crate) fn read(path: &Path) -> String {
    fs_err::read_to_string(path).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "tests write as users do: in place, and not atomically")]
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) {
    fs_err::write(path, content).unwrap();
}
