//! A profile's own log, `<home>/logs/mam.log`.
//!
//! One line per entry: time, level, verb, reason, message, separated by tabs. A supervisor keeps what a
//! program prints in a place of its own, and often throws it away; the log is where a profile's refusals
//! are found. So a refusal is written here before it is printed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err::os::unix::fs::OpenOptionsExt as _;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};

use crate::clock;

/// A log that is longer than this becomes `mam.log.1`.
const LIMIT: u64 = 1024 * 1024;

/// How much an entry matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What was done.
    Info,
    /// What was refused, or did not work.
    Warning,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Info => "INFO",
            Self::Warning => "WARNING",
        }
    }
}

/// An entry that was read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When, as it was written.
    pub time: String,
    /// `INFO` or `WARNING`.
    pub level: String,
    /// Which verb.
    pub verb: String,
    /// The reason's code.
    pub reason: String,
    /// The message, and its hints as further lines.
    pub message: String,
}

/// The log of one home.
#[derive(Clone, Debug)]
pub struct Log {
    path: PathBuf,
}

impl Log {
    /// The log of `home`.
    pub fn new(home: &Path) -> Self {
        Self { path: home.join("logs").join("mam.log") }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn write(&self, level: Level, verb: &str, reason: &str, message: &str) -> Result<(), String> {
        self.append(&line(clock::now(), level, verb, reason, message))
            .map_err(|error| format!("`{}`: {}", self.path.display(), files::reason(&error)))
    }

    fn append(&self, line: &str) -> std::io::Result<()> {
        files::private_dir(files::parent(&self.path))?;
        if fs_err::metadata(&self.path).is_ok_and(|metadata| metadata.len() > LIMIT) {
            // Two at once: the second moves a file of one line, and nothing is lost but that.
            #[expect(clippy::disallowed_methods, reason = "a whole file is moved out of the way")]
            std::fs::rename(&self.path, self.path.with_extension("log.1"))?;
        }
        let mut options = fs_err::OpenOptions::new();
        options.create(true).append(true).mode(files::PRIVATE);
        // One write, so that entries of several processes do not interleave.
        options.open(&self.path)?.write_all(line.as_bytes())
    }

    /// The last entry of this level.
    pub fn last(&self, level: Level) -> Option<Entry> {
        let find = |path: &Path| {
            let bytes = files::read(path, Trust::Ours).ok()??;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            text.lines().rev().filter_map(entry).find(|entry| entry.level == level.word())
        };
        find(&self.path).or_else(|| find(&self.path.with_extension("log.1")))
    }
}

/// A failure and its hints as one text.
pub fn text_of(failure: &Failure) -> String {
    let hints = failure.hints.iter().map(|hint| format!("\nhint: {hint}"));
    std::iter::once(failure.message.clone()).chain(hints).collect()
}

fn line(time: Duration, level: Level, verb: &str, reason: &str, message: &str) -> String {
    let message = message.replace('\\', r"\\").replace('\n', r"\n").replace(['\t', '\r'], " ");
    format!("{}\t{}\t{verb}\t{reason}\t{message}\n", clock::utc(time), level.word())
}

fn entry(line: &str) -> Option<Entry> {
    let mut parts = line.splitn(5, '\t').map(ToOwned::to_owned);
    let (time, level, verb, reason) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let mut message = String::new();
    let escaped = parts.next()?;
    let mut letters = escaped.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => message.extend(letters.next().map(|escaped| if escaped == 'n' { '\n' } else { escaped })),
            plain => message.push(plain),
        }
    }
    Some(Entry { time, level, verb, reason, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_refusal_is_read_back_as_it_was_said() {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::new(dir.path());
        assert_eq!(log.last(Level::Warning), None);
        let message = "no: `a\\b`\n  2 lines\nhint: mam start";
        log.write(Level::Warning, "run", "excluded", "earlier").unwrap();
        log.write(Level::Warning, "run", "excluded", message).unwrap();
        log.write(Level::Info, "run", "attached", "fine").unwrap();
        let last = log.last(Level::Warning).unwrap();
        assert_eq!((last.verb.as_str(), last.reason.as_str()), ("run", "excluded"));
        assert_eq!(last.message, message);
        assert_eq!(log.last(Level::Info).unwrap().message, "fine");
        let text = fs_err::read_to_string(log.path()).unwrap();
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn a_long_log_is_put_aside() {
        let dir = tempfile::tempdir().unwrap();
        let log = Log::new(dir.path());
        log.write(Level::Warning, "run", "x", &"x".repeat(1024 * 1024 + 1)).unwrap();
        log.write(Level::Info, "run", "y", "new").unwrap();
        assert!(fs_err::metadata(log.path()).unwrap().len() < 100);
        assert_eq!(log.last(Level::Warning).unwrap().reason, "x");
    }
}
