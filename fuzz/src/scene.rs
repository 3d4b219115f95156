//! A server's moment made from bytes: mostly a session of idle leftovers, with whatever the bytes make
//! odd about it. No bytes at all are a session in which everything is as it should be.

use std::time::Duration;

use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use mam_hook::facts::{Facts, Job, Server, Shell};
use mam_hook::mark;
use mam_hook::resident::Residents;
use mam_hook::verdict::Question;
use mam_share::herdr::pane::{Conversation, ForegroundProcess, Pane, ProcessInfo, Workspace, Worktree};
use mam_share::process::{Process, ProcessTable, State, Terminal, Tty};

/// The server's process.
pub const SERVER: u32 = 1000;

/// When the server started, in seconds since boot.
const STARTED: u64 = 100;

/// The wall clock at boot, in seconds.
const BOOT: u64 = 1_700_000_000;

/// Bytes that are asked questions. Once they have run out, every answer is the usual one.
pub struct Bytes<'a>(Unstructured<'a>);

impl<'a> Bytes<'a> {
    /// The questions are answered from `input`.
    pub fn new(input: &'a [u8]) -> Self {
        Self(Unstructured::new(input))
    }

    fn byte(&mut self) -> u8 {
        u8::arbitrary(&mut self.0).unwrap_or_default()
    }

    /// Whether something is out of the ordinary, once in 16 times.
    pub fn is_odd(&mut self) -> bool {
        self.byte() >= 240
    }

    /// A number below `limit`; 0 is the usual one.
    pub fn below(&mut self, limit: u8) -> u8 {
        self.byte() % limit
    }

    /// One of `choices`; the first is the usual one.
    pub fn one<T: Clone>(&mut self, choices: &[T]) -> T {
        let index = usize::from(self.byte()) % choices.len();
        choices[index].clone()
    }

    /// `usual`, and once in 16 times one of `odd`.
    pub fn mostly<T: Clone>(&mut self, usual: T, odd: &[T]) -> T {
        if self.is_odd() { self.one(odd) } else { usual }
    }

    /// As [`Bytes::mostly`], twice as often and from anywhere between `low` and `high`, in milliseconds.
    fn near(&mut self, usual: Duration, low: u64, high: u64) -> Duration {
        if self.byte() < 224 {
            return usual;
        }
        let span = u64::from(u16::arbitrary(&mut self.0).unwrap_or_default());
        Duration::from_millis(low + span * (high - low) / u64::from(u16::MAX))
    }
}

/// The facts, a second look at them, and what is asked.
pub struct Scene {
    /// The first look.
    pub facts: Facts,
    /// The second look.
    pub later: Facts,
    /// What is asked.
    pub question: Question,
}

impl Scene {
    /// The scene of these bytes.
    pub fn of(bytes: &mut Bytes<'_>) -> Self {
        let facts = facts(bytes);
        let later = later(bytes, &facts);
        let named = bytes.mostly(None, &[Some("X"), Some("Y"), Some("")]);
        let question = Question {
            named: named.map(|id| [id.to_owned()].into()),
            residents: Residents::new(&bytes.mostly(vec![], &[vec!["mine".into()], vec!["*".into()]])),
            waited: Duration::from_millis(u64::from(bytes.below(20)) * 100),
        };
        Self { facts, later, question }
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn facts(bytes: &mut Bytes<'_>) -> Facts {
    let now = STARTED + bytes.one(&[200_u64, 61, 30, 3, 0]);
    let workspaces = workspaces(bytes);
    let mut facts = Facts {
        server: Server { pid: SERVER, started: seconds(STARTED), boot: "boot".into() },
        workspaces: bytes.mostly(Some(workspaces), &[None]),
        ..Facts::default()
    };
    let mut processes = vec![process(SERVER, 1, "herdr", None)];
    for number in 0..=u32::from(bytes.one(&[2_u8, 1, 3, 5, 0])) {
        // The first is a leftover, the second runs its conversation.
        add_pane(bytes, &mut facts, &mut processes, number);
    }
    for number in 0..u32::from(bytes.one(&[0_u8, 1, 2, 3])) {
        add_process(bytes, &mut facts, &mut processes, 3000 + number);
    }
    let table = ProcessTable::new(seconds(now), seconds(BOOT + now), processes);
    facts.table = bytes.mostly(Some(table), &[None]);
    facts
}

fn workspaces(bytes: &mut Bytes<'_>) -> Vec<Workspace> {
    let mut all = Vec::new();
    for number in 1..=3 {
        let worktree = Worktree {
            repo_key: bytes.one(&[None, Some("/r/.git".to_owned()), Some("/other".to_owned())]),
            is_linked_worktree: bytes.one(&[Some(false), Some(true), None]),
        };
        let worktree = bytes.one(&[None, Some(worktree)]);
        if !bytes.is_odd() {
            all.push(Workspace { workspace_id: format!("w{number}"), worktree });
        }
    }
    all
}

fn conversation(bytes: &mut Bytes<'_>) -> Option<Conversation> {
    let agent = bytes.mostly("claude", &["codex", ""]).to_owned();
    let kind = bytes.mostly("id", &["path", ""]).to_owned();
    let value = bytes.mostly("X", &["Y", "Z", ""]).to_owned();
    bytes.mostly(Some(Conversation { agent, kind, value }), &[None])
}

fn process(pid: u32, parent: u32, name: &str, tty: Option<Tty>) -> Process {
    Process {
        pid,
        parent,
        state: State::Sleeping,
        group: pid,
        session: pid,
        tty,
        foreground: Some(pid),
        started: seconds(STARTED),
        name: name.into(),
    }
}

fn state(bytes: &mut Bytes<'_>) -> State {
    let odd = [State::Running, State::Blocked, State::Stopped, State::Zombie, State::Other('Q')];
    bytes.mostly(State::Sleeping, &odd)
}

fn add_pane(bytes: &mut Bytes<'_>, facts: &mut Facts, processes: &mut Vec<Process>, number: u32) {
    let workspace = bytes.mostly(number % 3 + 1, &[1, 2, 3, 4]);
    let pane_id = format!("w{workspace}:p{number}");
    let usual = (number == 1).then_some("claude");
    let agent = bytes.mostly(usual, &[None, Some("claude"), Some("")]).map(str::to_owned);
    let runs = agent.is_some();
    let pid = bytes.mostly(1010 + number, &[1010, 1011, 1012, SERVER]);
    let group = bytes.mostly(pid, &[1010, 2011, 3000]);
    let tty = bytes.mostly(Some(format!("pts/{number}")), &[None, Some("pts/0".into())]).map(Tty::new);
    let start = Duration::from_millis(STARTED * 1000 + 20);
    let shell = Process {
        parent: bytes.mostly(SERVER, &[1, 1010, 3000]),
        state: state(bytes),
        group: bytes.mostly(pid, &[1010, 1011]),
        foreground: bytes.mostly(Some(pid), &[None, Some(3000), Some(1010)]),
        started: bytes.near(start, 90_000, 120_000),
        ..process(pid, SERVER, bytes.mostly("bash", &["zsh", "nu", "claude"]), tty.clone())
    };
    let mut foreground = vec![ForegroundProcess { pid, name: "bash".into() }];
    if runs {
        processes
            .push(Process { foreground: Some(2000 + number), ..process(2000 + number, pid, "claude", tty) });
    }
    match bytes.mostly(0, &[1, 2, 3]) {
        1 => foreground.clear(),
        2 => foreground.push(ForegroundProcess { pid: 3000, name: "sleep".into() }),
        3 => foreground = vec![ForegroundProcess { pid: 2000 + number, name: "claude".into() }],
        _ => {}
    }
    let info = ProcessInfo {
        pane_id: bytes.mostly(pane_id.clone(), &["w1:p0".into(), "w9:p9".into()]),
        shell_pid: bytes.mostly(Some(pid), &[None, Some(4000), Some(1010)]),
        foreground_group: bytes.mostly(Some(group), &[None, Some(3000)]),
        foreground,
    };
    if let Some(info) = bytes.mostly(Some(Ok(info)), &[None, Some(Err("no".to_owned()))]) {
        facts.informed.insert(pane_id.clone(), info);
    }
    if bytes.byte() < 248 {
        let started = BOOT * 1000 + u64::try_from(shell.started.as_millis()).unwrap_or_default();
        let more = Shell {
            start_directory: bytes.mostly(Some("/src".into()), &[None, Some("/tmp".into())]),
            directory: bytes.mostly(Some("/src".into()), &[None, Some("/tmp".into())]),
            program: bytes.mostly(Some("bash".to_owned()), &[None, Some("dash".into()), Some("x".into())]),
            terminal: Terminal {
                last_input: if bytes.is_odd() {
                    None
                } else {
                    let mark = mark::mark(Duration::from_millis(started));
                    Some(bytes.near(mark, started - 20_000, started + 90_000))
                },
                is_canonical: bytes.mostly(Some(false), &[None, Some(true)]),
            },
        };
        facts.shells.insert(pid, more);
    }
    processes.push(shell);
    facts.panes.push(Pane {
        terminal_id: format!("t{number}"),
        workspace_id: format!("w{workspace}"),
        focused: number == 0,
        cwd: None,
        label: None,
        agent,
        conversation: conversation(bytes),
        pane_id,
    });
}

/// A process besides: a child of a shell, of a helper, of nobody; on a terminal or not; known as a job of
/// a pane or not.
fn add_process(bytes: &mut Bytes<'_>, facts: &mut Facts, processes: &mut Vec<Process>, pid: u32) {
    let parent = bytes.one(&[1010, 1, 1012, 3000, 3001, SERVER]);
    let names = ["gitstatusd-linu", "sleep", "direnv", "bash", "zsh", "mine", "vim"];
    let tty = bytes.one(&[Some("pts/0"), None, Some("pts/2"), Some("pts/99")]).map(Tty::new);
    processes.push(Process {
        state: state(bytes),
        group: bytes.one(&[pid, 1010, 1012]),
        session: bytes.one(&[1010, pid]),
        ..process(pid, parent, bytes.one(&names), tty)
    });
    if bytes.is_odd() {
        let pane_id = bytes.one(&["w1:p0", "w2:p1", "w3:p2"]).to_owned();
        facts.jobs.push(Job { pid, pane_id });
    }
}

/// A second look, mostly at the same.
fn later(bytes: &mut Bytes<'_>, facts: &Facts) -> Facts {
    let mut later = facts.clone();
    let pane = usize::from(bytes.below(4));
    match bytes.below(14) {
        1 => later.server.pid += 1,
        2 => later.server.started += seconds(1),
        3 => later.server.boot.push('x'),
        4 => later.table = None,
        5 => drop(later.shells.pop_first()),
        6 => drop(later.informed.pop_first()),
        7 if pane < later.panes.len() => drop(later.panes.remove(pane)),
        8 => later.panes.iter_mut().skip(pane).take(1).for_each(|pane| pane.terminal_id.push('x')),
        9 => later.panes.iter_mut().skip(pane).take(1).for_each(|pane| pane.workspace_id.push('x')),
        10 => later.panes.iter_mut().skip(pane).take(1).for_each(|pane| pane.conversation = None),
        11 => later.panes.iter_mut().skip(pane).take(1).for_each(|pane| pane.agent = Some("x".into())),
        12 => {
            later.shells.values_mut().skip(pane).take(1).for_each(|shell| shell.directory = Some("/x".into()))
        }
        13 => {
            let other = self::facts(bytes);
            later.panes = other.panes;
        }
        _ => {}
    }
    later
}
