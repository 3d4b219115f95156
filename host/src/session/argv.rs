//! The arguments of a launch and of a resume.
//!
//! What names an old conversation goes, and so does a first prompt, which is not sent again; the new
//! conversation is named once; everything else stays, byte for byte and in its order. The result is read
//! once more, and refused when the agent would take what stays for something else.

use std::ffi::OsString;
use std::fmt;

use mam_share::herdr::pane::Conversation;

use super::kind::Kind;
use super::reading::{self, Piece, What};

/// The longest id and path of a conversation, in bytes: herdr's.
const LONGEST_ID: usize = 512;
const LONGEST_PATH: usize = 4096;

/// Why there is no command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// There are no arguments, not even a program.
    Empty,
    /// This argument makes the agent answer once and end.
    Once(String),
    /// This command of the agent is no session.
    OtherCommand(String),
    /// The agent cannot resume.
    NoResume(String),
    /// The conversation cannot be named on a command line of this agent.
    Conversation(String),
    /// Without what goes, the agent would read this argument as something else.
    Ambiguous(String),
}

/// A first launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub argv: Vec<OsString>,
    /// The conversation that it will have; `None` while only the agent knows.
    pub conversation: Option<Conversation>,
}

/// The arguments that resume `conversation` with what `recorded` was launched with.
///
/// # Errors
/// Why there are none; says what to change.
pub fn resume_argv(
    recorded: &[OsString],
    kind: &Kind,
    conversation: &Conversation,
) -> Result<Vec<OsString>, Why> {
    check(kind, conversation)?;
    if kind.resume.is_empty() {
        return Err(Why::NoResume(kind.name.clone()));
    }
    name_conversation(recorded, kind, &filled(&kind.resume, &conversation.value))
}

/// The arguments of a first launch: `given`, with `uuid` as the id of the new conversation where the agent
/// takes one and `given` says nothing about a conversation.
///
/// # Errors
/// As [`resume_argv`].
pub fn launch_argv(given: &[OsString], kind: &Kind, uuid: &str) -> Result<Launch, Why> {
    let (_, pieces) = pieces(given, kind)?;
    if let Some(other) = pieces.iter().find(|piece| piece.what == What::OtherCommand) {
        return Err(Why::OtherCommand(shown(other)));
    }
    let is_there = |what: What| pieces.iter().any(|piece| piece.what == what);
    if is_there(What::Once) || is_there(What::Selector) {
        return Ok(Launch { argv: given.to_vec(), conversation: conversation_of(given, kind) });
    }
    if kind.create.is_empty() {
        return Ok(Launch { argv: given.to_vec(), conversation: None });
    }
    let argv = insert(given, kind, &pieces, &filled(&kind.create, uuid))?;
    let conversation =
        Conversation { agent: kind.name.clone(), kind: "id".to_owned(), value: uuid.to_owned() };
    Ok(Launch { argv, conversation: Some(conversation) })
}

/// Whether a command line starts a session: it does not answer once and end, and is no other command.
pub fn is_session(argv: &[OsString], kind: &Kind) -> bool {
    let is_other = |piece: &Piece| matches!(piece.what, What::Once | What::OtherCommand);
    pieces(argv, kind).is_ok_and(|(_, pieces)| !pieces.iter().any(is_other))
}

/// The conversation that a command line names: the one it resumes, or the id it gives to a new one. `None`
/// when it names none, or when it branches off into one that only the agent knows.
pub fn conversation_of(argv: &[OsString], kind: &Kind) -> Option<Conversation> {
    let (_, pieces) = pieces(argv, kind).ok()?;
    let selectors = pieces.iter().filter(|piece| piece.what == What::Selector);
    let mut uses = selectors.flat_map(|piece| &piece.uses);
    let (only, None) = (uses.next()?, uses.next()) else { return None };
    let names_one = |template: &[String]| {
        let first = template.first().map(|word| word.split('=').next().unwrap_or_default());
        first.is_some_and(|first| {
            first == only.name
                || kind.option(first.as_bytes()).is_some_and(|(_, form)| form.name() == only.name)
        })
    };
    if !names_one(&kind.resume) && !names_one(&kind.create) {
        return None;
    }
    let value = only.values.first()?.to_str()?.to_owned();
    let is_path = kind.has_paths && value.starts_with('/');
    let form = if is_path { "path" } else { "id" };
    let named = Conversation { agent: kind.name.clone(), kind: form.to_owned(), value };
    check(kind, &named).is_ok().then_some(named)
}

/// Whether a conversation can be named on a command line of this agent.
///
/// # Errors
/// Why not.
pub fn check(kind: &Kind, conversation: &Conversation) -> Result<(), Why> {
    let value = conversation.value.as_str();
    let is_path = conversation.kind == "path";
    let why = if conversation.agent != kind.name {
        format!("it is one of `{}`, not of `{}`", conversation.agent, kind.name)
    } else if conversation.kind != "id" && !(is_path && kind.has_paths) {
        format!("`{}` does not resume by `{}`", kind.name, conversation.kind)
    } else if value.is_empty() {
        "it is empty".to_owned()
    } else if value.starts_with('-') {
        "it begins with `-` and would be read as an option".to_owned()
    } else if value.chars().any(char::is_control) {
        "it holds a control character".to_owned()
    } else if value.len() > if is_path { LONGEST_PATH } else { LONGEST_ID } {
        "it is too long".to_owned()
    } else if is_path && !value.starts_with('/') {
        "its path is not absolute".to_owned()
    } else {
        return Ok(());
    };
    Err(Why::Conversation(why))
}

/// The same command line with the conversation named by `selector` and by nothing else.
fn name_conversation(argv: &[OsString], kind: &Kind, selector: &[OsString]) -> Result<Vec<OsString>, Why> {
    let (_, pieces) = pieces(argv, kind)?;
    for piece in &pieces {
        match piece.what {
            What::Once => return Err(Why::Once(shown(piece))),
            What::OtherCommand => return Err(Why::OtherCommand(shown(piece))),
            What::Selector | What::Prompt | What::Command | What::Plain | What::Unsure | What::Separator => {}
        }
    }
    // What the selector brings along is there once, however often the session was resumed.
    let own = own(kind, selector);
    let kept: Vec<Piece> = kept(pieces).into_iter().filter(|piece| !own.contains(piece)).collect();
    insert(argv, kind, &kept, selector)
}

/// What a selector says beside the conversation: options that a user has put into the table.
fn own(kind: &Kind, selector: &[OsString]) -> Vec<Piece> {
    reading::read(selector, kind).into_iter().filter(|piece| piece.what != What::Selector).collect()
}

/// The program of `argv`, then `pieces` with `selector` before them, or behind the command that starts a
/// session.
fn insert(
    argv: &[OsString],
    kind: &Kind,
    pieces: &[Piece],
    selector: &[OsString],
) -> Result<Vec<OsString>, Why> {
    let program = kind.program_words(argv).unwrap_or(1);
    let behind = pieces.iter().position(|piece| piece.what == What::Command).map_or(0, |place| place + 1);
    let words = |pieces: &[Piece]| -> Vec<OsString> {
        pieces.iter().flat_map(|piece| piece.words.iter().cloned()).collect()
    };
    let (before, after) = pieces.split_at_checked(behind).unwrap_or((&[], &[]));
    let head = argv.iter().take(program).cloned();
    let rest = [words(before), selector.to_vec(), words(after)].concat();

    // The proof: read again, the conversation goes and the pieces stay what they are.
    let mut again = reading::read(&rest, kind).into_iter().filter(|piece| piece.what != What::Selector);
    for piece in before.iter().chain(&own(kind, selector)).chain(after) {
        if again.next().as_ref() != Some(piece) {
            return Err(Why::Ambiguous(shown(piece)));
        }
    }
    match again.next() {
        None => Ok(head.chain(rest).collect()),
        Some(piece) => Err(Why::Ambiguous(shown(&piece))),
    }
}

/// What stays at a resume. `--` goes with what was behind it.
fn kept(pieces: Vec<Piece>) -> Vec<Piece> {
    let goes = |piece: &Piece| matches!(piece.what, What::Selector | What::Prompt);
    let separator = pieces.iter().position(|piece| piece.what == What::Separator);
    let is_emptied = separator.is_some_and(|place| {
        let mut behind = pieces.iter().skip(place + 1).peekable();
        behind.peek().is_some() && behind.all(goes)
    });
    pieces.into_iter().filter(|piece| !(goes(piece) || is_emptied && piece.what == What::Separator)).collect()
}

fn pieces(argv: &[OsString], kind: &Kind) -> Result<(usize, Vec<Piece>), Why> {
    if argv.is_empty() {
        return Err(Why::Empty);
    }
    let program = kind.program_words(argv).unwrap_or(1);
    Ok((program, reading::read(argv.get(program..).unwrap_or_default(), kind)))
}

fn filled(template: &[String], value: &str) -> Vec<OsString> {
    template.iter().map(|word| word.replace("{}", value).into()).collect()
}

fn shown(piece: &Piece) -> String {
    piece.words.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default()
}

impl fmt::Display for Why {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("its argv is empty"),
            Self::Once(argument) => {
                write!(
                    formatter,
                    "`{argument}` makes the agent answer once and end: there is no session to resume"
                )
            }
            Self::OtherCommand(command) => write!(formatter, "`{command}` of this agent is no session"),
            Self::NoResume(kind) => {
                write!(formatter, "`{kind}` cannot resume: its entry under `[agents.{kind}]` has no `resume`")
            }
            Self::Conversation(why) => write!(formatter, "its conversation cannot be resumed: {why}"),
            Self::Ambiguous(argument) => write!(
                formatter,
                "`{argument}` would be read as something else once the old conversation is taken out; name the \
                 options before it in `[agents]`"
            ),
        }
    }
}

impl std::error::Error for Why {}
