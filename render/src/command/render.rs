//! `mam-render-config`: render, and say where the overlay is.

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use serde_json::json;

use super::{Context, answer, answer_json, reload};
use crate::arguments::{Render, Selection};
use crate::compose::UserConfig;
use crate::renderer::{Outcome, Renderer, Retry};
use crate::report;
use crate::verdict::Verdict;

/// Runs the command.
///
/// # Errors
/// The overlay cannot be written; with `--strict`, also when it is not all it could be.
pub fn run(context: &Context<'_>, selection: &Selection, options: &Render) -> Result<Exit, Failure> {
    let renderer = Renderer::new(context.environment, context.places, selection)?;
    let outcome = render(context, &renderer, selection, Retry::Yes)?;
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

/// Renders and says everything there is to say.
///
/// # Errors
/// As [`Renderer::render`].
pub fn render(
    context: &Context<'_>,
    renderer: &Renderer<'_>,
    selection: &Selection,
    retry: Retry,
) -> Result<Outcome, Failure> {
    let outcome = renderer.render(retry)?;
    let warnings = report::warnings(&renderer.site, &outcome, !selection.no_herdr_check);
    // Where every start of herdr goes through, an overlay that did not change is not news.
    let is_news = retry == Retry::Yes || outcome.is_new;
    if is_news || renderer.settings.is_uncertain {
        context.messages.warn_all(&renderer.warnings);
    }
    if is_news {
        context.messages.warn_all(&warnings);
    }
    Ok(outcome)
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
