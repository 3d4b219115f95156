//! Tests that are longer than what they test.

mod agents;
mod decision;
mod model;
mod session_store;
