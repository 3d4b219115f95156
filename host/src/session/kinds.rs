//! The table of agents: mam's own, and what the user adds to it or overrides.

use std::path::Path;

use mam_share::message::Warning;
use mam_share::nearest::nearest;
use toml::{Table, Value};

use super::kind::{Grant, Kind, OptionForm, Positional, Role, Takes};

/// The installed table.
const INSTALLED: &str = include_str!("../../../share/agents.toml");

/// The keys of an entry.
const KEYS: &[&str] = &[
    "also",
    "clusters",
    "create",
    "executable",
    "keep",
    "narrowing",
    "once",
    "options",
    "other_commands",
    "packages",
    "paths",
    "positional",
    "prompts",
    "resume",
    "resume_commands",
    "selectors",
    "session_commands",
    "source",
    "widening",
];

/// All kinds of agents that are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kinds(Vec<Kind>);

impl Kinds {
    /// mam's own table with the user's `[agents]` over it. A key of the user replaces that of the table; what
    /// cannot be used is left out with a warning. `path` is for the messages.
    pub fn load(user: &Table, path: &Path) -> (Self, Vec<Warning>) {
        let mut problems = Vec::new();
        let mut kinds = Self(Vec::new());
        // The test below holds that there is nothing wrong with it.
        let installed = INSTALLED.parse::<Table>().unwrap_or_default();
        kinds.add(&installed, &mut problems);
        kinds.add(user, &mut problems);
        let warn =
            |problem: String| Warning::new(format!("{problem} in `{}`; it is ignored", path.display()));
        (kinds, problems.into_iter().map(warn).collect())
    }

    /// The kind with this name.
    pub fn get(&self, name: &str) -> Option<&Kind> {
        self.0.iter().find(|kind| kind.name == name)
    }

    /// All of them, by name.
    pub fn all(&self) -> impl Iterator<Item = &Kind> {
        self.0.iter()
    }

    /// Says that there is no kind `name`, and which there are.
    pub fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.all().map(|kind| kind.name.as_str()).collect();
        let meant = nearest(name, &names).map(|name| format!(" (did you mean `{name}`?)"));
        format!("there is no agent `{name}`{}; known are {}", meant.unwrap_or_default(), names.join(", "))
    }

    fn add(&mut self, table: &Table, problems: &mut Vec<String>) {
        for (name, entry) in table {
            let Value::Table(entry) = entry else {
                problems.push(format!("`agents.{name}` must be a table"));
                continue;
            };
            let base = self.get(name).cloned();
            let mut kind = base.unwrap_or_else(|| Kind {
                name: name.clone(),
                executable: name.clone(),
                has_clusters: true,
                ..Kind::default()
            });
            for (key, value) in entry {
                let place = format!("agents.{name}.{key}");
                if let Err(why) = set(&mut kind, key, value) {
                    problems.push(format!("`{place}` {why}"));
                }
            }
            know_templates(&mut kind);
            self.0.retain(|other| other.name != *name);
            self.0.push(kind);
        }
        self.0.sort_by(|one, other| one.name.cmp(&other.name));
    }
}

/// What names a conversation in a template is a selector, whether or not the entry lists it.
fn know_templates(kind: &mut Kind) {
    for template in [kind.resume.clone(), kind.create.clone()] {
        let Some(first) = template.first() else { continue };
        let name = first.split('=').next().unwrap_or_default().to_owned();
        let form = OptionForm { names: vec![name.clone()], takes: Takes::One };
        if !name.starts_with('-') {
            if !kind.resume_commands.iter().any(|command| command.is_named(name.as_bytes())) {
                kind.resume_commands.push(form);
            }
        } else if kind.option(name.as_bytes()).is_none() {
            kind.options.push((Role::Selector, form));
        }
    }
}

/// Sets one key of an entry.
fn set(kind: &mut Kind, key: &str, value: &Value) -> Result<(), String> {
    match key {
        "executable" => kind.executable = text(value)?,
        "source" => kind.source = text(value)?,
        "paths" => kind.has_paths = boolean(value)?,
        "clusters" => kind.has_clusters = boolean(value)?,
        "also" => kind.also = words(value)?,
        "packages" => kind.packages = words(value)?,
        "keep" => kind.keep = words(value)?,
        "other_commands" => kind.other_commands = words(value)?,
        "session_commands" => kind.session_commands = words(value)?,
        "resume" => kind.resume = template(value)?,
        "create" => kind.create = template(value)?,
        "resume_commands" => kind.resume_commands = forms(value, "")?,
        "selectors" => options(kind, Role::Selector, value)?,
        "prompts" => options(kind, Role::Prompt, value)?,
        "once" => options(kind, Role::Once, value)?,
        "options" => options(kind, Role::Plain, value)?,
        "widening" => kind.widening = words(value)?.iter().map(|word| Grant::parse(word)).collect(),
        "narrowing" => kind.narrowing = words(value)?.iter().map(|word| Grant::parse(word)).collect(),
        "positional" => {
            kind.positional = match text(value)?.as_str() {
                "prompt" => Positional::Prompt,
                "keep" => Positional::Keep,
                _ => return Err("must be `prompt` or `keep`".to_owned()),
            }
        }
        _ => {
            let meant = nearest(key, KEYS).map(|key| format!(" (did you mean `{key}`?)"));
            return Err(format!("is not known to this version of mam{}", meant.unwrap_or_default()));
        }
    }
    Ok(())
}

fn options(kind: &mut Kind, role: Role, value: &Value) -> Result<(), String> {
    let forms = forms(value, "-")?;
    kind.options.retain(|(other, _)| *other != role);
    kind.options.extend(forms.into_iter().map(|form| (role, form)));
    Ok(())
}

fn text(value: &Value) -> Result<String, String> {
    value.as_str().map(ToOwned::to_owned).ok_or_else(|| "must be text in quotes".to_owned())
}

fn boolean(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "must be true or false".to_owned())
}

fn words(value: &Value) -> Result<Vec<String>, String> {
    let odd = || "must be a list of words in quotes".to_owned();
    value.as_array().ok_or_else(odd)?.iter().map(|word| text(word).map_err(|_| odd())).collect()
}

/// A list of arguments with one `{}`, or none at all.
fn template(value: &Value) -> Result<Vec<String>, String> {
    let words = words(value)?;
    let places: usize = words.iter().map(|word| word.matches("{}").count()).sum();
    if words.is_empty() || places == 1 { Ok(words) } else { Err("must hold `{}` once".to_owned()) }
}

fn forms(value: &Value, begin: &str) -> Result<Vec<OptionForm>, String> {
    words(value)?
        .iter()
        .map(|word| match OptionForm::parse(word) {
            Ok(form) if form.names.iter().all(|name| name.starts_with(begin)) => Ok(form),
            Ok(_) => Err(format!("holds `{word}`, which does not begin with `{begin}`")),
            Err(why) => Err(format!("is odd: {why}")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> (Kinds, Vec<String>) {
        let (kinds, warnings) = Kinds::load(&text.parse().unwrap(), Path::new("/m/config.toml"));
        (kinds, warnings.into_iter().map(|warning| warning.message).collect())
    }

    #[test]
    fn the_installed_table_is_sound_and_has_every_agent_that_herdr_resumes() {
        assert!(INSTALLED.parse::<Table>().is_ok());
        let (kinds, warnings) = load("");
        assert_eq!(warnings, Vec::<String>::new());
        let names: Vec<&str> = kinds.all().map(|kind| kind.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "agy",
                "claude",
                "codex",
                "copilot",
                "cursor",
                "devin",
                "droid",
                "grok",
                "hermes",
                "kilo",
                "kimi",
                "mastracode",
                "omp",
                "opencode",
                "pi",
                "qodercli",
                "qwen",
            ]
        );
        for kind in kinds.all() {
            assert!(kind.source.starts_with("herdr:") && !kind.resume.is_empty(), "{}", kind.name);
            // A name that two options have would be read as the first of them.
            let mut names: Vec<&String> = kind.options.iter().flat_map(|(_, form)| &form.names).collect();
            names.sort();
            for pair in names.windows(2) {
                assert_ne!(pair[0], pair[1], "{}", kind.name);
            }
            // What widens or narrows is an option that is known, or it would be found by name only.
            for grant in kind.widening.iter().chain(&kind.narrowing) {
                assert!(kind.option(grant.name.as_bytes()).is_some(), "{}: {}", kind.name, grant.name);
            }
        }
    }

    #[test]
    fn a_user_adds_kinds_and_overrides_keys() {
        let (kinds, warnings) = load(
            "[mine]\nresume = [\"--from\", \"{}\"]\nselectors = [\"--from <id>\"]\n[claude]\nexecutable = \"claude2\"\n",
        );
        assert_eq!(warnings, Vec::<String>::new());
        let mine = kinds.get("mine").unwrap();
        assert_eq!((mine.executable.as_str(), mine.options.len()), ("mine", 1));
        let claude = kinds.get("claude").unwrap();
        assert_eq!(claude.executable, "claude2");
        assert!(claude.option(b"--resume").is_some());
    }

    #[test]
    fn what_cannot_be_used_is_left_out_by_name() {
        let rows = [
            ("claude = 1", "`agents.claude` must be a table in `/m/config.toml`; it is ignored"),
            (
                "[claude]\nexecutabel = \"x\"",
                "`agents.claude.executabel` is not known to this version of mam (did you mean `executable`?)",
            ),
            ("[claude]\nresume = [\"--resume\"]", "`agents.claude.resume` must hold `{}` once"),
            (
                "[claude]\noptions = [\"model\"]",
                "`agents.claude.options` holds `model`, which does not begin with `-`",
            ),
            ("[claude]\noptions = [\"--x <\"]", "`agents.claude.options` is odd"),
            ("[claude]\nkeep = \"X\"", "`agents.claude.keep` must be a list of words"),
            ("[claude]\npositional = \"x\"", "`agents.claude.positional` must be `prompt`"),
            ("[claude]\nclusters = 1", "`agents.claude.clusters` must be true or false"),
        ];
        let (installed, _) = load("");
        for (text, expected) in rows {
            let (kinds, warnings) = load(text);
            assert_eq!(kinds, installed, "{text}");
            assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{text}: {warnings:?}");
        }
        let unknown = installed.unknown("cladue");
        assert!(
            unknown.contains("did you mean `claude`?") && unknown.contains("known are agy, claude"),
            "{unknown}"
        );
    }
}
