//! Processes as the kernel shows them under `/proc`.

use std::path::PathBuf;

/// One process.
#[derive(Debug, Clone)]
pub(crate) struct Proc {
    pub(crate) pid: i32,
    pub(crate) comm: String,
    pub(crate) state: char,
    pub(crate) group: i32,
    pub(crate) session: i32,
    /// The foreground process group of its terminal.
    pub(crate) foreground: i32,
}

/// All processes at one moment.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<Proc>);

impl Table {
    /// Reads the table.
    pub(crate) fn read() -> Self {
        let Ok(entries) = std::fs::read_dir("/proc") else {
            return Self::default();
        };
        let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let mut procs: Vec<Proc> = pids.filter_map(one).collect();
        procs.sort_by_key(|proc| proc.pid);
        Self(procs)
    }

    /// The process with that id.
    pub(crate) fn get(&self, pid: i32) -> Option<&Proc> {
        let at = self.0.binary_search_by_key(&pid, |proc| proc.pid).ok()?;
        self.0.get(at)
    }

    /// The foreground process group of a shell's terminal, and who is in it; its leader first.
    pub(crate) fn foreground(&self, shell: i32) -> Option<(i32, Vec<&Proc>)> {
        let shell = self.get(shell)?;
        let group = shell.foreground;
        let inside = |proc: &&Proc| proc.group == group && proc.session == shell.session;
        let mut procs: Vec<&Proc> = self.0.iter().filter(inside).collect();
        procs.sort_by_key(|proc| (proc.pid != group, proc.pid));
        Some((group, procs))
    }
}

/// Reads one process.
pub(crate) fn one(pid: i32) -> Option<Proc> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold spaces and parentheses, so the fields start after the last `)`.
    let (head, tail) = stat.rsplit_once(')')?;
    let comm = head.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = tail.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse().ok();
    Some(Proc {
        pid,
        comm,
        state: fields.first()?.chars().next()?,
        group: number(2)?,
        session: number(3)?,
        foreground: number(5)?,
    })
}

/// The arguments of a process, empty when they cannot be read.
pub(crate) fn argv(pid: i32) -> Vec<String> {
    let bytes = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// The directory that a process is in.
pub(crate) fn cwd(pid: i32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/cwd")).ok()
}
