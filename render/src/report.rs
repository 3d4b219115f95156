//! What people are told about a rendering.

use mam_share::excerpt;
use mam_share::message::Warning;

use crate::compose::UserConfig;
use crate::overlay;
use crate::record::{Dropped, Quarantined, Rendering};
use crate::renderer::Outcome;
use crate::setting::Source;
use crate::site::Site;
use crate::syntax::Config;
use crate::verdict::Verdict;

/// The most pieces that are shown with their place; the rest is counted.
const MOST_SHOWN: usize = 5;

/// Everything to say after a rendering: what happened, and what stays wrong until somebody mends it.
pub fn warnings(site: &Site, outcome: &Outcome, is_asked: bool) -> Vec<Warning> {
    let mut all = outcome.news.clone();
    match unusable(site, &outcome.user, &outcome.rendering) {
        // What is wrong in a config that is no longer there can wait.
        Some(warning) => all.push(warning),
        None => all.extend(standing(site, &outcome.rendering)),
    }
    if let Verdict::Accepted(remarks) = &outcome.rendering.verdict {
        let shown = remarks.iter().take(MOST_SHOWN);
        all.extend(shown.map(|remark| Warning::new(format!("herdr says: {remark}"))));
        let more = remarks.len().saturating_sub(MOST_SHOWN);
        if more > 0 {
            let text = format!("herdr has {more} more remarks");
            all.push(Warning::new(text).hint("see them all with `herdr config check`"));
        }
    }
    if let (Verdict::Unknown(why), true) = (&outcome.rendering.verdict, is_asked) {
        let text = format!("nobody has checked that herdr can read the overlay: {why}");
        all.push(Warning::new(text).hint("install herdr, or name it with --herdr PATH, and run this again"));
    }
    all
}

/// A user config that cannot be used, and what is in force instead.
fn unusable(site: &Site, user: &UserConfig, rendering: &Rendering) -> Option<Warning> {
    let UserConfig::Unusable(reason) = user else { return None };
    let instead = if rendering.is_minimal {
        "the overlay only switches restore off"
    } else {
        "the overlay of your last good config stays in force"
    };
    let text = format!("{reason}\n{instead}");
    Some(Warning::new(text).hint(format!("mend `{}` and run this again", site.config.display())))
}

/// What stays wrong until somebody mends it.
fn standing(site: &Site, rendering: &Rendering) -> Vec<Warning> {
    let config = Config::new(rendering.user.as_deref().unwrap_or_default());
    let shown = rendering.quarantined.iter().take(MOST_SHOWN);
    let mut all: Vec<Warning> = shown.map(|item| quarantined(site, &config, item)).collect();
    let more = rendering.quarantined.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        let text = format!("herdr cannot read {more} more settings; they are left out too");
        all.push(Warning::new(text).hint("see them all with `mam-render-config explain`"));
    }
    all.extend(rendering.dropped.iter().map(dropped));
    if let Verdict::Rejected { reason, .. } = &rendering.verdict {
        let text = format!("herdr refuses even an overlay that only switches restore off: {reason}");
        all.push(Warning::new(text).hint("herdr would relaunch agents: do not start it on this overlay"));
    } else if rendering.is_minimal {
        let text = format!(
            "nothing of `{}` could be used; the overlay only switches restore off",
            site.config.display()
        );
        all.push(Warning::new(text).hint("`herdr config check` says what herdr dislikes"));
    }
    all
}

fn quarantined(site: &Site, config: &Config, item: &Quarantined) -> Warning {
    let path = &item.left_out.path;
    let reason = &item.left_out.reason;
    let span = overlay::text_at(config, path).map(|(value, start)| start..start + value.len());
    let what = format!("herdr cannot read `{path}` ({reason})");
    let place =
        span.map_or_else(|| what.clone(), |span| excerpt::point_at(&site.config, config.text(), span, &what));
    Warning::new(format!("{place}\nit is left out of the overlay; everything else is in force"))
        .hint("correct the value in your config; without mam herdr drops the whole file for its defaults")
}

fn dropped(dropped: &Dropped) -> Warning {
    let setting = &dropped.setting;
    let from = match setting.source {
        Source::Always | Source::Relocated => "mam",
        Source::Command => "--set",
        Source::Config => "[overlay] in mam's config",
        Source::Kept => "what herdr wrote",
    };
    let reason = &dropped.reason;
    Warning::new(format!(
        "herdr cannot read `{} = {}` from {from} ({reason}); it is not used",
        setting.path, setting.value
    ))
}
