//! What the doctor looked at, as plain values.

use std::path::PathBuf;

use super::integrations::Integration;
use crate::setup::facts::{Herdr, Overlay, Plugin};

/// Everything.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The herdr on `PATH`.
    pub herdr: Option<Herdr>,
    /// Who owns the host.
    pub host: Host,
    /// What was odd about mam's own config.
    pub settings: Vec<String>,
    /// The overlay, or why there can be none.
    pub overlay: Result<Overlay, String>,
    /// mam's plugin of herdr.
    pub plugin: Plugin,
    /// herdr's integrations of agents, each with whether the agent is on `PATH`; or why nobody knows.
    pub integrations: Result<Vec<(Integration, bool)>, String>,
    /// The names of mam's programs that are not on `PATH`.
    pub missing_programs: Vec<&'static str>,
    /// The integration of the user's shell, or why there is none to have.
    pub shell: Result<Integrated, String>,
    /// The installed unit.
    pub unit: Option<Unit>,
    /// Recorded sessions that nobody runs: the profile, and the session.
    pub lost: Vec<(String, String)>,
    /// What is wrong with a recorded session: the profile, the session, what is missing.
    pub broken: Vec<(String, String, String)>,
    /// How many recorded sessions there are.
    pub sessions: usize,
    /// Leftovers of the host; `None` when nobody looked.
    pub leftovers: Option<usize>,
    /// Files of mam that others can read, or that are not the user's.
    pub exposed: Vec<Exposed>,
}

/// Who owns the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// Nobody.
    Nobody,
    /// A proved host that answers.
    Runs {
        /// Its process id.
        pid: u32,
        /// The version that it says it is.
        version: Option<String>,
        /// The protocol of its socket.
        protocol: Option<u64>,
        /// Whether its environment names the overlay; `None` when that cannot be seen.
        is_overlay_in_force: Option<bool>,
    },
    /// Something else than that, in words, and what to type.
    Odd {
        /// What it is.
        what: String,
        /// What to type.
        remedy: String,
    },
}

/// The integration of a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integrated {
    /// The profile file sources it.
    Present {
        /// The profile file.
        path: PathBuf,
        /// The file that is sourced, when it is not as this version writes it.
        stale: Option<PathBuf>,
    },
    /// The profile file does not.
    Absent(PathBuf),
    /// There is a block, and it is not as mam wrote it.
    Odd(PathBuf, usize),
}

/// An installed unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its supervisor.
    pub kind: &'static str,
    /// Its first file that is not as this version writes it, with the line.
    pub changed: Option<(PathBuf, usize)>,
    /// The program in it, when it is not there any more.
    pub missing_program: Option<String>,
    /// Its supervisor has lost sight of the host.
    pub is_unsupervised: bool,
}

/// A file or directory that is not only the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposed {
    /// Which.
    pub path: PathBuf,
    /// Its permission bits.
    pub mode: u32,
    /// Its owner, when that is somebody else.
    pub owner: Option<u32>,
}
