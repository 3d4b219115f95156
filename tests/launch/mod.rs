//! `mam launch`: agents that are real programs, on real terminals.

mod agent;
mod ends;
mod job_control;
mod panes;
mod refusals;
mod rig;
mod shells;
mod variables;
