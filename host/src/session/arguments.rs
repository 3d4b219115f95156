//! The command lines of the verbs on agent sessions, as they were typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::name::RecordName;

/// `mam create`
#[derive(Args, Clone, Debug)]
pub struct Create {
    /// The session's name
    pub name: RecordName,
    /// The kind of agent: claude, codex, …
    #[arg(short, long, value_name = "KIND")]
    pub agent: String,
    /// The directory it starts in [default: this one]
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// A variable of the agent; `K` alone is a reference: its value is taken from the profile's `.env` or
    /// from the caller at every launch, and never stored
    #[arg(short, long = "env", value_name = "K[=V]")]
    pub variables: Vec<OsString>,
    /// What it is for, in your words
    #[arg(long, value_name = "TEXT")]
    pub role: Option<String>,
    /// The herdr session it runs in [default: the host's]
    #[arg(long, value_name = "HERDR_SESSION")]
    pub session: Option<String>,
    /// The label of its workspace; where there is one, it gets a tab there [default: the name]
    #[arg(long, value_name = "LABEL", conflicts_with = "beside")]
    pub workspace: Option<String>,
    /// Open it in a split of this pane
    #[arg(long, value_name = "PANE")]
    pub beside: Option<String>,
    /// Arguments of the agent
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// `mam resume`
#[derive(Args, Clone, Debug)]
pub struct Resume {
    /// The sessions
    #[arg(value_name = "NAME", required_unless_present = "all")]
    pub names: Vec<RecordName>,
    /// All of the profile that do not run
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Start it in another directory, from now on
    #[arg(long, value_name = "DIR", conflicts_with = "all")]
    pub cwd: Option<PathBuf>,
    /// Start a new conversation where none is known
    #[arg(long)]
    pub new: bool,
    /// Allow more to the agent than it was launched with, where its entry in agents.toml says so
    #[arg(long)]
    pub widen: bool,
}

/// A session by its name.
#[derive(Args, Clone, Debug)]
pub struct Named {
    /// The session
    pub name: RecordName,
}

/// `mam rename`
#[derive(Args, Clone, Debug)]
pub struct Rename {
    /// The session
    pub name: RecordName,
    /// Its new name
    #[arg(value_name = "NEW")]
    pub new: RecordName,
}

/// `mam adopt`
#[derive(Args, Clone, Debug)]
pub struct Adopt {
    /// The pane the agent runs in, such as `w1:p1`
    pub pane: String,
    /// The name of its session [default: made from its kind and directory]
    #[arg(long, value_name = "NAME")]
    pub name: Option<RecordName>,
    /// The herdr session of the pane [default: the host's]
    #[arg(long, value_name = "HERDR_SESSION")]
    pub session: Option<String>,
}
