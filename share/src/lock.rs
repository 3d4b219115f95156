//! The short lock that writers of one file take in turn.

use std::fs::TryLockError;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use fs_err::os::unix::fs::OpenOptionsExt as _;

/// A held lock. The lock file stays for ever: deleting it would let two writers lock two files.
#[derive(Debug)]
pub struct Lock {
    file: fs_err::File,
}

/// How an attempt to lock ended.
#[derive(Debug)]
pub enum Attempt {
    /// It is ours until the value is dropped.
    Held(Lock),
    /// Somebody else held it for the whole time.
    Busy,
    /// The lock file could not be opened or locked at all. Never the same as "busy".
    Failed(io::Error),
}

impl Lock {
    /// Tries until `patience` is over.
    pub fn take(path: &Path, patience: Duration) -> Attempt {
        const PAUSE: Duration = Duration::from_millis(5);
        let open =
            fs_err::OpenOptions::new().create(true).append(true).mode(crate::files::PRIVATE).open(path);
        let file = match open {
            Ok(file) => file,
            Err(error) => return Attempt::Failed(error),
        };
        let deadline = Instant::now() + patience;
        loop {
            match file.file().try_lock() {
                Ok(()) => return Attempt::Held(Self { file }),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Attempt::Busy,
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Attempt::Failed(error),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing would do, but a child that was just started may still hold a copy of the
        // descriptor for some milliseconds; unlocking releases the lock for all copies at once.
        drop(self.file.file().unlock());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_an_unusable_lock_is_not_a_busy_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let Attempt::Held(held) = Lock::take(&path, Duration::ZERO) else { panic!("not taken") };
        assert!(matches!(Lock::take(&path, Duration::from_millis(20)), Attempt::Busy));
        drop(held);
        assert!(matches!(Lock::take(&path, Duration::ZERO), Attempt::Held(_)));
        assert!(path.exists());
        assert!(matches!(Lock::take(&dir.path().join("no/lock"), Duration::ZERO), Attempt::Failed(_)));
    }
}
