//! A record for an agent that the user started by hand.
//!
//! Made from what the kernel still has of the process: its arguments, unless the agent has put a title in
//! their place, its directory and its environment. Of that, only the values that the agent's entry in the
//! table names are kept; of the rest the names.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use mam_share::herdr::pane::Conversation;
use mam_share::process::StartEnvironment;

use super::environment::is_name;
use super::kind::{Kind, is_interpreter};
use super::name::RecordName;
use super::record::{
    Flags, Launch, LaunchedBy, Origin, Place, ProcessId, SessionRecord, Source, Status, Variable,
};

/// How many names of variables are noted.
const MOST_NOTED: usize = 100;

/// How many numbers are tried behind a name that is taken.
const MOST_NUMBERS: u32 = 10_000;

/// An agent in a pane, as it was seen.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// Its kind.
    pub kind: &'a Kind,
    /// What herdr says it works on.
    pub conversation: Option<Conversation>,
    /// Its arguments, as the kernel has them now.
    pub arguments: Option<Vec<OsString>>,
    /// The program file it runs.
    pub executable: Option<PathBuf>,
    /// Its current directory.
    pub directory: Option<PathBuf>,
    /// The environment it was started with.
    pub environment: Option<StartEnvironment>,
    /// The environment of the server: what every pane has.
    pub inherited: Option<StartEnvironment>,
    /// Its process.
    pub process: ProcessId,
    /// Its pane.
    pub place: Place,
    /// The herdr session.
    pub session: String,
    /// The label of its workspace.
    pub workspace: Option<String>,
}

/// The record of `found`, adopted at `now` (UTC). `None` when nobody knows the directory.
pub fn record(name: RecordName, found: Found<'_>, now: &str) -> Option<SessionRecord> {
    let cwd = directory(&found)?;
    let known = arguments(&found);
    let flags = if known.is_some() { Flags::Known } else { Flags::Unknown };
    let argv = known.unwrap_or_else(|| vec![OsString::from(&found.kind.executable)]);
    let mut record = SessionRecord::new(name, &found.kind.name, argv, cwd, &found.session, now);
    record.flags = flags;
    record.origin = Origin::Adopted;
    record.environment = variables(&found);
    record.workspace = found.workspace;
    record.conversation = found.conversation;
    record.place = Some(found.place);
    let mut launch = Launch::new(LaunchedBy::Adopt, now);
    launch.pid = Some(found.process.pid);
    record.note_launch(launch);
    record.status = Status::Running { process: found.process };
    Some(record)
}

/// A name that is not taken, made from the kind and the directory: `claude-src`, `claude-src-2`.
pub fn default_name(kind: &Kind, directory: &Path, is_taken: impl Fn(&RecordName) -> bool) -> RecordName {
    // Room for a number behind it.
    const LONGEST: usize = RecordName::MAX_BYTES - 6;
    let base = directory.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let usable = |letter: char| {
        if letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-') { letter } else { '-' }
    };
    let mut text: String = format!("{}-{base}", kind.name).chars().map(usable).collect();
    text.truncate(LONGEST);
    let text = text.trim_start_matches(['-', '.']).trim_end_matches(['-', '.']);
    let text = if text.is_empty() { "agent" } else { text };
    let numbered = (2..MOST_NUMBERS).map(|number| format!("{text}-{number}"));
    let candidates = std::iter::once(text.to_owned()).chain(numbered);
    let free = candidates.filter_map(|name| name.parse().ok()).find(|name| !is_taken(name));
    free.unwrap_or_else(|| "agent".parse().unwrap_or_else(|_| unreachable!("a valid name")))
}

/// The arguments that it was started with. `None` when a title may stand in their place.
fn arguments(found: &Found<'_>) -> Option<Vec<OsString>> {
    let arguments = found.arguments.clone()?;
    found.kind.program_words(&arguments)?;
    let (first, rest) = arguments.split_first()?;
    // What a title does not fill of the old arguments is left as NULs, which read as empty arguments.
    let is_title = !rest.is_empty() && rest.iter().all(|word| word.is_empty());
    // An interpreter is started by its own name; a program that has another one has put it there itself.
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()).map(ToOwned::to_owned);
    let runs = found.executable.as_deref().and_then(name).filter(|name| is_interpreter(name));
    let is_renamed = runs.is_some() && !name(Path::new(first)).is_some_and(|name| is_interpreter(&name));
    (!is_title && !is_renamed).then_some(arguments)
}

/// Where it works; a directory that was removed is named as it was.
fn directory(found: &Found<'_>) -> Option<PathBuf> {
    let started = found.environment.as_ref().and_then(|environment| environment.get("PWD"));
    let started = started.map(PathBuf::from);
    let now = found.directory.as_ref().map(|directory| {
        let bytes = directory.as_os_str().as_bytes();
        let bytes = bytes.strip_suffix(b" (deleted)").unwrap_or(bytes);
        PathBuf::from(OsString::from_vec(bytes.to_vec()))
    });
    now.or(started).filter(|directory| directory.is_absolute())
}

fn variables(found: &Found<'_>) -> Vec<Variable> {
    let Some(environment) = &found.environment else { return Vec::new() };
    let mut stored = Vec::new();
    let mut noted = Vec::new();
    for (name, value) in &environment.0 {
        let Some(name) = name.to_str().filter(|name| is_name(name)) else { continue };
        if found.kind.keep.iter().any(|keep| keep == name) {
            stored.push(Variable { name: name.to_owned(), source: Source::Stored { value: value.clone() } });
        } else if !is_ordinary(name) && !is_inherited(found, name, value) {
            noted.push(Variable { name: name.to_owned(), source: Source::Noted });
        }
    }
    noted.sort_by(|one, other| one.name.cmp(&other.name));
    noted.dedup();
    noted.truncate(MOST_NOTED);
    stored.extend(noted);
    stored
}

fn is_inherited(found: &Found<'_>, name: &str, value: &std::ffi::OsStr) -> bool {
    found.inherited.as_ref().and_then(|inherited| inherited.get(name)) == Some(value)
}

/// What every shell and every pane sets anew.
fn is_ordinary(name: &str) -> bool {
    const ORDINARY: &[&str] = &[
        "_",
        "COLORTERM",
        "COLUMNS",
        "HOME",
        "LINES",
        "LOGNAME",
        "OLDPWD",
        "PATH",
        "PWD",
        "SHELL",
        "SHLVL",
        "TERM",
        "TERM_PROGRAM",
        "TERM_PROGRAM_VERSION",
        "USER",
    ];
    ORDINARY.contains(&name) || name.starts_with("HERDR_") || name.starts_with("MAM_")
}
