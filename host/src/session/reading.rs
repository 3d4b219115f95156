//! A command line, read the way its agent reads it.
//!
//! Pure, and never certain of what the table does not know: an option that is not in it keeps the word
//! behind it, because that may be its value.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::slice::Iter;

use super::kind::{Kind, Positional, Role, Takes};

/// What a piece of a command line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It names an old conversation.
    Selector,
    /// It is, or belongs to, a first prompt.
    Prompt,
    /// It makes the agent answer once and end.
    Once,
    /// A command that starts a session.
    Command,
    /// A command that is no session.
    OtherCommand,
    /// An option that is known, or a word that stays.
    Plain,
    /// An option that is not known, with the word behind it.
    Unsure,
    /// `--`.
    Separator,
}

/// Words that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub what: What,
    /// Its words, as they stay: without the letters of a cluster that go.
    pub words: Vec<OsString>,
    /// The options in it, each by its longest known name, with their values.
    pub uses: Vec<Use>,
}

/// One option, as it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// What it is called in the table.
    pub name: String,
    /// Its values.
    pub values: Vec<OsString>,
}

/// Reads the arguments behind the program.
pub fn read(arguments: &[OsString], kind: &Kind) -> Vec<Piece> {
    let mut reader = Reader { kind, words: arguments.iter().peekable(), state: State::default() };
    let mut pieces = Vec::new();
    while let Some(word) = reader.words.next() {
        pieces.push(reader.piece(word));
        pieces.extend(reader.state.second_half.take());
    }
    pieces
}

struct Reader<'a> {
    kind: &'a Kind,
    words: Peekable<Iter<'a, OsString>>,
    state: State,
}

#[derive(Default)]
struct State {
    /// A command can only be the first word that is no option.
    had_word: bool,
    /// The command that waits for its conversation.
    waiting: Option<String>,
    is_behind_separator: bool,
    /// The letters of the last cluster that go.
    second_half: Option<Piece>,
}

/// A half of a cluster.
#[derive(Default)]
struct Cluster {
    letters: Vec<u8>,
    behind: Vec<OsString>,
    roles: Vec<Role>,
    uses: Vec<Use>,
}

impl Cluster {
    fn piece(self) -> Option<Piece> {
        let is_there = |role: Role| self.roles.contains(&role);
        let what = if self.roles.is_empty() {
            return None;
        } else if is_there(Role::Once) {
            What::Once
        } else if is_there(Role::Plain) {
            What::Plain
        } else if is_there(Role::Selector) {
            What::Selector
        } else {
            What::Prompt
        };
        let word = OsString::from_vec([b"-".as_slice(), &self.letters].concat());
        Some(Piece { what, words: std::iter::once(word).chain(self.behind).collect(), uses: self.uses })
    }
}

impl Reader<'_> {
    fn piece(&mut self, word: &OsString) -> Piece {
        let bytes = word.as_bytes();
        if self.state.is_behind_separator || !begins_with_dash(word) || bytes.len() == 1 {
            return self.word(word);
        }
        if bytes == b"--" {
            self.state.is_behind_separator = true;
            return piece(What::Separator, vec![word.clone()]);
        }
        if let Some((role, form)) = self.kind.option(bytes) {
            let values = self.take(form.takes);
            return option(*role, word, form.name(), values);
        }
        if let Some(place) = bytes.iter().position(|byte| *byte == b'=')
            && let Some((name, value)) = bytes.split_at_checked(place)
            && let Some((role, form)) = self.kind.option(name)
        {
            let value = OsStr::from_bytes(value.get(1..).unwrap_or_default()).to_owned();
            let mut read = option(*role, word, form.name(), Vec::new());
            read.uses = vec![Use { name: form.name().to_owned(), values: vec![value] }];
            return read;
        }
        let cluster =
            (self.kind.has_clusters && !bytes.starts_with(b"--")).then(|| self.cluster(word)).flatten();
        cluster.unwrap_or_else(|| self.unknown(word))
    }

    /// A word that is neither an option nor a value.
    fn word(&mut self, word: &OsString) -> Piece {
        let is_first = !std::mem::replace(&mut self.state.had_word, true);
        let words = vec![word.clone()];
        if is_first && !self.state.is_behind_separator {
            let text = word.to_str().unwrap_or_default();
            if self.kind.session_commands.iter().any(|command| command == text) {
                return piece(What::Command, words);
            }
            if self.kind.other_commands.iter().any(|command| command == text) {
                return piece(What::OtherCommand, words);
            }
            if let Some(form) = self.kind.resume_commands.iter().find(|form| form.is_named(word.as_bytes())) {
                self.state.waiting = (form.takes != Takes::Nothing).then(|| form.name().to_owned());
                return piece(What::Selector, words);
            }
        }
        if let Some(name) = self.state.waiting.take() {
            let uses = vec![Use { name, values: words.clone() }];
            return Piece { what: What::Selector, words, uses };
        }
        match self.kind.positional {
            Positional::Prompt => piece(What::Prompt, words),
            Positional::Keep => piece(What::Plain, words),
        }
    }

    /// `-abc`, `-aVALUE`, `-ab VALUE`: the letters that stay and those that go, each with its value. `None`
    /// when a letter is not known.
    fn cluster(&mut self, word: &OsStr) -> Option<Piece> {
        let mut letters = word.as_bytes().get(1..)?;
        // A letter that is not known must be found before anything is taken.
        let mut ahead = letters;
        while let Some((letter, rest)) = ahead.split_first() {
            let (_, form) = self.kind.option(&[b'-', *letter])?;
            ahead = if form.takes == Takes::Nothing { rest } else { &[] };
        }
        let (mut stays, mut goes) = (Cluster::default(), Cluster::default());
        while let Some((letter, rest)) = letters.split_first() {
            let (role, form) = self.kind.option(&[b'-', *letter])?;
            let has_value = form.takes != Takes::Nothing;
            let is_attached = has_value && !rest.is_empty();
            let values =
                if is_attached { vec![OsStr::from_bytes(rest).to_owned()] } else { self.take(form.takes) };
            let half = if matches!(role, Role::Plain | Role::Once) { &mut stays } else { &mut goes };
            half.letters.push(*letter);
            if is_attached {
                half.letters.extend(rest);
            } else {
                half.behind.clone_from(&values);
            }
            half.roles.push(*role);
            half.uses.push(Use { name: form.name().to_owned(), values });
            letters = if has_value { &[] } else { rest };
        }
        let (stays, goes) = (stays.piece(), goes.piece());
        if stays.is_some() {
            self.state.second_half = goes;
            stays
        } else {
            goes
        }
    }

    /// An option that is not in the table. The word behind it is taken for its value, unless it is a command.
    fn unknown(&mut self, word: &OsString) -> Piece {
        let mut words = vec![word.clone()];
        let is_command = |word: &OsString| {
            let text = word.to_str().unwrap_or_default();
            let plain = self.kind.session_commands.iter().chain(&self.kind.other_commands);
            plain.into_iter().any(|command| command == text)
                || self.kind.resume_commands.iter().any(|form| form.is_named(word.as_bytes()))
        };
        let had_word = self.state.had_word;
        let may_follow = |next: &&OsString| !begins_with_dash(next) && (had_word || !is_command(next));
        if !word.as_bytes().contains(&b'=') {
            words.extend(self.words.next_if(may_follow).cloned());
        }
        piece(What::Unsure, words)
    }

    fn take(&mut self, takes: Takes) -> Vec<OsString> {
        let mut values = Vec::new();
        match takes {
            Takes::Nothing => {}
            Takes::One => values.extend(self.words.next().cloned()),
            Takes::Optional => values.extend(self.words.next_if(|next| !begins_with_dash(next)).cloned()),
            Takes::Many | Takes::Any => {
                if takes == Takes::Many {
                    values.extend(self.words.next().cloned());
                }
                while let Some(value) = self.words.next_if(|next| !begins_with_dash(next)) {
                    values.push(value.clone());
                }
            }
        }
        values
    }
}

fn begins_with_dash(word: &OsString) -> bool {
    word.as_bytes().first() == Some(&b'-')
}

fn piece(what: What, words: Vec<OsString>) -> Piece {
    Piece { what, words, uses: Vec::new() }
}

fn option(role: Role, word: &OsString, name: &str, values: Vec<OsString>) -> Piece {
    let what = match role {
        Role::Selector => What::Selector,
        Role::Prompt => What::Prompt,
        Role::Once => What::Once,
        Role::Plain => What::Plain,
    };
    let words = std::iter::once(word.clone()).chain(values.iter().cloned()).collect();
    Piece { what, words, uses: vec![Use { name: name.to_owned(), values }] }
}
