//! `mam-render-config`, as a person or a script runs it.

mod cases;
