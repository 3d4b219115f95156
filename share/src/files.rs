//! Reading other people's files without surprises, and writing our own so that a reader sees the
//! whole old or the whole new file.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use fs_err::os::unix::fs::OpenOptionsExt as _;
use rustix::fs::OFlags;

/// The largest file that is read, in bytes. A config is a few KiB; this only bounds memory.
pub const READ_LIMIT: u64 = 16 * 1024 * 1024;

/// The mode of files that mam writes for itself: its user's alone.
pub const PRIVATE: u32 = 0o600;

const TEMPORARY_SUFFIX: &str = ".mam-tmp";

/// Why a file could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// It is a directory, a FIFO, a socket or a device.
    NotAFile(&'static str),
    /// It is larger than [`READ_LIMIT`].
    TooLarge(u64),
    /// It belongs to another user, and only files of this user are believed.
    Foreign {
        /// The user id that owns it.
        owner: u32,
        /// The user id this process runs as.
        us: u32,
    },
    /// The operating system says no.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFile(kind) => write!(formatter, "it is {kind}, not a file"),
            Self::TooLarge(bytes) => write!(formatter, "it has {bytes} bytes, more than {READ_LIMIT}"),
            Self::Foreign { owner, us } => write!(formatter, "it belongs to uid {owner}, not to uid {us}"),
            // The path is in the message around this already.
            Self::Io(error) => formatter.write_str(&reason(error)),
        }
    }
}

impl std::error::Error for ReadError {}

/// Whose files are believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Anyone's: the user's config may be a link into a store that belongs to root.
    Anyone,
    /// Only this user's: what mam wrote itself.
    Ours,
}

/// The bytes of a regular file, `None` when there is none (also behind a dangling link). Never waits
/// for a FIFO or a device.
///
/// # Errors
/// [`ReadError`], each with its own text.
pub fn read(path: &Path, trust: Trust) -> Result<Option<Vec<u8>>, ReadError> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    let file = match fs_err::OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        // A socket cannot be opened at all; say what it is and not "no such device".
        Err(error) => {
            return Err(match fs_err::metadata(path).map(|metadata| kind(&metadata)) {
                Ok(Some(kind)) => ReadError::NotAFile(kind),
                Ok(None) | Err(_) => ReadError::Io(error),
            });
        }
    };
    let metadata = file.metadata().map_err(ReadError::Io)?;
    if let Some(kind) = kind(&metadata) {
        return Err(ReadError::NotAFile(kind));
    }
    let us = rustix::process::geteuid().as_raw();
    if trust == Trust::Ours && metadata.uid() != us {
        return Err(ReadError::Foreign { owner: metadata.uid(), us });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(READ_LIMIT)).unwrap_or_default());
    // The standard file reads into memory that nobody has cleared before.
    let (file, _) = file.into_parts();
    // One byte more than allowed tells a file that grew past the limit from one that just fits.
    file.take(READ_LIMIT + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= READ_LIMIT => Ok(Some(bytes)),
        Ok(_) | Err(_) => Err(ReadError::TooLarge(metadata.len().max(READ_LIMIT + 1))),
    }
}

fn is_missing(error: &io::Error) -> bool {
    // A path below a file ("x" in /a/file/x) is as missing as one below no directory.
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// What a thing that is no regular file is.
fn kind(metadata: &std::fs::Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a directory")
    } else if kind.is_fifo() {
        Some("a FIFO")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

/// Why the operating system refused, without the path and the call that `fs-err` and `tempfile` put
/// around it.
pub fn reason(error: &io::Error) -> String {
    let plain = error.get_ref().and_then(|inner| inner.source()).map(ToString::to_string);
    plain.unwrap_or_else(|| error.to_string())
}

/// Replaces `target` by a file with `bytes` and `mode`: written beside it, synced, renamed. A reader
/// sees the old or the new file, whatever happens in between.
///
/// # Errors
/// When the temporary file cannot be made, written, synced or renamed; `target` is then untouched.
pub fn write_atomic(target: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let directory = parent(target);
    let mut temporary = temporary_beside(target)?;
    temporary.write_all(bytes)?;
    temporary.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
    temporary.as_file().sync_all()?;
    temporary.persist(target).map_err(|failed| failed.error)?;
    // The rename itself is durable only once its directory is. Some file systems refuse to sync a
    // directory, and the file is whole all the same.
    drop(fs_err::File::open(directory).and_then(|directory| directory.sync_all()));
    Ok(())
}

/// Moves a file that [`write_atomic`] wrote over `target`, in the same directory. Should the power fail,
/// either may be there.
///
/// # Errors
/// `file` is not there, or cannot be moved.
#[expect(clippy::disallowed_methods, reason = "the file is whole and synced already")]
pub fn move_over(file: &Path, target: &Path) -> io::Result<()> {
    std::fs::rename(file, target)
}

/// Replaces the file at `target` as [`write_atomic`] does; its mode and group stay, and so does its owner
/// where that is this user.
///
/// # Errors
/// As [`write_atomic`], and when there is no such file.
pub fn rewrite(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let before = fs_err::metadata(target)?;
    let mut temporary = temporary_beside(target)?;
    temporary.write_all(bytes)?;
    let group = rustix::fs::Gid::from_raw(before.gid());
    if temporary.as_file().metadata()?.gid() != before.gid() {
        // Refused for a group that the user is not in: the file could not be given back to it by hand either.
        rustix::fs::fchown(temporary.as_file(), None, Some(group))?;
    }
    temporary.as_file().set_permissions(std::fs::Permissions::from_mode(before.mode() & 0o7777))?;
    temporary.as_file().sync_all()?;
    temporary.persist(target).map_err(|failed| failed.error)?;
    drop(fs_err::File::open(parent(target)).and_then(|directory| directory.sync_all()));
    Ok(())
}

/// A private temporary file in the directory of `target`, under a name that [`sweep_temporaries`]
/// knows. Gone when the value is dropped.
///
/// # Errors
/// When it cannot be made.
pub fn temporary_beside(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(&temporary_prefix(target))
        .suffix(TEMPORARY_SUFFIX)
        .tempfile_in(parent(target))
}

/// Removes the temporary files that killed writers of `target` left. Only for the holder of the lock
/// that writers of `target` take.
pub fn sweep_temporaries(target: &Path) {
    let prefix = temporary_prefix(target);
    // What cannot be listed or removed is not in the way of anything.
    let Ok(entries) = fs_err::read_dir(parent(target)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(&*prefix) && name.ends_with(TEMPORARY_SUFFIX) {
            drop(fs_err::remove_file(entry.path()));
        }
    }
}

fn temporary_prefix(target: &Path) -> String {
    format!(".{}.", target.file_name().map(OsStr::to_string_lossy).unwrap_or_default())
}

/// The directory `path` stands in, `.` for a bare name.
pub fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) | None => Path::new("."),
    }
}

/// Makes `path` a directory of ours: created 0700 with its parents, and tightened when it is wider.
///
/// # Errors
/// When it cannot be created, is no directory, or belongs to another user.
pub fn private_dir(path: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let metadata = fs_err::metadata(path)?;
    let us = rustix::process::geteuid().as_raw();
    if metadata.uid() != us {
        let text = format!("it belongs to uid {}, not to uid {us}", metadata.uid());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    if metadata.mode() & 0o077 != 0 {
        fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// The user id that owns `path`, when it is there and is not this process's.
pub fn foreign_owner(path: &Path) -> Option<u32> {
    let owner = fs_err::metadata(path).ok()?.uid();
    (owner != rustix::process::geteuid().as_raw()).then_some(owner)
}

/// Whether two paths lead to one file.
pub fn is_same_file(left: &Path, right: &Path) -> bool {
    let identity = |path: &Path| fs_err::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    identity(left).is_some_and(|identity_of_left| Some(identity_of_left) == identity(right))
}

/// Whether a file could be made in `directory` (or in the directory that would have to be made
/// first), as the kernel sees it: permission bits, read-only mounts, access lists.
pub fn is_writable_dir(directory: &Path) -> bool {
    let exists = |candidate: &&Path| fs_err::symlink_metadata(candidate).is_ok();
    let Some(nearest) = directory.ancestors().find(exists) else { return false };
    let access = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    rustix::fs::accessat(rustix::fs::CWD, nearest, access, rustix::fs::AtFlags::EACCESS).is_ok()
        && fs_err::metadata(nearest).is_ok_and(|metadata| metadata.is_dir())
}

/// Follows `path` through symbolic links to where a file is or would be, so that a write replaces
/// the file and not the link.
///
/// # Errors
/// A loop of links, or a link that cannot be read.
pub fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut resolved = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs_err::read_link(&resolved) {
            Ok(link) => resolved = parent(&resolved).join(link),
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
                return Ok(resolved);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(path: &Path) -> Option<String> {
        read(path, Trust::Ours).unwrap().map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn only_regular_files_are_read_and_nothing_hangs() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        rustix::fs::mknodat(rustix::fs::CWD, path("fifo"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        std::os::unix::fs::symlink("nowhere", path("dangling")).unwrap();
        write_atomic(&path("file"), b"text", PRIVATE).unwrap();
        std::os::unix::fs::symlink("file", path("link")).unwrap();

        let rows = [("fifo", "a FIFO"), ("socket", "a socket"), (".", "a directory")];
        for (name, kind) in rows {
            let error = read(&path(name), Trust::Anyone).unwrap_err().to_string();
            assert_eq!(error, format!("it is {kind}, not a file"));
        }
        assert_eq!(read_text(&path("missing")), None);
        assert_eq!(read_text(&path("file/below")), None);
        assert_eq!(read_text(&path("dangling")), None);
        assert_eq!(read_text(&path("link")).as_deref(), Some("text"));
    }

    #[test]
    fn a_write_replaces_the_whole_file_with_the_mode_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("a file");
        write_atomic(&target, b"one", 0o644).unwrap();
        write_atomic(&target, b"two", PRIVATE).unwrap();
        assert_eq!(read_text(&target).as_deref(), Some("two"));
        assert_eq!(fs_err::metadata(&target).unwrap().mode() & 0o777, PRIVATE);
        assert_eq!(fs_err::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_rewritten_file_keeps_its_mode() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("file");
        assert!(rewrite(&target, b"x").is_err());
        write_atomic(&target, b"one", 0o751).unwrap();
        rewrite(&target, b"two").unwrap();
        assert_eq!(read_text(&target).as_deref(), Some("two"));
        assert_eq!(fs_err::metadata(&target).unwrap().mode() & 0o7777, 0o751);
    }

    #[test]
    fn leftovers_of_killed_writers_are_swept_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("config.mam.toml");
        for name in [".config.mam.toml.Ab12.mam-tmp", ".config.mam.toml.swp", ".other.toml.Ab12.mam-tmp"] {
            write_atomic(&dir.path().join(name), b"", PRIVATE).unwrap();
        }
        sweep_temporaries(&target);
        let mut left: Vec<_> =
            fs_err::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".config.mam.toml.swp", ".other.toml.Ab12.mam-tmp"]);
    }

    #[test]
    fn private_directories_are_made_and_tightened() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b");
        private_dir(&path).unwrap();
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        private_dir(&path).unwrap();
        assert_eq!(fs_err::metadata(&path).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn links_are_followed_to_where_the_file_is_or_would_be() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs_err::create_dir(path("real")).unwrap();
        std::os::unix::fs::symlink("real/target", path("one")).unwrap();
        std::os::unix::fs::symlink("one", path("two")).unwrap();
        std::os::unix::fs::symlink("loop", path("loop")).unwrap();
        assert_eq!(resolve_links(&path("two")).unwrap(), path("real/target"));
        assert_eq!(resolve_links(&path("plain")).unwrap(), path("plain"));
        assert!(resolve_links(&path("loop")).is_err());
    }
}
