//! What a setup does: from what was looked at to a list of steps, each with its reason.

use std::path::{Path, PathBuf};

use mam_share::herdr::version::{Fit, OLDEST, TESTED};
use mam_share::message::harmless;

use super::block;
use super::facts::{Facts, File, Integration, Plugin};
use crate::supervisor::Kind;

/// What becomes of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is to be done.
    Todo,
    /// Nothing has to be done.
    Done,
    /// It is not done, and the text says why.
    Left,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is about, one word.
    pub subject: &'static str,
    /// What becomes of it.
    pub state: State,
    /// What is or will be, the first line a summary.
    pub text: Vec<String>,
    /// What is to be done.
    pub action: Option<Action>,
}

/// Something that changes a file or asks a program to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Render the overlay.
    Render,
    /// Link the plugin.
    Link,
    /// Write or rewrite a file of mam's own.
    Write {
        /// The file.
        path: PathBuf,
        /// What it says.
        text: String,
    },
    /// Put a block into a profile file.
    Edit {
        /// The file as the shell names it.
        path: PathBuf,
        /// The file behind the links.
        target: PathBuf,
        /// What it was when it was looked at.
        before: Option<Vec<u8>>,
        /// What it will be.
        after: Vec<u8>,
        /// The block.
        block: String,
    },
    /// Install a unit, if the user agrees.
    Install(Kind),
}

impl Step {
    fn new(subject: &'static str, state: State, text: impl Into<String>) -> Self {
        Self { subject, state, text: vec![text.into()], action: None }
    }

    fn line(mut self, text: impl Into<String>) -> Self {
        self.text.push(text.into());
        self
    }

    fn action(mut self, action: Action) -> Self {
        self.action = Some(action);
        self
    }
}

/// A path as people read it: below the home directory with `~`.
pub fn shown(path: &Path, home: Option<&Path>) -> String {
    let below = home.and_then(|home| path.strip_prefix(home).ok());
    harmless(
        &below.map_or_else(|| path.to_string_lossy().into_owned(), |below| format!("~/{}", below.display())),
    )
}

/// The steps of a setup. `home` is for the texts.
pub fn plan(facts: &Facts, home: Option<&Path>) -> Vec<Step> {
    let mut steps = vec![herdr(facts, home), overlay(facts, home), plugin(facts)];
    match &facts.shell {
        Ok(integration) => steps.extend(shell(integration, facts, home)),
        Err(why) => steps.push(
            Step::new("shell", State::Left, format!("no integration: {why}"))
                .line("name a shell with --shell, or start herdr through `mam` alone"),
        ),
    }
    steps.push(unit(facts));
    steps
}

fn herdr(facts: &Facts, home: Option<&Path>) -> Step {
    let Some(herdr) = &facts.herdr else {
        return Step::new("herdr", State::Left, "not on PATH").line("install it first: https://herdr.dev");
    };
    let path = shown(&herdr.path, home);
    let Some(version) = herdr.version else {
        return Step::new("herdr", State::Done, format!("{path} does not say its version"));
    };
    let step = |text: String| Step::new("herdr", State::Done, text);
    match version.fit() {
        Fit::Tested => step(format!("{version} at {path}")),
        Fit::Untested => step(format!("{version} at {path}")).line(format!(
            "mam was tested on {} to {}",
            TESTED.start(),
            TESTED.end()
        )),
        Fit::TooOld => Step::new("herdr", State::Left, format!("{version} at {path} is too old"))
            .line(format!("mam needs {OLDEST} or newer: herdr update")),
    }
}

fn overlay(facts: &Facts, home: Option<&Path>) -> Step {
    let overlay = &facts.overlay;
    let (path, config) = (shown(&overlay.path, home), shown(&overlay.config, home));
    if overlay.stale.is_empty() && overlay.broken.is_none() {
        return Step::new("overlay", State::Done, format!("{path} is fresh"));
    }
    let verb = if overlay.is_there { "render again" } else { "render" };
    let mut step = Step::new("overlay", State::Todo, format!("{verb} {path}")).action(Action::Render);
    step = match &overlay.broken {
        None => step.line(format!("from {config}, which is only read; restore is off in it")),
        Some(_) => step.line(format!("without your {config}: it cannot be read, and stays as it is")),
    };
    step
}

fn plugin(facts: &Facts) -> Step {
    let todo = |text: &str| Step::new("plugin", State::Todo, text).action(Action::Link);
    match &facts.plugin {
        Plugin::Current => Step::new("plugin", State::Done, "linked, enabled, current"),
        Plugin::Off => Step::new("plugin", State::Done, "linked, and switched off by you")
            .line("to switch it on: herdr plugin enable mam"),
        Plugin::NoInstaller => Step::new("plugin", State::Left, "`mam-restore-hook` is not installed")
            .line("restored shells stay where they are"),
        Plugin::Unknown(why) => {
            Step::new("plugin", State::Left, format!("nobody can tell: {}", harmless(why)))
        }
        Plugin::NotLinked if facts.herdr.is_none() => Step::new("plugin", State::Left, "needs herdr"),
        Plugin::NotLinked => todo("link mam's plugin, which closes the empty shells of restored agents"),
        Plugin::NotCurrent(_) => todo("link mam's plugin again: what herdr has is not this version's"),
    }
}

fn unit(facts: &Facts) -> Step {
    match (facts.unit.installed, facts.unit.found) {
        (Some(kind), _) => Step::new("unit", State::Done, format!("a {} unit is installed", kind.name())),
        (None, Some(kind)) => {
            let text = format!("a {} unit, so that the host starts at login, if you want it", kind.name());
            Step::new("unit", State::Left, text)
                .line(format!("asked for on its own; later: mam unit install {}", kind.name()))
                .action(Action::Install(kind))
        }
        (None, None) => Step::new("unit", State::Done, "not needed: `mam` starts the host when it is called"),
    }
}

fn shell(integration: &Integration, facts: &Facts, home: Option<&Path>) -> Vec<Step> {
    let hand = integration
        .profile
        .bytes
        .as_deref()
        .and_then(|bytes| block::by_hand_outside(bytes, integration.shell));
    if let Some(line) = hand {
        let path = shown(&integration.profile.path, home);
        return vec![Step::new(
            "shell",
            State::Done,
            format!("{path} has the integration already, on line {line}"),
        )];
    }
    let edit = profile(integration, facts, home);
    // Without the block nobody reads the file.
    match edit.state {
        State::Left => vec![edit],
        State::Todo | State::Done => vec![init(integration, facts, home), edit],
    }
}

fn init(integration: &Integration, facts: &Facts, home: Option<&Path>) -> Step {
    let file = &integration.init;
    let path = shown(&file.path, home);
    let step = |state, text: String| Step::new("shell", state, text);
    let write = |verb: &str| {
        let action = Action::Write { path: file.path.clone(), text: integration.init_text.clone() };
        step(State::Todo, format!("{verb} {path}"))
            .line("the function `herdr` that knows mam's sessions")
            .action(action)
    };
    if let Some(why) = &file.untouchable {
        return step(State::Left, format!("{path} cannot be written: {}", harmless(why)));
    }
    let Some(bytes) = &file.bytes else { return write("write") };
    if [&integration.init_text, &integration.init_other].iter().any(|text| text.as_bytes() == bytes) {
        return step(State::Done, format!("{path} is there"));
    }
    let recorded = facts.receipt.files.iter().find(|recorded| recorded.path == file.path);
    if recorded.is_some_and(|recorded| recorded.text.as_bytes() == bytes) {
        return write("bring up to date");
    }
    step(State::Left, format!("{path} is not as this mam writes it, and stays"))
        .line(format!("to have it anew: mam-render-config init {0} > {path}", integration.shell))
}

fn profile(integration: &Integration, facts: &Facts, home: Option<&Path>) -> Step {
    let File { path, target, bytes, untouchable } = &integration.profile;
    let name = shown(path, home);
    let place =
        if path == target { name.clone() } else { format!("{}, where {name} leads", shown(target, home)) };
    let step = |state, text: String| Step::new("shell", state, text);
    let by_hand = |step: Step| {
        let lines = integration.block.lines().map(|line| format!("  {line}"));
        lines.fold(step.line("add this yourself:"), Step::line)
    };
    let old = bytes.as_deref().unwrap_or_default();
    let found = match block::find(old) {
        Ok(found) => found,
        Err(odd) => {
            return step(State::Left, format!("{name}:{}: {}", odd.line, odd.what))
                .line("mend it, then run this again");
        }
    };
    let edit = |after: Vec<u8>| Action::Edit {
        path: path.clone(),
        target: target.clone(),
        before: bytes.clone(),
        after,
        block: integration.block.clone(),
    };
    let Some(range) = found else {
        if let Some(why) = untouchable {
            return by_hand(step(State::Left, format!("{name} is left alone: {}", harmless(why))));
        }
        let verb = if bytes.is_some() { "add to" } else { "make" };
        let lines = integration.block.lines().map(|line| format!("  {line}"));
        let todo = step(State::Todo, format!("{verb} {place}:"))
            .action(edit(block::insert(old, &integration.block)));
        return lines.fold(todo, Step::line);
    };
    let present = old.get(range.clone()).unwrap_or_default();
    let line = block::line_of(old, range.start);
    if present == integration.block.as_bytes() {
        return step(State::Done, format!("{name} has mam's block, on line {line}"));
    }
    let recorded = facts.receipt.blocks.iter().find(|recorded| recorded.path == *path);
    if untouchable.is_none() && recorded.is_some_and(|recorded| recorded.text.as_bytes() == present) {
        let after = block::replace(old, &range, &integration.block);
        return step(State::Todo, format!("bring mam's block in {place} up to date")).action(edit(after));
    }
    step(State::Left, format!("{name}:{line}: mam's block was changed, and stays as it is"))
}
