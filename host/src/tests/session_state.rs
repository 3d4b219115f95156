//! What a record and the world say together, row by row.

use std::time::Duration;

use mam_share::herdr::form::Read as _;
use mam_share::herdr::pane::{Conversation, Pane};
use mam_share::process::{self, Process, ProcessTable};
use serde_json::json;

use crate::lock::Holder;
use crate::session::record::{Ended, Place, ProcessId, SessionRecord, Status};
use crate::session::state::{Seen, State, join};

fn record(status: Status, conversation: Option<&str>) -> SessionRecord {
    let argv = vec!["claude".into()];
    let mut record = SessionRecord::new("a".parse().unwrap(), "claude", argv, "/src".into(), "mam", "t0");
    record.status = status;
    record.conversation = conversation.map(|value| Conversation {
        agent: "claude".into(),
        kind: "id".into(),
        value: value.into(),
    });
    record.place = Some(Place { pane: "w1:p1".into(), terminal: "t1".into(), ..Place::default() });
    record
}

fn running(start: u64, boot: &str) -> Status {
    Status::Running { process: ProcessId { pid: 50, start: Some(start), boot: Some(boot.into()) } }
}

fn pane(id: &str, terminal: &str, agent: Option<&str>, conversation: Option<&str>) -> Pane {
    let session =
        conversation.map(|value| json!({"source": "s", "agent": "claude", "kind": "id", "value": value}));
    Pane::read(&json!({
        "pane_id": id, "terminal_id": terminal, "workspace_id": "w1", "agent": agent, "agent_session": session,
    }))
    .unwrap()
}

fn table(state: process::State) -> ProcessTable {
    let process = Process {
        pid: 50,
        parent: 1,
        state,
        group: 50,
        session: 50,
        tty: None,
        foreground: None,
        started: Duration::from_millis(770),
        name: "claude".into(),
    };
    ProcessTable::new(Duration::ZERO, Duration::ZERO, [process])
}

#[test]
fn what_became_of_a_session() {
    let ended = |how| Status::Ended { how, at: "t9".into() };
    let failed = Status::Failed { reason: "no such program".into(), at: "t9".into() };
    let launching = Status::Launching { at: "t9".into() };
    let shell = pane("w1:p1", "t1", None, None);
    let own = pane("w1:p1", "t1", Some("claude"), None);
    let other_agent = pane("w1:p1", "t1", Some("codex"), None);
    let elsewhere = pane("w2:p2", "t2", Some("claude"), Some("A"));
    let restored = pane("w2:p2", "t2", None, Some("A"));
    let reused = pane("w1:p1", "t7", Some("claude"), None);
    let sleeping = process::State::Sleeping;
    let rows = [
        (running(770, "b"), vec![], sleeping, None, State::Running, "process 50 is the recorded one"),
        (running(771, "b"), vec![], sleeping, None, State::Lost, "process 50 is gone"),
        (running(770, "c"), vec![], sleeping, None, State::Lost, "process 50 is gone"),
        (running(770, "b"), vec![], process::State::Zombie, None, State::Lost, "process 50 is gone"),
        (running(771, "b"), vec![&own], sleeping, None, State::Running, "herdr sees it in pane w1:p1"),
        (running(771, "b"), vec![&other_agent], sleeping, None, State::Lost, "process 50 is gone"),
        (running(771, "b"), vec![&reused], sleeping, None, State::Lost, "process 50 is gone"),
        (
            running(771, "b"),
            vec![&shell, &elsewhere],
            sleeping,
            None,
            State::Running,
            "herdr sees it in pane w2:p2",
        ),
        (running(771, "b"), vec![&restored], sleeping, None, State::RestoredShell, "pane w2:p2 holds its"),
        (running(771, "b"), vec![&restored, &elsewhere], sleeping, None, State::Running, "herdr sees it"),
        (running(771, "b"), vec![], sleeping, Some(Holder::Pid(9)), State::Running, "mam launch watches it"),
        (running(771, "b"), vec![], sleeping, Some(Holder::Hidden), State::Running, "a process that is not"),
        (ended(Ended::Code(0)), vec![&shell], sleeping, None, State::Stopped, "it ended at t9"),
        (ended(Ended::Code(3)), vec![], sleeping, None, State::Stopped, "it ended with exit code 3 at t9"),
        (ended(Ended::Signal(9)), vec![], sleeping, None, State::Stopped, "signal 9 ended it at t9"),
        (ended(Ended::Code(0)), vec![&restored], sleeping, None, State::RestoredShell, "pane w2:p2 holds"),
        (failed, vec![], sleeping, None, State::Failed, "no such program, at t9"),
        (launching.clone(), vec![], sleeping, None, State::Lost, "it was about to start at t9"),
        (launching, vec![], sleeping, Some(Holder::Pid(9)), State::Running, "mam launch watches it"),
    ];
    for (status, panes, process, lease, state, reason) in rows {
        let record = record(status, Some("A"));
        let panes: Vec<Pane> = panes.into_iter().cloned().collect();
        let table = table(process);
        let seen = Seen { panes: Some(&panes), table: Some(&table), boot: Some("b"), lease };
        let now = join(&record, &seen);
        assert_eq!(now.state, state, "{:?} {panes:?}: {}", record.status, now.reason);
        assert!(now.reason.starts_with(reason), "{:?}: {}", record.status, now.reason);
        assert!(!now.lacks_conversation);
    }
}

#[test]
fn without_a_conversation_no_pane_is_taken_for_its_own() {
    let record = record(running(771, "b"), None);
    let panes = [pane("w3:p3", "t3", Some("claude"), None), pane("w4:p4", "t4", None, None)];
    let now = join(&record, &Seen { panes: Some(&panes), table: None, boot: None, lease: None });
    assert_eq!((now.state, now.pane, now.lacks_conversation), (State::Lost, None, true));
    assert_eq!(now.reason, "nobody can tell whether process 50 runs");
}
