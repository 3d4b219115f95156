//! What is remembered of one overlay: the last rendering, with all it was made from.
//!
//! A rendering is remembered in a file: one line of JSON, and behind it the texts as they are. A run that
//! has nothing to do compares them with the files and takes nothing apart. While a new overlay takes its
//! place there are two such files, so that a crash in between leaves nothing to guess.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use mam_share::files::{self, ReadError, Trust};
use mam_share::herdr::binary::Binary;
use serde::{Deserialize, Serialize};

use crate::kept::Kept;
use crate::key_path::KeyPath;
use crate::leave_out::LeftOut;
use crate::setting::Source;
use crate::syntax::{self, Config};
use crate::tree::Tree;
use crate::verdict::Verdict;
use crate::{kept, overlay};

/// The form of the file; another one is left alone.
const VERSION: u32 = 2;

/// What the file name of a record ends in.
pub(crate) const SUFFIX: &str = ".record";

/// The record of one overlay, in mam's state directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
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

/// One rendering with what it is of: the contents of a file.
struct Entry {
    overlay: PathBuf,
    config: PathBuf,
    rendering: Rendering,
}

/// The line of JSON.
#[derive(Deserialize)]
struct Head {
    version: u32,
    overlay: PathBuf,
    config: PathBuf,
    /// The bytes of the user config and of the overlay behind the line.
    #[serde(default)]
    lengths: (Option<usize>, usize),
    rendering: Option<Rendering>,
}

/// The same, to be written.
#[derive(Serialize)]
struct HeadOf<'a> {
    version: u32,
    overlay: &'a Path,
    config: &'a Path,
    lengths: (Option<usize>, usize),
    rendering: &'a Rendering,
}

/// One rendering.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rendering {
    /// The version of mam that made it.
    pub by: String,
    /// The user config it was made from; `None` when there was no file.
    #[serde(skip)]
    pub user: Option<String>,
    /// The managed settings that were wanted, those that were not used included.
    pub managed: Vec<Managed>,
    /// The overlay.
    #[serde(skip)]
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
        Self { overlay, config, last: None, next: None }
    }

    /// The file name of the record of `overlay`, the same for every spelling of one path that mam makes.
    pub fn file_name(overlay: &Path) -> String {
        // FNV-1a: a short, stable name. The path stands in the record, so a clash only forgets.
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = overlay.as_os_str().as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step);
        format!("{hash:016x}{SUFFIX}")
    }

    /// Where the rendering is remembered that is about to take the place of the one of the record at
    /// `path`.
    pub fn next_path(path: &Path) -> PathBuf {
        path.with_extension("next")
    }

    /// Reads the record at `path`, if there is one and it is about `overlay`.
    ///
    /// # Errors
    /// [`Unusable`].
    pub fn load(path: &Path, overlay: &Path) -> Result<Option<Self>, Unusable> {
        let entry = |path: &Path| Ok(Entry::load(path)?.filter(|entry| entry.overlay == overlay));
        let (last, next) = (entry(path)?, entry(&Self::next_path(path))?);
        // Only a crash while an overlay got another config can make them differ.
        let last = last.filter(|last| next.as_ref().is_none_or(|next| next.config == last.config));
        let Some(config) = last.as_ref().or(next.as_ref()).map(|entry| entry.config.clone()) else {
            return Ok(None);
        };
        let rendering = |entry: Option<Entry>| entry.map(|entry| entry.rendering);
        Ok(Some(Self { overlay: overlay.to_owned(), config, last: rendering(last), next: rendering(next) }))
    }

    /// The bytes of a file that remembers `rendering`.
    ///
    /// # Errors
    /// Only a path that is not UTF-8, which mam does not make.
    pub fn to_bytes(overlay: &Path, config: &Path, rendering: &Rendering) -> Result<Vec<u8>, String> {
        let (user, text) = (rendering.user.as_deref(), rendering.text.as_str());
        let lengths = (user.map(str::len), text.len());
        let head = HeadOf { version: VERSION, overlay, config, lengths, rendering };
        let mut bytes = serde_json::to_vec(&head).map_err(|error| error.to_string())?;
        bytes.push(b'\n');
        bytes.extend_from_slice(user.unwrap_or_default().as_bytes());
        bytes.extend_from_slice(text.as_bytes());
        Ok(bytes)
    }

    /// The rendering that a file with these bytes remembers.
    ///
    /// # Errors
    /// What is wrong with them, as a sentence without its end.
    pub fn rendering_in(bytes: Vec<u8>) -> Result<Rendering, String> {
        Entry::parse(bytes).map(|entry| entry.rendering)
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

impl Entry {
    fn load(path: &Path) -> Result<Option<Self>, Unusable> {
        let Some(bytes) = files::read(path, Trust::Ours).map_err(Unusable::Unread)? else { return Ok(None) };
        Self::parse(bytes).map(Some).map_err(Unusable::Unknown)
    }

    fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let (line, texts) = text.split_once('\n').unwrap_or((&text, ""));
        let head: Head = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if head.version != VERSION {
            return Err(format!("it has version {}, this mam writes {VERSION}", head.version));
        }
        let (Some(mut rendering), (user, length)) = (head.rendering, head.lengths) else {
            return Err("it holds no rendering".to_owned());
        };
        let cut_off = || "it is cut off".to_owned();
        let (before, after) = texts.split_at_checked(user.unwrap_or_default()).ok_or_else(cut_off)?;
        match after.len().cmp(&length) {
            Ordering::Less => return Err(cut_off()),
            Ordering::Equal => {}
            Ordering::Greater => return Err("there is more in it than it says".to_owned()),
        }
        rendering.user = user.map(|_| before.to_owned());
        after.clone_into(&mut rendering.text);
        Ok(Self { overlay: head.overlay, config: head.config, rendering })
    }
}

impl Rendering {
    /// What herdr refused before and what still reads the same in `config`.
    pub fn remembered(&self, config: &Config) -> Vec<LeftOut> {
        let same = |item: &&Quarantined| {
            overlay::text_at(config, &item.left_out.path).is_some_and(|(now, _)| now == item.text)
        };
        self.quarantined.iter().filter(same).map(|item| item.left_out.clone()).collect()
    }
}

/// The values of a text; `None` when it is no TOML.
pub fn tree_of(text: &str) -> Option<Tree> {
    syntax::parse(text).ok().map(|document| Tree::of_table(document.as_table(), false))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn rendering(text: &str) -> Rendering {
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
    fn records_survive_their_files_and_other_versions_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(Record::file_name(Path::new("/o")));
        let load = |overlay: &str| Record::load(&path, Path::new(overlay));
        assert!(load("/o").unwrap().is_none());
        let user = |text: &str| Rendering { user: Some(text.to_owned()), ..rendering("a = 1") };
        let write = |path: &Path, bytes: &[u8]| files::write_atomic(path, bytes, files::PRIVATE).unwrap();
        for one in [rendering(""), rendering("\u{feff}x = 1\r\n"), user(""), user("日 = 1\n")] {
            let bytes = Record::to_bytes(Path::new("/o"), Path::new("/c"), &one).unwrap();
            for is_next in [false, true] {
                let file = if is_next { Record::next_path(&path) } else { path.clone() };
                write(&file, &bytes);
                let mut record = Record::new("/o".into(), "/c".into());
                *(if is_next { &mut record.next } else { &mut record.last }) = Some(one.clone());
                assert_eq!(load("/o").unwrap(), Some(record));
                assert_eq!(load("/other").unwrap(), None);
                fs_err::remove_file(file).unwrap();
            }
            let head = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
            let mut broken = vec![bytes[..head - 2].to_vec(), [&bytes[..], b"x"].concat(), bytes.clone()];
            broken[2][head - 2] = 0xff;
            broken.extend((head..bytes.len()).map(|end| bytes[..end].to_vec()));
            for broken in broken {
                write(&path, &broken);
                let loaded = load("/o");
                assert!(matches!(loaded, Err(Unusable::Unknown(_))), "{}", String::from_utf8_lossy(&broken));
            }
            fs_err::remove_file(&path).unwrap();
        }
        let rows = [
            ("", "EOF while parsing a value at line 1 column 0"),
            (
                "{\"version\":1,\"overlay\":\"/o\",\"config\":\"/c\",\"last\":null}",
                "it has version 1, this mam writes 2",
            ),
            ("{\"version\":2,\"overlay\":\"/o\",\"config\":\"/c\"}", "it holds no rendering"),
        ];
        for (text, said) in rows {
            write(&path, text.as_bytes());
            assert_eq!(load("/o").unwrap_err().to_string(), said);
        }
    }

    #[test]
    fn of_two_configs_the_newer_counts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("0.record");
        for (file, config, text) in [(path.clone(), "/a", "a = 1"), (Record::next_path(&path), "/b", "b = 1")]
        {
            let bytes = Record::to_bytes(Path::new("/o"), Path::new(config), &rendering(text)).unwrap();
            files::write_atomic(&file, &bytes, files::PRIVATE).unwrap();
        }
        let record = Record::load(&path, Path::new("/o")).unwrap().unwrap();
        assert_eq!((record.config, record.last), ("/b".into(), None));
    }
}
