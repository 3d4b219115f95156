//! The host record on disk.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mam_share::files::{self, Trust};
use mam_share::lock::{Attempt, Lock};
use mam_share::message::Warning;

use crate::clock;
use crate::profile::ProfileName;
use crate::record::HostRecord;

/// How long a writer waits for another one. A write takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// The record's file and the lock that its writers take in turn.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    lock: PathBuf,
}

impl Store {
    /// The record in a state directory.
    pub fn new(state: &Path) -> Self {
        Self { path: state.join("host.json"), lock: state.join("host.json.lock") }
    }

    /// The record. One that cannot be believed is none, with a warning that says why.
    pub fn read(&self) -> (Option<HostRecord>, Option<Warning>) {
        let ignored = |why: String| {
            let text = format!("the host record `{}` is ignored: {why}", self.path.display());
            (None, Some(Warning::new(text)))
        };
        let us = rustix::process::geteuid().as_raw();
        let directory = files::parent(&self.path);
        match fs_err::metadata(directory) {
            Ok(metadata) if metadata.uid() != us => {
                let owner = metadata.uid();
                return ignored(format!("`{}` belongs to uid {owner}, not to uid {us}", directory.display()));
            }
            Ok(_) | Err(_) => {}
        }
        match files::read(&self.path, Trust::Ours) {
            Ok(None) => (None, None),
            Ok(Some(bytes)) => match HostRecord::parse(&bytes) {
                Ok(record) => (Some(record), None),
                Err(why) => ignored(why),
            },
            Err(error) => ignored(error.to_string()),
        }
    }

    /// Writes a record in place of whatever is there.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn write(&self, record: HostRecord) -> Result<(), String> {
        let _lock = self.lock()?;
        self.put(record)
    }

    /// Changes the record of the process `pid`. Whether it was there to be changed.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn change(&self, pid: u32, change: impl FnOnce(&mut HostRecord)) -> Result<bool, String> {
        let _lock = self.lock()?;
        let (Some(mut record), _) = self.read() else { return Ok(false) };
        if record.pid != pid {
            return Ok(false);
        }
        let before = record.clone();
        change(&mut record);
        if record != before {
            self.put(record)?;
        }
        Ok(true)
    }

    /// Adds a profile to the served set of the process `pid`. Whether that was there.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn join(&self, pid: u32, profile: &ProfileName) -> Result<bool, String> {
        self.change(pid, |record| {
            if !record.profiles.contains(profile) {
                record.profiles.push(profile.clone());
            }
        })
    }

    /// Takes a profile out of the served set of the process `pid`.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn leave(&self, pid: u32, profile: &ProfileName) -> Result<bool, String> {
        self.change(pid, |record| record.profiles.retain(|served| served != profile))
    }

    /// Removes the record of the process `pid`, which is gone. That of another process stays.
    ///
    /// # Errors
    /// Why it could not be removed.
    pub fn retract(&self, pid: u32) -> Result<(), String> {
        let _lock = self.lock()?;
        let (record, _) = self.read();
        if record.is_some_and(|record| record.pid == pid) {
            match fs_err::remove_file(&self.path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(files::reason(&error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn put(&self, mut record: HostRecord) -> Result<(), String> {
        record.updated_at = clock::utc(clock::now());
        let mut bytes = serde_json::to_vec_pretty(&record).map_err(|error| error.to_string())?;
        bytes.push(b'\n');
        files::sweep_temporaries(&self.path);
        files::write_atomic(&self.path, &bytes, files::PRIVATE)
            .map_err(|error| format!("`{}`: {}", self.path.display(), files::reason(&error)))
    }

    fn lock(&self) -> Result<Lock, String> {
        let path = self.lock.display();
        files::private_dir(files::parent(&self.path)).map_err(|error| files::reason(&error))?;
        match Lock::take(&self.lock, PATIENCE) {
            Attempt::Held(lock) => Ok(lock),
            Attempt::Busy => Err(format!("`{path}` is held for more than {} s", PATIENCE.as_secs())),
            Attempt::Failed(error) => Err(format!("`{path}`: {}", files::reason(&error))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_changed_and_retracted_by_its_pid_only() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(&dir.path().join("state"));
        let ops: ProfileName = "ops".parse().unwrap();
        assert_eq!(store.join(50, &ops), Ok(false));
        store.write(HostRecord::new(50)).unwrap();
        assert_eq!(
            (store.join(51, &ops), store.join(50, &ops), store.join(50, &ops)),
            (Ok(false), Ok(true), Ok(true))
        );
        let record = store.read().0.unwrap();
        assert_eq!(record.profiles, std::slice::from_ref(&ops));
        assert!(record.updated_at.ends_with('Z'));
        let metadata = fs_err::metadata(dir.path().join("state/host.json")).unwrap();
        assert_eq!(metadata.mode() & 0o777, 0o600);
        store.leave(50, &ops).unwrap();
        assert_eq!(store.read().0.unwrap().profiles, []);
        store.retract(51).unwrap();
        assert!(store.read().0.is_some());
        store.retract(50).unwrap();
        assert_eq!(store.read(), (None, None));
    }

    #[test]
    fn what_is_no_record_is_none_and_said() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path());
        files::write_atomic(&dir.path().join("host.json"), b"{", 0o600).unwrap();
        let (record, warning) = store.read();
        assert!(record.is_none() && warning.unwrap().message.contains("is ignored: EOF"));
    }
}
