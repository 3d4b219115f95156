//! Whether everything is as it should be, and what to do about what is not.
//!
//! [`facts`] is what was looked at, [`findings`] judges it, both pure; [`integrations`] reads what herdr
//! says of its integrations, [`records`] what a session needs. [`gather`] looks, and never starts or changes anything.

pub mod facts;
pub mod findings;
pub mod gather;
pub mod integrations;
pub mod records;

#[cfg(test)]
mod tests;
