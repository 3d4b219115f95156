//! `mam`: the host, with real processes.

mod crash;
mod environment;
mod handoff;
mod must_hold;
mod must_not_kill;
mod reference;
pub(crate) mod rig;
mod supervisors;
mod units;
mod verbs;
