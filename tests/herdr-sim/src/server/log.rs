//! The server's log: one line per thing worth knowing.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// A log file, or nothing when it cannot be opened.
#[derive(Debug, Default)]
pub(crate) struct Log(Option<Mutex<File>>);

impl Log {
    pub(crate) fn open(path: &Path) -> Self {
        let file = OpenOptions::new().create(true).append(true).open(path);
        Self(file.ok().map(Mutex::new))
    }

    pub(crate) fn info(&self, text: &str) {
        self.line("INFO", text);
    }

    pub(crate) fn warn(&self, text: &str) {
        self.line("WARN", text);
    }

    fn line(&self, level: &str, text: &str) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        if let Some(Ok(mut file)) = self.0.as_ref().map(Mutex::lock) {
            let time = format!("{}.{:06}", now.as_secs(), now.subsec_micros());
            drop(writeln!(file, "{time} {level:>5} herdr: {text}"));
        }
    }
}
