//! What the tests stand on.

pub(crate) mod herdr;
pub(crate) mod home;
pub(crate) mod pty;
pub(crate) mod tools;
