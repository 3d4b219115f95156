//! The shell integration, in the real shells.

mod integration;
mod quiet;
pub(crate) mod session;
