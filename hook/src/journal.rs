//! The journal: what was closed, written before it is closed.
//!
//! One JSON object a line, in `journal.jsonl` of mam's state directory. `step` is `closing` before the
//! request, then `closed`, `gone` (somebody else was first) or `kept`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use fs_err::os::unix::fs::OpenOptionsExt as _;
use mam_share::files;
use mam_share::herdr::pane::{Conversation, Pane};
use mam_share::places::Places;
use serde::Serialize;

use crate::facts::Server;
use crate::verdict::Resumed;

/// The size at which a journal is put aside as `journal.old.jsonl`, in bytes.
const FULL: u64 = 4 * 1024 * 1024;

/// The journal of one run.
#[derive(Clone, Debug)]
pub struct Journal {
    path: PathBuf,
    session: String,
    by: &'static str,
}

/// What happens to a pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is about to be closed.
    Closing,
    /// It is gone.
    Closed,
    /// It was gone before.
    Gone,
    /// It stays, for the reason of this name.
    Kept(&'static str),
}

#[derive(Serialize)]
struct Line<'a> {
    version: u32,
    at: u64,
    by: &'a str,
    step: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    session: &'a str,
    server: u32,
    server_key: String,
    pane: &'a str,
    terminal: &'a str,
    cwd: Option<&'a str>,
    label: Option<&'a str>,
    conversation: Option<&'a Conversation>,
    resumed_in: Option<&'a str>,
}

impl Journal {
    /// The journal in mam's state directory, for `session`; `by` is the command that closes.
    pub fn new(places: &Places, session: &str, by: &'static str) -> Self {
        Self { path: places.state.join("journal.jsonl"), session: session.to_owned(), by }
    }

    /// Writes a line for each pane; `at` is in seconds since 1970. The lines are on disk when this
    /// returns.
    ///
    /// # Errors
    /// When the file cannot be written: then nothing may be closed.
    pub fn write<'a>(
        &self,
        at: u64,
        server: &Server,
        panes: impl IntoIterator<Item = (&'a Pane, &'a Resumed, Step)>,
    ) -> io::Result<()> {
        let mut text = String::new();
        for (pane, resumed, step) in panes {
            text.push_str(&self.line(at, server, pane, resumed, &step)?);
            text.push('\n');
        }
        if text.is_empty() {
            return Ok(());
        }
        files::private_dir(files::parent(&self.path))?;
        put_aside(&self.path)?;
        let mut file =
            fs_err::OpenOptions::new().create(true).append(true).mode(files::PRIVATE).open(&self.path)?;
        // One write: lines of two runs do not mix.
        file.write_all(text.as_bytes())?;
        file.sync_data()
    }

    fn line(
        &self,
        at: u64,
        server: &Server,
        pane: &Pane,
        resumed: &Resumed,
        step: &Step,
    ) -> serde_json::Result<String> {
        let (step, reason) = match step {
            Step::Closing => ("closing", None),
            Step::Closed => ("closed", None),
            Step::Gone => ("gone", None),
            Step::Kept(reason) => ("kept", Some(*reason)),
        };
        serde_json::to_string(&Line {
            version: 1,
            at,
            by: self.by,
            step,
            reason,
            session: &self.session,
            server: server.pid,
            server_key: server.key(),
            pane: &pane.pane_id,
            terminal: &pane.terminal_id,
            cwd: pane.cwd.as_deref(),
            label: pane.label.as_deref(),
            conversation: pane.conversation.as_ref(),
            resumed_in: match resumed {
                Resumed::In(other) => Some(other),
                Resumed::Named => None,
            },
        })
    }
}

fn put_aside(path: &Path) -> io::Result<()> {
    if fs_err::metadata(path).is_ok_and(|metadata| metadata.len() > FULL) {
        fs_err::rename(path, path.with_extension("old.jsonl"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mam_share::files::{Trust, read, write_atomic};
    use mam_share::herdr::form::Read as _;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn lines_are_appended_privately_and_a_full_journal_is_put_aside() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places { home: dir.path().into(), state: dir.path().join("state") };
        let journal = Journal::new(&places, "mam", "close");
        let pane = serde_json::json!({"pane_id": "w1:p1", "terminal_id": "t1", "workspace_id": "w1",
            "agent_session": {"agent": "claude", "kind": "id", "value": "x\ny"}});
        let pane = Pane::read(&pane).unwrap();
        let resumed = Resumed::In("w2:p1".into());
        let write = |step| journal.write(7, &Server::default(), [(&pane, &resumed, step)]).unwrap();
        let text = || {
            String::from_utf8(read(&places.state.join("journal.jsonl"), Trust::Ours).unwrap().unwrap())
                .unwrap()
        };
        write(Step::Closing);
        write(Step::Kept("typed"));
        let lines: Vec<serde_json::Value> =
            text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!((&lines[0]["step"], &lines[0]["pane"]), (&"closing".into(), &"w1:p1".into()));
        assert_eq!((&lines[1]["step"], &lines[1]["reason"]), (&"kept".into(), &"typed".into()));
        assert_eq!(lines[0]["conversation"]["value"], "x\ny");
        let path = places.state.join("journal.jsonl");
        assert_eq!(fs_err::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

        write_atomic(&path, &vec![b'x'; 5 * 1024 * 1024], files::PRIVATE).unwrap();
        write(Step::Closed);
        assert_eq!(text().lines().count(), 1);
        assert!(places.state.join("journal.old.jsonl").exists());
    }
}
