//! Agent sessions: how an agent was launched, what became of it, and how it comes back.
//!
//! [`name`] and [`record`] are the words, [`store`] keeps the records, [`lease`] says which process runs
//! one. The rest decides, from plain values.

pub mod argv;
pub mod bytes;
pub mod conversation;
pub mod environment;
pub mod fingerprint;
pub mod kind;
pub mod kinds;
pub mod lease;
pub mod name;
pub mod permissions;
pub mod reading;
pub mod record;
pub mod store;
pub mod trouble;
