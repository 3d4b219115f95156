//! A scene to judge: a server with a leftover `w1:p1` whose conversation runs in `w2:p1`, and a third
//! pane; every test changes one thing.

use std::collections::BTreeSet;
use std::time::Duration;

use mam_share::herdr::pane::{Conversation, ForegroundProcess, Pane, ProcessInfo, Workspace};
use mam_share::process::{Process, ProcessTable, State, Terminal, Tty};

use crate::facts::{Facts, Job, Server, Shell};
use crate::mark::mark;
use crate::resident::Residents;
use crate::verdict::{Question, Verdict, judge};

/// The server, started 100 s after boot.
pub(super) const SERVER: u32 = 1000;
/// The leftover's shell.
pub(super) const SHELL: u32 = 1010;

/// The shell of the pane in which the conversation runs; the agent is its child.
pub(super) const LIVE: u32 = 2000;

pub(super) struct Scene {
    pub(super) panes: Vec<Pane>,
    pub(super) workspaces: Option<Vec<Workspace>>,
    pub(super) info: Option<Result<ProcessInfo, String>>,
    pub(super) processes: Vec<Process>,
    pub(super) shell: Option<Shell>,
    pub(super) jobs: Vec<Job>,
    pub(super) has_table: bool,
    pub(super) named: Option<String>,
    /// Now, in seconds since boot.
    pub(super) now: u64,
    pub(super) waited: Duration,
}

pub(super) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// The wall clock at boot.
pub(super) const BOOT: u64 = 1_700_000_000;

/// When the leftover's shell started, by the wall clock.
pub(super) const STARTED: Duration = Duration::from_millis(BOOT * 1000 + 100_020);

#[expect(clippy::unnecessary_wraps, reason = "as it stands in a pane")]
pub(super) fn conversation(value: &str) -> Option<Conversation> {
    Some(Conversation { agent: "claude".into(), kind: "id".into(), value: value.into() })
}

pub(super) fn pane(id: &str, agent: Option<&str>, conversation: Option<Conversation>) -> Pane {
    Pane {
        pane_id: id.into(),
        terminal_id: format!("term-{id}"),
        workspace_id: id.split(':').next().unwrap().into(),
        focused: false,
        cwd: Some("/src".into()),
        label: None,
        agent: agent.map(str::to_owned),
        conversation,
    }
}

pub(super) fn process(pid: u32, parent: u32, name: &str) -> Process {
    Process {
        pid,
        parent,
        state: State::Sleeping,
        group: pid,
        session: SHELL,
        tty: Some(Tty::new("pts/1")),
        foreground: Some(SHELL),
        started: seconds(150),
        name: name.into(),
    }
}

impl Scene {
    pub(super) fn new() -> Self {
        let workspace = |id: &str| Workspace { workspace_id: id.into(), worktree: None };
        let shell = Process { started: Duration::from_millis(100_020), ..process(SHELL, SERVER, "bash") };
        let server = Process { tty: None, started: seconds(100), ..process(SERVER, 1, "herdr") };
        Self {
            panes: vec![
                pane("w1:p1", None, conversation("X")),
                pane("w2:p1", Some("claude"), conversation("X")),
                pane("w3:p1", None, None),
            ],
            workspaces: Some(["w1", "w2", "w3"].map(workspace).into()),
            info: Some(Ok(ProcessInfo {
                pane_id: "w1:p1".into(),
                shell_pid: Some(SHELL),
                foreground_group: Some(SHELL),
                foreground: vec![ForegroundProcess { pid: SHELL, name: "bash".into() }],
            })),
            processes: vec![
                server,
                shell,
                Process { tty: Some(Tty::new("pts/2")), ..process(LIVE, SERVER, "bash") },
                Process { tty: Some(Tty::new("pts/2")), ..process(LIVE + 1, LIVE, "claude") },
            ],
            shell: Some(Shell {
                start_directory: Some("/src".into()),
                directory: Some("/src".into()),
                program: Some("bash".into()),
                terminal: Terminal { last_input: Some(mark(STARTED)), is_canonical: Some(false) },
            }),
            jobs: Vec::new(),
            has_table: true,
            named: None,
            now: 300,
            waited: Duration::ZERO,
        }
    }

    pub(super) fn info(&mut self) -> &mut ProcessInfo {
        self.info.as_mut().unwrap().as_mut().unwrap()
    }

    pub(super) fn shell(&mut self) -> &mut Process {
        self.processes.iter_mut().find(|process| process.pid == SHELL).unwrap()
    }

    pub(super) fn more(&mut self) -> &mut Shell {
        self.shell.as_mut().unwrap()
    }

    pub(super) fn facts(&self) -> Facts {
        let table =
            ProcessTable::new(seconds(self.now), seconds(BOOT + self.now), self.processes.iter().cloned());
        let running = ProcessInfo {
            pane_id: "w2:p1".into(),
            shell_pid: Some(LIVE),
            foreground_group: Some(LIVE + 1),
            foreground: vec![ForegroundProcess { pid: LIVE + 1, name: "claude".into() }],
        };
        let live = Shell { program: Some("bash".into()), ..Shell::default() };
        let infos = self.info.clone().into_iter().map(|info| ("w1:p1".to_owned(), info));
        Facts {
            server: Server { pid: SERVER, started: seconds(100), boot: "boot".into() },
            panes: self.panes.clone(),
            workspaces: self.workspaces.clone(),
            informed: infos.chain([("w2:p1".to_owned(), Ok(running))]).collect(),
            table: self.has_table.then_some(table),
            shells: self
                .shell
                .clone()
                .into_iter()
                .map(|shell| (SHELL, shell))
                .chain([(LIVE, live)])
                .collect(),
            jobs: self.jobs.clone(),
        }
    }

    pub(super) fn question(&self) -> Question {
        Question {
            named: self.named.clone().map(|id| [id].into()),
            residents: Residents::new(&[]),
            waited: self.waited,
        }
    }

    pub(super) fn verdict(&self) -> Verdict {
        let facts = self.facts();
        judge(&facts, &facts.panes[0], &self.question(), &BTreeSet::new())
    }

    /// The verdict in short: `close`, `keep NAME`, `wait NAME`.
    pub(super) fn short(&self) -> String {
        match self.verdict() {
            Verdict::Close(_) => "close".into(),
            Verdict::Keep(reason) => format!("keep {}", reason.name()),
            Verdict::Settling(reason) => format!("wait {}", reason.name()),
        }
    }
}

/// A row: what is changed, and the verdict in short.
pub(super) type Row = (&'static str, fn(&mut Scene), &'static str);

pub(super) fn check(rows: &[Row]) {
    for (what, change, expected) in rows {
        let mut scene = Scene::new();
        change(&mut scene);
        assert_eq!(scene.short(), *expected, "{what}");
    }
}
