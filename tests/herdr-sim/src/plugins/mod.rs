//! Plugins: their manifests, the user's registry of them, and running their commands.

pub(crate) mod manifest;
pub(crate) mod registry;
pub(crate) mod run;
