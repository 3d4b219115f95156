//! What `mam run` does, from what it sees: a pure function, so that every row is a test.

use std::collections::BTreeSet;

use mam_share::exit::Exit;

use crate::profile::ProfileName;

/// Everything the decision looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The profile that runs.
    pub profile: ProfileName,
    /// `--force`: start in any case, on a session of its own.
    pub force: bool,
    /// `--replace`: take the place of an owner that serves us.
    pub replace: bool,
    /// The profile's config asks for a host of its own.
    pub is_standalone: bool,
    /// The host's config excludes the profile.
    pub is_excluded: bool,
    /// The profile is parked.
    pub is_parked: bool,
    /// Who owns the host.
    pub owner: Owner,
    /// Whether there is time to look again when the served set is unknown.
    pub patience: Patience,
}

/// Who owns the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The lock is free and nothing answers on the socket, or this process is the owner.
    Nobody,
    /// The lock is free, but a server answers that cannot be proved to be ours.
    Stranger {
        /// The pid at the other end of the socket, where the platform says so.
        pid: Option<u32>,
    },
    /// A process holds the lock, or is proved to be the host without it (after a live handoff).
    Process {
        /// Its pid.
        pid: u32,
        /// Its record was proved.
        is_proven: bool,
        /// Whom it serves, believed only while it answers.
        served: Served,
    },
    /// The lock could not be tried at all. Never the same as "somebody owns the host".
    Unknowable {
        /// The operating system's reason.
        reason: String,
    },
}

/// The profiles that an owner serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Served {
    /// The owner answered, and its record names them.
    Known(BTreeSet<ProfileName>),
    /// It did not answer. Unknown is not empty.
    Unknown,
}

/// Whether the time for looking again is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Look again.
    Left,
    /// Five seconds have passed.
    Over,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Become the host.
    Start,
    /// Start on a session of our own, beside the host.
    StartBeside,
    /// End the owner, then become the host.
    Replace {
        /// The owner.
        pid: u32,
    },
    /// The owner serves us: nothing to do.
    Attach {
        /// The owner.
        pid: u32,
    },
    /// Add ourselves to the served set, then as [`Decision::Attach`].
    Join {
        /// The owner.
        pid: u32,
    },
    /// Observe once more in a moment.
    LookAgain,
    /// A passing state.
    Wait(Waiting),
    /// Will not work until someone changes something.
    Refuse(Refusal),
}

/// What is being waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The owner does not say whom it serves.
    SetUnknown {
        /// The owner.
        pid: u32,
    },
    /// The profile is to be standalone, and the host still serves it.
    StillServed {
        /// The owner.
        pid: u32,
    },
    /// Nobody can tell who owns the host.
    Unknowable {
        /// Why.
        reason: String,
    },
}

/// Why a run is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A server that is not ours answers on the host's socket.
    Stranger {
        /// Its pid, where it is known.
        pid: Option<u32>,
    },
    /// The host's config excludes the profile.
    Excluded {
        /// The owner.
        pid: u32,
    },
    /// The profile is parked.
    Parked {
        /// The owner.
        pid: u32,
    },
    /// `--replace` of an owner that is known not to serve us would be a takeover.
    NotServed {
        /// The owner.
        pid: u32,
    },
}

/// The first row that matches decides.
pub fn decide(observation: &Observation) -> Decision {
    let Observation { profile, force, replace, is_standalone, is_excluded, is_parked, owner, patience } =
        observation;
    if *force {
        return Decision::StartBeside;
    }
    let (pid, is_proven, served) = match owner {
        Owner::Nobody => return Decision::Start,
        Owner::Stranger { pid } => return Decision::Refuse(Refusal::Stranger { pid: *pid }),
        Owner::Unknowable { reason } => {
            return Decision::Wait(Waiting::Unknowable { reason: reason.clone() });
        }
        Owner::Process { pid, is_proven, served } => (*pid, *is_proven, served),
    };
    let serves_us = match served {
        Served::Known(profiles) => Some(profiles.contains(profile)),
        Served::Unknown => None,
    };
    if *is_standalone {
        return match serves_us {
            Some(false) => Decision::StartBeside,
            Some(true) => Decision::Wait(Waiting::StillServed { pid }),
            None => Decision::Wait(Waiting::SetUnknown { pid }),
        };
    }
    if *replace && is_proven && serves_us != Some(false) {
        return Decision::Replace { pid };
    }
    match serves_us {
        Some(true) => Decision::Attach { pid },
        None if *patience == Patience::Left => Decision::LookAgain,
        None => Decision::Wait(Waiting::SetUnknown { pid }),
        Some(false) if *replace => Decision::Refuse(Refusal::NotServed { pid }),
        Some(false) if *is_excluded => Decision::Refuse(Refusal::Excluded { pid }),
        Some(false) if *is_parked => Decision::Refuse(Refusal::Parked { pid }),
        Some(false) => Decision::Join { pid },
    }
}

/// The exit code of a decision that starts nothing. Under a supervisor an attach is 75: 0 would be
/// read as a wanted stop, and 78 would park the unit for good on a state that passes.
pub fn exit(decision: &Decision, is_supervised: bool) -> Option<Exit> {
    match decision {
        Decision::Start | Decision::StartBeside | Decision::Replace { .. } | Decision::LookAgain => None,
        Decision::Attach { .. } | Decision::Join { .. } if is_supervised => Some(Exit::TryAgain),
        Decision::Attach { .. } | Decision::Join { .. } => Some(Exit::Done),
        Decision::Wait(_) => Some(Exit::TryAgain),
        Decision::Refuse(_) => Some(Exit::NeedsChange),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PID: u32 = 50;

    fn us() -> ProfileName {
        "us".parse().unwrap()
    }

    fn set(names: &[&str]) -> Served {
        Served::Known(names.iter().map(|name| name.parse().unwrap()).collect())
    }

    fn owner(is_proven: bool, served: Served) -> Owner {
        Owner::Process { pid: PID, is_proven, served }
    }

    fn seen(owner: Owner) -> Observation {
        Observation {
            profile: us(),
            force: false,
            replace: false,
            is_standalone: false,
            is_excluded: false,
            is_parked: false,
            owner,
            patience: Patience::Over,
        }
    }

    #[test]
    fn each_row_decides_as_documented() {
        let served = || owner(true, set(&["default", "us"]));
        let others = || owner(true, set(&["default"]));
        let unknown = || owner(true, Served::Unknown);
        let set_unknown = || Decision::Wait(Waiting::SetUnknown { pid: PID });
        // By hand, and under a supervisor.
        let rows: Vec<(&str, Observation, Decision, Option<(u8, u8)>)> = vec![
            ("1 force", Observation { force: true, ..seen(served()) }, Decision::StartBeside, None),
            (
                "1 force beats a stranger",
                Observation { force: true, ..seen(Owner::Stranger { pid: None }) },
                Decision::StartBeside,
                None,
            ),
            ("2 nobody", seen(Owner::Nobody), Decision::Start, None),
            (
                "2 nobody, standalone",
                Observation { is_standalone: true, ..seen(Owner::Nobody) },
                Decision::Start,
                None,
            ),
            (
                "2 stranger",
                seen(Owner::Stranger { pid: Some(9) }),
                Decision::Refuse(Refusal::Stranger { pid: Some(9) }),
                Some((78, 78)),
            ),
            (
                "2 replace does not reach a stranger",
                Observation { replace: true, ..seen(Owner::Stranger { pid: Some(9) }) },
                Decision::Refuse(Refusal::Stranger { pid: Some(9) }),
                Some((78, 78)),
            ),
            (
                "lock cannot be opened",
                seen(Owner::Unknowable { reason: "x".into() }),
                Decision::Wait(Waiting::Unknowable { reason: "x".into() }),
                Some((75, 75)),
            ),
            (
                "3 standalone, unknown",
                Observation { is_standalone: true, ..seen(unknown()) },
                set_unknown(),
                Some((75, 75)),
            ),
            (
                "3 standalone, served",
                Observation { is_standalone: true, ..seen(served()) },
                Decision::Wait(Waiting::StillServed { pid: PID }),
                Some((75, 75)),
            ),
            (
                "3 standalone, not served",
                Observation { is_standalone: true, ..seen(others()) },
                Decision::StartBeside,
                None,
            ),
            (
                "4 replace, served",
                Observation { replace: true, ..seen(served()) },
                Decision::Replace { pid: PID },
                None,
            ),
            (
                "4 replace, unknown",
                Observation { replace: true, ..seen(unknown()) },
                Decision::Replace { pid: PID },
                None,
            ),
            (
                "4 replace, unproven",
                Observation { replace: true, ..seen(owner(false, set(&["us"]))) },
                Decision::Attach { pid: PID },
                Some((0, 75)),
            ),
            (
                "4 replace, unproven and unknown",
                Observation { replace: true, ..seen(owner(false, Served::Unknown)) },
                set_unknown(),
                Some((75, 75)),
            ),
            ("5 served", seen(served()), Decision::Attach { pid: PID }, Some((0, 75))),
            (
                "5 served although parked",
                Observation { is_parked: true, ..seen(served()) },
                Decision::Attach { pid: PID },
                Some((0, 75)),
            ),
            (
                "6 unknown, time left",
                Observation { patience: Patience::Left, ..seen(unknown()) },
                Decision::LookAgain,
                None,
            ),
            ("7 not served yet", seen(others()), Decision::Join { pid: PID }, Some((0, 75))),
            ("8 still unknown", seen(unknown()), set_unknown(), Some((75, 75))),
            (
                "9 excluded",
                Observation { is_excluded: true, ..seen(others()) },
                Decision::Refuse(Refusal::Excluded { pid: PID }),
                Some((78, 78)),
            ),
            (
                "9 parked",
                Observation { is_parked: true, ..seen(others()) },
                Decision::Refuse(Refusal::Parked { pid: PID }),
                Some((78, 78)),
            ),
            (
                "9 replace of one that does not serve us",
                Observation { replace: true, ..seen(others()) },
                Decision::Refuse(Refusal::NotServed { pid: PID }),
                Some((78, 78)),
            ),
        ];
        for (row, observation, expected, exits) in rows {
            let decision = decide(&observation);
            assert_eq!(decision, expected, "{row}");
            let codes = exit(&decision, false).zip(exit(&decision, true));
            assert_eq!(codes.map(|(hand, unit)| (hand as u8, unit as u8)), exits, "{row}");
        }
    }

    /// Over all observations: nobody is ever replaced who is not proven, and nothing starts beside an
    /// owner but by `--force` or for a standalone profile that is known not to be served.
    #[test]
    fn no_observation_leads_to_a_wrong_kill_or_a_second_host() {
        let owners = || {
            let sets = || [set(&["us"]), set(&["default"]), set(&[]), Served::Unknown];
            let processes =
                [true, false].into_iter().flat_map(move |proven| sets().map(|served| owner(proven, served)));
            processes.chain([
                Owner::Nobody,
                Owner::Stranger { pid: None },
                Owner::Unknowable { reason: String::new() },
            ])
        };
        let mut count = 0;
        for bits in 0..64_u8 {
            let bit = |index: u8| bits & (1 << index) != 0;
            for owner in owners() {
                let observation = Observation {
                    profile: us(),
                    force: bit(0),
                    replace: bit(1),
                    is_standalone: bit(2),
                    is_excluded: bit(3),
                    is_parked: bit(4),
                    owner: owner.clone(),
                    patience: if bit(5) { Patience::Left } else { Patience::Over },
                };
                count += 1;
                match decide(&observation) {
                    Decision::Replace { .. } => {
                        let Owner::Process { is_proven: true, served, .. } = &owner else {
                            panic!("{observation:?}")
                        };
                        assert!(observation.replace && *served != set(&["default"]) && *served != set(&[]));
                    }
                    Decision::Start => assert_eq!(owner, Owner::Nobody, "{observation:?}"),
                    Decision::StartBeside => assert!(
                        observation.force
                            || (observation.is_standalone && matches!(owner, Owner::Process { .. })),
                        "{observation:?}"
                    ),
                    Decision::LookAgain => assert_eq!(observation.patience, Patience::Left),
                    Decision::Attach { .. }
                    | Decision::Join { .. }
                    | Decision::Wait(_)
                    | Decision::Refuse(_) => {}
                }
            }
        }
        assert_eq!(count, 64 * 11);
    }
}
