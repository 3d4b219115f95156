//! The edge of a rendering: reads everything, has it composed, and writes what changed.

use std::path::PathBuf;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};
use mam_share::herdr::binary::{self, Binary};
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
use crate::syntax::{self, Config};
use crate::verdict::Verdict;

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

/// What herdr says of a file that is there already.
pub(crate) fn ask(renderer: &Renderer<'_>, beside: &std::path::Path, text: &str) -> Verdict {
    match &renderer.herdr {
        Some((path, _)) => Herdr::new(path.clone(), renderer.environment, beside).ask(text),
        None => Verdict::Unknown(renderer.no_herdr.clone()),
    }
}

/// What the files said at one moment.
pub struct Snapshot {
    /// The user config.
    pub user: UserConfig,
    pub(crate) present: Option<String>,
    pub(crate) record: Record,
    pub(crate) warnings: Vec<Warning>,
}

impl Snapshot {
    /// The overlay as it was rendered last, by the record of it.
    pub fn last_text(&self) -> Option<&str> {
        self.record.last.as_ref().map(|last| last.text.as_str())
    }

    /// Whether the overlay has settings that herdr wrote, as far as the record of it knows.
    pub fn has_kept(&self) -> bool {
        self.record.last.as_ref().is_some_and(|last| !last.kept.is_empty())
    }
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
        self.read_after(None)
    }

    /// Reads the files once more; the user config that was read `before` is not parsed again.
    fn read_after(&self, before: Option<UserConfig>) -> Snapshot {
        let mut warnings = Vec::new();
        let present = match files::read(&self.site.overlay, Trust::Ours) {
            Ok(bytes) => bytes.map(|bytes| {
                String::from_utf8(bytes)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
            }),
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
        let record = record.filter(|record| {
            let is_ours = record.config == self.site.config;
            if !is_ours {
                let text = format!(
                    "`{}` was last made from `{}`; nothing of that is used",
                    self.site.overlay.display(),
                    record.config.display()
                );
                warnings
                    .push(Warning::new(text).hint("give each config an overlay of its own with --output"));
            }
            is_ours
        });
        let record = record.unwrap_or_else(new);
        Snapshot { user: self.read_user(&record, before), present, record, warnings }
    }

    fn read_user(&self, record: &Record, before: Option<UserConfig>) -> UserConfig {
        let path = &self.site.config;
        let bytes = match files::read(path, Trust::Anyone) {
            Ok(None) => return UserConfig::Missing,
            Ok(Some(bytes)) => bytes,
            Err(error) => {
                return UserConfig::Unusable(format!("`{}` cannot be read: {error}", path.display()));
            }
        };
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let bytes = error.as_bytes();
                let place = syntax::text(bytes).err().map(|error| error.draw(path, bytes));
                return UserConfig::Unusable(place.unwrap_or_default());
            }
        };
        if let Some(UserConfig::Text(before)) = before
            && before.text() == text
        {
            return UserConfig::Text(before);
        }
        let config = Config::new(text);
        // A text that was rendered before is a document.
        let mut rendered =
            record.last.iter().chain(&record.next).filter_map(|rendering| rendering.user.as_deref());
        if rendered.any(|known| known == config.text()) {
            return UserConfig::Text(config);
        }
        match config.document() {
            Ok(_) => UserConfig::Text(config),
            Err(error) => UserConfig::Unusable(error.draw(path, config.text().as_bytes())),
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
    pub fn render(&self) -> Result<Outcome, Failure> {
        self.render_unless(|snapshot| self.is_fresh(snapshot))
    }

    /// The same, with herdr asked about everything once more.
    ///
    /// # Errors
    /// As [`Renderer::render`].
    pub fn render_anew(&self) -> Result<Outcome, Failure> {
        self.render_unless(|_| false)
    }

    fn render_unless(&self, is_fresh: impl Fn(&Snapshot) -> bool) -> Result<Outcome, Failure> {
        let mut snapshot = self.read();
        if snapshot.record.next.is_none()
            && is_fresh(&snapshot)
            && let Some(rendering) = snapshot.record.last.take()
        {
            return Ok(Outcome { user: snapshot.user, rendering, is_new: false, news: snapshot.warnings });
        }
        let mut news = Vec::new();
        let _lock = self.lock(&mut news)?;
        // Another render may have done it all while we waited.
        let snapshot = self.read_after(Some(snapshot.user));
        let present = snapshot.present.as_deref();
        if let (Some(rendering), true) = (snapshot.record.rendering_of(present), is_fresh(&snapshot)) {
            let rendering = rendering.clone();
            if snapshot.record.next.is_some() {
                // A render was killed when all but this was done.
                self.store(&snapshot, &rendering, &mut news)?;
            }
            news.extend(snapshot.warnings);
            return Ok(Outcome { user: snapshot.user, rendering, is_new: false, news });
        }
        news.extend(snapshot.warnings.iter().cloned());
        self.guard(&snapshot)?;
        self.make_room()?;
        let composition = self.compose(self.inputs(&snapshot), &self.site.overlay, None)?;
        news.extend(composition.news.iter().cloned());
        self.save_broken(&snapshot, &composition, &mut news);
        self.save_forgotten(&snapshot, &composition.rendering, &mut news);
        self.store(&snapshot, &composition.rendering, &mut news)?;
        if let Some(because) = &self.site.moved_because {
            let text = format!("{because}; the overlay is `{}`", self.site.overlay.display());
            news.push(Warning::new(text));
        }
        let is_new = snapshot.present.as_deref() != Some(&composition.rendering.text);
        Ok(Outcome { user: snapshot.user, rendering: composition.rendering, is_new, news })
    }

    /// Whether nothing has to be done.
    fn is_fresh(&self, snapshot: &Snapshot) -> bool {
        let rendering = snapshot.record.rendering_of(snapshot.present.as_deref());
        let is_unchecked = rendering.is_none_or(|last| matches!(last.verdict, Verdict::Unknown(_)));
        // A herdr that gave no answer before is asked again: it may have been slow, or mended.
        self.reasons(snapshot).is_empty() && !(is_unchecked && self.herdr.is_some())
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
    match binary::find(&name, environment) {
        Some(found) => Ok((Some(found), String::new())),
        None if selection.herdr.is_some() => {
            Err(Failure::new(Exit::NoHerdr, format!("`{}` is no program that can be run", name.display()))
                .hint("give the path of a herdr, or --no-herdr-check to ask none"))
        }
        None => Ok((None, "herdr is not on PATH".to_owned())),
    }
}
