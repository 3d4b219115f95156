//! `mam-render-config`: render, and say where the overlay is.

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use serde_json::json;

use super::{Context, answer, answer_json, reload};
use crate::arguments::{Render, Selection};
use crate::compose::UserConfig;
use crate::renderer::{Outcome, Renderer};
use crate::report;
use crate::verdict::Verdict;

/// Runs the command.
///
/// # Errors
/// The overlay cannot be written; with `--strict`, also when it is not all it could be.
pub fn run(context: &Context<'_>, selection: &Selection, options: &Render) -> Result<Exit, Failure> {
    let renderer = Renderer::new(context.environment, context.places, selection)?;
    let outcome = renderer.render()?;
    say(context, &renderer, &outcome, selection, Voice::Full);
    let path = renderer.site.overlay.to_string_lossy().into_owned();
    if options.json {
        answer_json(&json!({
            "version": 1,
            "overlay": path,
            "config": renderer.site.config,
            "written": outcome.is_new,
            "checkedByHerdr": matches!(outcome.rendering.verdict, Verdict::Accepted(_)),
            "quarantined": outcome.rendering.quarantined.len(),
            "userConfigUsable": !matches!(outcome.user, UserConfig::Unusable(_)),
        }))?;
    } else {
        answer(&format!("{path}\n"))?;
    }
    let reloaded = if options.reload { reload::run(context, &renderer.settings) } else { Exit::Done };
    Ok(if options.strict && strictly(&outcome, selection) != Exit::Done {
        strictly(&outcome, selection)
    } else {
        reloaded
    })
}

/// How much is said of a rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// Everything, to a person who asked for it.
    Full,
    /// What is new, and what makes the user's own edits go nowhere: this is on the way of every start.
    News,
}

/// Says what there is to say of a rendering.
pub fn say(
    context: &Context<'_>,
    renderer: &Renderer<'_>,
    outcome: &Outcome,
    selection: &Selection,
    voice: Voice,
) {
    let is_news = voice == Voice::Full || outcome.is_new;
    if is_news || renderer.settings.is_uncertain {
        context.messages.warn_all(&renderer.warnings);
    }
    if is_news || matches!(outcome.user, UserConfig::Unusable(_)) {
        context.messages.warn_all(&report::warnings(&renderer.site, outcome, !selection.no_herdr_check));
    }
}

fn strictly(outcome: &Outcome, selection: &Selection) -> Exit {
    let rendering = &outcome.rendering;
    let is_whole = rendering.quarantined.is_empty()
        && rendering.dropped.is_empty()
        && !rendering.is_minimal
        && !matches!(outcome.user, UserConfig::Unusable(_));
    match rendering.verdict {
        _ if !is_whole => Exit::BadInput,
        Verdict::Unknown(_) if !selection.no_herdr_check => Exit::NoHerdr,
        Verdict::Rejected { .. } => Exit::NeedsChange,
        Verdict::Accepted(_) | Verdict::Unknown(_) => Exit::Done,
    }
}
