//! A command line that is described by a table: what was typed, help, and what is wrong with it.
//!
//! This program is started at every event of herdr and is to stay small, and a crate that parses
//! arguments is a fifth of it. What is not needed is not here: no positional arguments, no short options
//! but `-h` and `-V`, no option that may be given twice. The table is data, and [`mam`'s manual pages and
//! completions](crate::arguments::PROGRAM) of this program are made from the same.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::harmless;
use mam_share::nearest::nearest;

/// A program and its commands.
#[derive(Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence without a full stop.
    pub about: &'static str,
    /// More of that.
    pub more: &'static str,
    /// Its commands.
    pub commands: &'static [Command],
    /// What stands below the options in its help.
    pub after: &'static str,
}

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// A second name.
    pub alias: Option<&'static str>,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [Opt],
}

/// An option, which always is a long one.
#[derive(Debug, PartialEq, Eq)]
pub struct Opt {
    /// Its name, without dashes.
    pub name: &'static str,
    /// The name of its value, when it takes one.
    pub value: Option<&'static str>,
    /// What it means.
    pub help: &'static str,
    /// Taken, and not shown.
    pub is_hidden: bool,
}

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// A command with its options.
    Command(&'static Command, Given),
    /// A question that this text answers.
    Question(String),
    /// Nothing at all; the text is the help.
    Nothing(String),
}

/// The options that were given, with their values.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Given(Vec<(&'static str, OsString)>);

impl Given {
    /// Whether the option was given.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The value of an option that was given.
    pub fn value(&self, name: &str) -> Option<&OsStr> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, value)| value.as_os_str())
    }

    /// The value as text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        let text = |value: &OsStr| {
            let shown = harmless(&value.to_string_lossy());
            let wrong =
                || Failure::new(Exit::Usage, format!("the value of `--{name}`, `{shown}`, is not UTF-8"));
            value.to_str().map(str::to_owned).ok_or_else(wrong)
        };
        self.value(name).map(text).transpose()
    }
}

impl Program {
    /// What `words`, those behind the program's name, say.
    ///
    /// # Errors
    /// The first word that is not understood, with what to type.
    pub fn read(&self, words: impl IntoIterator<Item = OsString>) -> Result<Typed, Failure> {
        let mut words = words.into_iter();
        let Some(first) = words.next() else { return Ok(Typed::Nothing(self.help())) };
        match first.to_str() {
            Some("-h" | "--help") => Ok(Typed::Question(self.help())),
            Some("-V" | "--version") => {
                Ok(Typed::Question(format!("{} {}\n", self.name, env!("CARGO_PKG_VERSION"))))
            }
            Some("help") => match words.next() {
                None => Ok(Typed::Question(self.help())),
                Some(of) => self.command(&of).map(|command| Typed::Question(self.help_of(command))),
            },
            Some(_) | None => self.options(self.command(&first)?, words),
        }
    }

    fn command(&self, word: &OsStr) -> Result<&'static Command, Failure> {
        let is_it =
            |command: &&Command| command.name == word || command.alias.is_some_and(|alias| alias == word);
        self.commands.iter().find(is_it).ok_or_else(|| {
            let names: Vec<&str> = self.commands.iter().map(|command| command.name).collect();
            self.unknown(&word.to_string_lossy(), &names, None)
        })
    }

    fn options(
        &self,
        command: &'static Command,
        mut words: impl Iterator<Item = OsString>,
    ) -> Result<Typed, Failure> {
        let mut given = Given::default();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if matches!(text.as_ref(), "-h" | "--help") {
                return Ok(Typed::Question(self.help_of(command)));
            }
            let (name, attached) = split(&word);
            let option = name.and_then(|name| command.options.iter().find(|option| option.name == name));
            let Some(option) = option else {
                let names: Vec<&str> = command.options.iter().map(|option| option.name).collect();
                let shown = text.split('=').next().unwrap_or_default();
                return Err(self.unknown(shown, &names, Some(command)));
            };
            let wrong = |text: String| Err(self.wrong(text, Some(command)));
            let value = match (option.value, attached) {
                (Some(_), Some(value)) => value,
                (Some(value), None) => match words.next() {
                    Some(next) => next,
                    None => return wrong(format!("`--{}` needs a {value} behind it", option.name)),
                },
                (None, Some(_)) => return wrong(format!("`--{}` takes no value", option.name)),
                (None, None) => OsString::new(),
            };
            if given.has(option.name) {
                return wrong(format!("`--{}` is given twice", option.name));
            }
            given.0.push((option.name, value));
        }
        Ok(Typed::Command(command, given))
    }

    /// `known` is what could stand in the place of `word`: options of a command, or commands.
    fn unknown(&self, word: &str, known: &[&str], of: Option<&Command>) -> Failure {
        let what = match of {
            _ if word.starts_with('-') => "option",
            Some(_) => "argument",
            None => "command",
        };
        let word = harmless(word);
        let failure = self.wrong(
            match of {
                Some(command) => format!("`{}` takes no {what} `{word}`", command.name),
                None => format!("there is no {what} `{word}`"),
            },
            of,
        );
        let dashes = if of.is_some() { "--" } else { "" };
        let Some(meant) = nearest(word.trim_start_matches('-'), known) else { return failure };
        let Failure { exit, message, hints } = failure;
        Failure { exit, message, hints: [vec![format!("did you mean `{dashes}{meant}`?")], hints].concat() }
    }

    fn wrong(&self, text: String, of: Option<&Command>) -> Failure {
        let command = of.map(|command| format!(" {}", command.name)).unwrap_or_default();
        Failure::new(Exit::Usage, text).hint(format!("{}{command} --help", self.name))
    }

    fn help(&self) -> String {
        let mut rows: Vec<(String, String)> = Vec::new();
        for command in self.commands {
            let alias = command.alias.map(|alias| format!(" [alias: {alias}]")).unwrap_or_default();
            rows.push((command.name.to_owned(), format!("{}{alias}", command.about)));
        }
        rows.push(("help".to_owned(), "Print this, or the help of a command".to_owned()));
        let options = [("-h, --help", "Print help"), ("-V, --version", "Print version")];
        let options = options.map(|(option, help)| (option.to_owned(), help.to_owned()));
        format!(
            "{}.\n\n{}\n\nUsage: {} <COMMAND>\n\nCommands:\n{}\nOptions:\n{}\n{}\n",
            self.about,
            self.more,
            self.name,
            columns(&rows),
            columns(&options),
            self.after
        )
    }

    fn help_of(&self, command: &Command) -> String {
        let shown = command.options.iter().filter(|option| !option.is_hidden);
        let mut rows: Vec<(String, String)> = shown
            .map(|option| {
                let value = option.value.map(|value| format!(" <{value}>")).unwrap_or_default();
                (format!("    --{}{value}", option.name), option.help.to_owned())
            })
            .collect();
        let options = if rows.is_empty() { "" } else { " [OPTIONS]" };
        rows.push(("-h, --help".to_owned(), "Print help".to_owned()));
        let (about, program, name) = (command.about, self.name, command.name);
        format!("{about}\n\nUsage: {program} {name}{options}\n\nOptions:\n{}", columns(&rows))
    }
}

/// The name and the value of a long option: `--name`, `--name=value`.
fn split(word: &OsStr) -> (Option<&str>, Option<OsString>) {
    use std::os::unix::ffi::OsStrExt as _;
    let Some(bytes) = word.as_bytes().strip_prefix(b"--") else { return (None, None) };
    let mut parts = bytes.splitn(2, |&byte| byte == b'=');
    let name = parts.next().and_then(|name| std::str::from_utf8(name).ok());
    (name, parts.next().map(|value| OsStr::from_bytes(value).to_owned()))
}

/// Two columns, the second one wrapped.
fn columns(rows: &[(String, String)]) -> String {
    const WIDTH: usize = 96;
    let first = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (name, meaning) in rows {
        let mut line = format!("  {name:first$}  ");
        let indent = line.len();
        for word in meaning.split(' ') {
            if line.len() > indent && line.len() + 1 + word.len() > WIDTH {
                text.push_str(line.trim_end());
                line = format!("\n{:indent$}", "");
            }
            if line.trim_start_matches('\n').len() > indent {
                line.push(' ');
            }
            line.push_str(word);
        }
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}
