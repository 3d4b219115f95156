//! User config in, overlay out: the library behind `mam-render-config`.

pub mod kept;
pub mod key_path;
pub mod leave_out;
pub mod node;
pub mod overlay;
pub mod plan;
pub mod setting;
pub mod settle;
pub mod splice;
pub mod syntax;
pub mod tree;
pub mod verdict;

#[cfg(test)]
mod tests;
