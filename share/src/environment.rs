//! The process environment, read once and passed on as a value.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::variable::Variable;

/// The variables and the current directory a process was started with.
///
/// Decisions take this instead of asking the process, so that every rule about variables is a row
/// in a table test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    current_dir: PathBuf,
    temp_dir: PathBuf,
}

impl Environment {
    /// Reads the environment of this process. Called once, by `main`.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the process environment")]
    pub fn of_process() -> Self {
        Self {
            variables: std::env::vars_os().collect(),
            // A removed current directory only matters to relative paths, which then fail by name.
            current_dir: std::env::current_dir().unwrap_or_default(),
            temp_dir: std::env::temp_dir(),
        }
    }

    /// An environment of just these variables, for tests and for building a child's environment.
    pub fn new<K: Into<OsString>, V: Into<OsString>>(
        variables: impl IntoIterator<Item = (K, V)>,
        current_dir: impl Into<PathBuf>,
        temp_dir: impl Into<PathBuf>,
    ) -> Self {
        Self {
            variables: variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
            current_dir: current_dir.into(),
            temp_dir: temp_dir.into(),
        }
    }

    /// The value of `variable`, whatever its bytes; `None` when it is not set.
    pub fn get(&self, variable: Variable) -> Option<&OsStr> {
        self.variables.get(OsStr::new(variable.name)).map(OsString::as_os_str)
    }

    /// The value of `variable` as herdr reads it: a value that is not UTF-8 counts as not set
    /// (Rust's `std::env::var`, which herdr uses for all of its own variables).
    pub fn text(&self, variable: Variable) -> Option<&str> {
        self.get(variable).and_then(OsStr::to_str)
    }

    /// The value of `variable` unless it is unset or empty, as mam reads its own variables.
    pub fn filled(&self, variable: Variable) -> Option<&OsStr> {
        self.get(variable).filter(|value| !value.is_empty())
    }

    /// The directory that relative paths are relative to.
    pub fn current_dir(&self) -> &Path {
        &self.current_dir
    }

    /// The directory for temporary files (`$TMPDIR`, else `/tmp`).
    pub fn temp_dir(&self) -> &Path {
        &self.temp_dir
    }

    /// `path` made absolute against the current directory, without touching the file system.
    pub fn absolute(&self, path: impl AsRef<Path>) -> PathBuf {
        self.current_dir.join(path)
    }

    /// All variables, in order of their names.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}
