//! Tests that are longer than what they test.

mod agents;
mod decision;
mod model;
mod session_adopt;
mod session_argv;
mod session_argv_laws;
mod session_state;
mod session_store;
