//! What `mam run` does, from what it sees: a pure function, so that every row is a test.

use std::collections::BTreeSet;

use mam_share::exit::Exit;

use crate::profile::ProfileName;

/// Everything the decision looks at.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and all of them go together")]
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
