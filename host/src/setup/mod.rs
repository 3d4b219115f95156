//! Setting mam up on a machine, and undoing it.
//!
//! The pure core: [`profile_file`] knows which file a shell reads, [`block`] puts a marked block into it
//! and takes it out, [`facts`] is what was looked at, [`plan`] and [`undo`] say what is done and why.
//! [`receipt`] is what is remembered. The edge: [`gather`] looks, and changes nothing; [`apply`] acts.

pub mod apply;
pub mod block;
pub mod facts;
pub mod gather;
pub mod plan;
pub mod profile_file;
pub mod receipt;
pub mod undo;

#[cfg(test)]
mod tests;
