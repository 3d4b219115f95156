//! Agent sessions: how an agent was launched, what became of it, and how it comes back.

pub mod handover;
