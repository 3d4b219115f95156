//! What has to be done before anything else in a program that the C library enters directly.
//!
//! Before its `main` Rust reads the map of the process, to place a guard page that names a stack
//! overflow. That takes a fifth of the time of a run that has nothing to do. A program whose `main` is a
//! C function goes without that message, and does here what else Rust would have done.
#![expect(unsafe_code, reason = "the standard library has no other way to ignore a signal")]

use std::os::fd::IntoRawFd as _;

use nix::sys::signal::{SigHandler, Signal, signal};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Makes sure that stdin, stdout and stderr are open, and that a write to a reader that went away is an
/// error and not a death.
pub fn prepare() {
    for standard in [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()] {
        // Else the next file that is opened would get its number, and with it what is printed.
        if rustix::io::fcntl_getfd(standard) == Err(Errno::BADF)
            && let Ok(null) = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty())
        {
            // The lowest free number is the one that was closed; it stays open until the end.
            let _: i32 = null.into_raw_fd();
        }
    }
    // SAFETY: no function of ours is installed, so none can be called at a wrong time.
    let before = unsafe { signal(Signal::SIGPIPE, SigHandler::SigIgn) };
    // It fails for numbers that are no signal.
    debug_assert!(before.is_ok());
}
