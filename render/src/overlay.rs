//! One overlay: the user's text with the settings spliced in, and the proof that it is that.

use std::collections::BTreeMap;

use crate::leave_out::LeftOut;
use crate::node::{self, NodePath};
use crate::plan::{self, Wanted};
use crate::setting::{self, Setting};
use crate::splice::{self, Splice};
use crate::syntax::{self, SyntaxError};
use crate::tree::Tree;

/// What an overlay is made of.
#[derive(Clone, Copy, Debug)]
pub struct Ingredients<'a> {
    /// The user's config.
    pub text: &'a str,
    /// The settings that are not the user's. One that overlaps an earlier one is not used.
    pub settings: &'a [Setting],
    /// User settings to leave out.
    pub left_out: &'a [LeftOut],
    /// A comment for the first line, without the `#`.
    pub banner: Option<&'a str>,
}

/// A proved overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// Its text.
    pub text: String,
    /// How it differs from the user's text.
    pub splices: Vec<Splice>,
}

/// Why there is no overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOverlay {
    /// The user's text is no TOML.
    Syntax(SyntaxError),
    /// What came out is not the input with the settings applied: a fault of this program, which the
    /// proof keeps from reaching a file.
    Unproved(String),
}

/// Renders and proves. That restore is off is part of the proof, whatever the settings are.
///
/// # Errors
/// [`NoOverlay`].
pub fn render(ingredients: Ingredients<'_>) -> Result<Overlay, NoOverlay> {
    let (overlay, values) = splice_and_prove(ingredients)?;
    if is_off(&values) {
        Ok(overlay)
    } else {
        Err(NoOverlay::Unproved("restore would not be off".to_owned()))
    }
}

/// Edits a user config in the same proved way; nothing is added that was not asked for.
///
/// # Errors
/// [`NoOverlay`].
pub fn edit(text: &str, settings: &[Setting], left_out: &[LeftOut]) -> Result<String, NoOverlay> {
    let ingredients = Ingredients { text, settings, left_out, banner: None };
    splice_and_prove(ingredients).map(|(overlay, _)| overlay.text)
}

fn splice_and_prove(ingredients: Ingredients<'_>) -> Result<(Overlay, Tree), NoOverlay> {
    let Ingredients { text, settings, left_out, banner } = ingredients;
    let document = syntax::parse(text).map_err(NoOverlay::Syntax)?;
    let root = document.as_table();
    let splices = plan::plan(Wanted { text, root, settings, left_out, banner });

    let unproved = |what: &str| NoOverlay::Unproved(what.to_owned());
    let output =
        splice::apply(text, &splices).ok_or_else(|| unproved("the splices do not fit the config"))?;
    if splice::undo(&output, &splices).as_deref() != Some(text) {
        return Err(unproved("taking the splices back does not give the config again"));
    }
    let rendered = syntax::parse(&output).map_err(|error| NoOverlay::Unproved(error.reason))?;
    let rendered = Tree::of_table(rendered.as_table(), false);
    let expected = expected(Tree::of_table(root, false), settings, left_out);
    if rendered != expected {
        return Err(NoOverlay::Unproved(first_difference(&expected, &rendered)));
    }
    Ok((Overlay { text: output, splices }, rendered))
}

/// The user's values without what is left out, with the settings.
fn expected(mut tree: Tree, settings: &[Setting], left_out: &[LeftOut]) -> Tree {
    let mut paths: Vec<&NodePath> = left_out.iter().map(|left_out| &left_out.path).collect();
    // From the back, so that the numbers of earlier elements stay what they are. Inner ones come
    // after what they are in, and so go first.
    paths.sort();
    paths.dedup();
    for path in paths.into_iter().rev() {
        tree.remove(&path.0);
    }
    for setting in settings {
        tree.set(&setting.path, setting.value.clone());
    }
    tree
}

/// Whether a config says that agents are not relaunched.
pub fn is_off(tree: &Tree) -> bool {
    tree.get(&setting::restore_path()) == Some(&Tree::Boolean(false))
}

fn first_difference(expected: &Tree, rendered: &Tree) -> String {
    let (expected, rendered) = (expected.leaves(), rendered.leaves());
    let differs = |(path, value): (_, &&Tree)| rendered.get(path) != Some(value);
    let missing = expected.iter().find(|entry| differs(*entry)).map(|(path, _)| path);
    let added = rendered.keys().find(|path| !expected.contains_key(path));
    match missing.or(added) {
        Some(path) => format!("`{path}` is not what it should be"),
        None => "its tables are not what they should be".to_owned(),
    }
}

/// The value at each path that a setting replaces in the user's config, as the user wrote it, with its
/// offset. For a table that makes room, the first of its bytes.
pub fn replaced_by<'a>(text: &'a str, settings: &[Setting]) -> BTreeMap<usize, (&'a str, usize)> {
    let Ok(document) = syntax::parse(text) else { return BTreeMap::new() };
    let value_of = |setting: &Setting| {
        let mut item = document.as_item();
        for key in setting.path.keys() {
            let next = item.as_table_like().map(|table| table.get(key));
            match next {
                Some(next) => item = next?,
                // A value stands where the path needs a table: that value is what gets replaced.
                None => break,
            }
        }
        let span = item.span()?;
        Some((text.get(span.clone())?, span.start))
    };
    settings.iter().enumerate().filter_map(|(index, setting)| Some((index, value_of(setting)?))).collect()
}

/// The bytes of a node of the user's text, for messages and for telling whether it changed.
pub fn text_at<'a>(text: &'a str, path: &NodePath) -> Option<(&'a str, usize)> {
    let document = syntax::parse(text).ok()?;
    let span = node::resolve(document.as_item(), &path.0)?.span()?;
    Some((text.get(span.clone())?, span.start))
}
