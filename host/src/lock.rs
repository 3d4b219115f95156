//! The lock of the host: who holds it owns the host.
//!
//! A POSIX record lock, because that is what a process keeps through `exec` and what the kernel frees
//! when it dies. Such a lock is lost when *any* descriptor of the file is closed in the process that
//! holds it, so the file is opened once per process, here. It stays empty and is never deleted:
//! with two files there could be two owners.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use fs_err::os::unix::fs::OpenOptionsExt as _;
use mam_share::files;
use rustix::fs::{FlockOperation, OFlags};
use rustix::io::{Errno, FdFlags};
use rustix::process::{Flock, FlockOffsetType, FlockType};

/// The opened lock file.
#[derive(Debug)]
pub struct HostLock {
    file: fs_err::File,
}

/// Who holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// This process id.
    Pid(u32),
    /// A process that the kernel does not show here: one of another pid namespace.
    Hidden,
}

/// How an attempt to take the lock ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// It is ours until this process ends.
    Got,
    /// Somebody holds it.
    Held(Holder),
}

impl HostLock {
    /// Opens the lock file of a state directory, which is made and tightened.
    ///
    /// # Errors
    /// The operating system's reason. Never the same as "somebody owns the host".
    pub fn open(state: &Path) -> Result<Self, String> {
        Self::open_in(state, "host.lock")
    }

    /// Opens the lock file as it is, to look at it: nothing is made and no mode is changed.
    ///
    /// # Errors
    /// As [`HostLock::open`]; also that there is none.
    pub fn peek(state: &Path) -> Result<Self, String> {
        Self::open_file(&state.join("host.lock"), false)
    }

    /// Opens another lock of the same kind: the file `name` in `directory`, which is made and tightened.
    ///
    /// # Errors
    /// As [`HostLock::open`].
    pub fn open_in(directory: &Path, name: &str) -> Result<Self, String> {
        files::private_dir(directory).map_err(|error| files::reason(&error))?;
        Self::open_file(&directory.join(name), true)
    }

    fn open_file(path: &Path, create: bool) -> Result<Self, String> {
        let failed = |error: io::Error| files::reason(&error);
        // A link would name another file than the other processes lock, and a FIFO none at all.
        let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits());
        let mut options = fs_err::OpenOptions::new();
        options.read(true).write(true).create(create).truncate(false).mode(files::PRIVATE);
        let file = options.custom_flags(flags.unwrap_or_default()).open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let us = rustix::process::geteuid().as_raw();
        if !metadata.is_file() {
            return Err(format!("`{}` is not a file", path.display()));
        }
        if metadata.uid() != us {
            return Err(format!("`{}` belongs to uid {}, not to uid {us}", path.display(), metadata.uid()));
        }
        Ok(Self { file })
    }

    /// Who holds the lock, without taking it. A lock of this process is not seen.
    ///
    /// # Errors
    /// The file system has no such locks.
    pub fn holder(&self) -> io::Result<Option<Holder>> {
        let whole = Flock {
            start: 0,
            length: 0,
            pid: None,
            typ: FlockType::WriteLock,
            offset_type: FlockOffsetType::Set,
        };
        let found = rustix::process::fcntl_getlk(self.file.file(), &whole)?;
        Ok(found.map(|lock| {
            let pid = lock.pid.and_then(|pid| u32::try_from(pid.as_raw_nonzero().get()).ok());
            pid.map_or(Holder::Hidden, Holder::Pid)
        }))
    }

    /// Tries once to take it.
    ///
    /// # Errors
    /// The file system has no such locks.
    pub fn take(&self) -> io::Result<Taking> {
        match rustix::fs::fcntl_lock(self.file.file(), FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Taking::Got),
            Err(Errno::AGAIN | Errno::ACCESS) => match self.holder()? {
                Some(holder) => Ok(Taking::Held(holder)),
                // It was given back in between: whoever asks again may get it.
                None => Ok(Taking::Held(Holder::Hidden)),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Gives it back.
    pub fn release(&self) {
        // What is not ours cannot be given back, which changes nothing.
        let _ = rustix::fs::fcntl_lock(self.file.file(), FlockOperation::NonBlockingUnlock);
    }

    /// Keeps the file, and with it the lock, through the next `exec` of this process.
    ///
    /// # Errors
    /// The kernel refuses.
    pub fn keep_through_exec(&self) -> io::Result<()> {
        let flags = rustix::io::fcntl_getfd(self.file.file())?;
        rustix::io::fcntl_setfd(self.file.file(), flags - FdFlags::CLOEXEC)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_said_and_is_nobody() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        files::write_atomic(&file, b"", 0o600).unwrap();
        assert!(HostLock::open(&file).unwrap_err().contains("exists"));
        let state = dir.path().join("state");
        fs_err::create_dir(&state).unwrap();
        std::os::unix::fs::symlink(&file, state.join("host.lock")).unwrap();
        let reason = HostLock::open(&state).unwrap_err();
        assert!(reason.to_lowercase().contains("symbolic link"), "{reason}");
    }

    #[test]
    fn a_lock_of_this_process_is_not_seen_by_it() {
        let dir = tempfile::tempdir().unwrap();
        let lock = HostLock::open(&dir.path().join("state")).unwrap();
        assert_eq!(lock.holder().unwrap(), None);
        assert_eq!(lock.take().unwrap(), Taking::Got);
        assert_eq!(lock.holder().unwrap(), None);
        lock.release();
    }
}
