//! All interleavings of a few callers, a crash at every step and a live handoff: the judgement and the
//! decision are the real ones, what they act on is a small model of the kernel. That the model sees a
//! mistake is tested with mistakes.

use std::collections::BTreeSet;

use crate::decision::{self, Decision, Observation, Owner, Patience, Served};
use crate::lock::Holder;
use crate::owner::{self, Seen, Socket};
use crate::profile::ProfileName;
use crate::record::{Facts, HostRecord};

/// What `mam run` is to do about an owner that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    Attach,
    Replace,
    /// Only this one, which a restart has ended.
    ReplaceOnly(Option<usize>),
}

/// What a process is about to do, or is. Its number among the processes is its pid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// `mam run`: look and decide.
    Look { wish: Wish, looks: u8 },
    /// Try the lock.
    Lock,
    /// Holding the lock, look at the socket once more.
    Check,
    /// Write the record.
    Record,
    /// Become the server.
    Exec,
    /// The server, before it listens.
    Rising,
    /// The server.
    Server,
    /// The server that hands over to `to`: it listens no more, and has the lock until it ends.
    Leaving { to: usize },
    /// The server that takes over from `from`, before it listens.
    Arriving { from: usize },
    /// End this process.
    Kill { pid: usize, restart: bool },
    /// Remove its record.
    Retract { pid: usize, restart: bool },
    /// `mam restart --all`: look.
    Restart,
    /// Start `mam run --replace`.
    Spawn { old: Option<usize> },
    /// Wait for a host that is not the old one.
    Wait { old: Option<usize> },
    /// It has ended with this code.
    Ended(u8),
    /// It is gone by force.
    Dead,
}

/// A mistake in the code, to see that the model finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mistake {
    None,
    /// Who has the lock does not look at the socket once more.
    NoCheck,
    /// An owner that does not say whom it serves is nobody.
    UnknownIsNobody,
    /// An owner that is not proved is replaced.
    ReplaceUnproven,
    /// A restart has worked as soon as a new process is recorded.
    RecordIsEnough,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    mistake: Mistake,
    lock: Option<usize>,
    record: Option<usize>,
    processes: Vec<Step>,
    crashes: u8,
    handoffs: u8,
}

impl World {
    fn new(callers: &[Step], mistake: Mistake) -> Self {
        Self { mistake, lock: None, record: None, processes: callers.to_vec(), crashes: 1, handoffs: 1 }
    }

    fn is_alive(&self, pid: usize) -> bool {
        !matches!(self.processes[pid], Step::Dead | Step::Ended(_))
    }

    fn listener(&self) -> Option<usize> {
        self.processes.iter().position(|step| *step == Step::Server)
    }

    /// How many hosts there are. The two of a handoff are one.
    fn servers(&self) -> usize {
        let is_one = |step: &&Step| {
            matches!(step, Step::Rising | Step::Server)
                || matches!(step, Step::Arriving { from } if self.is_alive(*from))
                || matches!(step, Step::Leaving { to } if !self.is_alive(*to))
        };
        self.processes.iter().filter(is_one).count()
    }

    fn end(&mut self, pid: usize, how: Step) {
        self.processes[pid] = how;
        if self.lock == Some(pid) {
            self.lock = None;
        }
    }

    /// What a look gives, and what it is judged to be.
    fn look(&self) -> Owner {
        let number = |pid: usize| u32::try_from(pid + 100).unwrap();
        let record = self.record.map(|pid| HostRecord {
            create_time: Some(pid as u64),
            boot_id: Some("b".into()),
            profiles: vec![ProfileName::root()],
            ..HostRecord::new(number(pid))
        });
        let listener = self.listener();
        let seen = Seen {
            lock: Ok(self.lock.map(|pid| Holder::Pid(number(pid)))),
            facts: Facts {
                started: self.record.filter(|pid| self.is_alive(*pid)).map(|pid| pid as u64),
                boot: Some("b".into()),
                lock_holder: self.lock.map(number),
                socket_peer: listener.map(number),
            },
            record,
            socket: listener.map_or(Socket::Nobody, |pid| Socket::Answers(Some(number(pid)))),
            is_marked: listener.is_some(),
        };
        owner::judge(&seen).owner
    }

    /// Lets `pid` make its next step.
    fn step(&mut self, pid: usize) {
        let next = match self.processes[pid] {
            Step::Look { wish, looks } => self.decide(wish, looks),
            Step::Lock if self.lock.is_none() => {
                self.lock = Some(pid);
                Step::Check
            }
            Step::Lock => Step::Look { wish: Wish::Attach, looks: 0 },
            Step::Check if self.listener().is_some() && self.mistake != Mistake::NoCheck => {
                self.lock = None;
                Step::Look { wish: Wish::Attach, looks: 0 }
            }
            Step::Check => Step::Record,
            Step::Record => {
                self.record = Some(pid);
                Step::Exec
            }
            Step::Exec => Step::Rising,
            Step::Rising => Step::Server,
            // It listens when the old one does not, and goes with it when that ends before.
            Step::Arriving { from } if self.is_alive(from) => Step::Server,
            Step::Arriving { .. } => Step::Ended(1),
            // It waits until the new one listens; when that comes to nothing, it is the server again.
            Step::Leaving { to } if self.processes[to] == Step::Server => Step::Ended(0),
            Step::Leaving { to } if !self.is_alive(to) => Step::Server,
            Step::Kill { pid: victim, restart } => {
                if self.is_alive(victim) {
                    self.end(victim, Step::Dead);
                }
                Step::Retract { pid: victim, restart }
            }
            Step::Retract { pid: victim, restart } => {
                if self.record == Some(victim) {
                    self.record = None;
                }
                if restart {
                    Step::Spawn { old: Some(victim) }
                } else {
                    Step::Look { wish: Wish::Attach, looks: 0 }
                }
            }
            Step::Restart => match self.look() {
                Owner::Nobody => Step::Spawn { old: None },
                Owner::Process { pid: owner, is_proven: true, .. } => {
                    Step::Kill { pid: owner as usize - 100, restart: true }
                }
                Owner::Process { .. } | Owner::Unknowable { .. } => Step::Ended(75),
                Owner::Stranger { .. } => Step::Ended(78),
            },
            Step::Spawn { old } => {
                self.processes.push(Step::Look { wish: Wish::ReplaceOnly(old), looks: 0 });
                Step::Wait { old }
            }
            Step::Wait { old } => {
                let is_new = matches!(self.look(),
                    Owner::Process { pid: owner, is_proven: true, served: Served::Known(_) }
                        if Some(owner as usize - 100) != old)
                    || self.mistake == Mistake::RecordIsEnough && self.record.is_some() && self.record != old;
                assert!(!is_new || self.listener().is_some(), "a restart that worked, and no host: {self:?}");
                if is_new { Step::Ended(0) } else { Step::Wait { old } }
            }
            still @ (Step::Server | Step::Leaving { .. } | Step::Ended(_) | Step::Dead) => still,
        };
        if let Step::Ended(_) = next {
            self.end(pid, next);
        } else {
            self.processes[pid] = next;
        }
    }

    /// The owner as the rules see it, mistakes included.
    fn owner(&self) -> Owner {
        match (self.look(), self.mistake) {
            (Owner::Process { served: Served::Unknown, .. }, Mistake::UnknownIsNobody) => Owner::Nobody,
            (Owner::Process { pid, served, .. }, Mistake::ReplaceUnproven) => {
                Owner::Process { pid, served, is_proven: true }
            }
            (owner, _) => owner,
        }
    }

    fn decide(&self, wish: Wish, looks: u8) -> Step {
        const MOST_LOOKS: u8 = 2;
        let owner = self.owner();
        let replace = match (wish, &owner) {
            (Wish::Attach, _) => false,
            (Wish::ReplaceOnly(old), Owner::Process { pid, .. }) => old == Some(*pid as usize - 100),
            (Wish::Replace | Wish::ReplaceOnly(_), _) => true,
        };
        let decision = decision::decide(&Observation {
            profile: ProfileName::root(),
            force: false,
            replace,
            is_standalone: false,
            is_excluded: false,
            is_parked: false,
            owner,
            patience: if looks < MOST_LOOKS { Patience::Left } else { Patience::Over },
        });
        match decision {
            Decision::Start => Step::Lock,
            Decision::Replace { pid } => {
                let victim = pid as usize - 100;
                assert!(self.is_recorded_or_handed_over(victim), "pid {victim} is no host yet: {self:?}");
                Step::Kill { pid: victim, restart: false }
            }
            Decision::Attach { .. } | Decision::Join { .. } => {
                assert!(self.listener().is_some(), "attached to nobody: {self:?}");
                Step::Ended(0)
            }
            Decision::LookAgain => Step::Look { wish, looks: looks + 1 },
            Decision::Wait(_) => Step::Ended(75),
            Decision::Refuse(_) => Step::Ended(78),
            Decision::StartBeside => panic!("nobody asked for a second one: {self:?}"),
        }
    }

    /// Whether a process may be ended: it has become the host, or taken over from it.
    fn is_recorded_or_handed_over(&self, pid: usize) -> bool {
        self.record == Some(pid) || self.processes[pid] == Step::Server
    }

    /// Everything that can happen next.
    fn next(&self) -> Vec<Self> {
        let mut worlds = Vec::new();
        for pid in 0..self.processes.len() {
            if !self.is_alive(pid) {
                continue;
            }
            let mut stepped = self.clone();
            stepped.step(pid);
            worlds.push(stepped);
            if self.crashes > 0 {
                let mut crashed = self.clone();
                crashed.end(pid, Step::Dead);
                crashed.crashes -= 1;
                worlds.push(crashed);
            }
            if self.processes[pid] == Step::Server && self.handoffs > 0 {
                let mut handed = self.clone();
                handed.processes[pid] = Step::Leaving { to: handed.processes.len() };
                handed.processes.push(Step::Arriving { from: pid });
                handed.handoffs -= 1;
                worlds.push(handed);
            }
        }
        worlds
    }

    /// Whatever has happened: one more start, alone, leads to exactly one host.
    fn assert_recovers(&self) {
        let mut world = self.clone();
        let fresh = world.processes.len();
        world.processes.push(Step::Look { wish: Wish::Attach, looks: 0 });
        for _ in 0..20 {
            // Who waits for others lets them go on.
            for pid in 0..world.processes.len() {
                if world.is_alive(pid) {
                    world.step(pid);
                }
            }
        }
        let (servers, fate) = (world.servers(), world.processes[fresh]);
        let is_host_or_attached = matches!(fate, Step::Server | Step::Ended(0 | 75) | Step::Dead);
        assert!(servers == 1 && is_host_or_attached, "from {self:?}\nto {world:?}");
    }
}

/// Walks through every world that can come about; how many there are.
fn walk(callers: &[Step], mistake: Mistake) -> usize {
    let mut seen = BTreeSet::new();
    let mut open = vec![World::new(callers, mistake)];
    while let Some(world) = open.pop() {
        if !seen.insert(world.clone()) {
            continue;
        }
        assert!(world.servers() <= 1, "two hosts: {world:?}");
        world.assert_recovers();
        open.extend(world.next());
    }
    seen.len()
}

const RUN: Step = Step::Look { wish: Wish::Attach, looks: 0 };
const REPLACE: Step = Step::Look { wish: Wish::Replace, looks: 0 };

#[test]
fn there_are_never_two_hosts_and_always_a_way_to_one() {
    let mut count = 0;
    for callers in [
        &[RUN, RUN][..],
        &[RUN, REPLACE],
        &[RUN, Step::Restart],
        &[Step::Restart, Step::Restart],
        &[REPLACE, Step::Restart],
        &[RUN, RUN, RUN],
        &[RUN, RUN, Step::Restart],
        &[RUN, REPLACE, REPLACE],
    ] {
        count += walk(callers, Mistake::None);
    }
    assert!(count > 10_000, "{count} worlds are too few to mean anything");
}

#[test]
fn the_model_sees_a_mistake() {
    for (mistake, callers) in [
        (Mistake::NoCheck, &[RUN, RUN][..]),
        (Mistake::UnknownIsNobody, &[RUN, RUN]),
        (Mistake::ReplaceUnproven, &[RUN, REPLACE]),
        (Mistake::RecordIsEnough, &[RUN, Step::Restart]),
    ] {
        let walked = std::panic::catch_unwind(|| walk(callers, mistake));
        assert!(walked.is_err(), "{mistake:?} is not seen");
    }
}
