//! Running a program in the foreground of a terminal, as a shell with job control does.
//!
//! ```text
//! mam launch ── session leader of the pane, its own process group
//!     │   signals that a terminal sends: blocked; SIGTERM and SIGHUP: passed on
//!     └─ the stage ── a process group of its own
//!            waits for "go" │ takes the terminal │ unblocks │ exec
//!            └─ is now the agent: same pid, same group, in the foreground
//! ```
//!
//! Between `fork` and the agent there is a program of ours, the [`stage`], instead of code that runs in a
//! forked child: it takes the terminal itself, so the agent never runs in the background, not even for
//! an instant; it waits until its pid is written down, so no agent runs that no record names; and it
//! needs no unsafe code. [`signals`] and [`terminal`] are what a shell does about those two, [`job`] is a
//! process group that is waited for, [`decision`] says what follows from what happened, and [`watch`]
//! carries it out.

pub mod decision;
pub mod job;
pub mod signals;
pub mod stage;
pub mod terminal;
pub mod watch;
