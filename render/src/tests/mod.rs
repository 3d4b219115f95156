//! The table of config shapes and what becomes of them.

mod shapes;
