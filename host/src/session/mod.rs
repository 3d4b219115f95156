//! Agent sessions: how an agent was launched, what became of it, and how it comes back.
//!
//! [`name`] and [`record`] are the words, [`store`] keeps the records, [`lease`] says which process runs
//! one. The rest decides, from plain values.
//!
//! In a pane: [`handover`] is what it is told about the agent that it runs, [`agent_environment`] what the
//! agent gets, [`launching`] whether it may be started, [`foreground`] how it is run, [`user_shell`] what
//! follows it.

pub mod agent_environment;
pub mod bytes;
pub mod fingerprint;
pub mod foreground;
pub mod handover;
pub mod launching;
pub mod lease;
pub mod liveness;
pub mod name;
pub mod record;
pub mod store;
pub mod trouble;
pub mod user_shell;
