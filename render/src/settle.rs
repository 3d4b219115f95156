//! Settling an overlay with herdr: what herdr cannot read is left out, a piece at a time, until herdr
//! takes the file.
//!
//! herdr names only the first error of a file, and only by its place. The piece at that place is left
//! out and herdr is asked again. At the end each piece that was left out is tried once more, whole and
//! in parts (herdr sometimes points at the header of a table for a value in it), so that nothing stays
//! out that did not have to.

use std::ops::Range;

use mam_share::excerpt::Position;

use crate::leave_out::{self, LeftOut};
use crate::node::{self, NodePath};
use crate::overlay::{self, Ingredients, NoOverlay, Overlay};
use crate::setting::{Setting, Source};
use crate::splice::{self, Origin};
use crate::syntax::Config;
use crate::verdict::{Place, Verdict};

/// The most often herdr is asked about one config. Each takes some milliseconds.
const MOST_QUESTIONS: usize = 200;

/// Asks herdr about a text.
pub type Judge<'a> = dyn FnMut(&str) -> Verdict + 'a;

/// What goes into an overlay before herdr was asked.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The user's config.
    pub config: &'a Config,
    /// The settings that are not the user's.
    pub settings: &'a [Setting],
    /// User settings that stay out in any case.
    pub left_out: &'a [LeftOut],
    /// What an earlier herdr could not read; used when nobody can be asked now.
    pub remembered: &'a [LeftOut],
    /// A comment for the first line.
    pub banner: Option<&'a str>,
}

/// An overlay and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The overlay.
    pub overlay: Overlay,
    /// The settings in it.
    pub settings: Vec<Setting>,
    /// User settings that herdr cannot read.
    pub quarantined: Vec<LeftOut>,
    /// Settings that are not the user's and that herdr cannot read either, with herdr's reason.
    pub dropped: Vec<(Setting, String)>,
    /// herdr's word on the overlay as it is.
    pub verdict: Verdict,
    /// Nothing of the user's config could be used.
    pub is_minimal: bool,
}

/// Renders, asks, leaves out, until herdr accepts or nobody knows.
///
/// # Errors
/// [`NoOverlay`] of the first rendering: the config is no TOML, or the proof failed.
pub fn settle(draft: Draft<'_>, judge: &mut Judge<'_>) -> Result<Settled, NoOverlay> {
    let mut attempt =
        Attempt { draft, settings: draft.settings.to_vec(), quarantined: Vec::new(), dropped: Vec::new() };
    let mut overlay = attempt.render()?;
    for _ in 0..MOST_QUESTIONS {
        match judge(&overlay.text) {
            Verdict::Accepted(remarks) => {
                return Ok(attempt.restore_what_can_stay(overlay, remarks, judge));
            }
            Verdict::Unknown(why) => {
                if !draft.remembered.is_empty() {
                    attempt.quarantined.extend_from_slice(draft.remembered);
                    // With these pieces out it is another text; should it fail, the first will do.
                    overlay = attempt.render().unwrap_or(overlay);
                }
                return Ok(attempt.settled(overlay, Verdict::Unknown(why)));
            }
            Verdict::Rejected { position, reason } => {
                let changed = attempt.give_way(&overlay, position, &reason);
                match changed.then(|| attempt.render()) {
                    Some(Ok(next)) => overlay = next,
                    Some(Err(_)) | None => break,
                }
            }
        }
    }
    minimal(&attempt, judge)
}

/// An overlay of nothing but the setting that mam exists for.
///
/// # Errors
/// [`NoOverlay::Unproved`], which only a fault of this program can cause.
fn minimal(attempt: &Attempt<'_>, judge: &mut Judge<'_>) -> Result<Settled, NoOverlay> {
    let settings = vec![Setting::restore_off()];
    let nothing = Config::new("");
    let ingredients =
        Ingredients { config: &nothing, settings: &settings, left_out: &[], banner: attempt.draft.banner };
    let overlay = overlay::render(ingredients)?;
    let verdict = judge(&overlay.text);
    let dropped = attempt.dropped.clone();
    Ok(Settled { overlay, settings, quarantined: Vec::new(), dropped, verdict, is_minimal: true })
}

struct Attempt<'a> {
    draft: Draft<'a>,
    settings: Vec<Setting>,
    quarantined: Vec<LeftOut>,
    dropped: Vec<(Setting, String)>,
}

impl Attempt<'_> {
    fn render(&self) -> Result<Overlay, NoOverlay> {
        self.render_with(&self.settings, &self.quarantined)
    }

    fn render_with(&self, settings: &[Setting], quarantined: &[LeftOut]) -> Result<Overlay, NoOverlay> {
        let left_out: Vec<LeftOut> = self.draft.left_out.iter().chain(quarantined).cloned().collect();
        overlay::render(Ingredients {
            config: self.draft.config,
            settings,
            left_out: &left_out,
            banner: self.draft.banner,
        })
    }

    /// Leaves out the piece at the place herdr named; `false` when there is nothing left to give.
    fn give_way(&mut self, overlay: &Overlay, place: Option<Place>, reason: &str) -> bool {
        match self.blame(overlay, place) {
            Blame::Setting(index) => {
                let setting = self.settings.remove(index);
                self.dropped.push((setting, reason.to_owned()));
                true
            }
            Blame::Node(path) => {
                self.quarantined.push(LeftOut { path, reason: reason.to_owned() });
                true
            }
            // Everything goes, and what herdr can read comes back at the end.
            Blame::Nobody => {
                let reason = format!("herdr does not say where its error is: {reason}");
                let out = |path: &NodePath| self.quarantined.iter().any(|item| item.path.contains(path));
                let rest: Vec<NodePath> =
                    top_level(self.draft.config).into_iter().filter(|path| !out(path)).collect();
                if rest.is_empty() {
                    return self.drop_settings(&reason);
                }
                let left_out = |path| LeftOut { path, reason: reason.clone() };
                self.quarantined.extend(rest.into_iter().map(left_out));
                true
            }
        }
    }

    /// Drops all settings but the one that matters; `false` when there is no other.
    fn drop_settings(&mut self, reason: &str) -> bool {
        let before = self.dropped.len();
        let others = self.settings.extract_if(.., |setting| setting.source != Source::Always);
        self.dropped.extend(others.map(|setting| (setting, reason.to_owned())));
        self.dropped.len() > before
    }

    fn blame(&self, overlay: &Overlay, place: Option<Place>) -> Blame {
        let Some(offset) = place.and_then(|place| Position::from(place).offset(&overlay.text)) else {
            return Blame::Nobody;
        };
        match splice::origin(&overlay.splices, offset) {
            Origin::Splice(index) => match overlay.splices.get(index).and_then(|splice| splice.setting) {
                Some(index)
                    if self.settings.get(index).is_some_and(|setting| setting.source != Source::Always) =>
                {
                    Blame::Setting(index)
                }
                Some(_) | None => Blame::Nobody,
            },
            Origin::Input(offset) => {
                let Ok(document) = self.draft.config.document() else { return Blame::Nobody };
                let left_out: Vec<LeftOut> =
                    self.draft.left_out.iter().chain(&self.quarantined).cloned().collect();
                let found =
                    leave_out::locate(self.draft.config.text(), document.as_table(), offset, &left_out);
                found.map_or(Blame::Nobody, Blame::Node)
            }
        }
    }

    /// Leaves out no more than has to be: each piece is tried without, and what is a table or an array is
    /// broken up into its parts.
    fn restore_what_can_stay(
        mut self,
        overlay: Overlay,
        remarks: Vec<String>,
        judge: &mut Judge<'_>,
    ) -> Settled {
        let mut best = (overlay, remarks);
        let mut questions = MOST_QUESTIONS;
        self.put_back_settings(&mut best, &mut questions, judge);
        self.put_back(0..self.quarantined.len(), &mut best, &mut questions, judge);
        let mut index = 0;
        while let Some(piece) = self.quarantined.get(index) {
            let parts = self.parts(&piece.path);
            let (count, reason) = (parts.len(), piece.reason.clone());
            let part = |path: NodePath| LeftOut { path, reason: reason.clone() };
            let mut finer = self.quarantined.clone();
            finer.splice(index..=index, parts.into_iter().map(part));
            let mut ask = || self.accepted(&self.settings, &finer, &mut questions, judge);
            match (count > 0).then(&mut ask).flatten() {
                // The first of the parts is at the index now, and may have parts itself.
                Some(accepted) => {
                    best = accepted;
                    self.quarantined = finer;
                    self.put_back(index..index + count, &mut best, &mut questions, judge);
                }
                None => index += 1,
            }
        }
        let (overlay, remarks) = best;
        self.settled(overlay, Verdict::Accepted(remarks))
    }

    fn parts(&self, path: &NodePath) -> Vec<NodePath> {
        self.draft.config.document().map_or(Vec::new(), |document| node::children(document.as_item(), path))
    }

    /// Puts back each setting that herdr reads after all: what stands where herdr points is not always
    /// what it means.
    fn put_back_settings(
        &mut self,
        best: &mut (Overlay, Vec<String>),
        questions: &mut usize,
        judge: &mut Judge<'_>,
    ) {
        let mut index = 0;
        while let (Some((setting, _)), false) = (self.dropped.get(index), self.is_single()) {
            let more: Vec<Setting> = self.settings.iter().chain([setting]).cloned().collect();
            match self.accepted(&more, &self.quarantined, questions, judge) {
                Some(accepted) => {
                    *best = accepted;
                    self.settings = more;
                    self.dropped.remove(index);
                }
                None => index += 1,
            }
        }
    }

    /// Puts back each of these quarantined pieces that herdr reads after all.
    fn put_back(
        &mut self,
        pieces: Range<usize>,
        best: &mut (Overlay, Vec<String>),
        questions: &mut usize,
        judge: &mut Judge<'_>,
    ) {
        let mut index = pieces.start;
        for _ in pieces {
            if self.is_single() {
                return;
            }
            let mut fewer = self.quarantined.clone();
            fewer.remove(index);
            match self.accepted(&self.settings, &fewer, questions, judge) {
                Some(accepted) => {
                    *best = accepted;
                    self.quarantined = fewer;
                }
                None => index += 1,
            }
        }
    }

    /// A single thing that gave way is known to be refused: herdr just did.
    fn is_single(&self) -> bool {
        self.quarantined.len() + self.dropped.len() <= 1
    }

    /// The overlay with these settings, without these pieces, and herdr's remarks on it, if herdr reads
    /// it and may be asked.
    fn accepted(
        &self,
        settings: &[Setting],
        quarantined: &[LeftOut],
        questions: &mut usize,
        judge: &mut Judge<'_>,
    ) -> Option<(Overlay, Vec<String>)> {
        *questions = questions.checked_sub(1)?;
        let overlay = self.render_with(settings, quarantined).ok()?;
        match judge(&overlay.text) {
            Verdict::Accepted(remarks) => Some((overlay, remarks)),
            Verdict::Rejected { .. } | Verdict::Unknown(_) => None,
        }
    }

    fn settled(self, overlay: Overlay, verdict: Verdict) -> Settled {
        let Self { settings, quarantined, dropped, .. } = self;
        Settled { overlay, settings, quarantined, dropped, verdict, is_minimal: false }
    }
}

enum Blame {
    /// The setting of this index.
    Setting(usize),
    /// A piece of the user's config.
    Node(NodePath),
    /// No place, or a place that is nobody's.
    Nobody,
}

fn top_level(config: &Config) -> Vec<NodePath> {
    let Ok(document) = config.document() else { return Vec::new() };
    document.as_table().iter().map(|(key, _)| NodePath::of_keys(&[key.to_owned()])).collect()
}
