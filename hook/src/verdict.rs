//! The verdict over one pane: close it, keep it and why, or look again.
//!
//! A close cannot be undone, so a leftover is proved by witnesses that do not depend on each other, in
//! this order: what herdr says of the pane and its conversation; that its shell is as old as the
//! server; that it may go at all; that the kernel sees nothing but a sleeping shell; that nobody used
//! its terminal. The first doubt decides.

use std::collections::BTreeSet;
use std::time::Duration;

use mam_share::herdr::pane::{Conversation, Pane, ProcessInfo, Worktree};
use mam_share::process::{Process, ProcessTable, State};

use crate::facts::{Facts, Shell};
use crate::mark::{self, STARTING, Use};
use crate::reason::Reason;
use crate::resident::Residents;

/// How much later than its server the shell of a restore starts at most. Measured: 0.03 s.
pub const RESTORE: Duration = Duration::from_secs(10);

/// How long after its start a shell may still be busy with its own start files.
pub const YOUNG: Duration = Duration::from_secs(60);

/// How long a computing shell is looked at again before it counts as busy: a redrawn prompt computes
/// too.
const GLIMPSES: Duration = Duration::from_secs(1);

/// Programs that are shells: one of these without a child runs no agent.
pub const SHELLS: [&str; 15] = [
    "ash", "bash", "busybox", "csh", "dash", "elvish", "fish", "ksh", "mksh", "nu", "posh", "sh", "tcsh",
    "yash", "zsh",
];

/// What to do with a pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is a leftover.
    Close(Resumed),
    /// It stays.
    Keep(Reason),
    /// It would stay for this reason, which may pass by itself.
    Settling(Reason),
}

/// Where the conversation of a leftover went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resumed {
    /// An agent runs it in this pane.
    In(String),
    /// The caller says that it was resumed.
    Named,
}

/// Ids of conversations.
pub type Named = BTreeSet<String>;

/// What is asked, beside the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The ids of the conversations that the caller names as resumed; then no others are judged.
    pub named: Option<Named>,
    /// The resident helpers.
    pub residents: Residents,
    /// How long has been waited for panes to settle.
    pub waited: Duration,
}

/// A doubt, and whether waiting may clear it.
struct Doubt {
    reason: Reason,
    may_pass: bool,
}

impl From<Reason> for Doubt {
    fn from(reason: Reason) -> Self {
        Self { reason, may_pass: false }
    }
}

/// The verdict over `pane`. Panes in `gone` are about to be closed and count no more.
pub fn judge(facts: &Facts, pane: &Pane, question: &Question, gone: &BTreeSet<String>) -> Verdict {
    match prove(facts, pane, question, gone) {
        Ok(resumed) => Verdict::Close(resumed),
        Err(Doubt { reason, may_pass: true }) => Verdict::Settling(reason),
        Err(Doubt { reason, may_pass: false }) => Verdict::Keep(reason),
    }
}

/// The conversation of a pane that no agent runs in.
///
/// # Errors
/// The reason why it cannot be a leftover.
pub fn idle_conversation(pane: &Pane) -> Result<&Conversation, Reason> {
    match (&pane.conversation, &pane.agent) {
        (_, Some(agent)) => Err(Reason::AgentRuns(agent.clone())),
        (Some(conversation), None) if !conversation.value.is_empty() => Ok(conversation),
        (Some(_) | None, None) => Err(Reason::NoConversation),
    }
}

/// Where the conversation of `pane` runs now, by the list alone.
///
/// # Errors
/// The reason why it is no leftover of this question.
pub fn resumption(panes: &[Pane], pane: &Pane, named: Option<&Named>) -> Result<Resumed, Reason> {
    let conversation = idle_conversation(pane)?;
    let live = runs(panes, conversation).next();
    match (named, live) {
        (Some(named), _) if !named.contains(&conversation.value) => Err(Reason::NotResumed),
        (_, Some(live)) => Ok(Resumed::In(live.pane_id.clone())),
        (Some(_), None) => Ok(Resumed::Named),
        (None, None) => Err(Reason::NotResumed),
    }
}

/// The panes in which herdr sees an agent with this conversation.
pub fn runs<'a>(panes: &'a [Pane], conversation: &Conversation) -> impl Iterator<Item = &'a Pane> {
    panes.iter().filter(move |pane| {
        pane.agent.as_ref().is_some_and(|agent| !agent.is_empty())
            && pane.conversation.as_ref() == Some(conversation)
    })
}

/// As [`resumption`], with the kernel as second witness: herdr shows agents that are not there, after a
/// live handoff above all.
fn witnessed(facts: &Facts, pane: &Pane, question: &Question) -> Result<Resumed, Reason> {
    let named = question.named.as_ref();
    let Resumed::In(first) = resumption(&facts.panes, pane, named)? else { return Ok(Resumed::Named) };
    let conversation = idle_conversation(pane)?;
    let mut live = runs(&facts.panes, conversation);
    match live.find(|other| is_more_than_a_shell(facts, other, &question.residents)) {
        Some(other) => Ok(Resumed::In(other.pane_id.clone())),
        None if named.is_some() => Ok(Resumed::Named),
        None => Err(Reason::OnlyAShell(first)),
    }
}

fn is_more_than_a_shell(facts: &Facts, pane: &Pane, residents: &Residents) -> bool {
    let (Some(table), Some(shell)) = (&facts.table, facts.shell_of(pane)) else { return false };
    let Some(program) = facts.shells.get(&shell.pid).and_then(|more| more.program.as_deref()) else {
        return false;
    };
    !SHELLS.contains(&program)
        || table.children(shell.pid).any(|child| !residents.covers(table, shell, child))
}

fn prove(facts: &Facts, pane: &Pane, question: &Question, gone: &BTreeSet<String>) -> Result<Resumed, Doubt> {
    idle_conversation(pane)?;
    let (table, shell, more) = restored_shell(facts, pane)?;
    let resumed = witnessed(facts, pane, question)?;
    may_go(facts, pane, gone)?;
    let used = used(table, shell, more, question);
    // What a shell does before anybody typed is its own start. It ends by itself.
    let starting = used.as_ref().map_or_else(|doubt| doubt.may_pass, |()| true) && table.age(shell) < YOUNG;
    let doubt = |reason: Reason| Doubt { may_pass: starting, reason };
    foreground(facts, table, pane, shell, &question.residents).map_err(doubt)?;
    match shell.state {
        State::Sleeping => {}
        State::Running => {
            return Err(Doubt { reason: Reason::Computes, may_pass: starting || question.waited < GLIMPSES });
        }
        odd @ (State::Blocked | State::Stopped | State::Zombie | State::Other(_)) => {
            return Err(doubt(Reason::OddState(format!("{odd:?}"))));
        }
    }
    alone(facts, table, pane, shell, &question.residents).map_err(doubt)?;
    used?;
    match more.terminal.is_canonical {
        Some(false) => {}
        // A shell without a line editor (dash) is always so. What is half typed there nobody can see.
        Some(true) => return Err(doubt(Reason::ReadsLine)),
        None => return Err(Reason::NoTerminal.into()),
    }
    in_place(more)?;
    Ok(resumed)
}

/// The shell of `pane`, proved to be one that the restore of this server made.
fn restored_shell<'a>(
    facts: &'a Facts,
    pane: &Pane,
) -> Result<(&'a ProcessTable, &'a Process, &'a Shell), Reason> {
    let info = match facts.informed.get(&pane.pane_id) {
        Some(Ok(info)) => info,
        Some(Err(why)) => return Err(Reason::NoProcessInfo(why.clone())),
        None => return Err(Reason::NoProcessInfo("it was not asked".into())),
    };
    if info.pane_id != pane.pane_id {
        return Err(Reason::OtherPane(info.pane_id.clone()));
    }
    let pid = info.shell_pid.ok_or(Reason::ShellGone(None))?;
    let names_it =
        |info: &Result<ProcessInfo, String>| info.as_ref().is_ok_and(|info| info.shell_pid == Some(pid));
    let mut naming = facts.informed.iter().filter(|(_, info)| names_it(info));
    if let Some((other, _)) = naming.find(|(id, _)| **id != pane.pane_id) {
        return Err(Reason::SharesShell(other.clone()));
    }
    let table = facts.table.as_ref().ok_or(Reason::NoProcessTable)?;
    let shell = table.get(pid).ok_or(Reason::ShellGone(Some(pid)))?;
    let more = facts.shells.get(&pid).ok_or(Reason::ShellGone(Some(pid)))?;
    let after = shell.started.checked_sub(facts.server.started).ok_or(Reason::OlderThanServer)?;
    if after > RESTORE {
        return Err(Reason::Younger(after.as_secs()));
    }
    if shell.parent != facts.server.pid {
        return Err(Reason::NotTheServers(pid));
    }
    Ok((table, shell, more))
}

/// Whether herdr may be asked to close `pane` at all.
fn may_go(facts: &Facts, pane: &Pane, gone: &BTreeSet<String>) -> Result<(), Reason> {
    let mut others =
        facts.panes.iter().filter(|other| other.pane_id != pane.pane_id && !gone.contains(&other.pane_id));
    if others.clone().next().is_none() {
        return Err(Reason::LastPane);
    }
    if others.any(|other| other.workspace_id == pane.workspace_id) {
        return Ok(());
    }
    let workspaces = facts.workspaces.as_ref().ok_or(Reason::NoWorkspace)?;
    let workspace = workspaces
        .iter()
        .find(|workspace| workspace.workspace_id == pane.workspace_id)
        .ok_or(Reason::NoWorkspace)?;
    let Some(worktree) = &workspace.worktree else { return Ok(()) };
    let same_group = |other: &&Worktree| match (&other.repo_key, &worktree.repo_key) {
        (Some(other), Some(key)) => other == key,
        (None, _) | (_, None) => true,
    };
    let members = workspaces.iter().filter_map(|other| other.worktree.as_ref()).filter(same_group).count();
    if worktree.is_linked_worktree != Some(true) && members > 1 {
        return Err(Reason::HeadsWorktrees);
    }
    Ok(())
}

/// Whether the shell has the foreground of its terminal, by herdr and by the kernel. A helper that a
/// start file put into the background shares the shell's process group.
fn foreground(
    facts: &Facts,
    table: &ProcessTable,
    pane: &Pane,
    shell: &Process,
    residents: &Residents,
) -> Result<(), Reason> {
    let info = facts.informed.get(&pane.pane_id).and_then(|info| info.as_ref().ok());
    let info = info.ok_or_else(|| Reason::NoProcessInfo("it was not asked".into()))?;
    let is_helper = |pid| table.get(pid).is_some_and(|process| residents.covers(table, shell, process));
    let mut others = info.foreground.iter().filter(|process| process.pid != shell.pid);
    if let Some(other) = others.find(|process| !is_helper(process.pid)) {
        return Err(Reason::Foreground(other.name.clone()));
    }
    let unknown = || Reason::NoProcessInfo("no process group is in the foreground".into());
    let by_herdr = info.foreground_group.ok_or_else(unknown)?;
    let by_kernel = shell.foreground.ok_or_else(unknown)?;
    if by_herdr != shell.group || by_kernel != shell.group || info.foreground.is_empty() {
        return Err(Reason::Foreground(format!("process group {by_kernel}")));
    }
    Ok(())
}

/// Whether nothing but the shell and its resident helpers belongs to the pane.
fn alone(
    facts: &Facts,
    table: &ProcessTable,
    pane: &Pane,
    shell: &Process,
    residents: &Residents,
) -> Result<(), Reason> {
    let stranger = |process: &&Process| process.pid != shell.pid && !residents.covers(table, shell, process);
    if let Some(child) = table.children(shell.pid).find(stranger) {
        return Err(match child.state {
            State::Stopped => Reason::StoppedJob(child.pid, child.name.clone()),
            State::Running | State::Sleeping | State::Blocked | State::Zombie | State::Other(_) => {
                Reason::Child(child.pid, child.name.clone())
            }
        });
    }
    let tty = shell.tty.as_ref().ok_or(Reason::NoTerminal)?;
    if let Some(other) = table.iter().filter(|other| other.tty.as_ref() == Some(tty)).find(stranger) {
        return Err(Reason::SharesTerminal(other.pid, other.name.clone()));
    }
    let of_pane = facts.jobs.iter().filter(|job| job.pane_id == pane.pane_id);
    match of_pane.filter_map(|job| table.get(job.pid)).find(stranger) {
        Some(job) => Err(Reason::Job(job.pid, job.name.clone())),
        None => Ok(()),
    }
}

/// Whether nobody read from the terminal since the shell started. Whoever names a conversation as resumed
/// takes it on himself that nobody watched the start; then it is only waited until what is typed now shows.
fn used(table: &ProcessTable, shell: &Process, more: &Shell, question: &Question) -> Result<(), Doubt> {
    let last = more.terminal.last_input.ok_or(Reason::NoTerminal)?;
    let is_named = question.named.is_some();
    // It may be marked yet.
    let is_new = table.age(shell) < STARTING;
    match mark::usage(last, table.started_wall(shell)) {
        Use::Never => Ok(()),
        Use::Typed => Err(Reason::Typed.into()),
        Use::Clock => Err(Reason::Clock.into()),
        Use::AtStart => Err(Doubt { reason: Reason::Unwatched, may_pass: is_new }),
        Use::Unmarked if is_named && !is_new && !mark::is_same_step(last, table.wall) => Ok(()),
        Use::Unmarked => Err(Doubt { reason: Reason::Unwatched, may_pass: is_new || is_named }),
    }
}

/// Whether the shell is where it started. `PWD` is no witness when it is the server's; then only the
/// terminal tells, since `cd` has to be typed.
fn in_place(more: &Shell) -> Result<(), Reason> {
    let directory = more.directory.as_ref().ok_or(Reason::NoDirectory)?;
    match &more.start_directory {
        Some(start) if start != directory => Err(Reason::Moved(start.clone(), directory.clone())),
        Some(_) | None => Ok(()),
    }
}
