//! What is remembered of one overlay: the last rendering, with all it was made from.

use std::path::{Path, PathBuf};

use mam_share::files::{self, ReadError, Trust};
use mam_share::herdr::binary::Binary;
use serde::{Deserialize, Serialize};

use crate::kept::Kept;
use crate::key_path::KeyPath;
use crate::leave_out::LeftOut;
use crate::setting::Source;
use crate::tree::Tree;
use crate::verdict::Verdict;
use crate::{kept, overlay, syntax};

/// The form of the file; another one is left alone.
const VERSION: u32 = 1;

/// The record of one overlay, a JSON file in mam's state directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    version: u32,
    /// The overlay this is about.
    pub overlay: PathBuf,
    /// The user config it is rendered from.
    pub config: PathBuf,
    /// The rendering on disk.
    pub last: Option<Rendering>,
    /// The rendering that is about to replace it. Written first, so that a crash in between cannot
    /// make our own change look like one that herdr made.
    pub next: Option<Rendering>,
}

/// One rendering.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// The version of mam that made it.
    pub by: String,
    /// The user config it was made from; `None` when there was no file.
    pub user: Option<String>,
    /// The managed settings that were wanted, those that were not used included.
    pub managed: Vec<Managed>,
    /// The overlay.
    pub text: String,
    /// Settings that herdr wrote.
    pub kept: Vec<Kept>,
    /// User settings that herdr cannot read.
    pub quarantined: Vec<Quarantined>,
    /// Settings that are not the user's and that herdr cannot read.
    pub dropped: Vec<Dropped>,
    /// Nothing of the user's config could be used.
    pub is_minimal: bool,
    /// The herdr that was asked; `None` when there was none.
    pub herdr: Option<Binary>,
    /// What it said.
    pub verdict: Verdict,
}

/// A managed setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Managed {
    /// Its key.
    pub path: KeyPath,
    /// Its value as TOML.
    pub value: String,
    /// Who wants it.
    pub source: Source,
}

/// A user setting that herdr cannot read, with the user's text of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantined {
    /// What is left out, and why.
    #[serde(flatten)]
    pub left_out: LeftOut,
    /// The text then: another text may be readable.
    pub text: String,
}

/// A setting that is not the user's and that herdr cannot read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The setting.
    #[serde(flatten)]
    pub setting: Managed,
    /// herdr's reason.
    pub reason: String,
}

/// Why a record is not used.
#[derive(Debug)]
pub enum Unusable {
    /// It cannot be read, or is not this user's.
    Unread(ReadError),
    /// It is no record, or one of another version of mam.
    Unknown(String),
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unread(error) => error.fmt(formatter),
            Self::Unknown(reason) => formatter.write_str(reason),
        }
    }
}

impl Record {
    /// A record of `overlay` with nothing in it yet.
    pub fn new(overlay: PathBuf, config: PathBuf) -> Self {
        Self { version: VERSION, overlay, config, last: None, next: None }
    }

    /// The file name of the record of `overlay`, the same for every spelling of one path that mam makes.
    pub fn file_name(overlay: &Path) -> String {
        // FNV-1a: a short, stable name. The path stands in the record, so a clash only forgets.
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = overlay.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step);
        format!("{hash:016x}.json")
    }

    /// Reads the record at `path`, if there is one and it is about `overlay`.
    ///
    /// # Errors
    /// [`Unusable`].
    pub fn load(path: &Path, overlay: &Path) -> Result<Option<Self>, Unusable> {
        let Some(bytes) = files::read(path, Trust::Ours).map_err(Unusable::Unread)? else { return Ok(None) };
        let record: Self =
            serde_json::from_slice(&bytes).map_err(|error| Unusable::Unknown(error.to_string()))?;
        if record.version != VERSION {
            return Err(Unusable::Unknown(format!(
                "it has version {}, this mam writes {VERSION}",
                record.version
            )));
        }
        Ok(Some(record).filter(|record| record.overlay == overlay))
    }

    /// The bytes to write.
    ///
    /// # Errors
    /// Only a path that is not UTF-8, which mam does not make.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        serde_json::to_vec(self).map_err(|error| error.to_string())
    }

    /// The rendering that `present`, the overlay on disk, is or came from.
    pub fn rendering_of(&self, present: Option<&str>) -> Option<&Rendering> {
        let (Some(next), Some(present)) = (&self.next, present) else { return self.last.as_ref() };
        let Some(last) = &self.last else { return Some(next) };
        if present == next.text {
            return Some(next);
        }
        if present == last.text {
            return Some(last);
        }
        // mam was killed while it wrote, and herdr changed the file as well: the nearer one it was.
        let changes = |rendering: &Rendering| match (tree_of(&rendering.text), tree_of(present)) {
            (Some(before), Some(after)) => {
                kept::collect(&[], &before, &after, &Tree::empty(), &[]).kept.len()
            }
            _ => usize::MAX,
        };
        if changes(last) < changes(next) { Some(last) } else { Some(next) }
    }
}

impl Rendering {
    /// What herdr refused before and what still reads the same in `text`.
    pub fn remembered(&self, text: &str) -> Vec<LeftOut> {
        let same = |item: &&Quarantined| {
            overlay::text_at(text, &item.left_out.path).is_some_and(|(now, _)| now == item.text)
        };
        self.quarantined.iter().filter(same).map(|item| item.left_out.clone()).collect()
    }
}

/// The values of a text; `None` when it is no TOML.
pub fn tree_of(text: &str) -> Option<Tree> {
    syntax::parse(text).ok().map(|document| Tree::of_table(document.as_table(), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendering(text: &str) -> Rendering {
        Rendering {
            by: String::new(),
            user: None,
            managed: Vec::new(),
            text: text.to_owned(),
            kept: Vec::new(),
            quarantined: Vec::new(),
            dropped: Vec::new(),
            is_minimal: false,
            herdr: None,
            verdict: Verdict::Accepted(Vec::new()),
        }
    }

    #[test]
    fn a_crash_between_the_two_writes_is_told_from_a_change_by_herdr() {
        let mut record = Record::new("/o".into(), "/c".into());
        record.last = Some(rendering("a = 1\nb = 1\n"));
        record.next = Some(rendering("a = 2\nb = 2\n"));
        let rows = [
            (None, 1),
            (Some("a = 1\nb = 1\n"), 1),
            (Some("a = 2\nb = 2\n"), 2),
            (Some("a = 1\nb = 1\nherdr = 1\n"), 1),
            (Some("a = 2\nb = 2\nherdr = 1\n"), 2),
        ];
        for (present, expected) in rows {
            let found = record.rendering_of(present).unwrap();
            assert!(found.text.starts_with(&format!("a = {expected}")), "{present:?}");
        }
        record.last = None;
        assert!(record.rendering_of(Some("x = 1")).is_some());
    }

    #[test]
    fn records_survive_their_file_and_other_versions_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(Record::file_name(Path::new("/o")));
        assert!(Record::load(&path, Path::new("/o")).unwrap().is_none());
        let mut record = Record::new("/o".into(), "/c".into());
        record.last = Some(rendering("\u{feff}x = 1\r\n"));
        files::write_atomic(&path, &record.to_bytes().unwrap(), files::PRIVATE).unwrap();
        assert_eq!(Record::load(&path, Path::new("/o")).unwrap(), Some(record));
        assert_eq!(Record::load(&path, Path::new("/other")).unwrap(), None);
        for broken in [
            &b"{"[..],
            b"",
            b"{\"version\":2,\"overlay\":\"/o\",\"config\":\"/c\",\"last\":null,\"next\":null}",
        ] {
            files::write_atomic(&path, broken, files::PRIVATE).unwrap();
            assert!(matches!(Record::load(&path, Path::new("/o")), Err(Unusable::Unknown(_))));
        }
    }
}
