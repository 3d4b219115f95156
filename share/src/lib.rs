//! What mam's binaries share.
//!
//! Two kinds of things live here: what more than one binary uses (herdr's places and names, the
//! environment, private files, locks, messages, exit codes), and what a binary installs
//! (`share/shell/`, included as text). A thing that one binary alone needs stays with that binary.
//! Nothing here edits TOML; [`settings`] only reads mam's own file.

pub mod child;
pub mod environment;
pub mod excerpt;
pub mod exit;
pub mod failure;
pub mod files;
pub mod herdr;
pub mod interrupt;
pub mod lock;
pub mod message;
pub mod nearest;
pub mod places;
pub mod process;
pub mod profile;
pub mod setting_keys;
pub mod settings;
pub mod shell;
pub mod sibling;
pub mod start;
pub mod variable;
