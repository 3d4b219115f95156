//! The nodes of a parsed document: their paths, and the bytes they stand on.
//!
//! A table body is made of *statements*, `key = value` or a header, each on lines of its own. Inside
//! a value, arrays and inline tables hold *entries* between commas.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml_edit::{Array, InlineTable, Item, Table, Value};

/// One step down from a table or an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// To the value of a key.
    Key(String),
    /// To an element, from 0.
    Index(usize),
}

/// The steps from the root to a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodePath(pub Vec<Step>);

impl NodePath {
    /// The path of these keys.
    pub fn of_keys(keys: &[String]) -> Self {
        Self(keys.iter().cloned().map(Step::Key).collect())
    }

    /// Whether this node is `other` or around it.
    pub fn contains(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }
}

impl fmt::Display for NodePath {
    /// `keys.command[2].type`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) => {
                    let dot = if index == 0 { "" } else { "." };
                    write!(formatter, "{dot}{}", toml_edit::Key::new(key))?;
                }
                Step::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Where the line begins that byte `offset` is on. A byte order mark is before the first line.
pub fn line_start(text: &str, offset: usize) -> usize {
    match text.get(..offset).and_then(|before| before.rfind('\n')) {
        Some(newline) => newline + 1,
        None if text.starts_with('\u{feff}') => '\u{feff}'.len_utf8(),
        None => 0,
    }
}

/// The bytes of a statement: from the start of its first line to the end of its value or header.
pub type Statement = Range<usize>;

/// All statements that make up the entry `key` of `table`: its own, and for tables everything below.
pub fn statements(text: &str, table: &Table, key: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    collect_statements(text, table, key, &mut found);
    found.sort_by_key(|statement| statement.start);
    found
}

fn collect_statements(text: &str, table: &Table, key: &str, found: &mut Vec<Statement>) {
    match table.get(key) {
        None | Some(Item::None) => {}
        Some(Item::Value(value)) => {
            let key_span = table.key(key).and_then(toml_edit::Key::span);
            if let (Some(key), Some(value)) = (key_span, value.span()) {
                found.push(line_start(text, key.start)..value.end);
            }
        }
        Some(Item::Table(inner)) => collect_table(text, inner, found),
        Some(Item::ArrayOfTables(tables)) => {
            for inner in tables {
                collect_table(text, inner, found);
            }
        }
    }
}

fn collect_table(text: &str, table: &Table, found: &mut Vec<Statement>) {
    if let Some(header) = header(table) {
        found.push(line_start(text, header.start)..header.end);
    }
    for (key, _) in table {
        collect_statements(text, table, key, found);
    }
}

/// All statements of one element of an array of tables.
pub fn element_statements(text: &str, element: &Table) -> Vec<Statement> {
    let mut found = Vec::new();
    collect_table(text, element, &mut found);
    found.sort_by_key(|statement| statement.start);
    found
}

/// The bytes of the `[header]` of a table that has one.
pub fn header(table: &Table) -> Option<Range<usize>> {
    if table.is_implicit() || table.is_dotted() { None } else { table.span().filter(|span| !span.is_empty()) }
}

/// One entry of an array or inline table.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path from the array or inline table.
    pub path: Vec<Step>,
    /// Its bytes, from behind the bracket or comma before it to the end of its value.
    pub span: Range<usize>,
}

/// The entries of an array or inline table; `None` for any other value.
pub fn entries_of(text: &str, value: &Value) -> Option<Vec<Entry>> {
    let of_table = value.as_inline_table().map(|table| table_entries(text, table));
    of_table.or_else(|| value.as_array().map(|array| array_entries(text, array)))
}

/// What `step` leads to inside a value.
pub fn step_into<'a>(value: &'a Value, step: &Step) -> Option<&'a Value> {
    match step {
        Step::Key(key) => value.as_inline_table()?.get(key),
        Step::Index(index) => value.as_array()?.get(*index),
    }
}

/// The nodes one step below a table, an array, or a value that is one; none for any other.
pub fn children(root: &Item, path: &NodePath) -> Vec<NodePath> {
    let step = |step| NodePath(path.0.iter().cloned().chain([step]).collect());
    let count = |length: usize| (0..length).map(Step::Index).map(step).collect();
    match resolve(root, &path.0) {
        Some(Node::Item(Item::ArrayOfTables(tables))) => count(tables.len()),
        Some(Node::Item(item)) => match (item.as_table_like(), item.as_array()) {
            (Some(table), _) => table.iter().map(|(key, _)| step(Step::Key(key.to_owned()))).collect(),
            (None, Some(array)) => count(array.len()),
            (None, None) => Vec::new(),
        },
        Some(Node::Value(value)) => match (value.as_inline_table(), value.as_array()) {
            (Some(table), _) => table.iter().map(|(key, _)| step(Step::Key(key.to_owned()))).collect(),
            (None, Some(array)) => count(array.len()),
            (None, None) => Vec::new(),
        },
        Some(Node::Table(table)) => table.iter().map(|(key, _)| step(Step::Key(key.to_owned()))).collect(),
        None => Vec::new(),
    }
}

/// What a path leads to.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// The value of a key.
    Item(&'a Item),
    /// An element of an array of tables.
    Table(&'a Table),
    /// An element of an array.
    Value(&'a Value),
}

impl Node<'_> {
    /// The bytes that stand for it: a value, a header, or the first key that makes up a table.
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Item(item) => item.span(),
            Self::Table(table) => table.span(),
            Self::Value(value) => value.span(),
        }
    }
}

/// Follows `steps` down from `root`.
pub fn resolve<'a>(root: &'a Item, steps: &[Step]) -> Option<Node<'a>> {
    steps.iter().try_fold(Node::Item(root), |node, step| match (node, step) {
        (Node::Item(Item::ArrayOfTables(tables)), Step::Index(index)) => tables.get(*index).map(Node::Table),
        (Node::Item(item), Step::Key(key)) => item.as_table_like()?.get(key).map(Node::Item),
        (Node::Item(item), Step::Index(index)) => item.as_array()?.get(*index).map(Node::Value),
        (Node::Table(table), Step::Key(key)) => table.get(key).map(Node::Item),
        (Node::Value(value), step) => step_into(value, step).map(Node::Value),
        (Node::Table(_), Step::Index(_)) => None,
    })
}

/// The entries of an inline table, in the order of the text; a dotted key is one entry.
pub fn table_entries(text: &str, table: &InlineTable) -> Vec<Entry> {
    let mut ends = Vec::new();
    collect_ends(table, &mut Vec::new(), &mut ends);
    entries(text, table.span(), ends)
}

fn collect_ends(table: &InlineTable, path: &mut Vec<Step>, ends: &mut Vec<(Vec<Step>, usize)>) {
    for (key, value) in table {
        path.push(Step::Key(key.to_owned()));
        match value.as_inline_table().filter(|inner| inner.is_dotted()) {
            Some(inner) => collect_ends(inner, path, ends),
            None => ends.extend(value.span().map(|span| (path.clone(), span.end))),
        }
        path.pop();
    }
}

/// The entries of an array.
pub fn array_entries(text: &str, array: &Array) -> Vec<Entry> {
    let ends = array.iter().enumerate();
    let ends = ends.filter_map(|(index, value)| Some((vec![Step::Index(index)], value.span()?.end)));
    entries(text, array.span(), ends.collect())
}

fn entries(text: &str, outer: Option<Range<usize>>, mut ends: Vec<(Vec<Step>, usize)>) -> Vec<Entry> {
    let Some(outer) = outer else { return Vec::new() };
    ends.sort_by_key(|(_, end)| *end);
    let mut start = outer.start + 1;
    let mut found = Vec::with_capacity(ends.len());
    for (path, end) in ends {
        found.push(Entry { path, span: start..end });
        start = comma(text, end).map_or(end, |comma| comma + 1);
    }
    found
}

/// The next comma from `from` on, over white space and comments.
pub fn comma(text: &str, from: usize) -> Option<usize> {
    let mut in_comment = false;
    for (index, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'\n' => in_comment = false,
            _ if in_comment => {}
            b',' => return Some(index),
            b'#' => in_comment = true,
            b' ' | b'\t' | b'\r' => {}
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml_edit::Document;

    #[test]
    fn statements_are_whole_lines_up_to_the_value() {
        let text = "\u{feff}a.b = 1\n  a.c = [\n 2 ] # x\n[t]\nx=1\n[t.u]\n";
        let document = Document::parse(text).unwrap();
        let shown = |key: &str| -> Vec<&str> {
            statements(text, document.as_table(), key)
                .into_iter()
                .map(|range| text.get(range).unwrap())
                .collect()
        };
        assert_eq!(shown("a"), ["a.b = 1", "  a.c = [\n 2 ]"]);
        assert_eq!(shown("t"), ["[t]", "x=1", "[t.u]"]);
    }

    #[test]
    fn entries_stand_between_brackets_and_commas() {
        let text = "x = { 'a,b'.c = 1, d = \"}\" , e={} }\ny = [1, # ,\n [2,3],]\nz = []\n";
        let document = Document::parse(text).unwrap();
        let inline = document["x"].as_inline_table().unwrap();
        let shown: Vec<&str> =
            table_entries(text, inline).into_iter().map(|entry| text.get(entry.span).unwrap()).collect();
        assert_eq!(shown, [" 'a,b'.c = 1", " d = \"}\"", " e={}"]);
        let array = document["y"].as_array().unwrap();
        let shown: Vec<&str> =
            array_entries(text, array).into_iter().map(|entry| text.get(entry.span).unwrap()).collect();
        assert_eq!(shown, ["1", " # ,\n [2,3]"]);
        assert_eq!(array_entries(text, document["z"].as_array().unwrap()), []);
    }

    #[test]
    fn paths_read_like_settings() {
        let path = NodePath(vec![Step::Key("keys".into()), Step::Index(2), Step::Key("a b".into())]);
        assert_eq!(path.to_string(), "keys[2].\"a b\"");
    }
}
