//! All interleavings of a few callers, a crash at every step and a live handoff: the judgement and the
//! decision are the real ones, what they act on is a small model of the kernel.

use std::collections::BTreeSet;

use crate::decision::{self, Decision, Observation, Owner, Patience, Served};
use crate::lock::Holder;
use crate::owner::{self, Seen, Socket};
use crate::profile::ProfileName;
use crate::record::{Facts, HostRecord};

/// What a process is about to do, or is. Its number among the processes is its pid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// `mam run`: look and decide.
    Look { replace: bool, looks: u8 },
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
    Server { is_marked: bool },
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

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    lock: Option<usize>,
    record: Option<usize>,
    processes: Vec<Step>,
    crashes: u8,
    handoffs: u8,
}

impl World {
    fn new(callers: &[Step]) -> Self {
        Self { lock: None, record: None, processes: callers.to_vec(), crashes: 1, handoffs: 1 }
    }

    fn is_alive(&self, pid: usize) -> bool {
        !matches!(self.processes[pid], Step::Dead | Step::Ended(_))
    }

    fn listener(&self) -> Option<(usize, bool)> {
        self.processes.iter().enumerate().find_map(|(pid, step)| {
            if let Step::Server { is_marked } = step { Some((pid, *is_marked)) } else { None }
        })
    }

    fn servers(&self) -> usize {
        self.processes.iter().filter(|step| matches!(step, Step::Rising | Step::Server { .. })).count()
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
                socket_peer: listener.map(|(pid, _)| number(pid)),
            },
            record,
            socket: listener.map_or(Socket::Nobody, |(pid, _)| Socket::Answers(Some(number(pid)))),
            is_marked: listener.is_some_and(|(_, is_marked)| is_marked),
        };
        owner::judge(&seen).owner
    }

    /// Lets `pid` make its next step.
    fn step(&mut self, pid: usize) {
        let next = match self.processes[pid] {
            Step::Look { replace, looks } => self.decide(replace, looks),
            Step::Lock if self.lock.is_none() => {
                self.lock = Some(pid);
                Step::Check
            }
            Step::Lock => Step::Look { replace: false, looks: 0 },
            Step::Check if self.listener().is_some() => {
                self.lock = None;
                Step::Look { replace: false, looks: 0 }
            }
            Step::Check => Step::Record,
            Step::Record => {
                self.record = Some(pid);
                Step::Exec
            }
            Step::Exec => Step::Rising,
            Step::Rising => Step::Server { is_marked: true },
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
                    Step::Look { replace: false, looks: 0 }
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
                self.processes.push(Step::Look { replace: true, looks: 0 });
                Step::Wait { old }
            }
            Step::Wait { old } => {
                let is_new = matches!(self.look(),
                    Owner::Process { pid: owner, is_proven: true, served: Served::Known(_) }
                        if Some(owner as usize - 100) != old);
                assert!(!is_new || self.listener().is_some(), "a restart that worked, and no host: {self:?}");
                if is_new { Step::Ended(0) } else { Step::Wait { old } }
            }
            still @ (Step::Server { .. } | Step::Ended(_) | Step::Dead) => still,
        };
        if let Step::Ended(_) = next {
            self.end(pid, next);
        } else {
            self.processes[pid] = next;
        }
    }

    fn decide(&self, replace: bool, looks: u8) -> Step {
        const MOST_LOOKS: u8 = 2;
        let decision = decision::decide(&Observation {
            profile: ProfileName::root(),
            force: false,
            replace,
            is_standalone: false,
            is_excluded: false,
            is_parked: false,
            owner: self.look(),
            patience: if looks < MOST_LOOKS { Patience::Left } else { Patience::Over },
        });
        match decision {
            Decision::Start => Step::Lock,
            Decision::Replace { pid } => Step::Kill { pid: pid as usize - 100, restart: false },
            Decision::Attach { .. } | Decision::Join { .. } => {
                assert!(self.listener().is_some(), "attached to nobody: {self:?}");
                Step::Ended(0)
            }
            Decision::LookAgain => Step::Look { replace, looks: looks + 1 },
            Decision::Wait(_) => Step::Ended(75),
            Decision::Refuse(_) => Step::Ended(78),
            Decision::StartBeside => panic!("nobody asked for a second one: {self:?}"),
        }
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
            if let (Step::Server { .. }, true) = (self.processes[pid], self.handoffs > 0) {
                let mut handed = self.clone();
                handed.end(pid, Step::Ended(0));
                handed.processes.push(Step::Server { is_marked: true });
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
        world.processes.push(Step::Look { replace: false, looks: 0 });
        for _ in 0..20 {
            // Who waits for others lets them go on.
            for pid in 0..world.processes.len() {
                if world.is_alive(pid) {
                    world.step(pid);
                }
            }
        }
        let (servers, fate) = (world.servers(), world.processes[fresh]);
        let is_host_or_attached = matches!(fate, Step::Server { .. } | Step::Ended(0 | 75) | Step::Dead);
        assert!(servers == 1 && is_host_or_attached, "from {self:?}\nto {world:?}");
    }
}

/// Walks through every world that can come about; how many there are.
fn walk(callers: &[Step]) -> usize {
    let mut seen = BTreeSet::new();
    let mut open = vec![World::new(callers)];
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

const RUN: Step = Step::Look { replace: false, looks: 0 };
const REPLACE: Step = Step::Look { replace: true, looks: 0 };

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
        count += walk(callers);
    }
    assert!(count > 10_000, "{count} worlds are too few to mean anything");
}
