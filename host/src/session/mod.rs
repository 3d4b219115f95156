//! Agent sessions: how an agent was launched, what became of it, and how it comes back.
//!
//! [`handover`] is what a pane is told about the agent it runs, [`agent_environment`] what the agent gets,
//! [`launching`] whether it may be started, [`foreground`] how it is run, [`user_shell`] what follows it.

pub mod agent_environment;
pub mod foreground;
pub mod handover;
pub mod launching;
pub mod user_shell;
