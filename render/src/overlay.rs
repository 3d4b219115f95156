//! One overlay: the user's text with the settings spliced in, and the proof that it is that.

use std::collections::BTreeMap;

use crate::leave_out::LeftOut;
use crate::node::{self, NodePath};
use crate::plan::{self, Wanted};
use crate::setting::{self, Setting};
use crate::splice::{self, Splice};
use crate::syntax::{self, Config, SyntaxError};
use crate::tree::Tree;

/// What an overlay is made of.
#[derive(Clone, Copy, Debug)]
pub struct Ingredients<'a> {
    /// The user's config.
    pub config: &'a Config,
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
pub fn edit(config: &Config, settings: &[Setting], left_out: &[LeftOut]) -> Result<String, NoOverlay> {
    let ingredients = Ingredients { config, settings, left_out, banner: None };
    splice_and_prove(ingredients).map(|(overlay, _)| overlay.text)
}

fn splice_and_prove(ingredients: Ingredients<'_>) -> Result<(Overlay, Tree), NoOverlay> {
    let Ingredients { config, settings, left_out, banner } = ingredients;
    let text = config.text();
    let root = config.document().map_err(|error| NoOverlay::Syntax(error.clone()))?.as_table();
    let splices = plan::plan(Wanted { text, root, settings, left_out, banner });
    let output = splice::apply(text, &splices)
        .ok_or_else(|| NoOverlay::Unproved("the splices do not fit the config".to_owned()))?;
    let overlay = Overlay { text: output, splices };
    let expected = expected(Tree::of_table(root, false), settings, left_out);
    prove(text, &overlay, &expected).map_err(NoOverlay::Unproved)?;
    Ok((overlay, expected))
}

/// The proof: taking the splices back gives the input, and what is read back are the expected values.
fn prove(input: &str, overlay: &Overlay, expected: &Tree) -> Result<(), String> {
    if splice::undo(&overlay.text, &overlay.splices).as_deref() != Some(input) {
        return Err("taking the splices back does not give the config again".to_owned());
    }
    let rendered = syntax::parse(&overlay.text).map_err(|error| error.reason)?;
    if expected.is_of(rendered.as_table()) {
        return Ok(());
    }
    Err(first_difference(expected, &Tree::of_table(rendered.as_table(), false)))
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
pub fn replaced_by<'a>(config: &'a Config, settings: &[Setting]) -> BTreeMap<usize, (&'a str, usize)> {
    let Ok(document) = config.document() else { return BTreeMap::new() };
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
        Some((config.text().get(span.clone())?, span.start))
    };
    settings.iter().enumerate().filter_map(|(index, setting)| Some((index, value_of(setting)?))).collect()
}

/// The bytes of a node of the user's text, for messages and for telling whether it changed.
pub fn text_at<'a>(config: &'a Config, path: &NodePath) -> Option<(&'a str, usize)> {
    let document = config.document().ok()?;
    let span = node::resolve(document.as_item(), &path.0)?.span()?;
    Some((config.text().get(span.clone())?, span.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::of_table(syntax::parse(text).unwrap().as_table(), false)
    }

    fn append(input: &str, new: &str) -> Splice {
        let end = input.len();
        Splice { at: end..end, old: String::new(), new: new.to_owned(), setting: None }
    }

    #[test]
    fn a_wrong_overlay_is_not_proved() {
        let input = "a = 1 # c\n";
        let good = "a = 1 # c\nb = 2\n";
        let overlay =
            |text: &str, new: &str| Overlay { text: text.to_owned(), splices: vec![append(input, new)] };
        assert!(prove(input, &overlay(good, "b = 2\n"), &tree(good)).is_ok());
        let rows = [
            // A byte of the user's that no splice accounts for.
            (overlay("a = 1 # d\nb = 2\n", "b = 2\n"), "taking the splices back"),
            (overlay("a = 1\nb = 2\n", "b = 2\n"), "taking the splices back"),
            // A splice that did something else than was wanted.
            (overlay("a = 1 # c\nb = 3\n", "b = 3\n"), "`b` is not what it should be"),
            (overlay("a = 1 # c\nb = 2\nc = 3\n", "b = 2\nc = 3\n"), "`c` is not what it should be"),
            (overlay("a = 1 # c\n# b = 2\n", "# b = 2\n"), "`b` is not what it should be"),
            (overlay("a = 1 # c\na = 2\n", "a = 2\n"), "duplicate key"),
        ];
        for (overlay, said) in rows {
            let error = prove(input, &overlay, &tree(good)).unwrap_err();
            assert!(error.contains(said), "{error}: {overlay:?}");
        }
    }

    #[test]
    fn without_the_setting_that_matters_there_is_no_overlay() {
        let settings = [Setting {
            value: Tree::Integer(1),
            text: "1".into(),
            path: "a".parse().unwrap(),
            source: setting::Source::Command,
        }];
        for text in ["", "[session]\nresume_agents_on_restore = true\n"] {
            let config = &Config::new(text);
            let ingredients = Ingredients { config, settings: &settings, left_out: &[], banner: None };
            assert_eq!(
                render(ingredients),
                Err(NoOverlay::Unproved("restore would not be off".into())),
                "{text}"
            );
        }
        assert!(edit(&Config::new(""), &settings, &[]).is_ok());
    }
}
