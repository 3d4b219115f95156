//! One kind of agent: how its command line is read, and how a conversation is named on it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No value: `--continue`.
    Nothing,
    /// The next word, whatever it is: `--model <model>`.
    One,
    /// The next word, unless it begins with `-`: `--resume [id]`.
    Optional,
    /// The next word, and those after it until one begins with `-`: `--add-dir <directories...>`.
    Many,
    /// The words that follow, until one begins with `-`: `--allow-tool [tools...]`.
    Any,
}

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It names an old conversation, or how one is taken up. Dropped at a resume.
    Selector,
    /// It is, or belongs to, a first prompt. Dropped at a resume.
    Prompt,
    /// It makes the agent answer once and end, or run elsewhere: there is nothing to resume.
    Once,
    /// Anything else. Kept.
    Plain,
}

/// An option as `--help` prints it: `-r, --resume [id]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionForm {
    /// Its names, dashes included; the last one is how it is called in messages.
    pub names: Vec<String>,
    /// What it takes.
    pub takes: Takes,
}

/// What a word is that is neither an option nor its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Positional {
    /// A first prompt.
    Prompt,
    /// Something else, or not known: it stays.
    #[default]
    Keep,
}

/// An argument that widens or narrows what the agent may do: `--yolo`, `--sandbox=off`,
/// `-c=sandbox_mode=*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The option, by any of its names.
    pub name: String,
    /// The value that counts, with `*` for anything; `None` when the option counts with every value.
    pub value: Option<String>,
}

/// A kind of agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// What herdr calls it.
    pub name: String,
    /// The program.
    pub executable: String,
    /// Other names of the program.
    pub also: Vec<String>,
    /// Parts of the path that an interpreter is given: `/claude-code/`.
    pub packages: Vec<String>,
    /// The source of herdr's reports that are believed; empty for a kind that herdr does not know.
    pub source: String,
    /// Whether its conversation may be a path.
    pub has_paths: bool,
    /// The arguments that resume a conversation, `{}` for its id or path. Put first.
    pub resume: Vec<String>,
    /// The arguments that give a new conversation its id, `{}` for a UUID. Empty when it has none.
    pub create: Vec<String>,
    /// Its options, with their roles.
    pub options: Vec<(Role, OptionForm)>,
    /// What else stands on its command line.
    pub positional: Positional,
    /// Commands that resume, with what they take: `resume [id]`.
    pub resume_commands: Vec<OptionForm>,
    /// Commands that start a session; they stay, and the conversation is named behind them.
    pub session_commands: Vec<String>,
    /// Commands that are no session at all.
    pub other_commands: Vec<String>,
    /// Whether `-ab` is `-a -b`.
    pub has_clusters: bool,
    /// What widens what the agent may do.
    pub widening: Vec<Grant>,
    /// What narrows it.
    pub narrowing: Vec<Grant>,
    /// Variables whose values an adopted record keeps.
    pub keep: Vec<String>,
}

/// Programs that run another program's file; any `python` does, too.
const INTERPRETERS: &[&str] = &[
    "bash", "bun", "bunx", "dash", "deno", "env", "fish", "ksh", "node", "nodejs", "npx", "perl", "ruby",
    "sh", "uv", "uvx", "zsh",
];

/// What may stand between an interpreter and the program.
const RUN: &[&str] = &["exec", "run", "tool", "x"];

/// Behind these an interpreter has code, and no program.
const CODE: &[&str] = &["-c", "-e", "--eval", "-p", "--print"];

/// Whether a program of this name runs the file of another one.
pub fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name) || name.starts_with("python")
}

impl OptionForm {
    /// Reads a form.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let odd = || format!("`{text}` is no form like `-r, --resume [id]`");
        let (names, takes) = match text.find(['<', '[']) {
            None => (text, Takes::Nothing),
            Some(start) => {
                let (names, value) = text.split_at_checked(start).ok_or_else(odd)?;
                let (open, close) = (value.starts_with('<'), value.ends_with('>'));
                let is_list = value.trim_end_matches(['>', ']']).ends_with("...");
                match (open, close, is_list) {
                    (true, true, false) => (names, Takes::One),
                    (true, true, true) => (names, Takes::Many),
                    (false, false, false) if value.ends_with(']') => (names, Takes::Optional),
                    (false, false, true) if value.ends_with(']') => (names, Takes::Any),
                    _ => return Err(odd()),
                }
            }
        };
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let is_name = |name: &String| !name.is_empty() && !name.contains([' ', '=']);
        if names.iter().all(is_name) { Ok(Self { names, takes }) } else { Err(odd()) }
    }

    /// Whether `name`, dashes included, is one of its names.
    pub fn is_named(&self, name: &[u8]) -> bool {
        self.names.iter().any(|own| own.as_bytes() == name)
    }

    /// How it is called in messages.
    pub fn name(&self) -> &str {
        self.names.last().map_or("", String::as_str)
    }
}

impl Grant {
    /// Reads `--name` or `--name=value`.
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            None => Self { name: text.to_owned(), value: None },
            Some((name, value)) => Self { name: name.to_owned(), value: Some(value.to_owned()) },
        }
    }
}

impl Kind {
    /// The option with this name.
    pub fn option(&self, name: &[u8]) -> Option<&(Role, OptionForm)> {
        self.options.iter().find(|(_, form)| form.is_named(name))
    }

    /// How many words of `argv` are the program itself: 1, or more when an interpreter runs it. `None` when
    /// it is no program of this kind.
    pub fn program_words(&self, argv: &[impl AsRef<OsStr>]) -> Option<usize> {
        let first = argv.first()?.as_ref();
        if self.is_program(first) {
            return Some(1);
        }
        if !is_interpreter(Path::new(first).file_name()?.to_str()?) {
            return None;
        }
        let mut may_be_value = false;
        for (place, word) in argv.iter().enumerate().skip(1) {
            let word = word.as_ref();
            if self.is_program(word) {
                return Some(place + 1);
            }
            let text = word.to_str().unwrap_or_default();
            let is_option = word.as_bytes().first() == Some(&b'-');
            let is_no_program = !is_option && !may_be_value && !RUN.contains(&text) && !text.contains('=');
            if is_no_program || CODE.contains(&text) {
                return None;
            }
            may_be_value = is_option;
        }
        None
    }

    fn is_program(&self, word: &OsStr) -> bool {
        if word.as_bytes().first() == Some(&b'-') {
            return false;
        }
        let text = word.to_string_lossy();
        if self.packages.iter().any(|part| text.contains(part.as_str())) {
            return true;
        }
        let base = text.rsplit('/').next().unwrap_or_default();
        let stem = [".js", ".mjs", ".cjs", ".py", ".exe"].iter().find_map(|end| base.strip_suffix(end));
        let names = [Some(base), stem];
        let ours = std::iter::once(&self.executable).chain(&self.also);
        ours.into_iter().any(|own| names.contains(&Some(own.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read_as_help_prints_them() {
        let rows = [
            ("--continue", &["--continue"][..], Takes::Nothing),
            ("-r, --resume [id]", &["-r", "--resume"], Takes::Optional),
            ("-m, --model <model>", &["-m", "--model"], Takes::One),
            ("--add-dir <directories...>", &["--add-dir"], Takes::Many),
            ("--allow-tool [tools...]", &["--allow-tool"], Takes::Any),
            ("resume [id]", &["resume"], Takes::Optional),
        ];
        for (text, names, takes) in rows {
            let form = OptionForm::parse(text).unwrap();
            assert_eq!((form.names, form.takes), (names.iter().map(ToString::to_string).collect(), takes));
        }
        for odd in ["", "-a,", "-a b", "--x=<y>", "--x <y", "--x [y>", "--x <y]"] {
            assert!(OptionForm::parse(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn a_program_is_known_by_its_name_or_by_what_an_interpreter_runs() {
        let kind =
            Kind { executable: "claude".into(), packages: vec!["/claude-code/".into()], ..Kind::default() };
        let rows = [
            (&["claude", "-c"][..], Some(1)),
            (&["/opt/x/claude"], Some(1)),
            (&["node", "/usr/bin/claude", "-c"], Some(2)),
            (&["/usr/bin/node", "--no-warnings", "/n/claude-code/cli.js", "-c"], Some(3)),
            (&["python3.12", "/usr/bin/claude.py"], Some(2)),
            (&["bash", "-x", "/home/a/bin/claude", "-c"], Some(3)),
            (&["/usr/bin/env", "A=b", "claude", "-c"], Some(3)),
            (&["bun", "run", "--silent", "claude"], Some(4)),
            (&["node", "--require", "x.js", "/usr/bin/claude"], Some(4)),
            (&["node", "server.js", "claude"], None),
            (&["bash", "-c", "claude"], None),
            (&["bash"], None),
            (&["vim", "claude"], None),
            (&["-claude"], None),
            (&[], None),
        ];
        for (argv, expected) in rows {
            assert_eq!(kind.program_words(argv), expected, "{argv:?}");
        }
    }
}
