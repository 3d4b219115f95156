//! A throw-away home with one herdr in it, a fake `claude` and mam's programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use mam_share::child::{self, Run};
use mam_share::environment::Environment;
use mam_share::files::{self, Trust};
use mam_share::herdr::{places, socket};
use mam_share::process::{Kernel as _, kernel};
use mam_share::variable::Variable;
use serde_json::{Value, json};

use crate::support::pty::Pty;

/// Which herdr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The simulator.
    Simulated,
    /// The one that `MAM_TEST_HERDR` names.
    Real,
}

impl Which {
    fn program(self) -> Option<PathBuf> {
        match self {
            Self::Real => set("MAM_TEST_HERDR"),
            Self::Simulated => Some(env!("CARGO_BIN_EXE_herdr-sim").into()),
        }
    }
}

/// The value of a variable of the tests.
pub(crate) fn set(name: &'static str) -> Option<PathBuf> {
    let variable = Variable { name, purpose: "tests" };
    Environment::of_process().filled(variable).map(PathBuf::from)
}

/// The program under test.
pub(crate) const HOOK: &str = env!("CARGO_BIN_EXE_mam-restore-hook");
const RENDERER: &str = env!("CARGO_BIN_EXE_mam-render-config");

/// The session all tests use.
pub(crate) const SESSION: &str = "t";

/// A pane as it stands in a saved layout.
pub(crate) struct Saved {
    pub(crate) cwd: PathBuf,
    pub(crate) conversation: Option<String>,
}

/// What a program said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The home. Whatever was started in it ends with this value.
pub(crate) struct Rig {
    pub(crate) root: PathBuf,
    herdr: PathBuf,
    server: Option<std::process::Child>,
    pub(crate) has_overlay: bool,
    /// Whether the hook is called at a start, also when no plugin is linked.
    pub(crate) is_watched: bool,
    startup: Option<std::process::Child>,
}

static NEXT: AtomicU32 = AtomicU32::new(0);

impl Rig {
    /// A home with nothing running; `None`, said aloud, when this herdr is not here.
    pub(crate) fn new(which: Which) -> Option<Self> {
        let Some(herdr) = which.program() else {
            // Not a matter of MAM_TEST_REQUIRE: no package brings a real herdr.
            eprintln!("skipped: needs a herdr in MAM_TEST_HERDR");
            return None;
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = PathBuf::from(format!("/tmp/mh{}-{number}", std::process::id()));
        fs_err::create_dir_all(root.join("bin")).unwrap();
        let rig = Self { root, herdr, server: None, has_overlay: true, is_watched: true, startup: None };
        let log = rig.root.join("argv.log");
        rig.script("bin/claude", &format!(
            "#!/usr/bin/env bash\necho \"$*\" >> {}\necho 'Welcome to Claude Code (fake)'\nwhile :; do sleep 1; done\n",
            log.display()
        ));
        let shell = format!("export PATH=\"{}/bin:$PATH\"\nexec bash --norc -i\n", rig.root.display());
        rig.set_shell(&rig.script("shell.sh", &format!("#!/usr/bin/env bash\n{shell}")));
        Some(rig)
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// A directory of this home.
    pub(crate) fn dir(&self, below: &str) -> PathBuf {
        let path = self.path(below);
        fs_err::create_dir_all(&path).unwrap();
        path
    }

    pub(crate) fn write(&self, below: &str, text: &str) -> PathBuf {
        let path = self.path(below);
        fs_err::create_dir_all(files::parent(&path)).unwrap();
        files::write_atomic(&path, text.as_bytes(), 0o644).unwrap();
        path
    }

    pub(crate) fn script(&self, below: &str, text: &str) -> PathBuf {
        let path = self.path(below);
        files::write_atomic(&path, text.as_bytes(), 0o755).unwrap();
        path
    }

    pub(crate) fn read(&self, below: &str) -> String {
        let bytes = files::read(&self.path(below), Trust::Ours).unwrap().unwrap_or_default();
        String::from_utf8(bytes).unwrap()
    }

    /// Writes the user config, with `shell` as the shell of every pane.
    pub(crate) fn set_shell(&self, shell: &Path) {
        let text = format!(
            "[update]\nversion_check = false\nmanifest_check = false\n[terminal]\ndefault_shell = \"{}\"\n",
            shell.display()
        );
        self.write(".config/herdr/config.toml", &text);
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.root.display();
        vec![
            ("HOME", home.to_string()),
            ("PATH", format!("{home}/bin:/usr/bin:/bin")),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
    }

    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.environment()).current_dir(&self.root);
        command
    }

    pub(crate) fn socket(&self) -> PathBuf {
        let environment = Environment::new(self.environment(), "/", "/tmp");
        places::socket(&environment, Some(&SESSION.parse().unwrap()))
    }

    pub(crate) fn session_dir(&self) -> PathBuf {
        files::parent(&self.socket()).to_owned()
    }

    /// Starts the server, on mam's overlay unless `has_overlay` says no, and waits for it.
    pub(crate) fn start(&mut self) {
        let mut command = self.command(&self.herdr);
        if self.has_overlay {
            let said = self.run(RENDERER, &["--herdr", self.herdr.to_str().unwrap()]);
            assert_eq!(said.code, 0, "{}", said.stderr);
            command.env("HERDR_CONFIG_PATH", said.stdout.trim());
        }
        command.args(["--session", SESSION, "server"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.server = Some(command.spawn().unwrap());
        self.until("the server answers", || self.try_ask("ping", &json!({})).is_ok());
        if self.is_watched {
            let mut hook = self.command(HOOK);
            hook.arg("startup").env("HERDR_SESSION", SESSION).env("HERDR_SOCKET_PATH", self.socket());
            hook.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            self.startup = Some(hook.spawn().unwrap());
        }
    }

    /// Waits until the call of the hook at the start has ended.
    pub(crate) fn await_startup(&mut self) {
        if let Some(mut startup) = self.startup.take() {
            startup.wait().unwrap();
        }
    }

    pub(crate) fn server_pid(&self) -> u32 {
        let stream = socket::connect(&self.socket(), Duration::from_secs(5)).unwrap();
        kernel().peer(&stream).unwrap()
    }

    /// SIGKILL for the server, SIGHUP by the kernel for its panes.
    pub(crate) fn crash(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
        self.await_startup();
    }

    /// Writes the layout that the next server restores: a workspace for each pane.
    pub(crate) fn save(&self, panes: &[Saved]) {
        let workspace = |(index, saved): (usize, &Saved)| {
            let number = index + 1;
            let mut pane = json!({"cwd": saved.cwd});
            if let Some(value) = &saved.conversation {
                pane["agent_session"] =
                    json!({"source": "herdr:claude", "agent": "claude", "kind": "id", "value": value});
            }
            json!({
                "id": format!("w{number}"), "custom_name": format!("W{number}"), "identity_cwd": saved.cwd,
                "public_pane_numbers": {number.to_string(): 1}, "next_public_pane_number": 2,
                "public_tab_numbers": [1], "next_public_tab_number": 2,
                "tabs": [{"custom_name": null, "layout": {"Pane": number}, "panes": {number.to_string(): pane},
                          "zoomed": false, "focused": number, "root_pane": number}],
                "active_tab": 0,
            })
        };
        let workspaces: Vec<Value> = panes.iter().enumerate().map(workspace).collect();
        let layout = json!({"version": 3, "workspaces": workspaces, "active": 0, "selected": 0,
            "sidebar_width": 26, "sidebar_section_split": 0.5, "collapsed_space_keys": []});
        let path = self.session_dir().join("session.json");
        fs_err::create_dir_all(files::parent(&path)).unwrap();
        files::write_atomic(&path, layout.to_string().as_bytes(), 0o644).unwrap();
    }

    /// A server that has restored one shell for each of `conversations`, and a plain one at the end.
    pub(crate) fn restore(&mut self, conversations: &[&str]) {
        let cwd = self.dir("src");
        let mut panes: Vec<Saved> = conversations
            .iter()
            .map(|value| Saved { cwd: cwd.clone(), conversation: Some((*value).to_owned()) })
            .collect();
        panes.push(Saved { cwd, conversation: None });
        self.save(&panes);
        self.start();
        self.until("all panes are back", || self.panes().len() == panes.len());
    }

    pub(crate) fn try_ask(&self, method: &str, params: &Value) -> Result<Value, socket::NoAnswer> {
        socket::ask(&self.socket(), method, params, Duration::from_secs(10))
    }

    pub(crate) fn ask(&self, method: &str, params: &Value) -> Value {
        self.try_ask(method, params).unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    pub(crate) fn panes(&self) -> Vec<Value> {
        self.ask("pane.list", &json!({}))["panes"].as_array().unwrap().clone()
    }

    /// The pane of a conversation that no agent runs in.
    pub(crate) fn restored(&self, conversation: &str) -> Option<String> {
        let of = |pane: &Value| pane["agent_session"]["value"] == conversation && pane["agent"].is_null();
        self.panes().into_iter().find(of).map(|pane| pane["pane_id"].as_str().unwrap().to_owned())
    }

    pub(crate) fn new_pane(&self, cwd: &Path) -> String {
        let answer = self.ask("workspace.create", &json!({"cwd": cwd, "label": "new", "focus": false}));
        let pane = answer["root_pane"]["pane_id"].as_str().unwrap().to_owned();
        self.until("the new shell reads commands", || self.is_idle(&pane));
        pane
    }

    /// Types a line.
    pub(crate) fn type_line(&self, pane: &str, line: &str) {
        self.ask("pane.send_input", &json!({"pane_id": pane, "text": line, "keys": ["enter"]}));
    }

    /// Runs the fake agent in `pane`; `reports` says whether its integration reports at once.
    pub(crate) fn run_agent(&self, pane: &str, conversation: &str, reports: bool) {
        let before = self.read("argv.log").lines().count();
        self.type_line(pane, &format!("claude --session-id {conversation}"));
        self.until("the agent runs", || self.read("argv.log").lines().count() > before);
        if reports {
            self.report(pane, conversation);
        }
    }

    /// What the integration of claude reports once it knows its conversation; fires no event.
    pub(crate) fn report(&self, pane: &str, conversation: &str) {
        self.ask(
            "pane.report_agent_session",
            &json!({"pane_id": pane, "source": "herdr:claude",
            "agent": "claude", "agent_session_id": conversation}),
        );
    }

    /// Runs the conversation in a new pane, as a resume does.
    pub(crate) fn resume(&self, conversation: &str) -> String {
        let pane = self.new_pane(&self.dir("src"));
        self.run_agent(&pane, conversation, true);
        self.until("herdr sees the agent", || {
            let runs = |it: &Value| it["pane_id"] == *pane && !it["agent"].is_null();
            self.panes().iter().any(runs)
        });
        pane
    }

    /// The pid of the shell in `pane`.
    pub(crate) fn shell(&self, pane: &str) -> u32 {
        let info = self.ask("pane.process_info", &json!({"pane_id": pane}));
        u32::try_from(info["process_info"]["shell_pid"].as_u64().unwrap()).unwrap()
    }

    /// Whether the shell in `pane` waits for a command.
    pub(crate) fn is_idle(&self, pane: &str) -> bool {
        let table = kernel().table().unwrap();
        let Some(shell) = table.get(self.shell(pane)) else { return false };
        let Some(tty) = &shell.tty else { return false };
        kernel().terminal(tty).is_canonical == Some(false) && table.children(shell.pid).next().is_none()
    }

    /// Whether the next key that is read from this pane's terminal moves its access time, however soon: the
    /// hook has marked it at the start of the server.
    pub(crate) fn is_marked(&self, pane: &str) -> bool {
        let table = kernel().table().unwrap();
        let Some(shell) = table.get(self.shell(pane)) else { return false };
        let last = shell.tty.as_ref().and_then(|tty| kernel().terminal(tty).last_input);
        last.is_some_and(|last| last + Duration::from_secs(8) < table.started_wall(shell))
    }

    /// Whether the shell in `pane` is so old that nothing it reads counts as its own start: 2 s, and 1 s for
    /// the whole seconds that the kernel keeps.
    pub(crate) fn is_past_its_start(&self, pane: &str) -> bool {
        let table = kernel().table().unwrap();
        table.get(self.shell(pane)).is_some_and(|shell| table.age(shell) > Duration::from_millis(3200))
    }

    /// Whether the shell with this pid has started something that is still its child.
    #[expect(clippy::unused_self, reason = "reads as a sentence")]
    pub(crate) fn has_children(&self, shell: u32) -> bool {
        kernel().table().unwrap().children(shell).next().is_some()
    }

    /// Whether another process is on the terminal of the shell with this pid.
    #[expect(clippy::unused_self, reason = "reads as a sentence")]
    pub(crate) fn shares_terminal(&self, shell: u32) -> bool {
        let table = kernel().table().unwrap();
        let Some(own) = table.get(shell) else { return false };
        own.tty.is_some() && table.iter().any(|other| other.pid != shell && other.tty == own.tty)
    }

    /// A client on a terminal of its own.
    pub(crate) fn attach(&self) -> Pty {
        let mut command = self.command(&self.herdr);
        command.args(["--session", SESSION]);
        Pty::start(command)
    }

    /// Runs a program of mam in this home, with the poorest `PATH`.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Said {
        self.run_with(program, arguments, &[])
    }

    pub(crate) fn run_with(&self, program: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Said {
        let mut command = self.command(program);
        command.env("PATH", "/usr/bin:/bin").envs(variables.iter().copied()).args(arguments);
        match child::run(command, Duration::from_secs(120)) {
            Run::Ended(answer) => Said {
                code: answer.status.code().unwrap_or(-1),
                stdout: String::from_utf8(answer.stdout).unwrap(),
                stderr: String::from_utf8(answer.stderr).unwrap(),
            },
            other @ (Run::TimedOut | Run::NotStarted(_)) => panic!("{program} {arguments:?}: {other:?}"),
        }
    }

    /// Runs the hook on the session.
    pub(crate) fn hook(&self, arguments: &[&str]) -> Said {
        self.run_with(HOOK, arguments, &[("HERDR_SESSION_NAME", SESSION)])
    }

    /// Closes the restored shells of one conversation; it must have ended well.
    pub(crate) fn close(&self, conversation: &str) -> Said {
        let said =
            self.hook(&["close-restored-shells", "--session-id", conversation, "--herdr", "/nonexistent"]);
        assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
        said
    }

    /// Links the plugin.
    pub(crate) fn install(&self) {
        let said = self.run(HOOK, &["install", "--herdr", self.herdr.to_str().unwrap()]);
        assert_eq!(said.code, 0, "{}", said.stderr);
    }

    pub(crate) fn herdr(&self) -> &str {
        self.herdr.to_str().unwrap()
    }

    /// Waits until `is_so`, for at most 20 s.
    #[expect(clippy::unused_self, reason = "reads as a sentence")]
    pub(crate) fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let started = Instant::now();
        while !is_so() {
            assert!(started.elapsed() < Duration::from_secs(20), "never: {what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until a key that is read now moves the access time of the terminals that are there: the
    /// kernel keeps it in steps of 8 s.
    #[expect(clippy::unused_self, reason = "reads as a sentence")]
    pub(crate) fn until_reading_shows(&self) {
        let table = kernel().table().unwrap();
        let into_step = Duration::from_nanos(u64::try_from(table.wall.as_nanos() % 8_000_000_000).unwrap());
        std::thread::sleep(Duration::from_secs(11).saturating_sub(into_step));
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.crash();
        // Everything that was started here has this home in its environment.
        let kernel = kernel();
        let home = self.root.as_os_str();
        for process in kernel.table().unwrap_or_default().iter() {
            let ours = kernel.environment(process.pid).is_some_and(|it| it.get("HOME") == Some(home));
            let pid = i32::try_from(process.pid).ok().and_then(rustix::process::Pid::from_raw);
            if let (true, Some(pid)) = (ours, pid) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
        drop(fs_err::remove_dir_all(&self.root));
    }
}
