//! A seat: where one server of mam's may run, and the lock and the record that say who has it.
//!
//! There is one for the host, and one for each profile that has a server of its own. Everything that
//! holds for the host holds for those: the lock is kept through `exec`, the record is a hint, and only
//! a process that is proved to have the seat is ended.

use std::path::{Path, PathBuf};

use mam_share::environment::Environment;
use mam_share::herdr::places;
use mam_share::herdr::session_name::SessionName;
use mam_share::places::Places;
use mam_share::process::Kernel;

use crate::gather::Whose;
use crate::lock::HostLock;
use crate::observe::{self, Look, Place};
use crate::profile::ProfileName;

/// One seat.
#[derive(Debug)]
pub struct Seat {
    /// Whose server has it.
    pub whose: Whose,
    /// The herdr session of that server.
    pub session: SessionName,
    /// Its API socket.
    pub socket: PathBuf,
    /// Where its lock and its record are. It is the mark in the environment of its server, too.
    pub directory: PathBuf,
    lock: Result<HostLock, String>,
}

impl Seat {
    /// The host's, with its lock as it was opened.
    pub fn host(
        environment: &Environment,
        places: &Places,
        session: &SessionName,
        lock: Result<HostLock, String>,
    ) -> Self {
        Self::new(environment, Whose::Host, session.clone(), places.state.clone(), lock)
    }

    /// A profile's own.
    pub fn own(
        environment: &Environment,
        places: &Places,
        profile: &ProfileName,
        session: SessionName,
    ) -> Self {
        let directory = own_directory(&places.state, profile);
        let lock = HostLock::open(&directory);
        Self::new(environment, Whose::Own, session, directory, lock)
    }

    // A lock file is opened once per process: a second descriptor that is closed gives up a lock. None is
    // held where one seat is made twice, and all of them stay open until the end.
    fn new(
        environment: &Environment,
        whose: Whose,
        session: SessionName,
        directory: PathBuf,
        lock: Result<HostLock, String>,
    ) -> Self {
        let socket = places::socket(environment, Some(&session));
        Self { whose, session, socket, directory, lock }
    }

    /// The lock.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub fn lock(&self) -> Result<&HostLock, &str> {
        self.lock.as_ref().map_err(String::as_str)
    }

    /// Its server, in words.
    pub fn server(&self) -> &'static str {
        match self.whose {
            Whose::Host => "the host",
            Whose::Own => "the profile's own server",
        }
    }

    /// Looks at who has it.
    pub fn look(&self, kernel: &dyn Kernel) -> Look {
        let place = Place { seat: &self.directory, lock: self.lock(), socket: &self.socket };
        observe::look(&place, self.whose, &self.session, kernel)
    }
}

/// Where the lock and the record of a profile's own server are.
pub fn own_directory(state: &Path, profile: &ProfileName) -> PathBuf {
    state.join("standalone").join(profile.as_str())
}
