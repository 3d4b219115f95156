//! What setup and its undoing are decided from: one moment of the user's files, as plain values.

use std::path::PathBuf;

use mam_share::herdr::version::Version;
use mam_share::shell::Shell;

use super::receipt::Receipt;
use crate::supervisor::Kind;

/// Everything that was looked at.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The herdr on `PATH`.
    pub herdr: Option<Herdr>,
    /// The overlay.
    pub overlay: Overlay,
    /// mam's plugin of herdr.
    pub plugin: Plugin,
    /// The shell of the user, or why there is nothing to do about it.
    pub shell: Result<Integration, String>,
    /// The supervisor.
    pub unit: Unit,
    /// What an earlier setup has changed.
    pub receipt: Receipt,
}

/// A herdr program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Herdr {
    /// Its path.
    pub path: PathBuf,
    /// What it says of itself; `None` when that is not understood.
    pub version: Option<Version>,
}

/// The overlay and the config it is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The overlay.
    pub path: PathBuf,
    /// The user config.
    pub config: PathBuf,
    /// There is a file in the overlay's place.
    pub is_there: bool,
    /// Why it has to be rendered; empty when it is fresh.
    pub stale: Vec<String>,
    /// What is wrong with the user config.
    pub broken: Option<String>,
}

/// How things stand with the plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plugin {
    /// herdr uses it.
    Current,
    /// herdr does not know it.
    NotLinked,
    /// herdr knows it, and something is to be done: what the installer says.
    NotCurrent(String),
    /// The user has switched it off.
    Off,
    /// `mam-restore-hook` is not installed.
    NoInstaller,
    /// Nobody can tell: why.
    Unknown(String),
}

/// A file as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The file as it is named.
    pub path: PathBuf,
    /// The file behind the links.
    pub target: PathBuf,
    /// What is in it; `None` when it is missing.
    pub bytes: Option<Vec<u8>>,
    /// Why it cannot be edited, if it cannot.
    pub untouchable: Option<String>,
}

/// The integration of a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integration {
    /// The shell.
    pub shell: Shell,
    /// The file that is sourced.
    pub init: File,
    /// What it has to say.
    pub init_text: String,
    /// What it may say as well: another choice of the user's.
    pub init_other: String,
    /// The profile file.
    pub profile: File,
    /// The block that goes into it.
    pub block: String,
}

/// The supervisor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Of which a unit is installed.
    pub installed: Option<Kind>,
    /// Which was found, and can be had without asking where its directory is.
    pub found: Option<Kind>,
}
