//! Files about the life of one server: the watcher's lock, the closers' lock, and the mark that the
//! start of the server was seen to.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err::os::unix::fs::OpenOptionsExt as _;
use mam_share::files;
use mam_share::lock::{Attempt, Lock};
use mam_share::places::Places;
use mam_share::process::Kernel;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW};

use crate::facts::Server;

/// The files about one server.
pub struct Life {
    directory: PathBuf,
    key: String,
}

impl Life {
    /// The files about `server` in mam's state directory.
    pub fn new(places: &Places, server: &Server) -> Self {
        Self { directory: places.state.join("hook"), key: server.key() }
    }

    /// The lock of the watcher. Every call for a detection touches it.
    pub fn watch_lock(&self) -> PathBuf {
        self.directory.join(format!("{}.watch", self.key))
    }

    /// Tries to become the watcher, and lets the one who is know that there was a detection. The order
    /// counts: who sees the lock taken has touched it before, and [`Life::detections`] is read once more
    /// after the lock is given back.
    pub fn try_watch(&self) -> Attempt {
        let path = self.watch_lock();
        touch(&path);
        match Lock::take(&path, Duration::ZERO) {
            Attempt::Failed(error) if error.kind() == std::io::ErrorKind::NotFound => {
                match files::private_dir(&self.directory) {
                    Ok(()) => Lock::take(&path, Duration::ZERO),
                    Err(error) => Attempt::Failed(error),
                }
            }
            attempt @ (Attempt::Held(_) | Attempt::Busy | Attempt::Failed(_)) => attempt,
        }
    }

    /// Something that is another whenever a detection came in between.
    pub fn detections(&self) -> Option<std::time::SystemTime> {
        fs_err::metadata(self.watch_lock()).and_then(|metadata| metadata.modified()).ok()
    }

    /// The lock that closers of this server take in turn.
    pub fn close_lock(&self, patience: Duration) -> Attempt {
        if let Err(error) = files::private_dir(&self.directory) {
            return Attempt::Failed(error);
        }
        Lock::take(&self.directory.join(format!("{}.close", self.key)), patience)
    }

    /// Whether this is the first call for the start of this server.
    ///
    /// # Errors
    /// When the mark can neither be found nor made.
    pub fn is_first_start(&self) -> std::io::Result<bool> {
        files::private_dir(&self.directory)?;
        let path = self.directory.join(format!("{}.started", self.key));
        match fs_err::OpenOptions::new().write(true).create_new(true).mode(files::PRIVATE).open(path) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the files about servers that are gone. Nobody can lock them again: no other server ever
    /// has the same name, and its own hooks speak to nobody.
    pub fn sweep(&self, kernel: &dyn Kernel) {
        let Ok(entries) = fs_err::read_dir(&self.directory) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let key = Path::new(&name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            if key.is_some_and(|key| key != self.key && is_gone(&key, kernel)) {
                drop(fs_err::remove_file(entry.path()));
            }
        }
    }
}

/// Whether the server with this key is known to be gone.
fn is_gone(key: &str, kernel: &dyn Kernel) -> bool {
    let mut parts = key.split('-');
    let (Some(Ok(pid)), Some(Ok(started)), Some(_)) =
        (parts.next().map(str::parse), parts.next().map(str::parse::<u64>), parts.next())
    else {
        return false;
    };
    let Some(boot) = kernel.boot() else { return false };
    let now = kernel.started(pid).map(|started| Server { pid, started, boot }.key());
    started > 0 && now.as_deref() != Some(key)
}

fn touch(path: &Path) {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    let times = Timestamps { last_access: now, last_modification: now };
    // Without the file there is no watcher to be told.
    let _ = rustix::fs::utimensat(CWD, path, &times, AtFlags::empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use mam_share::process::kernel;

    fn life(dir: &Path, pid: u32) -> Life {
        let places = Places { home: dir.into(), state: dir.into() };
        let kernel = kernel();
        let started = kernel.started(pid).unwrap_or(Duration::from_secs(5));
        Life::new(&places, &Server { pid, started, boot: kernel.boot().unwrap() })
    }

    #[test]
    fn one_watcher_and_every_other_call_is_seen_by_it() {
        let dir = tempfile::tempdir().unwrap();
        let life = life(dir.path(), std::process::id());
        let Attempt::Held(held) = life.try_watch() else { panic!("not taken") };
        let before = life.detections();
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(life.detections(), before);
        assert!(matches!(life.try_watch(), Attempt::Busy));
        assert_ne!(life.detections(), before);
        drop(held);
        assert!(matches!(life.try_watch(), Attempt::Held(_)));
    }

    #[test]
    fn a_start_is_seen_to_once_and_files_of_gone_servers_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        let (ours, gone) = (life(dir.path(), std::process::id()), life(dir.path(), u32::MAX));
        assert!(ours.is_first_start().unwrap() && gone.is_first_start().unwrap());
        assert!(!ours.is_first_start().unwrap());
        ours.sweep(&kernel());
        assert!(!ours.is_first_start().unwrap());
        assert!(gone.is_first_start().unwrap());
    }
}
