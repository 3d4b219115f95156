//! What in an overlay is not the user's, where it comes from, and what it replaced.

use std::path::PathBuf;

use mam_share::excerpt::Position;
use serde::Serialize;

use crate::compose::Composition;
use crate::overlay;
use crate::setting::Source;
use crate::site::Site;
use crate::syntax::Config;

/// Where a difference comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    /// mam's own setting: restore is off.
    Always,
    /// `--set`.
    Command,
    /// `[overlay]` in mam's config.
    Config,
    /// herdr wrote it.
    Kept,
    /// Made absolute, because the overlay stands in another directory.
    Relocated,
    /// herdr cannot read it: left out.
    Quarantined,
    /// herdr removed it: left out.
    Removed,
}

/// One setting that is not the user's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Its key path.
    pub setting: String,
    /// Its value in the overlay as TOML; `None` when it is left out.
    pub value: Option<String>,
    /// Where it comes from.
    pub from: From,
    /// What the user config says instead.
    pub replaces: Option<Replaced>,
    /// herdr's reason, for what it cannot read.
    pub reason: Option<String>,
}

/// A setting of the user config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replaced {
    /// Its value as the user wrote it.
    pub text: String,
    /// The user config.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

/// Every difference, settings first, then what is left out.
pub fn differences(site: &Site, composition: &Composition) -> Vec<Difference> {
    let user = &Config::new(composition.rendering.user.as_deref().unwrap_or_default());
    let place = |(text, offset): (&str, usize)| Replaced {
        text: text.to_owned(),
        file: site.config.clone(),
        line: Position::of(user.text(), offset).line,
    };
    let replaced = overlay::replaced_by(user, &composition.settings);
    let settings = composition.settings.iter().enumerate().map(|(index, setting)| Difference {
        setting: setting.path.to_string(),
        value: Some(setting.text.clone()),
        from: match setting.source {
            Source::Always => From::Always,
            Source::Command => From::Command,
            Source::Config => From::Config,
            Source::Kept => From::Kept,
            Source::Relocated => From::Relocated,
        },
        replaces: replaced.get(&index).copied().map(place),
        reason: None,
    });
    let quarantined =
        composition.rendering.quarantined.iter().map(|item| (&item.left_out, From::Quarantined));
    let removed = composition.removed.iter().map(|left_out| (left_out, From::Removed));
    let left_out = quarantined.chain(removed).filter_map(|(left_out, from)| {
        let replaces = overlay::text_at(user, &left_out.path).map(place)?;
        let reason = Some(left_out.reason.clone()).filter(|_| from == From::Quarantined);
        Some(Difference {
            setting: left_out.path.to_string(),
            value: None,
            from,
            replaces: Some(replaces),
            reason,
        })
    });
    settings.chain(left_out).collect()
}

impl From {
    /// The word of the table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Always => "managed (always)",
            Self::Command => "managed (--set)",
            Self::Config => "managed (mam's config)",
            Self::Kept => "kept (herdr wrote it)",
            Self::Relocated => "made absolute",
            Self::Quarantined => "quarantined",
            Self::Removed => "removed by herdr",
        }
    }
}
