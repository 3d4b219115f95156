//! The herdr program: where it is, and how to tell that it was replaced.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::variable::PATH;

/// A herdr program and what tells it from the one that stood there before an upgrade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Its path with links resolved: an upgrade often moves a link.
    pub path: PathBuf,
    device: u64,
    inode: u64,
    size: u64,
    modified_seconds: i64,
    modified_nanoseconds: i64,
}

impl Binary {
    /// The program at `path`; `None` when there is no executable file.
    pub fn at(path: &Path) -> Option<Self> {
        let path = fs_err::canonicalize(path).ok()?;
        let metadata = fs_err::metadata(&path).ok()?;
        if !metadata.is_file() || metadata.mode() & 0o111 == 0 {
            return None;
        }
        Some(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified_seconds: metadata.mtime(),
            modified_nanoseconds: metadata.mtime_nsec(),
            path,
        })
    }
}

/// Looks for `program` as a shell would: a name without `/` in the directories of `PATH` (an empty
/// entry is the current directory), anything else as a path.
pub fn find(program: &Path, environment: &Environment) -> Option<(PathBuf, Binary)> {
    let executable = |path: PathBuf| Some((path.clone(), Binary::at(&path)?));
    if program.components().count() > 1 || program.is_absolute() {
        return executable(environment.absolute(program));
    }
    let path = environment.get(PATH)?;
    std::env::split_paths(path)
        .find_map(|directory| executable(environment.absolute(directory).join(program)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_atomic;

    #[test]
    fn the_first_executable_on_the_path_is_found_and_an_upgrade_is_another_binary() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            fs_err::create_dir(dir.path().join(name)).unwrap();
        }
        write_atomic(&dir.path().join("a/herdr"), b"not executable", 0o644).unwrap();
        write_atomic(&dir.path().join("b/herdr"), b"one", 0o755).unwrap();
        let path = format!("/nonexistent:{0}/a:{0}/b", dir.path().display());
        let environment = Environment::new([("PATH", path)], dir.path(), "/tmp");

        let (found, _) = find(Path::new("herdr"), &environment).unwrap();
        assert_eq!(found, dir.path().join("b/herdr"));
        assert_eq!(find(Path::new("b/herdr"), &environment).unwrap().0, found);
        assert_eq!(find(Path::new("./a/herdr"), &environment), None);
        assert_eq!(find(Path::new("absent"), &environment), None);

        let before = Binary::at(&found).unwrap();
        assert_eq!(Binary::at(&found), Some(before.clone()));
        write_atomic(&found, b"two", 0o755).unwrap();
        assert_ne!(Binary::at(&found), Some(before));
    }
}
