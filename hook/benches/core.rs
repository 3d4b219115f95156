//! The core at three numbers of panes: what herdr said is read, and all panes are judged.
//!
//! `cargo bench -p mam-hook`. Half of the panes are leftovers of agents that run in the other half; the
//! machine has as many processes again that are nobody's.

use std::hint::black_box;
use std::time::Duration;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use mam_hook::facts::{Facts, Server, Shell};
use mam_hook::mark;
use mam_hook::plan;
use mam_hook::resident::Residents;
use mam_hook::verdict::{Question, Verdict};
use mam_share::herdr::pane::{self, Workspace};
use mam_share::herdr::socket;
use mam_share::process::{Process, ProcessTable, State, Terminal, Tty};
use serde_json::{Value, json};

const PANES: [usize; 3] = [1, 100, 1000];

const SERVER: u32 = 1000;
const STARTED: Duration = Duration::from_secs(100);
const NOW: Duration = Duration::from_secs(1000);
const BOOT: Duration = Duration::from_secs(1_700_000_000);

fn main() {
    divan::main();
}

/// Whether an agent runs in the pane with this number; else it is a leftover.
fn runs(number: usize) -> bool {
    number % 2 == 1
}

fn pane_id(number: usize) -> String {
    format!("w{number}:p1")
}

/// The answer of `pane.list`, as herdr sends it.
fn pane_list(count: usize) -> String {
    let entry = |number: usize| {
        let mut pane = json!({
            "pane_id": pane_id(number), "terminal_id": format!("term_{number:012x}"),
            "workspace_id": format!("w{number}"), "tab_id": format!("w{number}:t1"), "focused": number == 0,
            "cwd": "/home/someone/src/project", "foreground_cwd": "/home/someone/src/project",
            "agent_status": "unknown",
            "agent_session": {"source": "herdr:claude", "agent": "claude", "kind": "id",
                "value": format!("11111111-2222-4333-8444-{:012}", number / 2)},
            "scroll": {"offset_from_bottom": 0, "max_offset_from_bottom": 0, "viewport_rows": 39},
            "revision": 0,
        });
        if let Some(fields) = pane.as_object_mut().filter(|_| runs(number)) {
            fields.insert("agent".to_owned(), "claude".into());
        }
        pane
    };
    let panes: Vec<Value> = (0..count).map(entry).collect();
    json!({"id": "mam", "result": {"type": "pane_list", "panes": panes}}).to_string()
}

/// The answer of `pane.process_info` for one pane.
fn process_info(number: usize) -> String {
    let shell = shell_pid(number);
    let front = if runs(number) { shell + 1 } else { shell };
    let process = json!({"pid": front, "name": "bash", "argv": ["bash", "--norc", "-i"],
        "cmdline": "bash --norc -i", "cwd": "/home/someone/src/project"});
    let info = json!({"pane_id": pane_id(number), "shell_pid": shell,
        "foreground_process_group_id": front, "foreground_processes": [process]});
    json!({"id": "mam", "result": {"type": "pane_process_info", "process_info": info}}).to_string()
}

fn shell_pid(number: usize) -> u32 {
    2000 + 2 * u32::try_from(number).expect("a small number")
}

fn process(pid: u32, parent: u32, name: &str, tty: Option<Tty>) -> Process {
    let started = STARTED + Duration::from_millis(20);
    let (state, foreground) = (State::Sleeping, Some(pid));
    Process { pid, parent, state, group: pid, session: pid, tty, foreground, started, name: name.into() }
}

fn facts(count: usize) -> Facts {
    let result = socket::parse(pane_list(count).as_bytes()).expect("an answer");
    let mut facts = Facts {
        server: Server { pid: SERVER, started: STARTED, boot: "boot".into() },
        panes: pane::panes(&result).expect("a list"),
        ..Facts::default()
    };
    let workspaces =
        (0..count).map(|number| Workspace { workspace_id: format!("w{number}"), worktree: None });
    facts.workspaces = Some(workspaces.collect());
    let mut processes = vec![process(SERVER, 1, "herdr", None)];
    for number in 0..count {
        let (shell, tty) = (shell_pid(number), Some(Tty::new(format!("pts/{number}"))));
        let result = socket::parse(process_info(number).as_bytes()).expect("an answer");
        facts.informed.insert(pane_id(number), pane::process_info(&result).ok_or_else(String::new));
        processes.push(process(shell, SERVER, "bash", tty.clone()));
        if runs(number) {
            processes.push(process(shell + 1, shell, "claude", tty));
        }
        processes.push(process(1_000_000 + shell, 1, "another", None));
        let more = Shell {
            start_directory: Some("/home/someone/src/project".into()),
            directory: Some("/home/someone/src/project".into()),
            program: Some("bash".into()),
            terminal: Terminal { last_input: Some(mark::mark(BOOT + STARTED)), is_canonical: Some(false) },
        };
        facts.shells.insert(shell, more);
    }
    facts.table = Some(ProcessTable::new(NOW, BOOT + NOW, processes));
    facts
}

/// The verdicts over all of them.
#[divan::bench(args = PANES)]
fn verdicts(bencher: Bencher<'_, '_>, count: usize) {
    let facts = facts(count);
    let question = Question { named: None, residents: Residents::new(&[]), waited: Duration::ZERO };
    let closed = plan::plan(&facts, &question)
        .iter()
        .filter(|judged| matches!(judged.verdict, Verdict::Close(_)))
        .count();
    assert_eq!(closed, count / 2, "half of them are leftovers");
    bencher.counter(ItemsCount::new(count)).bench_local(|| plan::plan(black_box(&facts), &question));
}

/// Which panes herdr is asked about, from the list alone.
#[divan::bench(args = PANES)]
fn candidates(bencher: Bencher<'_, '_>, count: usize) {
    let panes = facts(count).panes;
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| plan::candidates_and_witnesses(black_box(&panes), None));
}

/// Reading a pane list.
#[divan::bench(args = PANES)]
fn read_pane_list(bencher: Bencher<'_, '_>, count: usize) {
    let line = pane_list(count);
    bencher.counter(BytesCount::of_str(&line)).bench_local(|| {
        let result = socket::parse(black_box(line.as_bytes())).expect("an answer");
        assert_eq!(pane::panes(&result).expect("a list").len(), count);
    });
}

/// Reading the process information of one pane.
#[divan::bench]
fn read_process_info(bencher: Bencher<'_, '_>) {
    let line = process_info(1);
    bencher.counter(BytesCount::of_str(&line)).bench_local(|| {
        let result = socket::parse(black_box(line.as_bytes())).expect("an answer");
        assert!(pane::process_info(&result).is_some());
    });
}
