//! A TOML document as plain values: what the proof compares, and what kept settings are found in.

use std::collections::BTreeMap;

use toml_edit::{Item, TableLike, Value};

use crate::key_path::KeyPath;
use crate::node::Step;

/// A value with nothing of its spelling: `0x10` is 16, a dotted key is a table.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A table of any form.
    Table {
        /// Its keys.
        entries: BTreeMap<String, Self>,
        /// It exists only because something below it does (`a` in `a.b = 1` and in `[a.b]`).
        implicit: bool,
    },
    /// An array, or an array of tables.
    Array {
        /// Its elements.
        elements: Vec<Self>,
        /// It is written as `[[headers]]`, so that without elements it does not exist.
        headers: bool,
    },
    /// A string.
    String(String),
    /// An integer.
    Integer(i64),
    /// A float by its bits, so that NaN equals itself.
    Float(u64),
    /// A boolean.
    Boolean(bool),
    /// A date, a time or both, as it is written.
    Datetime(String),
}

impl PartialEq for Tree {
    /// Equal values; how tables and arrays came about does not count.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Table { entries: ours, .. }, Self::Table { entries: theirs, .. }) => ours == theirs,
            (Self::Array { elements: ours, .. }, Self::Array { elements: theirs, .. }) => ours == theirs,
            (Self::String(ours), Self::String(theirs)) | (Self::Datetime(ours), Self::Datetime(theirs)) => {
                ours == theirs
            }
            (Self::Integer(ours), Self::Integer(theirs)) => ours == theirs,
            (Self::Float(ours), Self::Float(theirs)) => ours == theirs,
            (Self::Boolean(ours), Self::Boolean(theirs)) => ours == theirs,
            (
                Self::Table { .. }
                | Self::Array { .. }
                | Self::String(_)
                | Self::Integer(_)
                | Self::Float(_)
                | Self::Boolean(_)
                | Self::Datetime(_),
                _,
            ) => false,
        }
    }
}

impl Tree {
    /// The values of a whole document or of one table.
    pub fn of_table(table: &dyn TableLike, implicit: bool) -> Self {
        let entry = |(key, item): (&str, &Item)| Some((key.to_owned(), Self::of_item(item)?));
        Self::Table { entries: table.iter().filter_map(entry).collect(), implicit }
    }

    fn of_item(item: &Item) -> Option<Self> {
        Some(match item {
            Item::None => return None,
            Item::Value(value) => Self::of_value(value),
            Item::Table(table) => Self::of_table(table, table.is_implicit() || table.is_dotted()),
            Item::ArrayOfTables(tables) => Self::Array {
                elements: tables.iter().map(|table| Self::of_table(table, false)).collect(),
                headers: true,
            },
        })
    }

    /// One value.
    pub fn of_value(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::String(text.value().clone()),
            Value::Integer(number) => Self::Integer(*number.value()),
            Value::Float(number) => Self::Float(number.value().to_bits()),
            Value::Boolean(flag) => Self::Boolean(*flag.value()),
            Value::Datetime(when) => Self::Datetime(when.value().to_string()),
            Value::Array(array) => {
                Self::Array { elements: array.iter().map(Self::of_value).collect(), headers: false }
            }
            Value::InlineTable(table) => Self::of_table(table, table.is_dotted()),
        }
    }

    /// Whether [`Tree::of_table`] of this table would equal this, without making it.
    pub fn is_of(&self, table: &dyn TableLike) -> bool {
        let Self::Table { entries, .. } = self else { return false };
        let mut items = table.iter().filter(|(_, item)| !item.is_none());
        items.all(|(key, item)| entries.get(key).is_some_and(|entry| entry.is_item(item)))
            && table.iter().filter(|(_, item)| !item.is_none()).count() == entries.len()
    }

    fn is_item(&self, item: &Item) -> bool {
        match (self, item) {
            (_, Item::Value(value)) => self.is_value(value),
            (_, Item::Table(table)) => self.is_of(table),
            (Self::Array { elements, .. }, Item::ArrayOfTables(tables)) => {
                elements.len() == tables.len()
                    && elements.iter().zip(tables).all(|(element, table)| element.is_of(table))
            }
            (_, Item::ArrayOfTables(_) | Item::None) => false,
        }
    }

    fn is_value(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::String(ours), Value::String(theirs)) => ours == theirs.value(),
            (Self::Array { elements, .. }, Value::Array(array)) => {
                elements.len() == array.len()
                    && elements.iter().zip(array).all(|(element, value)| element.is_value(value))
            }
            (_, Value::InlineTable(table)) => self.is_of(table),
            // Nothing is allocated for these but for dates, which are few.
            (_, Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_)) => {
                *self == Self::of_value(value)
            }
            (_, Value::String(_) | Value::Array(_)) => false,
        }
    }

    /// An empty document.
    pub fn empty() -> Self {
        Self::Table { entries: BTreeMap::new(), implicit: false }
    }

    /// The value at `path`.
    pub fn get(&self, path: &KeyPath) -> Option<&Self> {
        path.keys().iter().try_fold(self, |tree, key| {
            let Self::Table { entries, .. } = tree else { return None };
            entries.get(key)
        })
    }

    /// Puts `value` at `path`; whatever stands in the way and is no table makes room.
    pub fn set(&mut self, path: &KeyPath, value: Self) {
        let mut tree = self;
        for key in path.keys() {
            if !matches!(tree, Self::Table { .. }) {
                *tree = Self::empty();
            }
            let Self::Table { entries, .. } = tree else { return };
            tree = entries.entry(key.clone()).or_insert_with(Self::empty);
        }
        *tree = value;
    }

    /// Takes out what `steps` lead to, and tables that existed only because of it.
    pub fn remove(&mut self, steps: &[Step]) {
        let [step, rest @ ..] = steps else { return };
        match (self, step) {
            (Self::Table { entries, .. }, Step::Key(key)) => {
                let gone = entries.get_mut(key).is_some_and(|entry| {
                    entry.remove(rest);
                    rest.is_empty() || entry.vanishes()
                });
                if gone {
                    entries.remove(key);
                }
            }
            (Self::Array { elements, .. }, Step::Index(index)) => {
                if rest.is_empty() {
                    if *index < elements.len() {
                        elements.remove(*index);
                    }
                } else if let Some(element) = elements.get_mut(*index) {
                    element.remove(rest);
                }
            }
            _ => {}
        }
    }

    /// Whether nothing in the text is left that would make this exist.
    fn vanishes(&self) -> bool {
        match self {
            Self::Table { entries, implicit } => *implicit && entries.is_empty(),
            Self::Array { elements, headers } => *headers && elements.is_empty(),
            Self::String(_) | Self::Integer(_) | Self::Float(_) | Self::Boolean(_) | Self::Datetime(_) => {
                false
            }
        }
    }

    /// Every value that is no table, with its path; empty tables hold none. Arrays are one value.
    pub fn leaves(&self) -> BTreeMap<KeyPath, &Self> {
        let mut found = BTreeMap::new();
        self.collect_leaves(&mut Vec::new(), &mut found);
        found
    }

    fn collect_leaves<'a>(&'a self, path: &mut Vec<String>, found: &mut BTreeMap<KeyPath, &'a Self>) {
        if let Self::Table { entries, .. } = self {
            for (key, entry) in entries {
                path.push(key.clone());
                entry.collect_leaves(path, found);
                path.pop();
            }
        } else if let Some(path) = KeyPath::new(path.clone()) {
            found.insert(path, self);
        }
    }
}

impl Tree {
    /// The value as TOML on one line.
    pub fn to_toml(&self) -> String {
        self.to_value().to_string()
    }

    fn to_value(&self) -> Value {
        match self {
            Self::String(text) => text.as_str().into(),
            Self::Integer(number) => (*number).into(),
            Self::Float(bits) => f64::from_bits(*bits).into(),
            Self::Boolean(flag) => (*flag).into(),
            // Its text came from a parsed date, so it is one.
            Self::Datetime(when) => when.parse::<Value>().unwrap_or_else(|_| when.as_str().into()),
            Self::Array { elements, .. } => Value::Array(elements.iter().map(Self::to_value).collect()),
            Self::Table { entries, .. } => Value::InlineTable(
                entries.iter().map(|(key, entry)| (key.as_str(), entry.to_value())).collect(),
            ),
        }
    }

    /// Reads one TOML value.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<Value>().ok().map(|value| Self::of_value(&value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_of_a_table_exactly_when_the_values_are_the_same() {
        // Each line has the same values in all its spellings; no two lines have.
        let lines: &[&[&str]] = &[
            &["", "# nothing"],
            &["a = {}", "[a]"],
            &["a = 1", "a = 0x1", "'a' = +1"],
            &["a = 2"],
            &["b = 1"],
            &["a = 1\nb = 1"],
            &["a = 1.0", "a = 1e0"],
            &["a = 0.0"],
            &["a = -0.0"],
            &["a = nan"],
            &["a = true"],
            &["a = false"],
            &["a = 'x'", "a = \"\\u0078\"", "a = '''x'''"],
            &["a = 'y'"],
            &["a = '1'"],
            &["a = 1979-05-27"],
            &["a = 1979-05-28"],
            &["a = '1979-05-27'"],
            &["a = []"],
            &["a = [1]", "a = [ 1, ]"],
            &["a = [2]"],
            &["a = [1, 1]"],
            &["a = [[1]]"],
            &["a = [{}]", "[[a]]"],
            &["a = [{}, {}]", "[[a]]\n[[a]]"],
            &["a = [{ b = 1 }]", "[[a]]\nb = 1"],
            &["a = [{ b = 2 }]", "[[a]]\nb = 2"],
            &["a = { b = 1 }", "a.b = 1", "[a]\nb = 1"],
            &["a = { b = 1, c = 1 }", "a.b = 1\na.c = 1", "[a]\nc = 1\nb = 1"],
            &["a.b.c = 1", "[a.b]\nc = 1", "[a]\nb.c = 1"],
        ];
        let texts: Vec<(usize, &str)> = lines
            .iter()
            .enumerate()
            .flat_map(|(number, line)| line.iter().map(move |text| (number, *text)))
            .collect();
        for (number, text) in &texts {
            let document = toml_edit::Document::parse(*text).unwrap();
            let tree = Tree::of_table(document.as_table(), false);
            for (other_number, other) in &texts {
                let document = toml_edit::Document::parse(*other).unwrap();
                let is_same = number == other_number;
                assert_eq!(tree.is_of(document.as_table()), is_same, "{text:?} {other:?}");
                assert_eq!(tree == Tree::of_table(document.as_table(), false), is_same, "{text:?} {other:?}");
            }
        }
    }

    #[test]
    fn values_survive_their_text() {
        let texts = [
            "1",
            "-0.0",
            "nan",
            "+inf",
            "true",
            "\"a\\n'\\\"\"",
            "1979-05-27T07:32:00Z",
            "[1, [2], {}]",
            "{ a.b = 1, \"c d\" = [] }",
        ];
        for text in texts {
            let tree = Tree::parse(text).unwrap();
            assert_eq!(Tree::parse(&tree.to_toml()).unwrap(), tree, "{text}");
        }
        assert_eq!(Tree::parse("x y"), None);
    }
}
