//! What is never closed, said once more and in other words than the verdict says it. Each law panics where
//! it does not hold.

use std::collections::BTreeSet;
use std::time::Duration;

use mam_hook::facts::{Facts, Shell};
use mam_hook::plan::{Judged, plan, unchanged};
use mam_hook::verdict::{Question, Resumed, SHELLS, Verdict};
use mam_share::herdr::pane::{Pane, ProcessInfo};
use mam_share::process::{Process, ProcessTable, State};

/// The panes that a plan closes.
pub fn closed(judged: &[Judged]) -> Vec<(&Pane, &Resumed)> {
    let close = |judged: &'_ Judged| matches!(judged.verdict, Verdict::Close(_));
    judged
        .iter()
        .filter(|judged| close(judged))
        .map(|Judged { pane, verdict }| match verdict {
            Verdict::Close(resumed) => (pane, resumed),
            Verdict::Keep(_) | Verdict::Settling(_) => unreachable!(),
        })
        .collect()
}

/// The laws about everything that a plan closes.
pub fn hold(facts: &Facts, question: &Question) {
    let judged = plan(facts, question);
    let closed = closed(&judged);
    for (pane, resumed) in &closed {
        of_herdr(facts, pane);
        of_conversation(facts, question, pane, resumed, &closed);
        of_kernel(facts, pane);
        unknown_keeps(facts, question, pane);
    }
    of_session(facts, &closed);
}

/// Where the second look lets a close through, it is the same pane, the same shell, untouched.
pub fn hold_between(before: &Facts, now: &Facts) {
    for pane in &before.panes {
        if unchanged(before, now, pane).is_err() {
            continue;
        }
        let today = now.panes.iter().find(|other| other.pane_id == pane.pane_id).expect("it is there");
        assert_eq!(today.terminal_id, pane.terminal_id);
        assert_eq!(today.conversation, pane.conversation);
        assert_eq!(before.server, now.server);
        let (_, then, read_then) = shell(before, pane);
        let (_, shell, read) = shell(now, today);
        assert_eq!((then.pid, then.started, read_then), (shell.pid, shell.started, read));
    }
}

/// No agent, a conversation, an id of its own.
fn of_herdr(facts: &Facts, pane: &Pane) {
    assert_eq!(pane.agent, None, "an agent runs in it");
    let conversation = pane.conversation.as_ref().expect("it has no conversation");
    assert!(!conversation.value.is_empty());
    assert_eq!(facts.panes.iter().filter(|other| other.pane_id == pane.pane_id).count(), 1);
}

/// Named by the caller, or seen to run in a pane that stays.
fn of_conversation(
    facts: &Facts,
    question: &Question,
    pane: &Pane,
    resumed: &Resumed,
    closed: &[(&Pane, &Resumed)],
) {
    let value = &pane.conversation.as_ref().expect("it has one").value;
    if let Some(named) = &question.named {
        assert!(named.contains(value), "nobody named it");
    }
    match resumed {
        Resumed::Named => assert!(question.named.is_some()),
        Resumed::In(id) => {
            let other = facts.panes.iter().find(|other| other.pane_id == *id).expect("it is no pane");
            assert_ne!(other.pane_id, pane.pane_id);
            assert_eq!(other.conversation, pane.conversation);
            assert!(other.agent.as_ref().is_some_and(|agent| !agent.is_empty()));
            assert!(closed.iter().all(|(gone, _)| gone.pane_id != other.pane_id));
            let (table, shell, more) = shell(facts, other);
            let program = more.and_then(|more| more.program.as_deref()).expect("nobody knows what runs");
            let has_child = table.iter().any(|process| process.parent == shell.pid);
            assert!(has_child || !SHELLS.contains(&program), "only a shell is to be seen");
        }
    }
}

/// herdr's answer about a pane, and what the kernel says of the shell it names.
fn info<'a>(facts: &'a Facts, pane: &Pane) -> &'a ProcessInfo {
    facts.informed.get(&pane.pane_id).expect("it was not asked").as_ref().expect("there is no answer")
}

fn shell<'a>(facts: &'a Facts, pane: &Pane) -> (&'a ProcessTable, &'a Process, Option<&'a Shell>) {
    let pid = info(facts, pane).shell_pid.expect("herdr names no shell");
    let table = facts.table.as_ref().expect("there is no process table");
    (table, table.get(pid).expect("its shell is not there"), facts.shells.get(&pid))
}

/// A sleeping shell as old as the server, alone, untouched, where it started.
fn of_kernel(facts: &Facts, pane: &Pane) {
    let (table, shell, more) = shell(facts, pane);
    let more = more.expect("nothing is known of its shell");
    let info = info(facts, pane);
    assert_eq!(info.pane_id, pane.pane_id, "the answer is about another pane");
    let claims = |other: &&Result<ProcessInfo, String>| {
        other.as_ref().is_ok_and(|other| other.shell_pid == Some(shell.pid))
    };
    assert_eq!(facts.informed.values().filter(claims).count(), 1, "two panes have one shell");
    assert_eq!(shell.parent, facts.server.pid);
    assert!(shell.started >= facts.server.started, "it is older than the server");
    assert!(shell.started - facts.server.started <= Duration::from_secs(10), "no restore made it");
    assert_eq!(shell.state, State::Sleeping);
    assert_eq!(shell.foreground, Some(shell.group));
    assert_eq!(info.foreground_group, Some(shell.group));
    let tty = shell.tty.as_ref().expect("it has no terminal");
    for process in table.iter().filter(|process| process.pid != shell.pid) {
        let is_job = facts.jobs.iter().any(|job| job.pid == process.pid && job.pane_id == pane.pane_id);
        let is_in_front = info.foreground.iter().any(|other| other.pid == process.pid);
        let belongs = process.parent == shell.pid || process.tty.as_ref() == Some(tty);
        if belongs || is_job || is_in_front {
            assert_ne!(process.state, State::Stopped, "a stopped job");
            assert!(is_helper(table, shell, process), "{} is no helper", process.name);
        }
    }
    let started = table.wall - (table.now.saturating_sub(shell.started));
    let last = more.terminal.last_input.expect("nobody knows whether it was typed into");
    // The mark of whoever watched it start, which the first key takes away.
    assert!(started.abs_diff(last + Duration::from_secs(16)) <= Duration::from_secs(3), "it was typed into");
    assert_eq!(more.terminal.is_canonical, Some(false), "a line may be half typed");
    let directory = more.directory.as_ref().expect("nobody knows where it is");
    assert!(more.start_directory.as_ref().is_none_or(|start| start == directory), "it moved");
}

/// Whether a process is one of the helpers that the scenes have, or below one.
fn is_helper(table: &ProcessTable, shell: &Process, process: &Process) -> bool {
    let mut this = process;
    for _ in 0..300 {
        if this.pid == shell.pid {
            return false;
        }
        let is_worker = this.name == shell.name
            && this.parent == shell.pid
            && this.session == this.pid
            && this.tty.as_ref().is_some_and(|tty| Some(tty) != shell.tty.as_ref());
        if is_worker || ["gitstatusd-linu", "direnv", "mine"].contains(&this.name.as_str()) {
            return true;
        }
        match table.get(this.parent) {
            Some(parent) if parent.pid != this.pid => this = parent,
            Some(_) | None => return false,
        }
    }
    false
}

/// The session keeps a pane, and the head of a worktree group its last one.
fn of_session(facts: &Facts, closed: &[(&Pane, &Resumed)]) {
    let gone: BTreeSet<&str> = closed.iter().map(|(pane, _)| pane.pane_id.as_str()).collect();
    let stays = |pane: &&Pane| !gone.contains(pane.pane_id.as_str());
    assert!(closed.is_empty() || facts.panes.iter().any(|pane| stays(&pane)), "the session is empty");
    for (pane, _) in closed {
        if facts.panes.iter().filter(stays).any(|other| other.workspace_id == pane.workspace_id) {
            continue;
        }
        let all = facts.workspaces.as_ref().expect("nobody knows the workspaces");
        let mut ours = all.iter().filter(|workspace| workspace.workspace_id == pane.workspace_id);
        let Some(worktree) = &ours.next().expect("nobody knows its workspace").worktree else { continue };
        let others = all.iter().filter(|other| other.workspace_id != pane.workspace_id);
        let is_tied = others.filter_map(|other| other.worktree.as_ref()).any(|other| {
            let is_same = other.repo_key == worktree.repo_key;
            is_same || other.repo_key.is_none() || worktree.repo_key.is_none()
        });
        assert!(!is_tied || worktree.is_linked_worktree == Some(true), "it heads a worktree group");
    }
}

/// Takes one witness away after the other: without any one of them the pane stays.
fn unknown_keeps(facts: &Facts, question: &Question, pane: &Pane) {
    let pid = info(facts, pane).shell_pid.expect("herdr names a shell");
    let takes: [(&str, &dyn Fn(&mut Facts)); 12] = [
        ("process table", &|facts| facts.table = None),
        ("herdr's answer", &|facts| drop(facts.informed.remove(&pane.pane_id))),
        ("a good answer", &|facts| {
            facts.informed.insert(pane.pane_id.clone(), Err("odd".into()));
        }),
        ("herdr's shell", &|facts| with_info(facts, pane, |info| info.shell_pid = None)),
        ("herdr's foreground", &|facts| with_info(facts, pane, |info| info.foreground_group = None)),
        ("foreground processes", &|facts| with_info(facts, pane, |info| info.foreground.clear())),
        ("all about the shell", &|facts| drop(facts.shells.remove(&pid))),
        ("access time", &|facts| with_shell(facts, pid, |shell| shell.terminal.last_input = None)),
        ("modes", &|facts| with_shell(facts, pid, |shell| shell.terminal.is_canonical = None)),
        ("directory", &|facts| with_shell(facts, pid, |shell| shell.directory = None)),
        ("kernel's foreground", &|facts| with_process(facts, pid, |shell| shell.foreground = None)),
        ("terminal", &|facts| with_process(facts, pid, |shell| shell.tty = None)),
    ];
    for (witness, take) in takes {
        let mut fewer = facts.clone();
        take(&mut fewer);
        let judged = plan(&fewer, question);
        let is_closed = closed(&judged).iter().any(|(other, _)| other.pane_id == pane.pane_id);
        assert!(!is_closed, "closed without {witness}");
    }
}

fn with_info(facts: &mut Facts, pane: &Pane, change: impl Fn(&mut ProcessInfo)) {
    if let Some(Ok(info)) = facts.informed.get_mut(&pane.pane_id) {
        change(info);
    }
}

fn with_shell(facts: &mut Facts, pid: u32, change: impl Fn(&mut Shell)) {
    facts.shells.get_mut(&pid).into_iter().for_each(change);
}

fn with_process(facts: &mut Facts, pid: u32, change: impl Fn(&mut Process)) {
    let Some(table) = facts.table.take() else { return };
    let changed = table.iter().cloned().map(|mut process| {
        if process.pid == pid {
            change(&mut process);
        }
        process
    });
    facts.table = Some(ProcessTable::new(table.now, table.wall, changed));
}
