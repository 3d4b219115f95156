//! `mam-render-config`, as a person or a script runs it.

mod asking;
mod cases;
mod commands;
mod crash;
mod durable;
mod exec;
mod files;
mod interrupt;
mod kept;
mod reload;
mod streams;
mod terminal;
