//! The edge of a rendering: reads everything, has it composed, and writes what changed.

use std::path::PathBuf;
use std::time::Duration;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};
use mam_share::herdr::binary::{self, Binary};
use mam_share::lock::{Attempt, Lock};
use mam_share::message::Warning;
use mam_share::places::Places;
use mam_share::settings::Settings;

use crate::arguments::Selection;
use crate::compose::{self, Composition, Inputs, UserConfig};
use crate::freshness::{self, Stale};
use crate::judge::Herdr;
use crate::managed;
use crate::record::{Managed, Record, Rendering};
use crate::site::{Named, Site};
use crate::syntax;
use crate::verdict::Verdict;

/// How long a render waits for another one of the same overlay. One takes some milliseconds, and as
/// long as herdr takes to answer.
const LOCK_PATIENCE: Duration = Duration::from_secs(20);

/// Everything that is the same for the whole run of a command.
pub struct Renderer<'a> {
    environment: &'a Environment,
    /// The files.
    pub site: Site,
    /// mam's own settings.
    pub settings: Settings,
    managed: Vec<Managed>,
    herdr: Option<(PathBuf, Binary)>,
    /// Why nobody is asked, when nobody is.
    no_herdr: String,
    /// What was odd about the surroundings.
    pub warnings: Vec<Warning>,
}

/// What the files said at one moment.
pub struct Snapshot {
    /// The user config.
    pub user: UserConfig,
    present: Option<String>,
    record: Record,
    warnings: Vec<Warning>,
}

/// Whether a herdr that gave no answer before is asked once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// A person waits for the answer and may have mended what was wrong.
    Yes,
    /// Every start of herdr goes through here.
    No,
}

/// How a rendering ended.
pub struct Outcome {
    /// The user config it was made from.
    pub user: UserConfig,
    /// The rendering in force.
    pub rendering: Rendering,
    /// The overlay was written.
    pub is_new: bool,
    /// What happened once.
    pub news: Vec<Warning>,
}

impl<'a> Renderer<'a> {
    /// Reads mam's config and finds the files and herdr.
    ///
    /// # Errors
    /// Assignments that cannot both hold, paths that herdr cannot use, a `--herdr` that is none.
    pub fn new(
        environment: &'a Environment,
        places: &Places,
        selection: &Selection,
    ) -> Result<Self, Failure> {
        let (settings, mut warnings) = Settings::load(&places.settings());
        let (managed, unused) =
            managed::layers(&selection.assignments, &settings.overlay, &places.settings())?;
        warnings.extend(unused);
        let named = Named { config: selection.config.clone(), output: selection.output.clone() };
        let (site, odd) = Site::find(environment, places, &named)?;
        warnings.extend(odd);
        let (herdr, no_herdr) = find_herdr(environment, selection)?;
        Ok(Self { environment, site, settings, managed, herdr, no_herdr, warnings })
    }

    /// Reads the files.
    pub fn read(&self) -> Snapshot {
        let mut warnings = Vec::new();
        let present = match files::read(&self.site.overlay, Trust::Ours) {
            Ok(bytes) => bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => {
                let text = format!("the overlay `{}` is not used: {error}", self.site.overlay.display());
                warnings.push(Warning::new(text));
                None
            }
        };
        let record = Record::load(&self.site.record, &self.site.overlay).unwrap_or_else(|error| {
            let text = format!("`{}` is not used: {error}", self.site.record.display());
            warnings
                .push(Warning::new(text).hint("it is written anew; settings that herdr wrote may be lost"));
            None
        });
        let new = || Record::new(self.site.overlay.clone(), self.site.config.clone());
        let record = record.unwrap_or_else(new);
        Snapshot { user: self.read_user(&record), present, record, warnings }
    }

    fn read_user(&self, record: &Record) -> UserConfig {
        let path = &self.site.config;
        let bytes = match files::read(path, Trust::Anyone) {
            Ok(None) => return UserConfig::Missing,
            Ok(Some(bytes)) => bytes,
            Err(error) => {
                return UserConfig::Unusable(format!("`{}` cannot be read: {error}", path.display()));
            }
        };
        let checked = syntax::text(&bytes).and_then(|text| {
            // A text that was rendered before has been parsed before.
            let mut rendered =
                record.last.iter().chain(&record.next).filter_map(|rendering| rendering.user.as_deref());
            if !rendered.any(|known| known == text) {
                syntax::parse(text)?;
            }
            Ok(text.to_owned())
        });
        match checked {
            Ok(text) => UserConfig::Text(text),
            Err(error) => UserConfig::Unusable(error.draw(path, &bytes)),
        }
    }

    fn inputs<'s>(&'s self, snapshot: &'s Snapshot) -> Inputs<'s> {
        Inputs {
            site: &self.site,
            user: &snapshot.user,
            managed: &self.managed,
            last: snapshot.record.rendering_of(snapshot.present.as_deref()),
            present: snapshot.present.as_deref(),
            herdr: self.herdr.as_ref().map(|(_, binary)| binary),
            by: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Why the overlay has to be rendered again.
    pub fn reasons(&self, snapshot: &Snapshot) -> Vec<Stale> {
        freshness::reasons(self.inputs(snapshot))
    }

    /// What a rendering would be, with nothing written but a temporary file for herdr to read.
    ///
    /// # Errors
    /// A fault of this program.
    pub fn preview(&self, snapshot: &Snapshot) -> Result<Composition, Failure> {
        let beside = self.environment.temp_dir().join("config.mam.toml");
        let inputs = self.inputs(snapshot);
        // Asked about these very bytes before, herdr would say the same again.
        let known = inputs.last.filter(|last| inputs.herdr.is_none() || inputs.herdr == last.herdr.as_ref());
        self.compose(inputs, &beside, known)
    }

    fn compose(
        &self,
        inputs: Inputs<'_>,
        beside: &std::path::Path,
        known: Option<&Rendering>,
    ) -> Result<Composition, Failure> {
        let mut herdr =
            self.herdr.as_ref().map(|(path, _)| Herdr::new(path.clone(), self.environment, beside));
        let mut judge = |text: &str| match (known, &mut herdr) {
            (Some(known), _) if known.text == text => known.verdict.clone(),
            (_, Some(herdr)) => herdr.ask(text),
            (_, None) => Verdict::Unknown(self.no_herdr.clone()),
        };
        compose::compose(inputs, &mut judge).map_err(|what| {
            Failure::new(Exit::NeedsChange, format!("no overlay could be proved right: {what}"))
                .hint("this is a fault of mam: please report it with your config")
        })
    }

    /// Makes the overlay on disk what it has to be.
    ///
    /// # Errors
    /// It cannot be written, or another render does not come to an end.
    pub fn render(&self, retry: Retry) -> Result<Outcome, Failure> {
        let snapshot = self.read();
        if let (Some(rendering), None) = (self.fresh(&snapshot, retry), &snapshot.record.next) {
            return Ok(Outcome { user: snapshot.user, rendering, is_new: false, news: snapshot.warnings });
        }
        let mut news = Vec::new();
        let _lock = self.lock(&mut news)?;
        // Another render may have done it all while we waited.
        let snapshot = self.read();
        if let Some(rendering) = self.fresh(&snapshot, retry) {
            if snapshot.record.next.is_some() {
                // A render was killed when all but this was done.
                self.store(&snapshot, &rendering, &mut news)?;
            }
            news.extend(snapshot.warnings);
            return Ok(Outcome { user: snapshot.user, rendering, is_new: false, news });
        }
        news.extend(snapshot.warnings.iter().cloned());
        self.make_room()?;
        let composition = self.compose(self.inputs(&snapshot), &self.site.overlay, None)?;
        news.extend(composition.news.iter().cloned());
        self.save_broken(&snapshot, &composition, &mut news);
        self.store(&snapshot, &composition.rendering, &mut news)?;
        if let Some(because) = &self.site.moved_because {
            let text = format!("{because}; the overlay is `{}`", self.site.overlay.display());
            news.push(Warning::new(text));
        }
        let is_new = snapshot.present.as_deref() != Some(&composition.rendering.text);
        Ok(Outcome { user: snapshot.user, rendering: composition.rendering, is_new, news })
    }

    /// The rendering on disk when nothing has to be done.
    fn fresh(&self, snapshot: &Snapshot, retry: Retry) -> Option<Rendering> {
        if !self.reasons(snapshot).is_empty() {
            return None;
        }
        let rendering = snapshot.record.rendering_of(snapshot.present.as_deref())?;
        let is_unchecked = matches!(rendering.verdict, Verdict::Unknown(_)) && self.herdr.is_some();
        if is_unchecked && retry == Retry::Yes { None } else { Some(rendering.clone()) }
    }

    fn lock(&self, news: &mut Vec<Warning>) -> Result<Option<Lock>, Failure> {
        let directory = files::parent(&self.site.lock);
        let unlocked = |why: String| {
            Warning::new(format!(
                "`{}` cannot be used: {why}; nothing is remembered of this render",
                directory.display()
            ))
            .hint("settings that herdr writes will be lost; make the directory yours, or set MAM_STATE_DIR")
        };
        if let Err(error) = files::private_dir(directory) {
            news.push(unlocked(files::reason(&error)));
            return Ok(None);
        }
        match Lock::take(&self.site.lock, LOCK_PATIENCE) {
            Attempt::Held(lock) => {
                for file in [&self.site.overlay, &self.site.record] {
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
    fn make_room(&self) -> Result<(), Failure> {
        use std::os::unix::fs::DirBuilderExt as _;
        let directory = files::parent(&self.site.overlay);
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.map_err(|error| self.cannot_write(&format!("`{}` cannot be made: {error}", directory.display())))
    }

    fn save_broken(&self, snapshot: &Snapshot, composition: &Composition, news: &mut Vec<Warning>) {
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

    /// Writes the record and the overlay. The record names both renderings while the overlay is being
    /// replaced, so that a crash at any point leaves nothing to guess.
    fn store(
        &self,
        snapshot: &Snapshot,
        rendering: &Rendering,
        news: &mut Vec<Warning>,
    ) -> Result<(), Failure> {
        let last = snapshot.record.rendering_of(snapshot.present.as_deref()).cloned();
        let mut record = Record::new(self.site.overlay.clone(), self.site.config.clone());
        if snapshot.present.as_deref() != Some(&rendering.text) {
            record.last = last;
            record.next = Some(rendering.clone());
            self.remember(&record, news);
            files::write_atomic(&self.site.overlay, rendering.text.as_bytes(), files::PRIVATE)
                .map_err(|error| self.cannot_write(&files::reason(&error)))?;
        }
        record.last = Some(rendering.clone());
        record.next = None;
        self.remember(&record, news);
        Ok(())
    }

    fn remember(&self, record: &Record, news: &mut Vec<Warning>) {
        let written = record.to_bytes().and_then(|bytes| {
            files::write_atomic(&self.site.record, &bytes, files::PRIVATE)
                .map_err(|error| files::reason(&error))
        });
        let Err(error) = written else { return };
        let text = format!(
            "`{}` cannot be written: {error}; nothing is remembered of this render",
            self.site.record.display()
        );
        let warning = Warning::new(text);
        // A state directory that cannot be used has been warned of already.
        if !news.iter().any(|earlier| earlier.message.contains("nothing is remembered")) {
            news.push(warning);
        }
    }

    fn cannot_write(&self, why: &str) -> Failure {
        let text = format!("cannot write the overlay `{}`: {why}", self.site.overlay.display());
        Failure::new(Exit::CannotWrite, text).hint("name another place with --output FILE")
    }
}

fn find_herdr(
    environment: &Environment,
    selection: &Selection,
) -> Result<(Option<(PathBuf, Binary)>, String), Failure> {
    if selection.no_herdr_check {
        return Ok((None, "--no-herdr-check was given".to_owned()));
    }
    let name = selection.herdr.clone().unwrap_or_else(|| PathBuf::from("herdr"));
    match binary::find(&name, environment).and_then(|path| Some((path.clone(), Binary::at(&path)?))) {
        Some(found) => Ok((Some(found), String::new())),
        None if selection.herdr.is_some() => {
            Err(Failure::new(Exit::NoHerdr, format!("`{}` is no program that can be run", name.display())))
        }
        None => Ok((None, "herdr is not on PATH".to_owned())),
    }
}
