//! Writing: the lock, what may be replaced, and the order in which files are written.

use std::path::Path;
use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files;
use mam_share::lock::{Attempt, Lock};
use mam_share::message::Warning;

use crate::banner;
use crate::compose::Composition;
use crate::record::{Record, Rendering, tree_of};
use crate::renderer::{Renderer, Snapshot};
use crate::syntax;

/// How long a render waits for another one of the same overlay. One takes some milliseconds, and as
/// long as herdr takes to answer.
const LOCK_PATIENCE: Duration = Duration::from_secs(20);

impl Renderer<'_> {
    /// Makes sure that the file to be replaced is an overlay of ours, and not something of the user's.
    pub(crate) fn guard(&self, snapshot: &Snapshot) -> Result<(), Failure> {
        let overlay = &self.site.overlay;
        let refuse = |what: String| {
            let text = format!("`{}` {what}; it is not replaced", overlay.display());
            Err(Failure::new(Exit::NeedsChange, text).hint("name another place with --output FILE"))
        };
        if files::is_same_file(overlay, &self.site.config) {
            return refuse(format!("is the user config `{}`", self.site.config.display()));
        }
        let is_known = snapshot.record.last.is_some() || snapshot.record.next.is_some();
        match &snapshot.present {
            Some(text) if !is_known && banner::source(text).is_none() => {
                refuse("exists and is not an overlay of mam's".to_owned())
            }
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn lock(&self, news: &mut Vec<Warning>) -> Result<Option<Lock>, Failure> {
        let directory = files::parent(&self.site.lock);
        let unlocked = |why: String| {
            Warning::new(format!(
                "`{}` cannot be used: {why}; nothing is remembered of this render",
                directory.display()
            ))
            .hint("settings that herdr writes will be lost; make the directory yours, or set MAM_STATE_DIR")
        };
        if let Some(owner) = files::foreign_owner(directory) {
            // Root in somebody's home, most often: whatever it wrote, that user could not read.
            let us = rustix::process::geteuid().as_raw();
            let text = format!("`{}` belongs to uid {owner}, and this is uid {us}", directory.display());
            return Err(Failure::new(Exit::NotPermitted, text)
                .hint("run this as that user, or set HOME or MAM_STATE_DIR to places of your own"));
        }
        if let Err(error) = files::private_dir(directory) {
            news.push(unlocked(files::reason(&error)));
            return Ok(None);
        }
        match Lock::take(&self.site.lock, LOCK_PATIENCE) {
            Attempt::Held(lock) => {
                for file in [&self.site.overlay, &self.site.record, &Record::next_path(&self.site.record)] {
                    files::sweep_temporaries(file);
                }
                Ok(Some(lock))
            }
            Attempt::Busy => {
                let text = format!(
                    "another render of `{}` did not end within {} s",
                    self.site.overlay.display(),
                    LOCK_PATIENCE.as_secs()
                );
                Err(Failure::new(Exit::TryAgain, text)
                    .hint("try again; if it stays so, look for a hanging `herdr config check`"))
            }
            Attempt::Failed(error) => {
                news.push(unlocked(files::reason(&error)));
                Ok(None)
            }
        }
    }

    /// The directory of the overlay, made when it is not there; an existing one is left as it is.
    pub(crate) fn make_room(&self) -> Result<(), Failure> {
        use std::os::unix::fs::DirBuilderExt as _;
        let directory = files::parent(&self.site.overlay);
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(|error| self.cannot_write(&format!("`{}` cannot be made: {error}", directory.display())))
    }

    pub(crate) fn save_broken(
        &self,
        snapshot: &Snapshot,
        composition: &Composition,
        news: &mut Vec<Warning>,
    ) {
        let (true, Some(present)) = (composition.present_is_broken, &snapshot.present) else { return };
        let place =
            syntax::parse(present).err().map(|error| error.draw(&self.site.overlay, present.as_bytes()));
        let saved = self.site.record.with_extension("broken.toml");
        let text = match files::write_atomic(&saved, present.as_bytes(), files::PRIVATE) {
            Ok(()) => format!(
                "what herdr or someone else wrote into the overlay is no TOML and is not kept; it is saved as `{}`",
                saved.display()
            ),
            Err(error) => format!(
                "what herdr or someone else wrote into the overlay is no TOML and is not kept, nor could it be saved: {}",
                files::reason(&error)
            ),
        };
        news.push(Warning::new(format!("{text}\n{}", place.unwrap_or_default())));
    }

    /// Saves an overlay that nothing is remembered of, when it has settings that are about to go: herdr
    /// may have written them, and nobody can tell any more.
    pub(crate) fn save_forgotten(&self, snapshot: &Snapshot, rendering: &Rendering, news: &mut Vec<Warning>) {
        let is_known = snapshot.record.last.is_some() || snapshot.record.next.is_some();
        let (false, Some(present)) = (is_known, &snapshot.present) else { return };
        let (Some(before), Some(after)) = (tree_of(present), tree_of(&rendering.text)) else { return };
        let after = after.leaves();
        let gone: Vec<String> = before
            .leaves()
            .iter()
            .filter(|(path, value)| after.get(path) != Some(value))
            .map(|(path, _)| format!("`{path}`"))
            .collect();
        if gone.is_empty() {
            return;
        }
        let saved = self.site.record.with_extension("previous.toml");
        let place = match files::write_atomic(&saved, present.as_bytes(), files::PRIVATE) {
            Ok(()) => format!("the overlay is saved as `{}`", saved.display()),
            Err(error) => format!("it could not be saved: {}", files::reason(&error)),
        };
        let text = format!(
            "nothing is remembered of the overlay that was there, which said otherwise of {}; {place}",
            gone.join(", ")
        );
        news.push(
            Warning::new(text)
                .hint("put what herdr had written there, and you want to keep, into your config"),
        );
    }

    /// Writes the overlay, and remembers what it was made from. What is about to be there is remembered
    /// beside what is there, so that a crash at any point leaves nothing to guess.
    pub(crate) fn store(
        &self,
        snapshot: &Snapshot,
        rendering: &Rendering,
        news: &mut Vec<Warning>,
    ) -> Result<(), Failure> {
        let (record, next) = (&self.site.record, Record::next_path(&self.site.record));
        let present = snapshot.present.as_deref();
        let is_written = present == Some(&rendering.text);
        let is_next_there = snapshot.record.next.is_some();
        let remembered = if is_written {
            self.remember(record, rendering)
        } else {
            let of_present = snapshot.record.rendering_of(present);
            let finish = if is_next_there && of_present == snapshot.record.next.as_ref() {
                // A render was killed when the overlay had been written.
                files::move_over(&next, record).map_err(|error| files::reason(&error))
            } else {
                Ok(())
            };
            let remembered = finish.and_then(|()| self.remember(&next, rendering));
            if remembered.is_err() {
                // What is remembered would not be of the overlay that comes now: all that is new in it would
                // look like changes that herdr made.
                drop(fs_err::remove_file(record));
            }
            files::write_atomic(&self.site.overlay, rendering.text.as_bytes(), files::PRIVATE)
                .map_err(|error| self.cannot_write(&files::reason(&error)))?;
            remembered.and_then(|()| files::move_over(&next, record).map_err(|error| files::reason(&error)))
        };
        if is_written && is_next_there && remembered.is_ok() {
            drop(fs_err::remove_file(&next));
        }
        // A state directory that cannot be used has been warned of already.
        let is_said = news.iter().any(|earlier| earlier.message.contains("nothing is remembered"));
        if let (Err(error), false) = (remembered, is_said) {
            let text = format!(
                "`{}` cannot be written: {error}; nothing is remembered of this render",
                record.display()
            );
            news.push(Warning::new(text));
        }
        Ok(())
    }

    fn remember(&self, path: &Path, rendering: &Rendering) -> Result<(), String> {
        let bytes = Record::to_bytes(&self.site.overlay, &self.site.config, rendering)?;
        files::write_atomic(path, &bytes, files::PRIVATE).map_err(|error| files::reason(&error))
    }

    fn cannot_write(&self, why: &str) -> Failure {
        let text = format!("cannot write the overlay `{}`: {why}", self.site.overlay.display());
        Failure::new(Exit::CannotWrite, text).hint("name another place with --output FILE")
    }
}
