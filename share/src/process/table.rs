//! The process table as a value.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// All processes of one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessTable {
    /// The moment, in time since boot (Linux) or since 1970 (macOS).
    pub now: Duration,
    /// The same moment in time since 1970.
    pub wall: Duration,
    processes: BTreeMap<u32, Process>,
}

/// One process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// Its parent's id; 1 once the parent is gone.
    pub parent: u32,
    /// What it does.
    pub state: State,
    /// Its process group.
    pub group: u32,
    /// Its session; a session leader's is its own id.
    pub session: u32,
    /// Its controlling terminal.
    pub tty: Option<Tty>,
    /// The process group in the foreground of that terminal, where the platform says so.
    pub foreground: Option<u32>,
    /// When it started, on the scale of [`ProcessTable::now`]. Steps of 10 ms on Linux, 1 s on macOS.
    pub started: Duration,
    /// The name of its program, cut to 15 bytes on Linux.
    pub name: String,
}

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It computes, or is about to.
    Running,
    /// It waits for something that a signal can interrupt.
    Sleeping,
    /// It waits for a device.
    Blocked,
    /// It was stopped, by ctrl-z or by a debugger.
    Stopped,
    /// It has ended and its parent has not noticed.
    Zombie,
    /// Anything else, by the kernel's letter.
    Other(char),
}

impl State {
    /// The state of `ps` and `/proc/PID/stat`.
    pub fn from_letter(letter: char) -> Self {
        match letter {
            'R' => Self::Running,
            'S' | 'I' => Self::Sleeping,
            'D' | 'U' => Self::Blocked,
            'T' | 't' => Self::Stopped,
            'Z' => Self::Zombie,
            other => Self::Other(other),
        }
    }
}

/// A terminal by its name below `/dev`, such as `pts/4`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tty(String);

impl Tty {
    /// The terminal `/dev/NAME`.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Its device file.
    pub fn path(&self) -> PathBuf {
        Path::new("/dev").join(&self.0)
    }
}

impl ProcessTable {
    /// A table of these processes at `now`, which is `wall` since 1970.
    pub fn new(now: Duration, wall: Duration, processes: impl IntoIterator<Item = Process>) -> Self {
        let processes = processes.into_iter().map(|process| (process.pid, process)).collect();
        Self { now, wall, processes }
    }

    /// The process `pid`.
    pub fn get(&self, pid: u32) -> Option<&Process> {
        self.processes.get(&pid)
    }

    /// All processes in order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Process> {
        self.processes.values()
    }

    /// The processes whose parent is `pid`.
    pub fn children(&self, pid: u32) -> impl Iterator<Item = &Process> {
        self.iter().filter(move |process| process.parent == pid)
    }

    /// How long `process` has been there.
    pub fn age(&self, process: &Process) -> Duration {
        self.now.saturating_sub(process.started)
    }

    /// When `process` started, in time since 1970 by today's clock.
    pub fn started_wall(&self, process: &Process) -> Duration {
        self.wall.saturating_sub(self.age(process))
    }

    /// `process` and its ancestors, nearest first, up to the first that is not in the table.
    pub fn line<'a>(&'a self, process: &'a Process) -> impl Iterator<Item = &'a Process> {
        // A table read over some milliseconds can hold a loop; no real line is this long.
        const LONGEST: usize = 256;
        let mut next = Some(process);
        std::iter::from_fn(move || {
            let this = next?;
            next = self.get(this.parent).filter(|parent| parent.pid != this.pid);
            Some(this)
        })
        .take(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_on_one_scale_and_lines_end() {
        let process = |pid, parent, started| Process {
            pid,
            parent,
            state: State::Sleeping,
            group: pid,
            session: pid,
            tty: None,
            foreground: None,
            started: Duration::from_secs(started),
            name: "x".into(),
        };
        // 5 and 6 are each other's parent, which a table read in pieces can show.
        let all =
            [process(1, 0, 0), process(2, 1, 50), process(3, 2, 60), process(5, 6, 0), process(6, 5, 0)];
        let table = ProcessTable::new(Duration::from_secs(100), Duration::from_secs(1100), all);
        let three = table.get(3).unwrap();
        assert_eq!(table.age(three), Duration::from_secs(40));
        assert_eq!(table.started_wall(three), Duration::from_secs(1060));
        assert_eq!(table.line(three).map(|process| process.pid).collect::<Vec<_>>(), [3, 2, 1]);
        assert_eq!(table.children(1).map(|process| process.pid).collect::<Vec<_>>(), [2]);
        assert_eq!(table.line(table.get(5).unwrap()).count(), 256);
    }
}
