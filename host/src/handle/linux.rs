//! Linux: a pidfd.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Signal};

/// A handle on one process, whatever becomes of its pid.
#[derive(Debug)]
pub struct Handle {
    descriptor: OwnedFd,
}

impl Handle {
    /// The process that has `pid` now; `None` when there is none, or no such handles.
    pub fn open(pid: u32) -> Option<Self> {
        let pid = Pid::from_raw(i32::try_from(pid).ok()?)?;
        Some(Self { descriptor: rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok()? })
    }

    /// Whether it has ended.
    pub fn is_gone(&self) -> bool {
        self.wait(Duration::ZERO)
    }

    /// Waits for its end; whether it came.
    pub fn wait(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec::try_from(left).ok();
            let mut waited = [PollFd::new(&self.descriptor, PollFlags::IN)];
            match rustix::event::poll(&mut waited, timeout.as_ref()) {
                Ok(0) => return false,
                Ok(_) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
        }
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
        rustix::process::pidfd_send_signal(&self.descriptor, signal)
            .map_err(|error| std::io::Error::from(error).to_string())
    }
}
