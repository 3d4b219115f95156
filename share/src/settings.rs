//! mam's own config file, `config.toml` in its home.
//!
//! A mistake in it never stops mam from keeping restore off: what cannot be used is left out with a
//! warning that names the place.

use std::path::Path;

use toml::Value;

use crate::excerpt;
use crate::files::{self, Trust};
use crate::herdr::session_name::SessionName;
use crate::message::Warning;
use crate::nearest::nearest;
use crate::setting_keys;

/// What is done when the file is of no use.
const UNREAD: &str = "until it is mended, every named session gets the overlay, with mam's defaults";

/// The settings, defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `[host] session`: the named session of mam's host; `mam` by default.
    pub session: SessionName,
    /// `[host] more_sessions`: further sessions that start with the overlay.
    pub more_sessions: Vec<SessionName>,
    /// `[overlay]`: managed settings, as the key path that was written and the TOML text of the value.
    pub overlay: Vec<(String, String)>,
    /// `[hook] resident_helpers`: names of further programs that make no idle shell busy.
    pub resident_helpers: Vec<String>,
    /// `[host] exclude`: profiles that the host does not serve.
    pub exclude: Vec<String>,
    /// `[host] standalone`: the profile has a server of its own.
    pub is_standalone: bool,
    /// `[env] pass`: names of further variables that the host gets from whoever starts it.
    pub pass: Vec<String>,
    /// `[sessions] adopt`: whether agents that were started by hand in mam's sessions are recorded.
    pub adopt: Adopt,
    /// `[resume] on_start`: whether a profile's sessions are resumed when its server has started.
    pub resume_on_start: bool,
    /// `[agents]`: kinds of agents, as they stand there; read by whoever knows their keys.
    pub agents: toml::Table,
    /// Which sessions are mam's is not known, because the place that says so cannot be read.
    pub is_uncertain: bool,
}

/// What is done about agents that somebody started by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adopt {
    /// They are recorded, in mam's own sessions.
    #[default]
    Auto,
    /// Only those that `mam adopt` names.
    Off,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            session: "mam".parse().unwrap_or_else(|_| unreachable!("a valid name")),
            more_sessions: Vec::new(),
            overlay: Vec::new(),
            resident_helpers: Vec::new(),
            exclude: Vec::new(),
            is_standalone: false,
            pass: Vec::new(),
            adopt: Adopt::Auto,
            resume_on_start: false,
            agents: toml::Table::new(),
            is_uncertain: false,
        }
    }
}

impl Settings {
    /// Whether `session` is one of mam's. When that is not known, every named session is: a mistake in
    /// mam's config must not switch restore on, as one in herdr's does.
    pub fn is_host_session(&self, session: &SessionName) -> bool {
        self.is_uncertain || self.sessions().any(|ours| ours == session)
    }

    /// mam's sessions, the host's first.
    pub fn sessions(&self) -> impl Iterator<Item = &SessionName> {
        std::iter::once(&self.session).chain(&self.more_sessions)
    }

    fn uncertain() -> Self {
        Self { is_uncertain: true, ..Self::default() }
    }

    /// Reads the file; no file is an empty file.
    pub fn load(path: &Path) -> (Self, Vec<Warning>) {
        let unread = |reason: String| {
            let text = format!("cannot read `{}`: {reason}; {UNREAD}", path.display());
            (Self::uncertain(), vec![Warning::new(text)])
        };
        match files::read(path, Trust::Anyone) {
            Ok(None) => (Self::default(), Vec::new()),
            Ok(Some(bytes)) => match std::str::from_utf8(&bytes) {
                Ok(text) => Self::parse(path, text),
                Err(error) => unread(format!("byte {} is not UTF-8", error.valid_up_to() + 1)),
            },
            Err(error) => unread(error.to_string()),
        }
    }

    /// The settings in `text`; `path` is for the messages.
    pub fn parse(path: &Path, text: &str) -> (Self, Vec<Warning>) {
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let place = excerpt::point_at(path, text, error.span().unwrap_or(0..1), error.message());
                return (Self::uncertain(), vec![Warning::new(format!("{place}\n{UNREAD}"))]);
            }
        };
        let mut reader = Reader { path, warnings: Vec::new() };
        let mut settings = Self::default();
        for (section, value) in &table {
            match (section.as_str(), value) {
                ("host", Value::Table(host)) => reader.host(host, &mut settings),
                ("overlay", Value::Table(overlay)) => flatten("", overlay, &mut settings.overlay),
                ("hook", Value::Table(hook)) => reader.hook(hook, &mut settings),
                ("env", Value::Table(env)) => reader.env(env, &mut settings),
                ("resume", Value::Table(resume)) => reader.resume(resume, &mut settings),
                ("sessions", Value::Table(sessions)) => reader.sessions(sessions, &mut settings),
                ("agents", Value::Table(agents)) => settings.agents.clone_from(agents),
                ("host", _) => {
                    reader.skip(section, "must be a table");
                    settings.is_uncertain = true;
                }
                ("agents" | "env" | "hook" | "overlay" | "resume" | "sessions", _) => {
                    reader.skip(section, "must be a table");
                }
                _ => reader.unknown("", section, &setting_keys::sections()),
            }
        }
        (settings, reader.warnings)
    }
}

struct Reader<'a> {
    path: &'a Path,
    warnings: Vec<Warning>,
}

impl Reader<'_> {
    fn skip(&mut self, key: &str, why: &str) {
        let text = format!("`{key}` in `{}` {why}; it is ignored", self.path.display());
        self.warnings.push(Warning::new(text));
    }

    fn host(&mut self, host: &toml::Table, settings: &mut Settings) {
        for (key, value) in self.known("host", host) {
            match (key.as_str(), value) {
                ("session", Value::String(name)) => match self.session("host.session", name) {
                    Some(name) => settings.session = name,
                    None => settings.is_uncertain = true,
                },
                ("more_sessions", Value::Array(names)) => {
                    for name in names {
                        let text = name.as_str().unwrap_or_default();
                        match self.session("host.more_sessions", text) {
                            Some(name) => settings.more_sessions.push(name),
                            None => settings.is_uncertain = true,
                        }
                    }
                }
                ("session", _) => {
                    self.skip("host.session", "must be a session name in quotes");
                    settings.is_uncertain = true;
                }
                ("more_sessions", _) => {
                    self.skip("host.more_sessions", "must be a list of session names");
                    settings.is_uncertain = true;
                }
                ("exclude", names) => self.words("host.exclude", names, &mut settings.exclude),
                ("standalone", Value::Boolean(is_standalone)) => settings.is_standalone = *is_standalone,
                ("standalone", _) => self.skip("host.standalone", "must be true or false"),
                _ => {}
            }
        }
    }

    fn env(&mut self, env: &toml::Table, settings: &mut Settings) {
        for (key, value) in self.known("env", env) {
            if key == "pass" {
                self.words("env.pass", value, &mut settings.pass);
            }
        }
    }

    fn resume(&mut self, resume: &toml::Table, settings: &mut Settings) {
        for (key, value) in self.known("resume", resume) {
            match (key.as_str(), value) {
                ("on_start", Value::Boolean(on_start)) => settings.resume_on_start = *on_start,
                ("on_start", _) => self.skip("resume.on_start", "must be true or false"),
                _ => {}
            }
        }
    }

    fn sessions(&mut self, sessions: &toml::Table, settings: &mut Settings) {
        for (key, value) in self.known("sessions", sessions) {
            match (key.as_str(), value.as_str()) {
                ("adopt", Some("auto")) => settings.adopt = Adopt::Auto,
                ("adopt", Some("off")) => settings.adopt = Adopt::Off,
                // Whatever was meant, nothing is recorded that the user may not want.
                ("adopt", _) => {
                    self.skip("sessions.adopt", "must be `auto` or `off`, and counts as `off`");
                    settings.adopt = Adopt::Off;
                }
                _ => {}
            }
        }
    }

    fn hook(&mut self, hook: &toml::Table, settings: &mut Settings) {
        for (key, value) in self.known("hook", hook) {
            match (key.as_str(), value) {
                ("resident_helpers", Value::Array(names)) => {
                    for name in names {
                        match name.as_str().filter(|name| !name.trim_matches('*').is_empty()) {
                            Some(name) => settings.resident_helpers.push(name.to_owned()),
                            None => self.skip("hook.resident_helpers", "must be a list of program names"),
                        }
                    }
                }
                ("resident_helpers", _) => {
                    self.skip("hook.resident_helpers", "must be a list of program names");
                }
                _ => {}
            }
        }
    }

    /// What of a table is in the table of keys; the rest is reported.
    fn known<'t>(&mut self, section: &str, table: &'t toml::Table) -> Vec<(&'t String, &'t Value)> {
        let names = setting_keys::names(section);
        let (known, unknown): (Vec<_>, Vec<_>) =
            table.iter().partition(|(key, _)| names.contains(&key.as_str()));
        for (key, _) in unknown {
            self.unknown(&format!("{section}."), key, &names);
        }
        known
    }

    /// A list of words; what is none of it is left out.
    fn words(&mut self, key: &str, value: &Value, words: &mut Vec<String>) {
        let list = value.as_array().map(Vec::as_slice);
        let is_right = list.is_some_and(|list| list.iter().all(Value::is_str));
        words.extend(list.unwrap_or_default().iter().filter_map(Value::as_str).map(ToOwned::to_owned));
        if !is_right {
            self.skip(key, "must be a list of names in quotes");
        }
    }

    fn unknown(&mut self, above: &str, key: &str, known: &[&str]) {
        let meant = nearest(key, known).map(|key| format!(" (did you mean `{above}{key}`?)"));
        let why = format!("is not known to this version of mam{}", meant.unwrap_or_default());
        self.skip(&format!("{above}{key}"), &why);
    }

    fn session(&mut self, key: &str, name: &str) -> Option<SessionName> {
        match name.parse() {
            Ok(name) => Some(name),
            Err(error) => {
                self.skip(key, &format!("is no session name: {error}"));
                None
            }
        }
    }
}

/// Every value below `table` with its key path. A key is itself read as a path, so that
/// `"ui.toast.delivery" = "off"` and `ui.toast.delivery = "off"` say the same.
fn flatten(prefix: &str, table: &toml::Table, found: &mut Vec<(String, String)>) {
    for (key, value) in table {
        let is_path = key.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.\"'".contains(letter));
        let key = if is_path { key.clone() } else { Value::String(key.clone()).to_string() };
        let path = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) => flatten(&path, inner, found),
            Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_) => found.push((path, value.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Settings, Vec<String>) {
        let (settings, warnings) = Settings::parse(Path::new("/m/config.toml"), text);
        (settings, warnings.into_iter().map(|warning| warning.message).collect())
    }

    #[test]
    fn sections_are_read_and_key_paths_flattened() {
        let (settings, warnings) = parse(
            "[host]\nsession = \"work\"\nmore_sessions = [\"a\", \"b\"]\nexclude = [\"x\"]\nstandalone = true\n\
             [env]\npass = [\"TOKEN\"]\n[sessions]\nadopt = \"off\"\n[resume]\non_start = true\n[agents.mine]\nx = 1\n[hook]\nresident_helpers = [\"starship\", \"x*\"]\n\
             [overlay]\nui.toast.delivery = \"off\"\n\"theme.name\" = \"nord\"\nkeys.command = [{ key = \"x\" }]\n",
        );
        assert_eq!(warnings, Vec::<String>::new());
        let names: Vec<_> = settings.sessions().map(SessionName::as_str).collect();
        assert_eq!(names, ["work", "a", "b"]);
        assert_eq!(settings.resident_helpers, ["starship", "x*"]);
        assert_eq!((settings.exclude, settings.pass), (vec!["x".to_owned()], vec!["TOKEN".to_owned()]));
        assert!(settings.is_standalone);
        assert_eq!((settings.adopt, settings.agents.len()), (Adopt::Off, 1));
        assert!(settings.resume_on_start);
        assert_eq!(
            settings.overlay,
            [
                ("keys.command".to_owned(), "[{ key = \"x\" }]".to_owned()),
                ("theme.name".to_owned(), "\"nord\"".to_owned()),
                ("ui.toast.delivery".to_owned(), "\"off\"".to_owned()),
            ]
        );
    }

    #[test]
    fn nothing_is_adopted_when_it_is_not_clear_what_was_meant() {
        for value in ["\"of\"", "false", "1"] {
            let (settings, warnings) = parse(&format!("[sessions]\nadopt = {value}"));
            assert_eq!((settings.adopt, warnings.len()), (Adopt::Off, 1), "{value}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_left_out_by_name() {
        let rows = [
            ("[host]\nsession = \"a b\"", "`host.session` in `/m/config.toml` is no session name", true),
            ("[host]\nsession = 3", "`host.session` in `/m/config.toml` must be a session name", true),
            (
                "[host]\nmore_sessions = [1]",
                "`host.more_sessions` in `/m/config.toml` is no session name",
                true,
            ),
            ("[host]\nmore_sessions = 1", "`host.more_sessions` in `/m/config.toml` must be a list", true),
            ("host = 1", "`host` in `/m/config.toml` must be a table", true),
            (
                "[hook]\nresident_helpers = [\"*\"]",
                "`hook.resident_helpers` in `/m/config.toml` must be a list",
                false,
            ),
            (
                "[hook]\nresident_helper = []",
                "`hook.resident_helper` in `/m/config.toml` is not known",
                false,
            ),
            (
                "[host]\nsesion = \"x\"",
                "`host.sesion` in `/m/config.toml` is not known to this version of mam (did you mean `host.session`?)",
                false,
            ),
            ("[host]\nexclude = \"x\"", "`host.exclude` in `/m/config.toml` must be a list", false),
            ("[host]\nexclude = [1]", "`host.exclude` in `/m/config.toml` must be a list", false),
            ("[host]\nstandalone = 1", "`host.standalone` in `/m/config.toml` must be true or false", false),
            ("[env]\npas = []", "`env.pas` in `/m/config.toml` is not known", false),
            ("env = 1", "`env` in `/m/config.toml` must be a table", false),
            ("[resume]\non_start = 1", "`resume.on_start` in `/m/config.toml` must be true or false", false),
            ("[resume]\nonstart = true", "`resume.onstart` in `/m/config.toml` is not known", false),
            ("agents = 3", "`agents` in `/m/config.toml` must be a table", false),
            ("sessions = 3", "`sessions` in `/m/config.toml` must be a table", false),
            ("[sessions]\nadpot = \"off\"", "`sessions.adpot` in `/m/config.toml` is not known", false),
            ("overlay = 3", "`overlay` in `/m/config.toml` must be a table", false),
            ("[hots]\n", "`hots` in `/m/config.toml` is not known", false),
            ("x = 1\nx = 2", "/m/config.toml:2:1: duplicate key", true),
        ];
        for (text, expected, is_uncertain) in rows {
            let (settings, warnings) = parse(text);
            assert_eq!(settings, Settings { is_uncertain, ..Settings::default() }, "{text}");
            assert_eq!(settings.is_host_session(&"any".parse().unwrap()), is_uncertain, "{text}");
            assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{text}: {warnings:?}");
        }
    }
}
