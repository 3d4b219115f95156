//! Tests that are longer than what they test.

mod decision;
mod model;
