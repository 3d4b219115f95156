//! The shell integration, in the real shells.

mod integration;
mod quiet;
mod session;
