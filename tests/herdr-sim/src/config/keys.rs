//! The `[keys]` tables: every binding is a string or a list of strings.

use serde::Deserialize;

use super::sections::{table, words};

/// One shortcut, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[allow(dead_code, reason = "bindings are read only to be judged")]
pub(crate) enum BindingConfig {
    One(String),
    Many(Vec<String>),
}

/// A popup's width or height: cells, or a percentage such as `"80%"`.
#[derive(Debug, Deserialize)]
#[serde(try_from = "RawSize")]
pub(crate) struct PopupSize;

#[derive(Deserialize)]
#[serde(untagged)]
enum RawSize {
    Cells(i64),
    Text(String),
}

impl TryFrom<RawSize> for PopupSize {
    type Error = String;

    fn try_from(raw: RawSize) -> Result<Self, String> {
        let (fits, shown) = match raw {
            RawSize::Cells(cells) => (u16::try_from(cells).is_ok(), cells.to_string()),
            RawSize::Text(text) => {
                let digits = text.strip_suffix('%').and_then(|digits| digits.parse().ok());
                (matches!(digits, Some(1_u8..=100)), format!("{text:?}"))
            }
        };
        if fits {
            return Ok(Self);
        }
        Err(format!("a popup size is cells or 1% to 100%, not {shown}"))
    }
}

words!(
    #[serde(rename_all = "snake_case")]
    CommandKeybindType { Shell, Pane, Popup, PluginAction }
);

table!(CommandKeybindConfig {
    key: BindingConfig,
    command: String,
    #[serde(rename = "type")]
    kind: CommandKeybindType,
    description: String,
    width: PopupSize,
    height: PopupSize,
});

table!(IndexedKeysConfig { tabs: String, workspaces: String, agents: String });

/// Declares `KeysConfig` from the names of its bindings.
macro_rules! bindings {
    ($($name:ident)*) => {
        table!(
            #[serde(expecting = "struct KeysConfigOverlay")]
            KeysConfig {
                prefix: String,
                remote_image_paste: String,
                #[serde(alias = "fullscreen")]
                zoom: BindingConfig,
                indexed: IndexedKeysConfig,
                command: Vec<CommandKeybindConfig>,
                $($name: BindingConfig,)*
            }
        );
    };
}

bindings! {
    help settings new_workspace new_worktree open_worktree remove_worktree rename_workspace
    close_workspace workspace_picker goto navigate_workspace_up navigate_workspace_down
    navigate_pane_left navigate_pane_down navigate_pane_up navigate_pane_right detach
    reload_config open_notification_target previous_workspace next_workspace previous_agent
    next_agent focus_agent new_tab rename_tab previous_tab next_tab move_tab_previous
    move_tab_next switch_tab switch_workspace close_tab rename_pane edit_scrollback copy_mode
    focus_pane_left focus_pane_down focus_pane_up focus_pane_right swap_pane_left swap_pane_down
    swap_pane_up swap_pane_right cycle_pane_next cycle_pane_previous last_pane split_vertical
    split_horizontal close_pane resize_mode resize_pane_left resize_pane_down resize_pane_up
    resize_pane_right toggle_sidebar
}
