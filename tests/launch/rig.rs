//! A home with one recorded session, and `mam launch` of it on a terminal of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use mam_host::session::name::RecordName;
use mam_host::session::record::{Launch, LaunchedBy, SessionRecord, Status};
use mam_host::session::store::SessionStore;
use mam_share::process::{self, Kernel as _};

use crate::support::home::{Home, read};
use crate::support::pty::Pty;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Every process with this home in its environment ends with it.
pub(super) struct Rig {
    pub(super) home: Home,
}

impl Rig {
    /// A home in which `agent` is a plain shell under another name: `agent -c SCRIPT`.
    pub(super) fn new() -> Self {
        let home = Home::with_prefix("l ");
        home.link_program("agent", "/bin/sh".as_ref());
        fs_err::create_dir(home.path("a dir")).unwrap();
        Self { home }
    }

    pub(super) fn name() -> RecordName {
        "review".parse().unwrap()
    }

    pub(super) fn store(&self) -> SessionStore {
        SessionStore::new(&self.home.path(".config/mam"))
    }

    pub(super) fn record(&self) -> SessionRecord {
        self.store().read(&Self::name()).unwrap().unwrap()
    }

    /// A record of a launch that was just asked for.
    pub(super) fn asked(&self, argv: Vec<OsString>) -> SessionRecord {
        let now = "2026-12-01T00:00:00Z";
        let mut record =
            SessionRecord::new(Self::name(), "claude", argv, self.home.path("a dir"), "mam", now);
        record.note_launch(Launch::new(LaunchedBy::Create, now));
        record
    }

    /// Writes a record, in place of what is there.
    pub(super) fn write(&self, record: &SessionRecord) {
        self.store().remove(&Self::name()).unwrap();
        self.store().create(record).unwrap();
    }

    /// Writes a record of an agent that runs this script, with these arguments.
    pub(super) fn script(&self, script: &str, arguments: &[OsString]) {
        let mut argv: Vec<OsString> = ["agent", "-c", script, "agent"].map(OsString::from).into();
        argv.extend(arguments.iter().cloned());
        self.write(&self.asked(argv));
    }

    /// `mam launch`, not yet on a terminal.
    pub(super) fn command(&self) -> Command {
        let mut command = self.home.command(env!("CARGO_BIN_EXE_mam"));
        command.args(["launch", Self::name().as_str()]).env("SHELL", "/bin/sh").env("PS1", "ready> ");
        // fish asks its terminal what it can do and waits for the answer.
        command.env("fish_features", "no-query-term").env("TERM", "dumb");
        command
    }

    /// `mam launch` on a terminal.
    pub(super) fn launch(&self) -> Pty {
        Pty::start(self.command())
    }

    /// Runs a script as the agent.
    pub(super) fn run(&self, script: &str) -> Pty {
        self.script(script, &[]);
        self.launch()
    }

    /// The content of a file that an agent writes; waits for it.
    #[track_caller]
    pub(super) fn file(&self, name: &str) -> Vec<u8> {
        let path = self.home.path(name);
        until(&format!("`{name}` is written"), || path.exists());
        fs_err::read(path).unwrap()
    }

    #[track_caller]
    pub(super) fn text(&self, name: &str) -> String {
        String::from_utf8(self.file(name)).unwrap().trim().to_owned()
    }

    /// The log of refusals.
    pub(super) fn log(&self) -> String {
        let path: PathBuf = self.home.path(".config/mam/logs/mam.log");
        if path.exists() { read(&path) } else { String::new() }
    }

    /// The pid of the agent by its record.
    #[track_caller]
    pub(super) fn agent(&self) -> u32 {
        let found = std::cell::Cell::new(0);
        until("the agent is recorded", || match self.record().status {
            Status::Running { process } => {
                found.set(process.pid);
                true
            }
            Status::Launching { .. } | Status::Ended { .. } | Status::Failed { .. } => false,
        });
        found.get()
    }

    /// Every process whose environment has this home, but zombies.
    pub(super) fn processes(&self) -> Vec<u32> {
        let kernel = process::kernel();
        let Ok(table) = kernel.table() else { return Vec::new() };
        let home = self.home.path("");
        let is_ours = |pid: u32| {
            kernel.environment(pid).is_some_and(|variables| variables.get("HOME") == Some(home.as_os_str()))
        };
        table.iter().map(|process| process.pid).filter(|pid| is_ours(*pid)).collect()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        for _ in 0..20 {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            for pid in left {
                signal(pid, rustix::process::Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

pub(super) fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    // It may have ended by itself.
    let _ = rustix::process::kill_process(pid, signal);
}

/// Whether `pid` is a process that has not ended.
pub(super) fn is_alive(pid: u32) -> bool {
    let table = process::kernel().table().unwrap();
    table.get(pid).is_some_and(|process| process.state != process::State::Zombie)
}

/// Waits until something is so.
#[track_caller]
pub(super) fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "it did not come about that {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
