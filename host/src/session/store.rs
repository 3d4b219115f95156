//! The records on disk: `<home>/sessions/NAME.json`, one file each.
//!
//! A file is replaced whole, under a lock that stays beside it (`.NAME.lock`). What cannot be read is never
//! written over: a broken record is moved aside, that of a newer program and that of another user stay
//! where they are.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mam_share::files::{self, ReadError, Trust};
use mam_share::lock::{Attempt, Lock};
use mam_share::message::Warning;

use super::name::RecordName;
use super::record::{SessionRecord, Unreadable, VERSION};
use super::trouble::StoreError;
use crate::clock;
use crate::profile::ProfileName;

/// How long a writer waits for another one. A write takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many broken files of one name and second are told apart.
const MOST_BROKEN: u32 = 1000;

/// The records of one profile.
#[derive(Clone, Debug)]
pub struct SessionStore {
    directory: PathBuf,
}

/// What a look at all records found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The records that can be used, by name.
    pub records: Vec<SessionRecord>,
    /// The names whose record cannot be used, and why.
    pub unusable: Vec<(RecordName, StoreError)>,
    /// The same for people, and what else is odd.
    pub warnings: Vec<Warning>,
}

impl SessionStore {
    /// The records of the profile with this home.
    pub fn new(home: &Path) -> Self {
        Self { directory: home.join("sessions") }
    }

    /// The file of a record.
    pub fn path(&self, name: &RecordName) -> PathBuf {
        self.directory.join(format!("{name}.json"))
    }

    /// The record with this name; `None` when there is none. A broken one is moved aside.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn read(&self, name: &RecordName) -> Result<Option<SessionRecord>, StoreError> {
        match self.look(name) {
            // Somebody may have mended it before the lock was ours: it is looked at again.
            Err(StoreError::Broken { .. }) => {
                let _lock = self.lock(name)?;
                self.read_locked(name)
            }
            found => found,
        }
    }

    /// All records. Moves broken ones aside.
    pub fn list(&self) -> Listing {
        let mut listing = Listing::default();
        if let Some(owner) = files::foreign_owner(&self.directory) {
            let text = format!("`{}` belongs to uid {owner} and is not used", self.directory.display());
            listing.warnings.push(Warning::new(text));
            return listing;
        }
        for name in self.names() {
            match self.read(&name) {
                Ok(Some(record)) => listing.records.push(record),
                // It went away just now.
                Ok(None) => {}
                Err(error) => {
                    listing.warnings.push(error.warning());
                    listing.unusable.push((name, error));
                }
            }
        }
        listing
    }

    /// Writes a record whose name is not taken.
    ///
    /// # Errors
    /// [`StoreError::Exists`], or why it could not be written. Also when what has the name cannot be used
    /// and is not broken: it is not written over.
    pub fn create(&self, record: &SessionRecord) -> Result<SessionRecord, StoreError> {
        let _lock = self.lock(&record.name)?;
        match self.read_locked(&record.name) {
            Ok(None) | Err(StoreError::Broken { .. }) => self.put(record.clone()),
            Ok(Some(_)) => Err(StoreError::Exists(record.name.clone())),
            Err(error) => Err(error),
        }
    }

    /// Changes a record, and returns it as it is then. What is the same is not written.
    ///
    /// # Errors
    /// [`StoreError::Missing`], or why it could not be read or written.
    pub fn update(
        &self,
        name: &RecordName,
        change: impl FnOnce(&mut SessionRecord),
    ) -> Result<SessionRecord, StoreError> {
        let _lock = self.lock(name)?;
        let mut record = self.read_locked(name)?.ok_or_else(|| StoreError::Missing(name.clone()))?;
        let before = record.clone();
        change(&mut record);
        record.name = name.clone();
        if record == before { Ok(record) } else { self.put(record) }
    }

    /// Gives a record another name that is not taken. Nobody may hold its lease.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Exists`], or why it could not be written.
    pub fn rename(&self, from: &RecordName, to: &RecordName) -> Result<SessionRecord, StoreError> {
        if from == to {
            return self.update(from, |_| ());
        }
        // Always in the same order, so that two renames do not wait for each other.
        let _first = self.lock(from.min(to))?;
        let _second = self.lock(from.max(to))?;
        let mut record = self.read_locked(from)?.ok_or_else(|| StoreError::Missing(from.clone()))?;
        match self.read_locked(to) {
            Ok(None) | Err(StoreError::Broken { .. }) => {}
            Ok(Some(_)) => return Err(StoreError::Exists(to.clone())),
            Err(error) => return Err(error),
        }
        // One step, so that no crash leaves the session under two names; the name of the file counts.
        fs_err::rename(self.path(from), self.path(to)).map_err(|error| self.unwritten(to, &error))?;
        record.name = to.clone();
        self.put(record)
    }

    /// Removes a record; whether there was one.
    ///
    /// # Errors
    /// Why it could not be removed. One that cannot be used stays.
    pub fn remove(&self, name: &RecordName) -> Result<bool, StoreError> {
        let _lock = self.lock(name)?;
        if self.read_locked(name)?.is_none() {
            return Ok(false);
        }
        fs_err::remove_file(self.path(name)).map_err(|error| self.unwritten(name, &error))?;
        Ok(true)
    }

    fn names(&self) -> Vec<RecordName> {
        let entries = fs_err::read_dir(&self.directory).into_iter().flatten().flatten();
        let of_entry =
            |entry: fs_err::DirEntry| entry.file_name().to_str()?.strip_suffix(".json")?.parse().ok();
        let mut names: Vec<RecordName> = entries.filter_map(of_entry).collect();
        names.sort();
        names
    }

    /// Reads a record, and moves it aside when it is broken. For the holder of its lock.
    fn read_locked(&self, name: &RecordName) -> Result<Option<SessionRecord>, StoreError> {
        match self.look(name) {
            Err(StoreError::Broken { path, why, .. }) => {
                let moved = self.move_aside(name);
                Err(StoreError::Broken { path, why, moved })
            }
            found => found,
        }
    }

    fn look(&self, name: &RecordName) -> Result<Option<SessionRecord>, StoreError> {
        let path = self.path(name);
        let us = rustix::process::geteuid().as_raw();
        if let Some(owner) = files::foreign_owner(&self.directory) {
            return Err(StoreError::Foreign { path: self.directory.clone(), owner, us });
        }
        let bytes = match files::read(&path, Trust::Ours) {
            Ok(None) => return Ok(None),
            Ok(Some(bytes)) => bytes,
            Err(ReadError::Foreign { owner, us }) => return Err(StoreError::Foreign { path, owner, us }),
            Err(error) => return Err(StoreError::Unread { path, why: error.to_string() }),
        };
        match SessionRecord::parse(&bytes) {
            Ok(record) => Ok(Some(SessionRecord { name: name.clone(), ..record })),
            Err(Unreadable::Newer(version)) => Err(StoreError::Newer { path, version, ours: VERSION }),
            Err(Unreadable::Broken(why)) => Err(StoreError::Broken { path, why, moved: None }),
        }
    }

    /// Moves a broken file out of the way, to a name that nothing has.
    fn move_aside(&self, name: &RecordName) -> Option<PathBuf> {
        let path = self.path(name);
        let moment = clock::utc(clock::now()).replace(':', "");
        let candidates = (0..MOST_BROKEN).map(|number| match number {
            0 => self.directory.join(format!("{name}.json.broken-{moment}")),
            _ => self.directory.join(format!("{name}.json.broken-{moment}-{number}")),
        });
        for candidate in candidates {
            // A link, because unlike a rename it never replaces anything.
            match fs_err::hard_link(&path, &candidate) {
                Ok(()) => return fs_err::remove_file(&path).is_ok().then_some(candidate),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(_) => return None,
            }
        }
        None
    }

    fn put(&self, mut record: SessionRecord) -> Result<SessionRecord, StoreError> {
        record.updated_at = clock::utc(clock::now());
        let path = self.path(&record.name);
        let unwritten = |why: String| StoreError::Unwritten { path: path.clone(), why };
        let mut bytes = serde_json::to_vec_pretty(&record).map_err(|error| unwritten(error.to_string()))?;
        bytes.push(b'\n');
        files::sweep_temporaries(&path);
        files::write_atomic(&path, &bytes, files::PRIVATE)
            .map_err(|error| unwritten(files::reason(&error)))?;
        Ok(record)
    }

    fn unwritten(&self, name: &RecordName, error: &io::Error) -> StoreError {
        StoreError::Unwritten { path: self.path(name), why: files::reason(error) }
    }

    fn lock(&self, name: &RecordName) -> Result<Lock, StoreError> {
        let path = self.directory.join(format!(".{name}.lock"));
        let unwritten =
            |error: io::Error| StoreError::Unwritten { path: path.clone(), why: files::reason(&error) };
        files::private_dir(&self.directory).map_err(unwritten)?;
        match Lock::take(&path, PATIENCE) {
            Attempt::Held(lock) => Ok(lock),
            Attempt::Busy => Err(StoreError::Busy { path, patience: PATIENCE }),
            Attempt::Failed(error) => Err(unwritten(error)),
        }
    }
}

/// The stores of all profiles of a root home, the root's first.
pub fn of_all_profiles(root: &Path) -> Vec<(ProfileName, SessionStore)> {
    let stores = ProfileName::all(root).into_iter();
    stores.map(|profile| (profile.clone(), SessionStore::new(&profile.home(root)))).collect()
}
