//! Signals that ask a program to end, held back while it has something to clean up.
//!
//! They are blocked and not caught: nothing is interrupted half-way, and a program that lets them go
//! afterwards ends by the signal itself, as a shell and a supervisor expect it.
#![expect(unsafe_code, reason = "neither the standard library nor nix says what is pending or ignored")]

use std::mem::MaybeUninit;

use nix::libc;
use nix::sys::signal::{SigSet, SigmaskHow, Signal};

/// What a terminal, a person or a supervisor sends. What cannot be held (SIGKILL) cannot be cleaned up
/// after either.
const ENDING: [Signal; 4] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM];

/// They are held back in this thread, and in what it starts, until the value is dropped. What came in
/// the meantime is delivered then.
#[derive(Debug)]
pub struct Held {
    ours: SigSet,
    /// `None` when nothing could be blocked: then nothing is held.
    before: Option<SigSet>,
}

impl Held {
    /// Holds them, but for those that are ignored here (`nohup`) and those that somebody holds already.
    pub fn hold() -> Self {
        let blocked = SigSet::thread_get_mask().unwrap_or_else(|_| SigSet::empty());
        let is_ours = |signal: &Signal| !blocked.contains(*signal) && !is_ignored(*signal);
        let ours: SigSet = ENDING.into_iter().filter(is_ours).collect();
        let before = ours.thread_swap_mask(SigmaskHow::SIG_BLOCK).ok();
        Self { ours, before }
    }

    /// One that has come since.
    pub fn pending(&self) -> Option<Signal> {
        let mut set = MaybeUninit::uninit();
        // SAFETY: `sigpending` writes a whole set, or says that it did not.
        let set = unsafe {
            if libc::sigpending(set.as_mut_ptr()) != 0 {
                return None;
            }
            SigSet::from_sigset_t_unchecked(set.assume_init())
        };
        self.ours.iter().find(|signal| set.contains(*signal))
    }

    /// What is blocked without them: what a new program should have.
    pub fn mask_before(&self) -> Option<SigSet> {
        self.before
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // It fails for no mask that was in force. A signal that is pending ends the process in here.
            let _ = before.thread_set_mask();
        }
    }
}

fn is_ignored(signal: Signal) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action `sigaction` only writes the present one, or says that it did not.
    unsafe {
        libc::sigaction(signal as libc::c_int, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_seen_and_kept_and_what_is_held_already_is_left_alone() {
        let held = Held::hold();
        assert_eq!(held.pending(), None);
        let inner = Held::hold();
        // To this thread alone: the others would be ended by it.
        nix::sys::signal::raise(Signal::SIGTERM).unwrap();
        assert_eq!(held.pending(), Some(Signal::SIGTERM));
        assert_eq!(inner.pending(), None);
        drop(inner);
        assert_eq!(held.pending(), Some(Signal::SIGTERM), "the inner one does not let it go");
        assert_eq!(SigSet::from(Signal::SIGTERM).wait(), Ok(Signal::SIGTERM));
        assert_eq!(held.pending(), None);
        assert!(!held.mask_before().unwrap().contains(Signal::SIGTERM));
    }
}
