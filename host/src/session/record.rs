//! The session record: how one agent was launched, and what became of it.

use std::ffi::OsString;
use std::path::PathBuf;

use mam_share::herdr::pane::Conversation;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bytes;
use super::fingerprint::Fingerprint;
use super::name::RecordName;

/// The version of the form that this program writes, and the newest that it reads.
pub const VERSION: u32 = 1;

/// How many launches a record remembers; the oldest are forgotten.
pub const MOST_LAUNCHES: usize = 20;

/// How many earlier conversations a record remembers; the oldest are forgotten.
pub const MOST_EARLIER: usize = 20;

/// How one agent was launched, and what became of it. What is not known to this version is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRecord {
    /// [`VERSION`].
    pub version: u32,
    /// Its name. The name of the file decides; this is for people.
    pub name: RecordName,
    /// The kind of agent: a key of the table of agents.
    pub agent: String,
    /// The exact arguments of the launch, the program first.
    #[serde(with = "bytes::list")]
    pub argv: Vec<OsString>,
    /// Whether `argv` is what the agent was launched with.
    pub flags: Flags,
    /// The directory it was launched in. Absolute.
    #[serde(with = "bytes::one")]
    pub cwd: PathBuf,
    /// What it is for, in the user's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The herdr session it belongs to.
    pub session: String,
    /// The label of its workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// What it gets on top of the host's environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<Variable>,
    /// The conversation it would resume; `None` while only the agent knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Conversation>,
    /// The conversations it had before, the latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Earlier>,
    /// Where it was seen last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// How the record came about.
    pub origin: Origin,
    /// What became of the last launch.
    pub status: Status,
    /// The launches, the latest first, at most [`MOST_LAUNCHES`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Launch>,
    /// When the record was made, UTC.
    #[serde(default)]
    pub created_at: String,
    /// When it was written last, UTC. The store sets it.
    #[serde(default)]
    pub updated_at: String,
    /// What a program of the same version with more fields wrote.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// Whether the recorded arguments are the ones of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Flags {
    /// Every byte.
    Known,
    /// The agent overwrote them before anybody looked. Never resumed unattended.
    Unknown,
}

/// How a record came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// `mam create` launched the agent.
    Created,
    /// The user started it by hand.
    Adopted,
}

/// A variable of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name: not empty, without `=` and NUL.
    pub name: String,
    /// What is kept of its value.
    #[serde(flatten)]
    pub source: Source,
}

/// Where the value of a variable comes from at the next launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "camelCase")]
pub enum Source {
    /// From the record.
    Stored {
        /// The value.
        #[serde(with = "bytes::one")]
        value: OsString,
    },
    /// From the profile's `.env` or the caller, and the launch is refused without it.
    Reference {
        /// Tells whether the value is the one of the last launch; says nothing about the value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<Fingerprint>,
    },
    /// An adopted agent had it, and it is not known whether it needs it.
    Noted,
}

/// A conversation that a record had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// It.
    #[serde(flatten)]
    pub conversation: Conversation,
    /// When another one took its place, UTC.
    pub until: String,
}

/// Where the agent was seen last, and in which life of the server: pane ids are given again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Place {
    /// The pane.
    pub pane: String,
    /// Its terminal. Never given again.
    pub terminal: String,
    /// Its tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tab: Option<String>,
    /// Its workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<ProcessId>,
    /// What a program of the same version with more fields wrote.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A process that no other one is taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessId {
    /// Its id, which is given again.
    pub pid: u32,
    /// When it started: milliseconds since boot (Linux) or since 1970 (macOS).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<u64>,
    /// The boot of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot: Option<String>,
}

/// What became of the last launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum Status {
    /// The record is written, the agent not started yet.
    Launching {
        /// Since when, UTC.
        at: String,
    },
    /// The agent runs, or did when somebody wrote this: prove the process.
    Running {
        /// The agent.
        #[serde(flatten)]
        process: ProcessId,
    },
    /// The agent ended.
    Ended {
        /// How.
        #[serde(flatten)]
        how: Ended,
        /// When, UTC.
        at: String,
    },
    /// The agent did not start.
    Failed {
        /// Why.
        reason: String,
        /// When, UTC.
        at: String,
    },
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ended {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Nobody saw how.
    Unseen(()),
}

/// One launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// When, UTC.
    pub at: String,
    /// By which verb.
    pub how: LaunchedBy,
    /// The agent; `None` until it was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// How it ended; `None` until it did, or when nobody saw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// What a program of the same version with more fields wrote.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The verb that launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LaunchedBy {
    /// `mam create`.
    Create,
    /// `mam resume`.
    Resume,
    /// Nobody of ours: it ran already.
    Adopt,
}

/// Why a text is no record that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A newer program wrote it, in this version of the form. It is left alone.
    Newer(u64),
    /// It is no record.
    Broken(String),
}

impl SessionRecord {
    /// A record that was just made, at `now` (UTC), about to be launched for the first time.
    pub fn new(
        name: RecordName,
        agent: &str,
        argv: Vec<OsString>,
        cwd: PathBuf,
        session: &str,
        now: &str,
    ) -> Self {
        Self {
            version: VERSION,
            name,
            agent: agent.to_owned(),
            argv,
            flags: Flags::Known,
            cwd,
            role: None,
            session: session.to_owned(),
            workspace: None,
            environment: Vec::new(),
            conversation: None,
            earlier: Vec::new(),
            place: None,
            origin: Origin::Created,
            status: Status::Launching { at: now.to_owned() },
            history: Vec::new(),
            created_at: now.to_owned(),
            updated_at: now.to_owned(),
            rest: Map::new(),
        }
    }

    /// Reads a record. The version is looked at first: a newer form may have other fields.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn parse(text: &[u8]) -> Result<Self, Unreadable> {
        let broken = |why: String| Unreadable::Broken(why);
        let value: Value = serde_json::from_slice(text).map_err(|error| broken(error.to_string()))?;
        match value.get("version").map(Value::as_u64) {
            Some(Some(version)) if version > u64::from(VERSION) => return Err(Unreadable::Newer(version)),
            Some(Some(1..)) => {}
            Some(Some(0) | None) | None => return Err(broken("it has no version".to_owned())),
        }
        let record: Self = serde_json::from_value(value).map_err(|error| broken(error.to_string()))?;
        if record.argv.is_empty() {
            return Err(broken("its argv is empty".to_owned()));
        }
        if !record.cwd.is_absolute() {
            return Err(broken(format!("its cwd `{}` is not absolute", record.cwd.display())));
        }
        Ok(record)
    }

    /// Notes a launch, as the latest.
    pub fn note_launch(&mut self, launch: Launch) {
        self.history.insert(0, launch);
        self.history.truncate(MOST_LAUNCHES);
    }

    /// Notes how the last launch ended, at `now` (UTC).
    pub fn note_end(&mut self, how: Ended, now: &str) {
        self.status = Status::Ended { how, at: now.to_owned() };
        if let Some(launch) = self.history.first_mut() {
            launch.ended = Some(how);
        }
    }
}

impl Launch {
    /// A launch by `how` at `at` (UTC) whose process is not known yet.
    pub fn new(how: LaunchedBy, at: &str) -> Self {
        Self { at: at.to_owned(), how, pid: None, ended: None, rest: Map::new() }
    }
}
