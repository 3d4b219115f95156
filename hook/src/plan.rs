//! Verdicts over all candidates of one moment, and whether a second moment is still the first.

use std::collections::BTreeSet;

use mam_share::herdr::pane::Pane;
use mam_share::process::Process;

use crate::facts::{Facts, Shell};
use crate::reason::Reason;
use crate::verdict::{Named, Question, Verdict, idle_conversation, judge, resumption};

/// A candidate and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The pane.
    pub pane: Pane,
    /// What to do with it.
    pub verdict: Verdict,
}

/// The panes that may be restored shells: a conversation and no agent.
pub fn idle(panes: &[Pane]) -> Vec<String> {
    ids(panes, |pane| idle_conversation(pane).is_ok())
}

/// Those whose conversation runs elsewhere, or is the one that the caller names. Only these can be
/// leftovers, and only their processes are asked for.
pub fn candidates(panes: &[Pane], named: Option<&Named>) -> Vec<String> {
    ids(panes, |pane| resumption(panes, pane, named).is_ok())
}

/// [`candidates`], and the panes that are to be seen running their conversations.
pub fn candidates_and_witnesses(panes: &[Pane], named: Option<&Named>) -> Vec<String> {
    with_witnesses(panes, candidates(panes, named))
}

/// [`idle`], and the panes that are to be seen running their conversations.
pub fn idle_and_witnesses(panes: &[Pane]) -> Vec<String> {
    with_witnesses(panes, idle(panes))
}

fn with_witnesses(panes: &[Pane], mut asked: Vec<String>) -> Vec<String> {
    let idle = panes.iter().filter(|pane| asked.contains(&pane.pane_id));
    let conversations: Vec<_> = idle.filter_map(|pane| pane.conversation.as_ref()).collect();
    asked.extend(ids(panes, |pane| {
        pane.agent.is_some() && pane.conversation.as_ref().is_some_and(|it| conversations.contains(&it))
    }));
    asked
}

fn ids(panes: &[Pane], belongs: impl Fn(&&Pane) -> bool) -> Vec<String> {
    panes.iter().filter(belongs).map(|pane| pane.pane_id.clone()).collect()
}

/// The verdicts over the idle panes that herdr was asked about, in its order. A pane that is to be closed
/// is gone for those after it, so that all of them together never close the last pane of anything.
pub fn plan(facts: &Facts, question: &Question) -> Vec<Judged> {
    let mut gone = BTreeSet::new();
    let is_asked =
        |pane: &&Pane| facts.informed.contains_key(&pane.pane_id) && idle_conversation(pane).is_ok();
    let asked = facts.panes.iter().filter(is_asked);
    let mut judged = Vec::new();
    for pane in asked {
        let verdict = judge(facts, pane, question, &gone);
        if matches!(verdict, Verdict::Close(_)) {
            gone.insert(pane.pane_id.clone());
        }
        judged.push(Judged { pane: pane.clone(), verdict });
    }
    judged
}

/// Whether `pane`, as it was in `before`, is the same in `now`: its terminal, and its shell by
/// [`is_same_shell`].
///
/// # Errors
/// [`Reason::Changed`].
pub fn unchanged(before: &Facts, now: &Facts, pane: &Pane) -> Result<(), Reason> {
    let today = now.panes.iter().find(|other| other.pane_id == pane.pane_id);
    let today = today.ok_or(Reason::Changed("the pane"))?;
    if today.terminal_id != pane.terminal_id {
        return Err(Reason::Changed("the terminal"));
    }
    if today.conversation != pane.conversation || today.workspace_id != pane.workspace_id {
        return Err(Reason::Changed("the pane"));
    }
    if before.server != now.server {
        return Err(Reason::Changed("the server"));
    }
    let (Some(then), Some(shell)) = (before.shell_of(pane), now.shell_of(today)) else {
        return Err(Reason::Changed("the shell"));
    };
    let gone = || Reason::Changed("the shell");
    let before = before.shells.get(&then.pid).ok_or_else(gone)?;
    let now = now.shells.get(&shell.pid).ok_or_else(gone)?;
    is_same_shell((then, before), (shell, now))
}

/// Whether a shell is what it was, and as idle: the same process of the same program, with the same
/// foreground, directory and terminal, from which nothing was read in between.
///
/// # Errors
/// [`Reason::Changed`].
pub fn is_same_shell(before: (&Process, &Shell), now: (&Process, &Shell)) -> Result<(), Reason> {
    let (then, more_then) = before;
    let (today, more) = now;
    let has_changed = [
        ((then.pid, then.started) != (today.pid, today.started), "the shell"),
        ((then.parent, &then.tty) != (today.parent, &today.tty), "the shell"),
        ((&then.name, &more_then.program) != (&today.name, &more.program), "the shell's program"),
        (then.state != today.state, "what the shell does"),
        ((then.group, then.foreground) != (today.group, today.foreground), "the foreground"),
        (
            (&more_then.start_directory, &more_then.directory) != (&more.start_directory, &more.directory),
            "the shell's directory",
        ),
        (more_then.terminal != more.terminal, "the use of its terminal"),
    ];
    match has_changed.into_iter().find(|(has_changed, _)| *has_changed) {
        Some((_, what)) => Err(Reason::Changed(what)),
        None => Ok(()),
    }
}
