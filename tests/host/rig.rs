//! A home with a herdr, the host in it, and a look at what runs. Whatever was started with this home in
//! its environment is gone after the test.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mam_share::process::{self, Kernel as _};
use serde_json::{Value, json};

use crate::support::herdr::Herdr;
use crate::support::home::{Home, Ran, read, run, write};

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Runs a test once for each herdr.
pub(crate) fn on_each(test: impl Fn(&Rig)) {
    for herdr in Herdr::all() {
        eprintln!("on {}", herdr.name);
        test(&Rig::new(&herdr));
    }
}

pub(crate) struct Rig {
    pub(crate) home: Home,
}

impl Rig {
    pub(crate) fn new(herdr: &Herdr) -> Self {
        let home = Home::with_prefix("h ");
        home.link_program("herdr", &herdr.path);
        home.write_config("onboarding = false\n[update]\nversion_check = false\nmanifest_check = false\n");
        Self { home }
    }

    pub(crate) fn sim() -> Self {
        Self::new(&Herdr::sim())
    }

    /// `mam` with these arguments, typed in a bash: without SHELL herdr's panes would be `sh`.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.home.command(env!("CARGO_BIN_EXE_mam"));
        command.args(arguments).env("SHELL", "/bin/bash");
        command
    }

    pub(crate) fn mam(&self, arguments: &[&str]) -> Ran {
        run(&mut self.command(arguments))
    }

    /// Runs `mam` and expects success.
    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) -> Ran {
        let ran = self.mam(arguments);
        ran.expect(0);
        ran
    }

    /// `mam` as a supervisor runs it.
    pub(crate) fn supervised(&self, arguments: &[&str]) -> Ran {
        run(self.command(arguments).env("MAM_SUPERVISED", "1"))
    }

    pub(crate) fn profile(&self, name: &str) -> PathBuf {
        self.ok(&["profile", "create", name]);
        self.home_of(name)
    }

    pub(crate) fn home_of(&self, name: &str) -> PathBuf {
        self.home.path(&format!(".config/mam/profiles/{name}"))
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.home.path(".config/mam")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.home.path(".local/state/mam")
    }

    /// The record as it stands on disk.
    pub(crate) fn record(&self) -> Option<Value> {
        let path = self.state().join("host.json");
        path.exists().then(|| serde_json::from_str(&read(&path)).unwrap())
    }

    pub(crate) fn write_record(&self, record: &Value) {
        fs_err::create_dir_all(self.state()).unwrap();
        write(&self.state().join("host.json"), record.to_string());
    }

    /// A record of `pid` as it is now, as raw JSON.
    pub(crate) fn record_of(&self, pid: u32, profiles: &[&str]) -> Value {
        let kernel = process::kernel();
        let started = kernel.started(pid).unwrap();
        json!({
            "role": "host",
            "home": self.root(),
            "pid": pid,
            "createTime": u64::try_from(started.as_millis()).unwrap(),
            "bootId": kernel.boot(),
            "session": "mam",
            "socket": self.socket(),
            "overlay": self.home.overlay(),
            "protocolVersion": 1,
            "profiles": profiles,
            "updatedAt": "",
        })
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.home.path(".config/herdr/sessions/mam/herdr.sock")
    }

    /// The pid of the host by its record.
    #[track_caller]
    pub(crate) fn pid(&self) -> u32 {
        let record = self.record().expect("no record");
        u32::try_from(record["pid"].as_u64().unwrap()).unwrap()
    }

    pub(crate) fn status(&self) -> Value {
        serde_json::from_str(&self.mam(&["status", "--json"]).stdout).unwrap()
    }

    /// A process that takes the lock as `mam run` does and becomes `program`.
    pub(crate) fn locker(&self, program: &[&str]) -> Option<Child> {
        let python = crate::support::tools::needs("python3")?;
        fs_err::create_dir_all(self.state()).unwrap();
        let script = "import fcntl, os, sys\n\
            f = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)\n\
            fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)\n\
            os.set_inheritable(f, True)\n\
            print('held', flush=True)\n\
            os.execvp(sys.argv[2], sys.argv[2:])\n";
        let mut command = self.home.command(python);
        command.arg("-c").arg(script).arg(self.state().join("host.lock")).args(program);
        command.env("MAM_HOST", self.state()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut word = [0; 5];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut word).unwrap();
        Some(child)
    }

    /// The servers of the session `mam` with this home.
    pub(crate) fn servers(&self) -> Vec<u32> {
        let is_server = |pid: &u32| {
            let line = fs_err::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|&byte| byte == 0).collect();
            words.windows(2).any(|pair| pair == [b"--session".as_slice(), b"mam"])
                && words.contains(&b"server".as_slice())
                || words.contains(&b"--handoff-import".as_slice())
        };
        let servers: Vec<u32> = self.processes().into_iter().filter(is_server).collect();
        // A child between fork and exec looks like its parent.
        let table = process::kernel().table().unwrap_or_default();
        let is_child = |pid: &u32| table.get(*pid).is_some_and(|it| servers.contains(&it.parent));
        servers.iter().copied().filter(|pid| !is_child(pid)).collect()
    }

    /// Every process whose environment has this home, but zombies.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let kernel = process::kernel();
        let Ok(table) = kernel.table() else { return Vec::new() };
        let home = self.home.path("");
        let is_ours = |pid: u32| {
            kernel.environment(pid).is_some_and(|variables| variables.get("HOME") == Some(home.as_os_str()))
        };
        table.iter().map(|process| process.pid).filter(|pid| is_ours(*pid)).collect()
    }

    /// Asks the host.
    #[track_caller]
    pub(crate) fn ask(&self, method: &str, params: &Value) -> Value {
        mam_share::herdr::socket::ask(&self.socket(), method, params, PATIENCE).unwrap()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        for _ in 0..20 {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            left.into_iter().for_each(kill);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The log of a home.
pub(crate) fn log_of(home: &Path) -> String {
    let path = home.join("logs/mam.log");
    if path.exists() { read(&path) } else { String::new() }
}

pub(crate) fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    // It may have ended by itself.
    let _ = rustix::process::kill_process(pid, signal);
}

pub(crate) fn kill(pid: u32) {
    signal(pid, rustix::process::Signal::KILL);
}

/// Whether `pid` is a process that has not ended.
pub(crate) fn is_alive(pid: u32) -> bool {
    let table = process::kernel().table().unwrap();
    table.get(pid).is_some_and(|process| process.state != process::State::Zombie)
}

/// The environment of a process.
pub(crate) fn environment_of(pid: u32) -> BTreeMap<String, String> {
    let text = |value: std::ffi::OsString| String::from_utf8_lossy(&value.into_vec()).into_owned();
    let variables = process::kernel().environment(pid).unwrap_or_default();
    variables.0.into_iter().map(|(name, value)| (text(name), text(value))).collect()
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "it did not come about that {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
