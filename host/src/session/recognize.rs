//! Which record an agent in a pane belongs to.
//!
//! Decided from plain values. An agent that a record knows already is left to it; one that takes up the
//! conversation of a record is that session again; any other is new.

use std::ffi::OsString;
use std::path::Path;

use mam_share::herdr::pane::{Conversation, ForegroundProcess};

use super::kind::Kind;
use super::record::{ProcessId, SessionRecord, Status};
use crate::profile::ProfileName;

/// A record, whose it is, and whether somebody holds its lease.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// Whose it is.
    pub profile: ProfileName,
    /// It.
    pub record: SessionRecord,
    /// Whether a `mam launch` runs it.
    pub is_leased: bool,
}

/// What an agent is to the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognized<'a> {
    /// This record knows it, or has its conversation and runs elsewhere.
    Known(&'a SessionRecord),
    /// A session that was taken up again by hand.
    Again(&'a ProfileName, &'a SessionRecord),
    /// Nobody knows it.
    New,
}

/// What the process `agent` with this conversation is to the records.
pub fn recognize<'a>(
    records: &'a [Recorded],
    kind: &Kind,
    agent: &ProcessId,
    conversation: Option<&Conversation>,
) -> Recognized<'a> {
    let is_it = |recorded: &&Recorded| matches!(&recorded.record.status, Status::Running { process } if process == agent);
    if let Some(known) = records.iter().find(is_it) {
        return Recognized::Known(&known.record);
    }
    let Some(conversation) = conversation else { return Recognized::New };
    let has_it = |recorded: &&Recorded| {
        recorded.record.agent == kind.name && recorded.record.conversation.as_ref() == Some(conversation)
    };
    match records.iter().find(has_it) {
        // It runs twice now; whoever has the lease has the record.
        Some(recorded) if recorded.is_leased => Recognized::Known(&recorded.record),
        Some(recorded) => Recognized::Again(&recorded.profile, &recorded.record),
        None => Recognized::New,
    }
}

/// The agent among the processes in the foreground of a pane: the first that is a program of its kind, else
/// the leader of the group, which may have put a title in place of its arguments.
pub fn agent_of(
    kind: &Kind,
    foreground: &[ForegroundProcess],
    leader: Option<u32>,
    shell: Option<u32>,
    arguments: impl Fn(u32) -> Option<Vec<OsString>>,
) -> Option<u32> {
    let is_program = |pid: &u32| arguments(*pid).is_some_and(|words| kind.program_words(&words).is_some());
    let pids = || foreground.iter().map(|process| process.pid);
    let others = || pids().filter(|pid| Some(*pid) != shell);
    // A pane may have been opened with the agent in place of a shell.
    others().find(is_program).or_else(|| pids().find(is_program)).or_else(|| {
        let leader = leader.filter(|leader| Some(*leader) != shell);
        leader.filter(|leader| pids().any(|pid| pid == *leader))
    })
}

/// Whether these are the arguments of `mam launch`, which keeps the record of its agent itself.
pub fn is_launcher(arguments: &[OsString]) -> bool {
    let is_mam = arguments
        .first()
        .is_some_and(|program| Path::new(program).file_name().is_some_and(|name| name == "mam"));
    is_mam && arguments.iter().skip(1).any(|word| word == "launch")
}

#[cfg(test)]
mod tests {
    use super::super::record::Ended;
    use super::*;

    fn kind() -> Kind {
        Kind { name: "claude".into(), executable: "claude".into(), ..Kind::default() }
    }

    fn process(pid: u32, start: u64) -> ProcessId {
        ProcessId { pid, start: Some(start), boot: Some("b".into()) }
    }

    fn id(value: &str) -> Conversation {
        Conversation { agent: "claude".into(), kind: "id".into(), value: value.into() }
    }

    fn recorded(name: &str, status: Status, conversation: Option<&str>, is_leased: bool) -> Recorded {
        let argv = vec!["claude".into()];
        let mut record = SessionRecord::new(name.parse().unwrap(), "claude", argv, "/s".into(), "mam", "t");
        record.status = status;
        record.conversation = conversation.map(id);
        Recorded { profile: ProfileName::root(), record, is_leased }
    }

    #[test]
    fn an_agent_is_known_taken_up_again_or_new() {
        let running = |start| Status::Running { process: process(50, start) };
        let ended = Status::Ended { how: Ended::Code(0), at: "t".into() };
        let rows = [
            (recorded("a", running(1), Some("A"), false), Some("A"), "known"),
            (recorded("a", running(1), Some("A"), false), None, "known"),
            // The user typed /clear.
            (recorded("a", running(1), Some("A"), false), Some("B"), "known"),
            (recorded("a", running(2), Some("A"), false), Some("A"), "again"),
            (recorded("a", ended.clone(), Some("A"), false), Some("A"), "again"),
            (recorded("a", running(2), Some("A"), true), Some("A"), "known"),
            (recorded("a", ended.clone(), Some("A"), false), Some("B"), "new"),
            (recorded("a", ended.clone(), None, false), None, "new"),
            (recorded("a", ended, Some("A"), false), None, "new"),
        ];
        for (recorded, conversation, expected) in rows {
            let records = [recorded];
            let conversation = conversation.map(id);
            let found = match recognize(&records, &kind(), &process(50, 1), conversation.as_ref()) {
                Recognized::Known(_) => "known",
                Recognized::Again(_, record) => {
                    assert_eq!(record.name.as_str(), "a");
                    "again"
                }
                Recognized::New => "new",
            };
            assert_eq!(found, expected, "{records:?} {conversation:?}");
        }
    }

    #[test]
    fn the_agent_is_found_among_the_processes_in_front() {
        let argv = |pid: u32| -> Option<Vec<OsString>> {
            let words: &[&str] = match pid {
                1 => &["bash"],
                2 => &["claude", "-c"],
                3 => &["node", "/bin/claude"],
                4 => &["working on it"],
                5 => &["rg", "claude"],
                _ => return None,
            };
            Some(words.iter().map(OsString::from).collect())
        };
        let rows: &[(&[u32], Option<u32>, Option<u32>)] = &[
            (&[1, 2], Some(2), Some(2)),
            (&[5, 2], Some(5), Some(2)),
            (&[3], Some(3), Some(3)),
            (&[4], Some(4), Some(4)),
            (&[9], Some(9), Some(9)),
            (&[1], Some(1), None),
            (&[5], Some(4), None),
            (&[], None, None),
        ];
        for (pids, leader, expected) in rows {
            let front: Vec<ForegroundProcess> =
                pids.iter().map(|pid| ForegroundProcess { pid: *pid, name: String::new() }).collect();
            assert_eq!(agent_of(&kind(), &front, *leader, Some(1), argv), *expected, "{pids:?}");
        }
        // The pane was opened with the agent itself.
        let front = [ForegroundProcess { pid: 2, name: String::new() }];
        assert_eq!(agent_of(&kind(), &front, Some(2), Some(2), argv), Some(2));
    }

    #[test]
    fn the_launcher_is_told_from_what_only_mentions_it() {
        let words = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        assert!(is_launcher(&words("/usr/bin/mam -p ops launch fix")));
        for other in ["mam list", "bash -c mam launch fix", "mam"] {
            assert!(!is_launcher(&words(other)), "{other}");
        }
    }
}
