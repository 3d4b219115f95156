//! The tables of the config file, typed as strictly as herdr types them.
//!
//! Every field is optional: the point is what herdr accepts, not its defaults. The names of the
//! tables appear in herdr's messages (`expected struct SessionConfig`), so they are the same here.

use serde::Deserialize;

use super::keys::KeysConfig;
use super::ui::UiConfig;

/// Declares a table whose keys may all be absent.
macro_rules! table {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $kind:ty),* $(,)? }) => {
        #[derive(Debug, Default, Deserialize)]
        $(#[$meta])*
        #[serde(default)]
        #[allow(dead_code, reason = "most keys are read only to be judged")]
        pub(crate) struct $name {
            $($(#[$field_meta])* pub(crate) $field: Option<$kind>,)*
        }
    };
}

/// Declares a value that is one of a few words.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$word_meta:meta])* $word:ident),* $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
        $(#[$meta])*
        pub(crate) enum $name {
            $($(#[$word_meta])* $word,)*
        }
    };
}

pub(crate) use {table, words};

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[allow(dead_code, reason = "most tables are read only to be judged")]
pub(crate) struct Config {
    pub(crate) onboarding: Option<bool>,
    pub(crate) server: ServerConfig,
    pub(crate) theme: ThemeConfig,
    pub(crate) terminal: TerminalConfig,
    pub(crate) session: SessionConfig,
    pub(crate) update: UpdateConfig,
    pub(crate) keys: KeysConfig,
    pub(crate) ui: UiConfig,
    pub(crate) worktrees: WorktreesConfig,
    pub(crate) advanced: AdvancedConfig,
    pub(crate) experimental: ExperimentalConfig,
    pub(crate) remote: RemoteConfig,
}

/// The names a table may have at the top of the file.
pub(crate) const TOP_LEVEL: &[&str] = &[
    "advanced",
    "experimental",
    "keys",
    "onboarding",
    "remote",
    "server",
    "session",
    "terminal",
    "theme",
    "ui",
    "update",
    "worktrees",
];

table!(ServerConfig { headless_cols: std::num::NonZeroU16, headless_rows: std::num::NonZeroU16 });

table!(ThemeConfig {
    name: String,
    auto_switch: bool,
    dark_name: String,
    light_name: String,
    custom: CustomThemeColors,
});

table!(CustomThemeColors {
    accent: String,
    panel_bg: String,
    sidebar_bg: String,
    active_row_bg: String,
    selection_bg: String,
    surface0: String,
    surface1: String,
    surface_dim: String,
    overlay0: String,
    overlay1: String,
    text: String,
    subtext0: String,
    mauve: String,
    green: String,
    yellow: String,
    red: String,
    blue: String,
    teal: String,
    peach: String,
});

words!(
    #[serde(rename_all = "snake_case")]
    ShellMode { Auto, Login, NonLogin }
);

table!(TerminalConfig { default_shell: String, shell_mode: ShellMode, new_cwd: String });

table!(SessionConfig { resume_agents_on_restore: bool });

words!(
    #[serde(rename_all = "lowercase")]
    UpdateChannel { Stable, Preview }
);

table!(UpdateConfig { channel: UpdateChannel, version_check: bool, manifest_check: bool });

table!(WorktreesConfig { directory: String });

table!(AdvancedConfig {
    #[serde(alias = "scrollback_lines")]
    scrollback_limit_bytes: usize,
});

table!(RemoteConfig { manage_ssh_config: bool });

words!(
    #[serde(rename_all = "snake_case")]
    ImeCursorShape { Block, SteadyBlock, Underline, SteadyUnderline, Bar, SteadyBar }
);

table!(ExperimentalConfig {
    allow_nested: bool,
    kitty_graphics: bool,
    pane_history: bool,
    reveal_hidden_cursor_for_cjk_ime: bool,
    cjk_ime_agents: Vec<String>,
    cjk_ime_cursor_shape: ImeCursorShape,
    switch_ascii_input_source_in_prefix: bool,
});
