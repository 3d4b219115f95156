//! Whether the overlay on disk is what a rendering would write now.

use std::fmt;

use crate::compose::{Inputs, UserConfig};
use crate::verdict::Verdict;

/// One reason why an overlay has to be rendered again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// There is none.
    NoOverlay,
    /// Nothing is remembered of it.
    NoRecord,
    /// Its text is not the one that was rendered: herdr or someone else changed it.
    Changed,
    /// The user config is another.
    Config,
    /// The managed settings are others.
    Managed,
    /// Another herdr is installed.
    Herdr,
    /// mam itself is another version.
    Version,
    /// Nobody has checked it, and now somebody can.
    Unchecked,
}

impl fmt::Display for Stale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoOverlay => "there is no overlay yet",
            Self::NoRecord => "nothing is remembered of the overlay",
            Self::Changed => "the overlay was changed",
            Self::Config => "the user config was changed",
            Self::Managed => "the managed settings were changed",
            Self::Herdr => "herdr was installed or upgraded",
            Self::Version => "mam was upgraded",
            Self::Unchecked => "herdr has not checked it yet",
        })
    }
}

/// Every reason to render again; none when the overlay is fresh. A config that cannot be used is a
/// reason of its own, which the caller has seen before.
pub fn reasons(inputs: Inputs<'_>) -> Vec<Stale> {
    let (Some(present), Some(last)) = (inputs.present, inputs.last) else {
        return vec![if inputs.present.is_none() { Stale::NoOverlay } else { Stale::NoRecord }];
    };
    let same_config = match inputs.user {
        UserConfig::Missing => last.user.is_none(),
        UserConfig::Text(config) => last.user.as_deref() == Some(config.text()),
        UserConfig::Unusable(_) => true,
    };
    let other_herdr = inputs.herdr.is_some() && inputs.herdr != last.herdr.as_ref();
    let unchecked = matches!(last.verdict, Verdict::Unknown(_)) && last.herdr.is_none();
    let found = [
        (present != last.text, Stale::Changed),
        (!same_config, Stale::Config),
        (inputs.managed != last.managed, Stale::Managed),
        (other_herdr && !unchecked, Stale::Herdr),
        (other_herdr && unchecked, Stale::Unchecked),
        (inputs.by != last.by, Stale::Version),
    ];
    found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, reason)| reason).collect()
}
