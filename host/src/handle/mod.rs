//! A process that can be ended without hitting another one.
//!
//! A pid may be given to another process at any moment. The twins of this module name a process so that
//! a signal reaches that one or none.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;

#[cfg(target_os = "linux")]
pub use linux::Handle;
#[cfg(not(target_os = "linux"))]
pub use portable::Handle;

use std::time::{Duration, Instant};

use mam_share::process::Kernel;

/// How long a process has after SIGTERM.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long all of it may take.
const IN_ALL: Duration = Duration::from_secs(10);

/// How an attempt to end a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is gone.
    Gone,
    /// It is another process than the one that was meant, and got no signal.
    Another,
    /// It is still there, or got no signal, for this reason.
    StillThere(String),
}

/// Ends the process `pid` that started at `started` (in milliseconds, as in a record): SIGTERM, then
/// SIGKILL when that does nothing, each only if it still is that process.
pub fn end(kernel: &dyn Kernel, pid: u32, started: u64) -> Ending {
    let is_it = || started_of(kernel, pid) == Some(started);
    let Some(handle) = Handle::open(pid) else {
        return match started_of(kernel, pid) {
            None => Ending::Gone,
            Some(now) if now != started => Ending::Another,
            Some(_) => Ending::StillThere("it cannot be signalled".to_owned()),
        };
    };
    if handle.is_gone() {
        return Ending::Gone;
    }
    // With the handle open, the pid stays what it is here.
    if !is_it() {
        return Ending::Another;
    }
    let begin = Instant::now();
    if let Err(why) = handle.terminate() {
        return if handle.is_gone() { Ending::Gone } else { Ending::StillThere(why) };
    }
    if handle.wait(PATIENCE) {
        return Ending::Gone;
    }
    if !is_it() {
        return Ending::Gone;
    }
    if let Err(why) = handle.kill() {
        return if handle.is_gone() { Ending::Gone } else { Ending::StillThere(why) };
    }
    if handle.wait(IN_ALL.saturating_sub(begin.elapsed())) {
        Ending::Gone
    } else {
        Ending::StillThere(format!("it is still there after {} s", IN_ALL.as_secs()))
    }
}

/// When `pid` started, in milliseconds on the kernel's scale; what a record keeps.
pub fn started_of(kernel: &dyn Kernel, pid: u32) -> Option<u64> {
    kernel.started(pid).and_then(|started| u64::try_from(started.as_millis()).ok())
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    fn started(child: &Child) -> u64 {
        started_of(&mam_share::process::kernel(), child.id()).unwrap()
    }

    fn shell(script: &str) -> Child {
        let mut child =
            Command::new("sh").args(["-c", script]).stdout(std::process::Stdio::piped()).spawn().unwrap();
        // The script says when it is ready.
        let mut line = [0];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
        child
    }

    #[test]
    fn a_process_is_ended_and_another_one_is_not() {
        let kernel = mam_share::process::kernel();
        let mut child = shell("echo; exec sleep 60");
        let begun = started(&child);
        assert_eq!(end(&kernel, child.id(), begun + 10), Ending::Another);
        assert_eq!(child.try_wait().unwrap(), None);
        // It has ended once it is a zombie, whether or not its parent has noticed.
        assert_eq!(end(&kernel, child.id(), begun), Ending::Gone);
        child.wait().unwrap();
        assert_eq!(end(&kernel, child.id(), begun), Ending::Gone);
    }

    #[test]
    fn one_that_does_not_listen_is_killed() {
        let kernel = mam_share::process::kernel();
        let mut child = shell("trap '' TERM; echo; while :; do sleep 1; done");
        let begin = Instant::now();
        assert_eq!(end(&kernel, child.id(), started(&child)), Ending::Gone);
        assert!(begin.elapsed() >= PATIENCE && begin.elapsed() < IN_ALL);
        child.wait().unwrap();
    }
}
