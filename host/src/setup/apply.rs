//! Carries out what was decided. The receipt is written first, so that a setup that is killed can be
//! undone as well.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};

use super::facts::Facts;
use super::plan::{self, Action};
use super::receipt::{Block, Receipt, Whole};
use super::undo;
use crate::context::Context;
use crate::unit::{self, install};
use crate::words::Trouble;
use crate::{launch, plugin};

/// What the steps are about to change.
pub fn receipt(facts: &Facts, steps: &[plan::Step]) -> Receipt {
    let mut receipt = Receipt::default();
    let mut directories = Vec::new();
    for action in steps.iter().filter_map(|step| step.action.as_ref()) {
        match action {
            Action::Render => {
                let is_first = !facts.overlay.is_there;
                receipt.overlay = is_first.then(|| facts.overlay.path.clone());
                directories.extend(missing(&facts.overlay.path));
            }
            Action::Link => receipt.plugin = true,
            Action::Write { path, text } => {
                directories.extend(missing(path));
                receipt.files.push(Whole { path: path.clone(), text: text.clone() });
            }
            Action::Edit { path, target, before, block, .. } => {
                directories.extend(missing(target));
                let is_new_file = before.is_none();
                receipt.blocks.push(Block { path: path.clone(), text: block.clone(), is_new_file });
            }
            Action::Install(kind) => receipt.unit = Some(kind.name().to_owned()),
        }
    }
    // A directory stands before those in it.
    directories.sort();
    directories.dedup();
    receipt.directories = directories;
    receipt
}

/// The directories that have to be made for a file, outermost first.
fn missing(file: &Path) -> Vec<PathBuf> {
    let above = file.ancestors().skip(1);
    let mut missing: Vec<PathBuf> =
        above.take_while(|path| fs_err::symlink_metadata(path).is_err()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Carries out one step.
///
/// # Errors
/// What could not be done.
pub fn act(context: &Context, action: &Action) -> Result<(), Trouble> {
    match action {
        Action::Render => launch::overlay(context, context.host()).map(drop),
        Action::Link => plugin::link(context).map_err(|why| {
            Trouble::new("plugin", Exit::No, format!("mam's plugin is not linked: {why}"))
                .hint("mam-restore-hook install")
        }),
        Action::Write { path, text } => {
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(files::parent(path));
            made.and_then(|()| files::write_atomic(path, text.as_bytes(), files::PRIVATE))
                .map_err(|error| cannot_write(path, &files::reason(&error)).into())
        }
        Action::Edit { target, before, after, .. } => {
            Ok(replace(target, before.as_deref(), after, "mam setup")?)
        }
        Action::Install(kind) => {
            let unit = install::now(context, *kind, None)?;
            Ok(unit.install(context)?)
        }
    }
}

/// Carries out one step of an undoing.
///
/// # Errors
/// What could not be done.
pub fn undo(context: &Context, action: &undo::Action) -> Result<(), Trouble> {
    match action {
        undo::Action::Rewrite { target, before, after } => {
            Ok(replace(target, Some(before), after, "mam setup --undo")?)
        }
        undo::Action::Remove(path) => fs_err::remove_file(path).map_err(|error| {
            Failure::new(Exit::CannotWrite, format!("`{}` stays: {}", path.display(), files::reason(&error)))
                .into()
        }),
        undo::Action::Unlink => plugin::unlink(context).map_err(|why| {
            Trouble::new("plugin", Exit::No, format!("mam's plugin stays linked: {why}"))
                .hint("mam-restore-hook uninstall")
        }),
        undo::Action::Uninstall => match unit::installed(context) {
            Some(unit) => Ok(unit.uninstall(context)?),
            None => Ok(()),
        },
    }
}

/// Replaces a file of the user's that still is as it was looked at. Its mode stays, and a new one is as
/// the user's own editor would make it.
fn replace(target: &Path, before: Option<&[u8]>, after: &[u8], again: &str) -> Result<(), Failure> {
    let now = files::read(target, Trust::Anyone).map_err(|error| cannot_write(target, &error.to_string()))?;
    if now.as_deref() != before {
        let text = format!("`{}` was changed meanwhile, and stays as it is", target.display());
        return Err(Failure::new(Exit::TryAgain, text).hint(again));
    }
    let written = if now.is_some() {
        files::rewrite(target, after)
    } else {
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o755).create(files::parent(target));
        made.and_then(|()| files::write_atomic(target, after, 0o644))
    };
    written.map_err(|error| cannot_write(target, &files::reason(&error)))
}

fn cannot_write(path: &Path, why: &str) -> Failure {
    Failure::new(Exit::CannotWrite, format!("`{}` cannot be written: {why}", path.display()))
}
