//! Elsewhere: the pid alone. The caller compares start times before each signal.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

/// How often a process is looked at while waiting for its end.
const PAUSE: Duration = Duration::from_millis(20);

/// A process by its pid.
#[derive(Debug)]
pub struct Handle {
    pid: Pid,
}

impl Handle {
    /// The process that has `pid` now; `None` when there is none.
    pub fn open(pid: u32) -> Option<Self> {
        let handle = Self { pid: Pid::from_raw(i32::try_from(pid).ok()?)? };
        (!handle.is_gone()).then_some(handle)
    }

    /// Whether it has ended.
    pub fn is_gone(&self) -> bool {
        rustix::process::test_kill_process(self.pid) == Err(rustix::io::Errno::SRCH)
    }

    /// Waits for its end; whether it came.
    pub fn wait(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        while !self.is_gone() {
            if Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
        true
    }

    /// SIGTERM.
    ///
    /// # Errors
    /// Why it got none.
    pub fn terminate(&self) -> Result<(), String> {
        self.signal(Signal::TERM)
    }

    /// SIGKILL.
    ///
    /// # Errors
    /// Why it got none.
    pub fn kill(&self) -> Result<(), String> {
        self.signal(Signal::KILL)
    }

    fn signal(&self, signal: Signal) -> Result<(), String> {
        rustix::process::kill_process(self.pid, signal)
            .map_err(|error| std::io::Error::from(error).to_string())
    }
}
