//! Why a record could not be read or written, and how that is said.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::Warning;

use super::name::RecordName;

/// Why a record could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// There is none of this name.
    Missing(RecordName),
    /// The name is taken.
    Exists(RecordName),
    /// It is no record. It was moved aside, or could not be (`None`).
    Broken {
        /// Where it was.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
        /// Where it is now.
        moved: Option<PathBuf>,
    },
    /// A newer program wrote it.
    Newer {
        /// Where it is.
        path: PathBuf,
        /// The version of its form.
        version: u64,
        /// The newest that this program reads.
        ours: u32,
    },
    /// It belongs to another user.
    Foreign {
        /// Where it is.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who we are.
        us: u32,
    },
    /// The operating system does not let it be read, or it is no file.
    Unread {
        /// Where it is.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// It cannot be written, locked or moved.
    Unwritten {
        /// Where it is.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Somebody else writes it, for very long.
    Busy {
        /// The lock.
        path: PathBuf,
        /// How long it was waited for.
        patience: Duration,
    },
}

impl StoreError {
    /// The exit code of a verb that needed the record.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Missing(_) | Self::Exists(_) | Self::Newer { .. } => Exit::NeedsChange,
            Self::Broken { .. } | Self::Unread { .. } => Exit::BadInput,
            Self::Foreign { .. } => Exit::NotPermitted,
            Self::Unwritten { .. } => Exit::CannotWrite,
            Self::Busy { .. } => Exit::TryAgain,
        }
    }

    /// What to type, where there is something.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing(_) => Some("mam list".to_owned()),
            Self::Exists(name) => Some(format!("another name, or `mam resume {name}`")),
            Self::Broken { moved: Some(moved), .. } => {
                Some(format!("mend `{}` and move it back, or start anew", moved.display()))
            }
            Self::Newer { .. } => Some("use the mam that wrote it, or a newer one".to_owned()),
            Self::Broken { moved: None, .. }
            | Self::Foreign { .. }
            | Self::Unread { .. }
            | Self::Unwritten { .. }
            | Self::Busy { .. } => None,
        }
    }

    /// As a warning of a verb that goes on without the record.
    pub fn warning(&self) -> Warning {
        Warning { message: self.to_string(), hint: self.hint() }
    }

    /// As the failure of a verb that needed the record.
    pub fn failure(&self) -> Failure {
        Failure { exit: self.exit(), message: self.to_string(), hints: self.hint().into_iter().collect() }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(formatter, "there is no session `{name}`"),
            Self::Exists(name) => write!(formatter, "there is a session `{name}` already"),
            Self::Broken { path, why, moved } => {
                write!(formatter, "the session record `{}` is broken: {why}; ", path.display())?;
                match moved {
                    Some(moved) => write!(formatter, "it is now `{}`", moved.display()),
                    None => formatter.write_str("it could not be moved aside and is left alone"),
                }
            }
            Self::Newer { path, version, ours } => write!(
                formatter,
                "the session record `{}` has version {version}, and this mam reads versions up to {ours}; it is \
                 left alone",
                path.display()
            ),
            Self::Foreign { path, owner, us } => {
                write!(
                    formatter,
                    "`{}` belongs to uid {owner}, not to uid {us}; it is ignored",
                    path.display()
                )
            }
            Self::Unread { path, why } => {
                write!(formatter, "the session record `{}` cannot be read: {why}", path.display())
            }
            Self::Unwritten { path, why } => {
                write!(formatter, "`{}` cannot be written: {why}", path.display())
            }
            Self::Busy { path, patience } => {
                write!(formatter, "`{}` is held for more than {} s", path.display(), patience.as_secs())
            }
        }
    }
}

impl std::error::Error for StoreError {}
