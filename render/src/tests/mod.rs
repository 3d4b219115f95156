//! The table of config shapes and what becomes of them, how an overlay settles with herdr, and what
//! holds for any config.

mod documents;
mod laws;
mod quarantine;
mod settling;
mod shapes;
