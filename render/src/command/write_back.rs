//! `mam-render-config write-back`: what herdr wrote into the overlay becomes the user's own.

use std::io::{self, IsTerminal as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files;
use mam_share::message::Colour;

use super::diff::{preview, unified};
use super::{Context, answer, render};
use crate::arguments::Selection;
use crate::compose::UserConfig;
use crate::kept::Kept;
use crate::leave_out::LeftOut;
use crate::node::NodePath;
use crate::overlay;
use crate::renderer::Renderer;
use crate::setting::{Setting, Source};
use crate::syntax::Config;

/// Runs the command.
///
/// # Errors
/// The user config cannot be used or written, changed meanwhile, or nobody can be asked.
pub fn run(context: &Context<'_>, selection: &Selection, yes: bool) -> Result<Exit, Failure> {
    let (renderer, snapshot, composition) = preview(context, selection)?;
    let config = &renderer.site.config;
    let nothing = Config::new("");
    let before = match &snapshot.user {
        UserConfig::Text(config) => config,
        UserConfig::Missing => &nothing,
        UserConfig::Unusable(_) => {
            let text = format!("`{}` cannot be edited as it is", config.display());
            return Err(Failure::new(Exit::BadInput, text).hint("mend it first"));
        }
    };
    let kept = &composition.rendering.kept;
    if kept.is_empty() {
        context.messages.say("herdr has written nothing into the overlay that is not in your config");
        return Ok(Exit::Done);
    }
    let after = edited(before, kept)?;
    let name = config.to_string_lossy();
    answer(&unified(before.text(), &after, (&name, &name), Colour::of_stdout(context.environment)))?;
    if !yes && !agreed(config)? {
        context.messages.say("nothing was written");
        return Ok(Exit::No);
    }
    write(&renderer, &snapshot.user, &after)?;
    context.messages.say(&format!("`{}` now has what herdr wrote", config.display()));
    let outcome = renderer.render()?;
    render::say(context, &renderer, &outcome, selection, render::Voice::Full);
    Ok(Exit::Done)
}

/// The user config with the kept settings in it, by the same proved splices as an overlay.
fn edited(config: &Config, kept: &[Kept]) -> Result<String, Failure> {
    let set = |kept: &Kept| Setting::new(kept.path.clone(), kept.value.as_deref()?, Source::Kept).ok();
    let settings: Vec<Setting> = kept.iter().filter_map(set).collect();
    let removed = kept.iter().filter(|kept| kept.value.is_none()).map(|kept| LeftOut {
        path: NodePath::of_keys(kept.path.keys()),
        reason: "herdr removed it".to_owned(),
    });
    let removed: Vec<LeftOut> = removed.collect();
    overlay::edit(config, &settings, &removed).map_err(|error| {
        Failure::new(
            Exit::NeedsChange,
            format!("the change could not be proved right: {error:?}; nothing was written"),
        )
    })
}

fn agreed(config: &Path) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        let text = "nobody can be asked: stdin is not a terminal; nothing was written";
        return Err(Failure::new(Exit::Usage, text).hint("mam-render-config write-back --yes"));
    }
    answer(&format!("Write this to `{}`? [y/N] ", config.display()))?;
    let mut line = String::new();
    // No answer at all (end of input, an error) is no.
    drop(io::stdin().read_line(&mut line));
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Replaces the file behind the user config: links stay links, and the mode stays.
fn write(renderer: &Renderer<'_>, before: &UserConfig, after: &str) -> Result<(), Failure> {
    let config = &renderer.site.config;
    let fail =
        |exit: Exit, why: String| Failure::new(exit, format!("cannot write `{}`: {why}", config.display()));
    let target =
        files::resolve_links(config).map_err(|error| fail(Exit::CannotWrite, files::reason(&error)))?;
    let us = rustix::process::geteuid().as_raw();
    let mode = match fs_err::metadata(&target) {
        Ok(metadata) if metadata.uid() != us => {
            return Err(fail(
                Exit::NotPermitted,
                format!("`{}` belongs to uid {}", target.display(), metadata.uid()),
            ));
        }
        Ok(metadata) if metadata.mode() & 0o200 == 0 => {
            return Err(fail(Exit::CannotWrite, format!("`{}` is read-only", target.display())));
        }
        Ok(metadata) => metadata.mode() & 0o7777,
        Err(_) => 0o644,
    };
    if renderer.read().user != *before {
        return Err(fail(Exit::TryAgain, "it was changed meanwhile".to_owned()).hint("run write-back again"));
    }
    files::write_atomic(&target, after.as_bytes(), mode)
        .map_err(|error| fail(Exit::CannotWrite, files::reason(&error)))
}
