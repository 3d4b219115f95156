//! What an input of a fuzz target means, and what has to hold for it.

pub mod case;
pub mod laws;
pub mod nevers;
pub mod scene;
