//! A process group whose leader is waited for.
//!
//! A thread waits without collecting the dead leader, so that its pid, and with it the group's, belongs to
//! nobody else as long as signals may still be sent to it.

use std::sync::mpsc::Sender;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions};

use super::decision::{Change, End, Event};

/// A running process group.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    group: Pid,
}

impl Job {
    /// The group of `leader`, a child of this process. What becomes of the leader is sent to `events`,
    /// by way of `name`.
    pub fn watch(leader: Pid, name: fn(Change) -> Event, events: Sender<Event>) -> Self {
        std::thread::spawn(move || {
            loop {
                let change = next(leader);
                let is_over = matches!(change, Change::Ended(_));
                if events.send(name(change)).is_err() || is_over {
                    break;
                }
            }
        });
        Self { group: leader }
    }

    /// The group.
    pub fn group(self) -> Pid {
        self.group
    }

    /// Sends a signal to all of it. A group that is gone needs none.
    pub fn signal(self, signal: Signal) {
        let _ = rustix::process::kill_process_group(self.group, signal);
    }

    /// Lets it go on, if it is stopped.
    pub fn go_on(self) {
        self.signal(Signal::CONT);
    }

    /// Collects the leader, after its end was told.
    pub fn collect(self) {
        let _ = rustix::process::waitpid(Some(self.group), WaitOptions::NOHANG);
    }
}

/// Waits for what becomes of it next.
fn next(leader: Pid) -> Change {
    loop {
        let seen = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
        match rustix::process::waitid(WaitId::Pid(leader), seen) {
            Err(Errno::INTR) | Ok(None) => {}
            // Somebody has children collected for us: that it is gone is all there is to know.
            Err(_) => return Change::Ended(End::Unseen),
            Ok(Some(status)) if status.stopped() => {
                let stops = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
                // It may have been continued in between; then the next thing is waited for.
                if let Ok(Some(stop)) = rustix::process::waitid(WaitId::Pid(leader), stops) {
                    return stopped(&stop);
                }
            }
            Ok(Some(status)) => return Change::Ended(end(&status)),
        }
    }
}

fn stopped(status: &WaitIdStatus) -> Change {
    let by_terminal = [Signal::TTIN, Signal::TTOU].map(Signal::as_raw);
    match status.stopping_signal() {
        Some(signal) if by_terminal.contains(&signal) => Change::StoppedByTerminal,
        Some(_) | None => Change::Stopped,
    }
}

fn end(status: &WaitIdStatus) -> End {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Code(code),
        (None, Some(signal)) => End::Signal(signal),
        (None, None) => End::Unseen,
    }
}
