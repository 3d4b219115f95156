//! The signals of a process that stands behind a program in the foreground.
//!
//! They are blocked and fetched by a thread: caught, they would interrupt whatever is going on, and
//! ignored, they would stay ignored in the shell that this process becomes. Blocked, SIGTTOU also lets a
//! process of the background hand over its terminal. The stage inherits what is blocked and unblocks it
//! just before it becomes the program, so that no signal is lost.

use std::sync::mpsc::Sender;

use nix::sys::signal::{SigSet, Signal};

use super::decision::{Asked, Event};

/// What a terminal, or whoever wants this process to end, sends.
const OURS: [Signal; 7] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
    Signal::SIGTSTP,
    Signal::SIGTTIN,
    Signal::SIGTTOU,
];

/// Blocks them in this thread and in all that it starts. To be called before any thread is started.
///
/// # Errors
/// The kernel refuses.
pub fn block() -> std::io::Result<()> {
    ours().thread_block().map_err(Into::into)
}

/// Unblocks all signals, as a program expects it that was just started.
///
/// # Errors
/// The kernel refuses.
pub fn unblock() -> std::io::Result<()> {
    SigSet::empty().thread_set_mask().map_err(Into::into)
}

/// Starts a thread that fetches them: SIGTERM and SIGHUP are sent on, the terminal's are meant for the
/// program in the foreground and thrown away.
pub fn listen(events: Sender<Event>) {
    std::thread::spawn(move || {
        let ours = ours();
        while let Ok(signal) = ours.wait() {
            let asked = if signal == Signal::SIGTERM {
                Asked::Terminate
            } else if signal == Signal::SIGHUP {
                Asked::HangUp
            } else {
                continue;
            };
            if events.send(Event::Asked(asked)).is_err() {
                break;
            }
        }
    });
}

fn ours() -> SigSet {
    OURS.into_iter().collect()
}
