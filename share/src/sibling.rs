//! mam's own programs: they are installed side by side.

use std::io;
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::herdr::binary::{self, Binary};

/// The path of this program. An upgrade may have replaced its file since it was started: then it is the
/// path of the new one.
///
/// # Errors
/// The operating system does not say.
pub fn this() -> io::Result<PathBuf> {
    let path = std::env::current_exe()?;
    let text = path.as_os_str().to_string_lossy();
    Ok(text.strip_suffix(" (deleted)").map_or(path.clone(), PathBuf::from))
}

/// The program `name` beside this one; `None` when it is not installed there. A link to this program
/// may stand elsewhere: what counts is where the file is.
pub fn beside(name: &str) -> Option<PathBuf> {
    let this = this().ok()?;
    let real = fs_err::canonicalize(&this).unwrap_or_else(|_| this.clone());
    [real, this].into_iter().map(|path| path.with_file_name(name)).find(|path| Binary::at(path).is_some())
}

/// The program `name` beside this one, else the one on `PATH`.
pub fn find(name: &str, environment: &Environment) -> Option<PathBuf> {
    beside(name).or_else(|| Some(binary::find(Path::new(name), environment)?.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write_atomic;

    #[test]
    fn a_program_is_looked_for_here_and_then_on_the_path() {
        let here = this().unwrap();
        let name = here.file_name().unwrap().to_str().unwrap();
        assert_eq!(beside(name), fs_err::canonicalize(&here).ok());
        assert_eq!(beside("no-such-program"), None);
        let dir = tempfile::tempdir().unwrap();
        write_atomic(&dir.path().join("no-such-program"), b"", 0o755).unwrap();
        let environment = Environment::new([("PATH", dir.path())], "/", "/tmp");
        assert_eq!(find("no-such-program", &environment), Some(dir.path().join("no-such-program")));
        assert_eq!(find("nor-this-one", &environment), None);
    }
}
