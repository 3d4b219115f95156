//! From everything that was read to the next rendering: the pure heart of every command.

use std::path::Path;

use mam_share::herdr::binary::Binary;
use mam_share::message::Warning;

use crate::banner;
use crate::kept::{self, Kept, Reconciled};
use crate::leave_out::LeftOut;
use crate::node::NodePath;
use crate::overlay::{self, NoOverlay};
use crate::record::{Dropped, Managed, Quarantined, Rendering, tree_of};
use crate::setting::{self, Setting, Source};
use crate::settle::{self, Draft, Judge, Settled};
use crate::site::Site;
use crate::syntax::Config;
use crate::tree::Tree;
use crate::verdict::Verdict;

/// The user config as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserConfig {
    /// There is none.
    Missing,
    /// A TOML document.
    Text(Config),
    /// It cannot be used; the reason, with its place where there is one.
    Unusable(String),
}

/// Everything a rendering is made from.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The files.
    pub site: &'a Site,
    /// The user config.
    pub user: &'a UserConfig,
    /// The managed settings, the strongest first; no two overlap.
    pub managed: &'a [Managed],
    /// The rendering that the overlay on disk came from.
    pub last: Option<&'a Rendering>,
    /// The overlay on disk.
    pub present: Option<&'a str>,
    /// The herdr that can be asked.
    pub herdr: Option<&'a Binary>,
    /// The version of this program.
    pub by: &'a str,
}

/// The next rendering.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    /// What to write and remember.
    pub rendering: Rendering,
    /// The settings in the overlay that are not the user's.
    pub settings: Vec<Setting>,
    /// User settings that herdr removed.
    pub removed: Vec<LeftOut>,
    /// What changed on the way and will not be said again.
    pub news: Vec<Warning>,
    /// The overlay on disk is no TOML: it is worth saving before it is replaced.
    pub present_is_broken: bool,
}

/// Makes the next rendering, asking `judge` what herdr can read.
///
/// # Errors
/// A fault of this program that even the minimal overlay could not avoid.
pub fn compose(inputs: Inputs<'_>, judge: &mut Judge<'_>) -> Result<Composition, String> {
    if let Some(composition) = last_good(inputs, judge) {
        return Ok(composition);
    }
    let (last_good, nothing) = (last_good_config(inputs), Config::new(""));
    let user = match inputs.user {
        UserConfig::Missing => None,
        UserConfig::Text(config) => Some(config),
        UserConfig::Unusable(_) => last_good.as_ref(),
    };
    let config = user.unwrap_or(&nothing);
    // Without a layer that depends on the user's values they are not needed.
    let is_layered = inputs.last.is_some() || inputs.site.is_elsewhere();
    let values = is_layered.then(|| config.values()).flatten().unwrap_or_else(Tree::empty);
    let always = Setting::restore_off();
    let managed: Vec<Setting> =
        std::iter::once(always).chain(inputs.managed.iter().filter_map(Managed::setting)).collect();

    let mut news = Vec::new();
    let (kept, present_is_broken) = keep(inputs, &values, &managed, &mut news);
    let removed = removed_by_herdr(&kept, &managed);
    let settings = with_layers(managed, &kept, relocated(inputs.site, &values));
    let remembered = inputs.last.map(|last| last.remembered(config)).unwrap_or_default();
    let banner = banner::of(&inputs.site.config);
    let draft = Draft {
        config,
        settings: &settings,
        left_out: &removed,
        remembered: &remembered,
        banner: Some(&banner),
    };
    let settled = match settle::settle(draft, judge) {
        Ok(settled) => settled,
        Err(error) => {
            news.push(fault(&error));
            let settings = [Setting::restore_off()];
            let draft = Draft {
                config: &nothing,
                settings: &settings,
                left_out: &[],
                remembered: &[],
                banner: Some(&banner),
            };
            let minimal = settle::settle(draft, judge).map_err(|error| format!("{error:?}"))?;
            Settled { is_minimal: true, ..minimal }
        }
    };
    Ok(assemble(inputs, user, kept, removed, settled, news, present_is_broken))
}

/// The config that stays in force where the present one cannot be used: the last good one, if there is one.
fn last_good_config(inputs: Inputs<'_>) -> Option<Config> {
    let UserConfig::Unusable(_) = inputs.user else { return None };
    inputs.last.and_then(|last| last.user.as_deref()).map(Config::new)
}

/// The overlay on disk as it is, when the user config cannot be used and nothing is remembered that a
/// better one could be made from.
fn last_good(inputs: Inputs<'_>, judge: &mut Judge<'_>) -> Option<Composition> {
    let (UserConfig::Unusable(_), None, Some(present)) = (inputs.user, inputs.last, inputs.present) else {
        return None;
    };
    let is_off = tree_of(present).is_some_and(|tree| overlay::is_off(&tree));
    let verdict = if is_off { judge(present) } else { return None };
    if matches!(verdict, Verdict::Rejected { .. }) {
        return None;
    }
    let rendering = Rendering {
        // Made by nobody who is known: whatever comes next makes it anew.
        by: String::new(),
        user: None,
        managed: inputs.managed.to_vec(),
        text: present.to_owned(),
        kept: Vec::new(),
        quarantined: Vec::new(),
        dropped: Vec::new(),
        is_minimal: false,
        herdr: inputs.herdr.cloned(),
        verdict,
    };
    Some(Composition {
        rendering,
        settings: vec![Setting::restore_off()],
        removed: Vec::new(),
        news: Vec::new(),
        present_is_broken: false,
    })
}

fn assemble(
    inputs: Inputs<'_>,
    user: Option<&Config>,
    mut kept: Vec<Kept>,
    removed: Vec<LeftOut>,
    settled: Settled,
    news: Vec<Warning>,
    present_is_broken: bool,
) -> Composition {
    let with_text = |left_out: LeftOut| {
        let text = user.and_then(|config| overlay::text_at(config, &left_out.path));
        let text = text.map_or("", |(text, _)| text).to_owned();
        Quarantined { left_out, text }
    };
    let dropped = settled
        .dropped
        .into_iter()
        .map(|(setting, reason)| Dropped { setting: Managed::of(&setting), reason });
    let dropped: Vec<Dropped> = dropped.collect();
    // What herdr wrote and cannot read itself is not worth trying again.
    kept.retain(|kept| {
        !dropped
            .iter()
            .any(|dropped| dropped.setting.source == Source::Kept && dropped.setting.path == kept.path)
    });
    let rendering = Rendering {
        by: inputs.by.to_owned(),
        user: user.map(|config| config.text().to_owned()),
        managed: inputs.managed.to_vec(),
        text: settled.overlay.text,
        kept,
        quarantined: settled.quarantined.into_iter().map(with_text).collect(),
        dropped,
        is_minimal: settled.is_minimal || (user.is_none() && matches!(inputs.user, UserConfig::Unusable(_))),
        herdr: inputs.herdr.cloned(),
        verdict: settled.verdict,
    };
    Composition { rendering, settings: settled.settings, removed, news, present_is_broken }
}

fn fault(error: &NoOverlay) -> Warning {
    let what = match error {
        NoOverlay::Syntax(error) => error.reason.clone(),
        NoOverlay::Unproved(what) => what.clone(),
    };
    let text = format!("the overlay could not be proved right ({what}); only restore is set in it");
    Warning::new(text).hint("this is a fault of mam: please report it with your config")
}

/// The settings that herdr wrote, with what it changed since the last rendering.
fn keep(
    inputs: Inputs<'_>,
    values: &Tree,
    managed: &[Setting],
    news: &mut Vec<Warning>,
) -> (Vec<Kept>, bool) {
    let Some(last) = inputs.last else { return (Vec::new(), false) };
    let mut present_is_broken = false;
    let mut found = Reconciled { kept: last.kept.clone(), ..Reconciled::default() };
    if let (Some(present), Some(rendered)) =
        (inputs.present.filter(|text| *text != last.text), tree_of(&last.text))
    {
        match tree_of(present) {
            Some(after) => {
                let before_user = last.user.as_deref().and_then(tree_of).unwrap_or_else(Tree::empty);
                found = kept::collect(&last.kept, &rendered, &after, &before_user, managed);
                news.extend(overruled(&found, &after, inputs.site));
            }
            None => present_is_broken = true,
        }
    }
    let (kept, superseded) = kept::reconcile(found.kept, values);
    // A user who took over what herdr wrote, by hand or with `write-back`, has no need to hear of it.
    let is_other =
        |kept: &Kept| values.get(&kept.path) != kept.value.as_deref().and_then(Tree::parse).as_ref();
    for kept in superseded.into_iter().filter(is_other) {
        let path = &kept.path;
        news.push(Warning::new(match &kept.value {
            Some(value) => {
                format!("`{path}`: your config's newer value replaces `{value}`, which herdr had written")
            }
            None => format!("`{path}`: your config's newer value is in force; herdr had removed the setting"),
        }));
    }
    (kept, present_is_broken)
}

fn overruled<'a>(
    found: &'a Reconciled,
    after: &'a Tree,
    site: &'a Site,
) -> impl Iterator<Item = Warning> + 'a {
    let restore = setting::restore_path();
    let overlay = site.overlay.display();
    found.overruled.iter().map(move |path| {
        if path.overlaps(&restore) && !overlay::is_off(after) {
            Warning::new(format!("restore had been turned on in `{overlay}`; it is off again"))
                .hint("a server that was started in between may have relaunched agents without their flags")
        } else {
            Warning::new(format!("`{path}` had been changed in `{overlay}`; the managed value is back"))
        }
    })
}

fn removed_by_herdr(kept: &[Kept], managed: &[Setting]) -> Vec<LeftOut> {
    let is_free = |kept: &&Kept| {
        kept.value.is_none() && !managed.iter().any(|setting| setting.path.overlaps(&kept.path))
    };
    let left_out = |kept: &Kept| LeftOut {
        path: NodePath::of_keys(kept.path.keys()),
        reason: "herdr removed it".to_owned(),
    };
    kept.iter().filter(is_free).map(left_out).collect()
}

/// All settings in order of strength; one that overlaps a stronger one is not used.
fn with_layers(managed: Vec<Setting>, kept: &[Kept], relocated: Vec<Setting>) -> Vec<Setting> {
    let kept = kept
        .iter()
        .filter_map(|kept| Setting::new(kept.path.clone(), kept.value.as_deref()?, Source::Kept).ok());
    let mut settings: Vec<Setting> = Vec::new();
    for setting in managed.into_iter().chain(kept).chain(relocated) {
        if !settings.iter().any(|stronger| stronger.path.overlaps(&setting.path)) {
            settings.push(setting);
        }
    }
    settings
}

/// The paths that herdr resolves against the directory of its config file, made absolute where the
/// overlay stands in another directory than the user config.
fn relocated(site: &Site, values: &Tree) -> Vec<Setting> {
    const PATHS: [&str; 3] = ["ui.sound.path", "ui.sound.done_path", "ui.sound.request_path"];
    if !site.is_elsewhere() {
        return Vec::new();
    }
    let base = mam_share::files::parent(&site.config);
    let absolute = |path: &&str| {
        let path = path.parse().ok()?;
        let Some(Tree::String(value)) = values.get(&path) else { return None };
        if value.is_empty() || Path::new(value).is_absolute() {
            return None;
        }
        let value = Tree::String(base.join(value).to_str()?.to_owned());
        Some(Setting { path, text: value.to_toml(), value, source: Source::Relocated })
    };
    PATHS.iter().filter_map(absolute).collect()
}

impl Managed {
    /// The setting, unless its value is not TOML.
    pub fn setting(&self) -> Option<Setting> {
        Setting::new(self.path.clone(), &self.value, self.source).ok()
    }

    /// What is remembered of a setting.
    pub fn of(setting: &Setting) -> Self {
        Self { path: setting.path.clone(), value: setting.text.clone(), source: setting.source }
    }
}
