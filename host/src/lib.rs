//! The one host server: who owns it, and what a verb does about it.
//!
//! The pure core: [`profile`] and [`record`] are the words, [`decision`] says what `mam run` does,
//! [`surroundings`] what is in the host's environment, and [`supervisor`] what an exit code means.

pub mod decision;
pub mod profile;
pub mod record;
pub mod supervisor;
pub mod surroundings;

#[cfg(test)]
mod tests;
