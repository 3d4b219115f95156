//! The `[ui]` tables.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer, de};

use crate::agents;

use super::sections::{table, words};
use super::sidebar::{AgentRows, SpaceRows};

words!(
    #[serde(rename_all = "lowercase")]
    SidebarCollapsedMode { Compact, Hidden }
);

words!(
    #[serde(rename_all = "lowercase")]
    HostCursorMode { Auto, Native, Drawn }
);

words!(
    #[serde(rename_all = "snake_case")]
    TabBarPosition { Top, Bottom }
);

words!(
    #[serde(rename_all = "lowercase")]
    AgentPanelSort {
        #[serde(alias = "workspaces")]
        Spaces,
        Priority,
    }
);

words!(
    #[serde(rename_all = "lowercase")]
    LegacyAgentPanelScope { Current, All }
);

words!(
    #[serde(rename_all = "lowercase")]
    StatusIndicatorStyle { Dots, Symbols }
);

words!(
    #[serde(rename_all = "lowercase")]
    TabBarEntryKind { Zoom, Hostname, Datetime, Text, Command }
);

/// One entry of the tab bar; what else it holds depends on its type and is not judged here.
#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "read only to be judged")]
pub(crate) struct TabBarEntry {
    #[serde(rename = "type")]
    kind: TabBarEntryKind,
    #[serde(flatten)]
    rest: BTreeMap<String, toml::Value>,
}

table!(UiConfig {
    sidebar_width: u16,
    sidebar_min_width: u16,
    sidebar_max_width: u16,
    sidebar_start_collapsed: bool,
    sidebar_collapsed_mode: SidebarCollapsedMode,
    mobile_width_threshold: u16,
    mouse_capture: bool,
    copy_on_select: bool,
    host_cursor: HostCursorMode,
    right_click_passthrough_modifier: PassthroughModifier,
    redraw_on_focus_gained: bool,
    mouse_scroll_lines: NonZeroUsize,
    confirm_close: bool,
    prompt_new_tab_name: bool,
    prompt_new_workspace_name: bool,
    pane_borders: bool,
    pane_outer_borders: bool,
    pane_scrollbars: bool,
    pane_gaps: bool,
    show_agent_labels_on_pane_borders: bool,
    hide_tab_bar_when_single_tab: bool,
    tab_bar_position: TabBarPosition,
    tab_bar_right: Vec<TabBarEntry>,
    tab_bar_right_separator: String,
    window_title: String,
    agent_panel_sort: AgentPanelSort,
    agent_panel_scope: LegacyAgentPanelScope,
    status_indicators: StatusIndicatorStyle,
    sidebar: SidebarConfig,
    accent: String,
    toast: ToastConfig,
    sound: SoundConfig,
});

table!(SidebarConfig { agents: AgentsSidebarConfig, spaces: SpacesSidebarConfig });

table!(AgentsSidebarConfig { rows: AgentRows, rows_by_agent: RowsByAgent, row_gap: u16 });

/// Rows of single agents, by names that herdr knows.
#[derive(Debug, Deserialize)]
#[serde(try_from = "BTreeMap<String, AgentRows>")]
pub(crate) struct RowsByAgent;

impl TryFrom<BTreeMap<String, AgentRows>> for RowsByAgent {
    type Error = String;

    fn try_from(rows: BTreeMap<String, AgentRows>) -> Result<Self, String> {
        match rows.keys().find(|name| !agents::is_known(name)) {
            Some(name) => Err(format!("rows_by_agent names the unknown agent `{name}`")),
            None => Ok(Self),
        }
    }
}

table!(SpacesSidebarConfig { rows: SpaceRows, row_gap: u16 });

/// The modifier that passes right clicks on: words joined by `+`, or one that means none.
#[derive(Debug)]
pub(crate) struct PassthroughModifier;

impl<'de> Deserialize<'de> for PassthroughModifier {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?.trim().to_ascii_lowercase();
        let none = ["", "off", "none", "disabled"].contains(&text.as_str());
        let known = ["ctrl", "control", "alt", "option", "cmd", "command", "super", "meta", "hyper"];
        if none || text.split('+').all(|word| known.contains(&word.trim())) {
            return Ok(Self);
        }
        Err(de::Error::custom(
            "right_click_passthrough_modifier takes ctrl, alt, cmd, meta or hyper, joined by +",
        ))
    }
}

words!(
    #[serde(rename_all = "lowercase")]
    ToastDelivery { Off, Herdr, Terminal, System }
);

words!(
    #[serde(rename_all = "kebab-case")]
    ToastHerdrPosition { TopLeft, TopRight, BottomLeft, BottomRight }
);

words!(
    #[serde(rename_all = "kebab-case")]
    ToastClipboardPosition { TopLeft, TopCenter, TopRight, BottomLeft, BottomCenter, BottomRight }
);

table!(HerdrToastConfig { position: ToastHerdrPosition });

table!(ClipboardToastConfig { enabled: bool, position: ToastClipboardPosition });

table!(RawToastConfig {
    delivery: ToastDelivery,
    enabled: bool,
    delay_seconds: u64,
    herdr: HerdrToastConfig,
    clipboard: ClipboardToastConfig,
});

/// A toast table that was accepted: herdr judges the delay after the whole table was read, so
/// its message points at the table.
#[derive(Debug, Deserialize)]
#[serde(try_from = "RawToastConfig")]
pub(crate) struct ToastConfig;

impl TryFrom<RawToastConfig> for ToastConfig {
    type Error = &'static str;

    fn try_from(raw: RawToastConfig) -> Result<Self, Self::Error> {
        match raw.delay_seconds {
            None | Some(0..=3600) => Ok(Self),
            Some(_) => Err("delay_seconds is at most an hour"),
        }
    }
}

table!(SoundConfig {
    enabled: bool,
    path: PathBuf,
    done_path: PathBuf,
    request_path: PathBuf,
    agents: AgentSoundOverrides,
});

words!(
    #[serde(rename_all = "snake_case")]
    AgentSoundSetting { Default, On, Off }
);

/// Declares the table of sound settings from the names of the agents.
macro_rules! agent_sounds {
    ($($agent:ident)*) => {
        table!(AgentSoundOverrides { $($agent: AgentSoundSetting,)* });
    };
}

agent_sounds! {
    pi claude codex gemini cursor devin agy cline open_code github_copilot kimi kiro droid amp
    grok hermes kilo qodercli qwen maki
}
