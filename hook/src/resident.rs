//! Helpers that live in many people's idle shells and make none of them busy.

use mam_share::process::{Process, ProcessTable, State};

/// Names of programs whose presence below a shell means nothing. A `*` at the end stands for any
/// ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residents(Vec<String>);

/// The helpers that everybody's shells have: powerlevel10k's git daemon, and direnv.
const EVERYBODYS: [&str; 2] = ["gitstatusd*", "direnv"];

/// The longest name that the kernel keeps, in bytes.
const KERNEL_NAME: usize = 15;

impl Residents {
    /// The defaults and `more`.
    pub fn new(more: &[String]) -> Self {
        Self(EVERYBODYS.into_iter().map(str::to_owned).chain(more.iter().cloned()).collect())
    }

    /// Whether `process` is a helper of `shell`, or something that a helper runs. A stopped one is not:
    /// helpers are never stopped, jobs are.
    pub fn covers(&self, table: &ProcessTable, shell: &Process, process: &Process) -> bool {
        process.state != State::Stopped
            && table
                .line(process)
                .take_while(|ancestor| ancestor.pid != shell.pid)
                .any(|ancestor| self.names(&ancestor.name) || is_worker(shell, ancestor))
    }

    fn names(&self, name: &str) -> bool {
        let cut = |text: &str| text.bytes().take(KERNEL_NAME).collect::<Vec<_>>();
        self.0.iter().any(|helper| match helper.strip_suffix('*') {
            Some(start) => !start.is_empty() && cut(name).starts_with(&cut(start)),
            None => cut(helper) == cut(name),
        })
    }
}

/// An asynchronous worker of zsh: the shell forked itself onto a terminal of its own. A nested shell or
/// a coprocess is on the shell's terminal or on none.
fn is_worker(shell: &Process, process: &Process) -> bool {
    process.parent == shell.pid
        && process.name == shell.name
        && process.session == process.pid
        && process.tty.is_some()
        && process.tty != shell.tty
}

#[cfg(test)]
mod tests {
    use super::*;
    use mam_share::process::Tty;
    use std::time::Duration;

    fn process(pid: u32, parent: u32, name: &str, tty: Option<&str>) -> Process {
        Process {
            pid,
            parent,
            state: State::Sleeping,
            group: pid,
            session: pid,
            tty: tty.map(Tty::new),
            foreground: None,
            started: Duration::ZERO,
            name: name.into(),
        }
    }

    #[test]
    fn helpers_are_known_by_name_and_workers_by_their_own_terminal() {
        let own = Some("pts/1");
        let rows = [
            ("gitstatusd-linu", own, true),
            ("gitstatusd", None, true),
            ("gitstatus", own, false),
            ("direnv", None, true),
            ("direnv-x", None, false),
            ("a-helper-of-mine-with-a-long-name", None, true),
            ("a-helper-of-min", None, true),
            ("zsh", Some("pts/9"), true),
            ("zsh", own, false),
            ("zsh", None, false),
            ("bash", Some("pts/9"), false),
            ("sleep", own, false),
            ("", own, false),
        ];
        let residents = Residents::new(&["a-helper-of-mine-with-a-long-name".into(), "*".into()]);
        let shell = process(10, 1, "zsh", own);
        for (name, tty, expected) in rows {
            let helper = process(11, 10, name, tty);
            let below = process(12, 11, "git", tty);
            let all = [shell.clone(), helper.clone(), below.clone()];
            let table = ProcessTable::new(Duration::ZERO, Duration::ZERO, all);
            assert_eq!(residents.covers(&table, &shell, &helper), expected, "{name} {tty:?}");
            assert_eq!(residents.covers(&table, &shell, &below), expected, "below {name} {tty:?}");
            let stopped = Process { state: State::Stopped, ..helper };
            assert!(!residents.covers(&table, &shell, &stopped), "stopped {name}");
        }
    }
}
