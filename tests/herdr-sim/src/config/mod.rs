//! Reading the config file as herdr reads it: strictly, and failing open.
//!
//! One wrong type or unknown word anywhere drops the whole file for defaults. Unknown keys and
//! sections are only reported.

pub(crate) mod edit;
mod keys;
mod sections;
mod sidebar;
mod ui;
mod unknown;

use std::path::Path;

use crate::paths;
pub(crate) use sections::{Config, ShellMode, UpdateChannel};

/// The names of the built-in themes.
const THEMES: &[&str] = &[
    "catppuccin",
    "catppuccin-latte",
    "terminal",
    "tokyo-night",
    "tokyo-night-day",
    "dracula",
    "nord",
    "gruvbox",
    "gruvbox-light",
    "one-dark",
    "one-light",
    "solarized",
    "solarized-light",
    "kanagawa",
    "kanagawa-lotus",
    "rose-pine",
    "rose-pine-dawn",
    "vesper",
];

/// Other spellings of the built-in themes.
const THEME_ALIASES: &[&str] = &[
    "catppuccin-mocha",
    "latte",
    "light",
    "tokyonight",
    "tokyo-day",
    "tokyonight-day",
    "gruvbox-dark",
    "onedark",
    "onelight",
    "solarized-dark",
    "lotus",
    "rosepine",
    "rosepine-dawn",
    "dawn",
];

/// What was read, and what herdr would say about it.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) config: Config,
    pub(crate) diagnostics: Vec<String>,
}

impl Loaded {
    /// Whether restored agents are relaunched.
    pub(crate) fn resumes_agents(&self) -> bool {
        self.config.session.resume_agents_on_restore.unwrap_or(true)
    }

    /// Whether the diagnostics say that the file was dropped.
    pub(crate) fn was_dropped(&self) -> bool {
        self.diagnostics.iter().any(|line| line.ends_with("; using defaults"))
    }

    fn dropped(kind: &str, reason: &dyn std::fmt::Display) -> Self {
        Self {
            config: Config::default(),
            diagnostics: vec![format!("config {kind} error: {reason}; using defaults")],
        }
    }
}

/// Reads the config file that the environment names.
pub(crate) fn load() -> Loaded {
    let path = paths::config_file();
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(&text, path.parent().unwrap_or(Path::new("."))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Loaded::default(),
        Err(error) => Loaded::dropped("read", &error),
    }
}

/// Judges the text of a config file that lies in `dir`.
pub(crate) fn parse(text: &str, dir: &Path) -> Loaded {
    let mut ignored = Vec::new();
    let read = serde_ignored::deserialize(toml::Deserializer::new(text), |path| {
        ignored.push(unknown::segments(&path));
    });
    let config: Config = match read {
        Ok(config) => config,
        Err(error) => return Loaded::dropped("parse", &error),
    };
    let mut diagnostics = unknown::diagnostics(text, ignored);
    diagnostics.extend(theme_diagnostics(&config));
    diagnostics.extend(sound_diagnostics(&config, dir));
    diagnostics.extend(sidebar_diagnostic(&config));
    Loaded { config, diagnostics }
}

fn theme_diagnostics(config: &Config) -> Vec<String> {
    let theme = &config.theme;
    let names = [
        ("theme.name", &theme.name, "catppuccin"),
        ("theme.dark_name", &theme.dark_name, "catppuccin"),
        ("theme.light_name", &theme.light_name, "catppuccin-latte"),
    ];
    names
        .into_iter()
        .filter_map(|(key, name, instead)| {
            let name = name.as_ref()?;
            let plain = name.to_lowercase().replace([' ', '_'], "-");
            let known = [THEMES, THEME_ALIASES].concat().contains(&plain.as_str());
            (!known).then(|| {
                format!(
                    "unknown theme {name:?} in {key}; {instead:?} is used, known are {}",
                    THEMES.join(", ")
                )
            })
        })
        .collect()
}

fn sound_diagnostics(config: &Config, dir: &Path) -> Vec<String> {
    let Some(sound) = config.ui.sound.as_ref() else {
        return Vec::new();
    };
    let files = [
        ("ui.sound.path", &sound.path),
        ("ui.sound.done_path", &sound.done_path),
        ("ui.sound.request_path", &sound.request_path),
    ];
    files
        .into_iter()
        .filter_map(|(key, file)| {
            let file = file.as_ref()?;
            let found = dir.join(file);
            let mp3 = found.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("mp3"));
            let what = match (mp3, found.exists(), found.is_file()) {
                (true, true, true) => return None,
                (false, _, _) => "not an mp3",
                (true, false, _) => "missing",
                (true, true, false) => "not a file",
            };
            Some(format!("sound file {what}: {key} = {}, looked for at {}", file.display(), found.display()))
        })
        .collect()
}

fn sidebar_diagnostic(config: &Config) -> Option<String> {
    let min = config.ui.sidebar_min_width.unwrap_or(18);
    let max = config.ui.sidebar_max_width.unwrap_or(36);
    (min > max).then(|| format!("ui.sidebar_min_width ({min}) is greater than sidebar_max_width ({max})"))
}
