//! Who owns the host, from what was seen: a pure function, so that every doubt is a row in a test.

use crate::decision::{Owner, Served};
use crate::lock::Holder;
use crate::record::{self, Facts, HostRecord, Staleness, Standing};

/// What one look at the host gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Who holds the lock; or why that could not be asked.
    pub lock: Result<Option<Holder>, String>,
    /// The record, when there is one of this user's.
    pub record: Option<HostRecord>,
    /// What the kernel says about the record's process.
    pub facts: Facts,
    /// The API socket.
    pub socket: Socket,
    /// The process at the socket was started as this host: it carries our `MAM_HOST`, and was not
    /// started in a pane, which inherits that too.
    pub is_marked: bool,
}

/// What is at the API socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Socket {
    /// Nobody listens.
    Nobody,
    /// Somebody listens and answers `ping`.
    Answers(Option<u32>),
    /// Somebody listens, and did not answer in time or not as herdr does.
    Silent(Option<u32>),
    /// It cannot be told, for this reason.
    Unknowable(String),
}

impl Socket {
    /// The process at the other end, where the platform says so.
    pub fn peer(&self) -> Option<u32> {
        match self {
            Self::Answers(peer) | Self::Silent(peer) => *peer,
            Self::Nobody | Self::Unknowable(_) => None,
        }
    }
}

/// The owner, and what is to be done about its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Who owns the host.
    pub owner: Owner,
    /// The owner took the place of the recorded process in a live handoff: the record is to name it.
    pub is_handed_over: bool,
}

/// Judges what was seen.
pub fn judge(seen: &Seen) -> Judged {
    let (owner, is_handed_over) = match &seen.lock {
        Err(reason) => (Owner::Unknowable { reason: reason.clone() }, false),
        Ok(Some(Holder::Hidden)) => {
            let reason = "a process that cannot be seen from here holds it";
            (Owner::Unknowable { reason: reason.to_owned() }, false)
        }
        Ok(Some(Holder::Pid(pid))) => (holder(seen, *pid), false),
        Ok(None) => listener(seen),
    };
    Judged { owner, is_handed_over }
}

fn holder(seen: &Seen, pid: u32) -> Owner {
    let ours = seen.record.as_ref().filter(|record| record.pid == pid);
    let proven = ours.filter(|record| record::standing(record, &seen.facts) == Standing::Proven);
    let served = match (&seen.socket, proven) {
        // A platform that does not name the peer leaves the lock as the witness.
        (Socket::Answers(peer), Some(record)) if peer.is_none_or(|peer| peer == pid) => known(record),
        _ => Served::Unknown,
    };
    Owner::Process { pid, is_proven: proven.is_some(), served }
}

/// The lock is free. A server that answers all the same is the owner after a live handoff, or a
/// stranger.
fn listener(seen: &Seen) -> (Owner, bool) {
    let peer = match &seen.socket {
        Socket::Nobody => return (Owner::Nobody, false),
        Socket::Unknowable(reason) => return (Owner::Unknowable { reason: reason.clone() }, false),
        Socket::Answers(peer) | Socket::Silent(peer) => *peer,
    };
    let Some(pid) = peer.filter(|_| seen.is_marked) else {
        return (Owner::Stranger { pid: peer }, false);
    };
    let unproven = Owner::Process { pid, is_proven: false, served: Served::Unknown };
    let Some(record) = &seen.record else { return (unproven, false) };
    let served = || match seen.socket {
        Socket::Answers(_) => known(record),
        Socket::Silent(_) | Socket::Nobody | Socket::Unknowable(_) => Served::Unknown,
    };
    match record::standing(record, &seen.facts) {
        Standing::Proven if record.pid == pid => {
            (Owner::Process { pid, is_proven: true, served: served() }, false)
        }
        // The recorded process is gone, and the one that listens in its place carries its mark.
        Standing::Stale(Staleness::Dead | Staleness::OtherStart) if record.pid != pid => {
            (Owner::Process { pid, is_proven: true, served: served() }, true)
        }
        Standing::Stale(_) | Standing::Proven | Standing::CannotTell => (unproven, false),
    }
}

fn known(record: &HostRecord) -> Served {
    Served::Known(record.profiles.iter().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PID: u32 = 50;

    fn record(pid: u32) -> HostRecord {
        HostRecord {
            create_time: Some(7),
            boot_id: Some("b".into()),
            profiles: vec!["us".parse().unwrap()],
            ..HostRecord::new(pid)
        }
    }

    fn facts(started: Option<u64>, lock_holder: Option<u32>, socket_peer: Option<u32>) -> Facts {
        Facts { started, boot: Some("b".into()), lock_holder, socket_peer }
    }

    fn owned(is_proven: bool, is_known: bool) -> Owner {
        let served = if is_known { known(&record(PID)) } else { Served::Unknown };
        Owner::Process { pid: PID, is_proven, served }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn each_doubt_has_its_own_outcome() {
        let held = || Ok(Some(Holder::Pid(PID)));
        let answers = || Socket::Answers(Some(PID));
        let stranger = |pid| Owner::Stranger { pid };
        let seen = |lock, record, facts, socket, is_marked| Seen { lock, record, facts, socket, is_marked };
        let both = || facts(Some(7), Some(PID), Some(PID));
        let peer = |started| facts(started, None, Some(PID));
        let rows = [
            ("no owner", seen(Ok(None), None, Facts::default(), Socket::Nobody, false), Owner::Nobody, false),
            (
                "a record is no owner",
                seen(Ok(None), Some(record(PID)), facts(Some(7), None, None), Socket::Nobody, false),
                Owner::Nobody,
                false,
            ),
            (
                "owner answers",
                seen(held(), Some(record(PID)), both(), answers(), true),
                owned(true, true),
                false,
            ),
            (
                "owner is silent",
                seen(held(), Some(record(PID)), both(), Socket::Silent(Some(PID)), true),
                owned(true, false),
                false,
            ),
            (
                "owner has no socket yet",
                seen(held(), Some(record(PID)), facts(Some(7), Some(PID), None), Socket::Nobody, false),
                owned(true, false),
                false,
            ),
            (
                "another process answers",
                seen(
                    held(),
                    Some(record(PID)),
                    facts(Some(7), Some(PID), Some(9)),
                    Socket::Answers(Some(9)),
                    true,
                ),
                owned(true, false),
                false,
            ),
            (
                "no record yet",
                seen(held(), None, Facts::default(), answers(), true),
                owned(false, false),
                false,
            ),
            (
                "record of another process",
                seen(held(), Some(record(9)), facts(None, Some(PID), None), answers(), true),
                owned(false, false),
                false,
            ),
            (
                "wrong start time",
                seen(held(), Some(record(PID)), facts(Some(8), Some(PID), Some(PID)), answers(), true),
                owned(false, false),
                false,
            ),
            (
                "the peer is not told",
                seen(
                    held(),
                    Some(record(PID)),
                    facts(Some(7), Some(PID), None),
                    Socket::Answers(None),
                    false,
                ),
                owned(true, true),
                false,
            ),
            (
                "after a handoff, before the record",
                seen(Ok(None), Some(record(9)), peer(None), answers(), true),
                owned(true, true),
                true,
            ),
            (
                "after a handoff, with the record",
                seen(Ok(None), Some(record(PID)), peer(Some(7)), answers(), true),
                owned(true, true),
                false,
            ),
            (
                "during a handoff",
                seen(Ok(None), Some(record(9)), peer(Some(7)), answers(), true),
                owned(false, false),
                false,
            ),
            (
                "marked, no record",
                seen(Ok(None), None, Facts::default(), answers(), true),
                owned(false, false),
                false,
            ),
            (
                "a stranger",
                seen(Ok(None), Some(record(9)), peer(None), answers(), false),
                stranger(Some(PID)),
                false,
            ),
            (
                "a stranger that is not told",
                seen(Ok(None), Some(record(9)), facts(None, None, None), Socket::Silent(None), true),
                stranger(None),
                false,
            ),
        ];
        for (row, seen, owner, is_handed_over) in rows {
            assert_eq!(judge(&seen), Judged { owner, is_handed_over }, "{row}");
        }
    }

    #[test]
    fn what_cannot_be_asked_is_nobodys_and_not_free() {
        for (lock, socket) in [
            (Err("no".to_owned()), Socket::Nobody),
            (Ok(Some(Holder::Hidden)), Socket::Nobody),
            (Ok(None), Socket::Unknowable("no".to_owned())),
        ] {
            let seen = Seen { lock, record: None, facts: Facts::default(), socket, is_marked: false };
            assert!(matches!(judge(&seen).owner, Owner::Unknowable { .. }), "{seen:?}");
        }
    }
}
