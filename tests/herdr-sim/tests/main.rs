//! herdr-sim against what is known of herdr: each paragraph that the simulator claims, through its
//! sockets and its command line.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "a test ends with a panic; the fences are for programs that users run"
)]
#![expect(unsafe_code, reason = "a lock is taken between fork and exec")]

mod agents;
mod config;
mod conformance;
mod faults;
mod handoff;
mod layout;
mod panes;
mod plugins;
mod restore;
mod server;
mod shapes;
mod socket;
mod support;
mod verbs;
