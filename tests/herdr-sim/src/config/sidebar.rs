//! Rows of tokens in `[ui.sidebar]`: which words herdr takes there.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, de};

/// At most this many rows, and this many tokens in one.
const MOST: usize = 16;

/// The rows of the agent panel.
pub(crate) type AgentRows = Rows<AgentWords>;
/// The rows of the space panel.
pub(crate) type SpaceRows = Rows<SpaceWords>;

/// The built-in tokens of one panel.
pub(crate) trait Words {
    const WORDS: &'static [&'static str];
}

/// Tokens of the agent panel.
#[derive(Debug)]
pub(crate) struct AgentWords;

impl Words for AgentWords {
    const WORDS: &'static [&'static str] = &[
        "state_icon",
        "state_text",
        "workspace",
        "tab",
        "pane",
        "agent",
        "terminal_title",
        "terminal_title_stripped",
    ];
}

/// Tokens of the space panel.
#[derive(Debug)]
pub(crate) struct SpaceWords;

impl Words for SpaceWords {
    const WORDS: &'static [&'static str] = &["state_icon", "state_text", "workspace", "branch", "git_status"];
}

/// Rows that were accepted.
#[derive(Debug)]
pub(crate) struct Rows<W>(PhantomData<W>);

#[derive(Deserialize)]
#[serde(untagged)]
enum RawSidebarToken {
    Plain(String),
    Styled(StyledToken),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "styles are read only to be judged")]
struct StyledToken {
    token: String,
    fg: Option<Colour>,
    bold: Option<bool>,
    dim: Option<bool>,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Colour;

impl TryFrom<String> for Colour {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digits = text.strip_prefix('#').unwrap_or_default();
        if matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(Self);
        }
        Err("a token's fg is #RGB or #RRGGBB")
    }
}

/// A token that was accepted.
struct Token<W>(PhantomData<W>);

impl<'de, W: Words> Deserialize<'de> for Token<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (RawSidebarToken::Plain(word) | RawSidebarToken::Styled(StyledToken { token: word, .. })) =
            RawSidebarToken::deserialize(deserializer)?;
        if W::WORDS.contains(&word.as_str()) {
            return Ok(Self(PhantomData));
        }
        let Some(name) = word.strip_prefix('$') else {
            return Err(de::Error::custom(format!(
                "`{word}` is no sidebar token, and a custom one starts with `$`"
            )));
        };
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if plain && (1..=32).contains(&name.len()) {
            return Ok(Self(PhantomData));
        }
        Err(de::Error::custom(format!("`{word}` cannot name a custom sidebar token")))
    }
}

impl<'de, W: Words> Deserialize<'de> for Rows<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rows = Vec::<Vec<Token<W>>>::deserialize(deserializer)?;
        if rows.len() > MOST || rows.iter().any(|row| row.len() > MOST) {
            return Err(de::Error::custom(format!(
                "a sidebar has at most {MOST} rows of at most {MOST} tokens"
            )));
        }
        Ok(Self(PhantomData))
    }
}
