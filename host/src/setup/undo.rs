//! What undoing a setup does: each file back to what it was, and one that was changed since is refused,
//! with the line.

use std::path::{Path, PathBuf};

use mam_share::message::harmless;

use super::block;
use super::facts::File;
use super::plan::{State, shown};
use super::receipt::{Block, Receipt};

/// A block that setup put into a file, and the file as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The block.
    pub block: Block,
    /// The file now.
    pub file: File,
}

/// A file that setup wrote, and as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What was written.
    pub text: String,
    /// The file now.
    pub file: File,
}

/// Everything that is decided from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The blocks.
    pub blocks: Vec<Edited>,
    /// The files.
    pub files: Vec<Written>,
    /// The overlay that setup rendered first.
    pub overlay: Option<Overlay>,
    /// The plugin was linked by setup.
    pub plugin: bool,
    /// The unit that setup installed, and its file that was changed since, with the line.
    pub unit: Option<(String, Option<(PathBuf, usize)>)>,
}

/// An overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The file.
    pub path: PathBuf,
    /// It is there.
    pub is_there: bool,
    /// The first line that is not as it was rendered.
    pub changed: Option<usize>,
    /// herdr wrote settings into it that are nowhere else.
    pub has_kept: bool,
    /// The server that may run on it.
    pub used_by: Option<String>,
}

/// What is done about one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Take the block out.
    Rewrite {
        /// The file behind the links.
        target: PathBuf,
        /// What it is now.
        before: Vec<u8>,
        /// What it will be.
        after: Vec<u8>,
    },
    /// Remove a file.
    Remove(PathBuf),
    /// Unlink the plugin.
    Unlink,
    /// Remove the unit.
    Uninstall,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it is about, one word.
    pub subject: &'static str,
    /// What becomes of it.
    pub state: State,
    /// What is or will be.
    pub text: Vec<String>,
    /// What is to be done.
    pub action: Option<Action>,
    /// The files that stay recorded when it is not done.
    pub about: Option<PathBuf>,
}

/// The steps. The plugin and the unit go first: they use what goes later.
pub fn plan(facts: &Facts, home: Option<&Path>) -> Vec<Step> {
    let mut steps = Vec::new();
    if let Some((kind, changed)) = &facts.unit {
        steps.push(match changed {
            None => todo(
                "unit",
                format!("remove the {kind} unit; a host that runs is left alone"),
                Action::Uninstall,
            ),
            Some((path, line)) => {
                left("unit", format!("{}:{line}: changed since, and stays", shown(path, home)))
                    .line(format!("to remove it all the same: mam unit uninstall {kind}"))
            }
        });
    }
    if facts.plugin {
        steps.push(todo("plugin", "unlink mam's plugin".to_owned(), Action::Unlink));
    }
    steps.extend(facts.blocks.iter().map(|edited| of_block(edited, home)));
    steps.extend(facts.files.iter().map(|written| of_file(written, home)));
    steps.extend(facts.overlay.as_ref().map(|overlay| of_overlay(overlay, home)));
    steps
}

/// What is recorded of a setup after these steps, the ones in `undone` being those that were done.
pub fn rest(receipt: &Receipt, steps: &[Step], is_undone: &dyn Fn(&Step) -> bool) -> Receipt {
    let stays = |subject: &str, path: Option<&Path>| {
        steps.iter().any(|step| step.subject == subject && step.about.as_deref() == path && !is_undone(step))
    };
    let mut rest = receipt.clone();
    rest.blocks.retain(|block| stays("shell", Some(&block.path)));
    rest.files.retain(|file| stays("shell", Some(&file.path)));
    rest.overlay = rest.overlay.filter(|path| stays("overlay", Some(path)));
    rest.plugin &= stays("plugin", None);
    rest.unit = rest.unit.filter(|_| stays("unit", None));
    if rest.blocks.is_empty() && rest.files.is_empty() {
        rest.directories.clear();
    }
    rest
}

impl Step {
    fn line(mut self, text: impl Into<String>) -> Self {
        self.text.push(text.into());
        self
    }

    fn about(mut self, path: &Path) -> Self {
        self.about = Some(path.to_owned());
        self
    }
}

fn step(subject: &'static str, state: State, text: String) -> Step {
    Step { subject, state, text: vec![text], action: None, about: None }
}

fn todo(subject: &'static str, text: String, action: Action) -> Step {
    Step { action: Some(action), ..step(subject, State::Todo, text) }
}

fn left(subject: &'static str, text: String) -> Step {
    step(subject, State::Left, text)
}

fn done(subject: &'static str, text: String) -> Step {
    step(subject, State::Done, text)
}

fn of_block(edited: &Edited, home: Option<&Path>) -> Step {
    let File { path, target, bytes, untouchable } = &edited.file;
    let name = shown(path, home);
    let decided = match bytes.as_deref().map(|bytes| (bytes, block::find(bytes))) {
        None => done("shell", format!("{name} is gone")),
        Some((_, Err(odd))) => {
            left("shell", format!("{name}:{}: {}", odd.line, odd.what)).line("mend it, then run this again")
        }
        Some((_, Ok(None))) => done("shell", format!("{name} has no block of mam's any more")),
        Some((old, Ok(Some(range)))) => {
            let present = old.get(range.clone()).unwrap_or_default();
            let first = block::line_of(old, range.start);
            match (block::first_difference(present, edited.block.text.as_bytes()), untouchable) {
                (Some(line), _) => {
                    let line = first + line - 1;
                    left("shell", format!("{name}:{line}: the block was changed since, and stays"))
                        .line("take it out yourself, from its first marker to its last")
                }
                (None, Some(why)) => left("shell", format!("{name} is left alone: {}", harmless(why)))
                    .line(format!("take out the block on line {first} yourself")),
                (None, None) => {
                    let after = block::remove(old, &range);
                    if after.is_empty() && edited.block.is_new_file {
                        todo("shell", format!("remove {name}"), Action::Remove(target.clone()))
                    } else {
                        let action = Action::Rewrite { target: target.clone(), before: old.to_vec(), after };
                        todo("shell", format!("take mam's block out of {name}, line {first}"), action)
                    }
                }
            }
        }
    };
    decided.about(path)
}

fn of_file(written: &Written, home: Option<&Path>) -> Step {
    let File { path, bytes, untouchable, .. } = &written.file;
    let name = shown(path, home);
    let change = bytes.as_deref().and_then(|bytes| block::first_difference(bytes, written.text.as_bytes()));
    let decided = match (bytes, change, untouchable) {
        (None, ..) => done("shell", format!("{name} is gone")),
        (Some(_), Some(line), _) => left("shell", format!("{name}:{line}: changed since, and stays"))
            .line(format!("to remove it all the same: rm {name}")),
        (Some(_), None, Some(why)) => left("shell", format!("{name} stays: {}", harmless(why))),
        (Some(_), None, None) => todo("shell", format!("remove {name}"), Action::Remove(path.clone())),
    };
    decided.about(path)
}

fn of_overlay(overlay: &Overlay, home: Option<&Path>) -> Step {
    let name = shown(&overlay.path, home);
    let stays = |text: String, hint: &str| left("overlay", text).line(hint);
    let decided = if !overlay.is_there {
        done("overlay", format!("{name} is gone"))
    } else if let Some(server) = &overlay.used_by {
        stays(format!("{name} stays: {server} runs on it"), "mam stop --all, then mam setup --undo")
    } else if overlay.has_kept {
        let hint = "mam-render-config write-back moves them to your config; then mam setup --undo";
        stays(format!("{name} stays: it has settings that herdr wrote, and nothing else has them"), hint)
    } else if let Some(line) = overlay.changed {
        stays(
            format!("{name}:{line}: changed since, and stays"),
            &format!("to remove it all the same: rm {name}"),
        )
    } else {
        todo("overlay", format!("remove {name}"), Action::Remove(overlay.path.clone()))
    };
    decided.about(&overlay.path)
}
