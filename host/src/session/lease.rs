//! The lease of a record: which process runs its agent.
//!
//! A record lock that `mam launch` takes before it starts the agent and holds as long as it watches it.
//! The kernel frees it when that process dies, and a child does not inherit it: neither the agent nor
//! the shell that follows ever holds it. The file is opened once per process and never deleted.
//!
//! The lease goes by the record's name, so a record must not be renamed while it is held.

use std::io;
use std::path::{Path, PathBuf};

use super::name::RecordName;
use crate::lock::{Holder, HostLock, Taking};
use crate::profile::ProfileName;

/// An opened lease. It is given back when the value is dropped or the process ends.
#[derive(Debug)]
pub struct Lease(HostLock);

impl Lease {
    /// Opens the lease of a record, without taking it. At most once per process and record: when a second
    /// one is dropped, the kernel gives up the lock of the first.
    ///
    /// # Errors
    /// The operating system's reason. Never the same as "somebody holds it".
    pub fn open(state: &Path, profile: &ProfileName, name: &RecordName) -> Result<Self, String> {
        HostLock::open_in(&directory(state), &file(profile, name)).map(Self)
    }

    /// Who runs the agent of the record. This process is not seen.
    ///
    /// # Errors
    /// The file system has no such locks.
    pub fn holder(&self) -> io::Result<Option<Holder>> {
        self.0.holder()
    }

    /// Tries once to take it.
    ///
    /// # Errors
    /// The file system has no such locks.
    pub fn take(&self) -> io::Result<Taking> {
        self.0.take()
    }

    /// Gives it back, with the file kept open.
    pub fn release(&self) {
        self.0.release();
    }
}

/// Who runs the agent of a record; opens the lease for this one question. One that was never taken is not
/// made.
///
/// # Errors
/// It cannot be opened, or the file system has no such locks.
pub fn holder(state: &Path, profile: &ProfileName, name: &RecordName) -> Result<Option<Holder>, String> {
    let missing = fs_err::symlink_metadata(directory(state).join(file(profile, name)));
    if missing.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(None);
    }
    Lease::open(state, profile, name)?.holder().map_err(|error| error.to_string())
}

fn directory(state: &Path) -> PathBuf {
    state.join("leases")
}

/// No profile has a dot in its name, so no two records have one file.
fn file(profile: &ProfileName, name: &RecordName) -> String {
    format!("{profile}.{name}.lock")
}
