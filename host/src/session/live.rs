//! Where a conversation runs already: a second agent on it would write into the same history.
//!
//! Decided from plain values. Three witnesses, any of which is enough to start nothing: herdr shows an
//! agent with the conversation; a pane has the conversation, is no restored shell, and more than a shell
//! runs in it (an agent behind a wrapper that herdr does not know); the arguments of a process name it.
//! The fourth, the lease of a record, is asked by whoever has the record.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use mam_hook::facts::Facts;
use mam_hook::reason::Reason;
use mam_hook::verdict::{Question, Verdict, judge};
use mam_share::herdr::pane::{Conversation, Pane};

/// Where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// In words, for a message: `pane w1:p1`, `session work, pane w1:p1`, `outside herdr`.
    pub place: String,
    /// The pane of the session that was asked about, if it is one.
    pub pane: Option<String>,
    /// The process, where it is known.
    pub pid: Option<u32>,
}

/// A process and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// Its id.
    pub pid: u32,
    /// They, the program first.
    pub words: Vec<OsString>,
}

/// The pane of `facts` in which the conversation runs, or may run.
pub fn in_panes(facts: &Facts, conversation: &Conversation, question: &Question) -> Option<Running> {
    let in_pane = |pane: &Pane, pid| Running {
        place: format!("pane {}", pane.pane_id),
        pane: Some(pane.pane_id.clone()),
        pid,
    };
    if let Some(pane) = mam_hook::verdict::runs(&facts.panes, conversation).next() {
        return Some(in_pane(pane, agent_of(facts, pane)));
    }
    let idle = |pane: &&Pane| pane.agent.is_none() && pane.conversation.as_ref() == Some(conversation);
    facts.panes.iter().filter(idle).find_map(|pane| {
        let is_restored = match judge(facts, pane, question, &BTreeSet::new()) {
            Verdict::Keep(Reason::Younger(_) | Reason::OlderThanServer | Reason::NotTheServers(_)) => false,
            Verdict::Keep(_) | Verdict::Close(_) | Verdict::Settling(_) => true,
        };
        let busy = if is_restored { None } else { agent_of(facts, pane) };
        busy.map(|pid| in_pane(pane, Some(pid)))
    })
}

/// What runs in a pane beside its shell: the leader of the foreground, else a child.
fn agent_of(facts: &Facts, pane: &Pane) -> Option<u32> {
    let shell = facts.shell_of(pane)?;
    let foreground = shell.foreground.filter(|group| *group != shell.group);
    foreground.or_else(|| Some(facts.table.as_ref()?.children(shell.pid).next()?.pid))
}

/// The process whose arguments name the conversation: one is its id, or ends with `=` and the id, and one
/// is a program of `programs` (a script's interpreter stands before it).
pub fn in_arguments<'a>(
    processes: &'a [Arguments],
    conversation: &Conversation,
    programs: &[&OsStr],
) -> Option<&'a Arguments> {
    let value = conversation.value.as_bytes();
    let names = |word: &OsString| {
        let word = word.as_bytes();
        word == value || word.strip_suffix(value).is_some_and(|before| before.ends_with(b"="))
    };
    let is_program = |word: &OsString| {
        let name = Path::new(word).file_name();
        name.is_some_and(|name| programs.iter().any(|program| Path::new(program).file_name() == Some(name)))
    };
    processes.iter().find(|process| {
        process.words.iter().any(names) && process.words.iter().take(INTERPRETERS).any(is_program)
    })
}

/// How many words may stand up to the program: `env`, an interpreter, its options.
const INTERPRETERS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_named_by_a_whole_argument_of_its_agent() {
        let conversation =
            Conversation { agent: "claude".to_owned(), kind: "id".to_owned(), value: "abc".to_owned() };
        let rows: &[(&[&str], bool)] = &[
            (&["claude", "--resume", "abc"], true),
            (&["/opt/x/claude", "-r", "abc", "--model", "m"], true),
            (&["claude", "--resume=abc"], true),
            (&["bash", "/home/a/bin/claude", "--session-id", "abc"], true),
            (&["/usr/bin/env", "node", "--x", "/o/claude", "--resume", "abc"], true),
            (&["claude", "--resume", "abcd"], false),
            (&["claude", "--resume", "xabc"], false),
            (&["claude", "fix abc"], false),
            (&["vim", "abc"], false),
            (&["tail", "-f", "abc", "x", "claude"], false),
            (&["mam-restore-hook", "close", "--session-id", "abc"], false),
            (&[], false),
        ];
        for (words, expected) in rows {
            let processes = [Arguments { pid: 7, words: words.iter().map(Into::into).collect() }];
            let found = in_arguments(&processes, &conversation, &[OsStr::new("claude")]);
            assert_eq!(found.is_some(), *expected, "{words:?}");
        }
    }
}
