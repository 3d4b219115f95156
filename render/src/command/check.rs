//! `mam-render-config check`: is the overlay fresh?

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use serde_json::json;

use super::{Context, answer, answer_json};
use crate::arguments::Selection;
use crate::compose::UserConfig;
use crate::renderer::Renderer;

/// Runs the command. Writes nothing, and asks herdr nothing.
///
/// # Errors
/// As [`Renderer::new`].
pub fn run(context: &Context<'_>, selection: &Selection, json: bool) -> Result<Exit, Failure> {
    let renderer = Renderer::new(context.environment, context.places, selection)?;
    context.messages.warn_all(&renderer.warnings);
    let snapshot = renderer.read();
    let overlay = renderer.site.overlay.display();
    let reasons: Vec<String> = renderer.reasons(&snapshot).iter().map(ToString::to_string).collect();
    let (exit, state, error) = match &snapshot.user {
        UserConfig::Unusable(error) => (Exit::BadInput, "unreadable", Some(error)),
        UserConfig::Missing | UserConfig::Text(_) if reasons.is_empty() => (Exit::Done, "fresh", None),
        UserConfig::Missing | UserConfig::Text(_) => (Exit::No, "stale", None),
    };
    if json {
        let overlay = &renderer.site.overlay;
        answer_json(
            &json!({"version": 1, "overlay": overlay, "state": state, "reasons": reasons, "error": error}),
        )?;
    } else if let Some(error) = error {
        return Err(Failure::new(exit, format!("the user config cannot be used\n{error}")));
    } else if reasons.is_empty() {
        answer(&format!("fresh: {overlay}\n"))?;
    } else {
        answer(&format!("stale: {overlay}: {}\n", reasons.join("; ")))?;
    }
    Ok(exit)
}
