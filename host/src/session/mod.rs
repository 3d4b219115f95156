//! Agent sessions: how an agent was launched, what became of it, and how it comes back.
//!
//! [`server`] is the herdr server that they live on, [`layout`] what it shows and how that is put back,
//! [`place`] opens panes on it.

pub mod layout;
pub mod live;
pub mod place;
pub mod server;
pub mod survey;
