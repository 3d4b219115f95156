//! The table of config shapes and what becomes of them, and how an overlay settles with herdr.

mod quarantine;
mod shapes;
