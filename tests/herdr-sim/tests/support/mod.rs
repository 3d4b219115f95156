//! Throw-away homes for the simulator, under a short path so that sockets fit.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub(crate) mod fixture;
mod rig;

pub(crate) use rig::Rig;

/// The program under test.
pub(crate) const SIM: &str = env!("CARGO_BIN_EXE_herdr-sim");

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A home directory that is removed at the end, with the servers that were started in it.
pub(crate) struct Home {
    dir: PathBuf,
    herdr: PathBuf,
}

impl Home {
    /// A home for the simulator.
    pub(crate) fn new() -> Self {
        Self::of(SIM.into())
    }

    /// A home for another herdr.
    pub(crate) fn of(herdr: PathBuf) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = PathBuf::from(format!("/tmp/hs{}-{number}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Self { dir, herdr }
    }

    pub(crate) fn herdr(&self) -> &str {
        self.herdr.to_str().unwrap()
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.dir.join(below)
    }

    pub(crate) fn text(&self, below: &str) -> String {
        self.path(below).display().to_string()
    }

    pub(crate) fn write(&self, below: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn read(&self, below: &str) -> String {
        std::fs::read_to_string(self.path(below)).unwrap_or_default()
    }

    /// A script that can be executed.
    pub(crate) fn script(&self, below: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.write(below, text.as_bytes());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }

    pub(crate) fn dir(&self, below: &str) -> String {
        std::fs::create_dir_all(self.path(below)).unwrap();
        self.text(below)
    }

    /// A command with nothing of the caller's environment but a plain PATH.
    pub(crate) fn command_of(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).env_clear().env("HOME", &self.dir).stdin(Stdio::null());
        command.env("PATH", format!("{}:/usr/bin:/bin", self.text("bin")));
        command.env("SHELL", "/bin/sh").env("HISTFILE", "/dev/null").current_dir(&self.dir);
        command
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.command_of(&self.herdr, args)
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// An agent that logs its arguments to `argv.log` and stays until it is interrupted.
    pub(crate) fn fake_agent(&self, name: &str) {
        let log = self.text("argv.log");
        let lines = [
            "#!/bin/bash",
            "trap 'exit 130' INT",
            &format!("echo \"$*\" >> {log}"),
            "while :; do sleep 0.2; done",
            "",
        ];
        let text = lines.join("\n");
        self.script(&format!("bin/{name}"), &text);
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.dir));
    }
}

/// Polls until there is something, and fails after a while.
pub(crate) fn wait<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    wait_or_not(Duration::from_secs(15), look).unwrap_or_else(|| panic!("in vain: {what}"))
}

pub(crate) fn wait_or_not<T>(longest: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + longest;
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if Instant::now() > deadline {
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn process_env(pid: i64) -> Vec<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// Whether a process ended; one that only waits to be reaped counts.
pub(crate) fn gone(pid: i64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.contains(") Z "))
}
