//! Leaving out settings of the user that this herdr cannot read, or that herdr removed.
//!
//! Statements become comments, so that nothing is lost to the eye; an entry between commas of one
//! line cannot be a comment and is cut. Either way a note says what is missing and why.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml_edit::{InlineTable, Item, Table, Value};

use crate::node::{self, Entry, NodePath, Statement, Step};
use crate::plan::{Edit, Rank};

/// A user setting that is not in the overlay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// What is left out: a setting, a table with all that is in it, or an entry of a value.
    pub path: NodePath,
    /// Why, on one line.
    pub reason: String,
}

/// The edits that leave `left_out` out. A path that leads nowhere, or into another, adds nothing.
pub(crate) fn edits(text: &str, root: &Table, left_out: &[LeftOut], newline: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut cuts: BTreeMap<usize, Container<'_>> = BTreeMap::new();
    for item in outermost(left_out) {
        match find(text, root, &item.path) {
            None => {}
            Some(Found::Statements(statements)) => {
                if let Some(first) = statements.first() {
                    edits.push(note(item, first.start, newline));
                }
                edits.extend(statements.into_iter().flat_map(|statement| marks(text, statement)));
            }
            Some(Found::Entry(container)) => {
                edits.push(note(item, container.line, newline));
                cuts.entry(container.start).or_insert(container);
            }
        }
    }
    let is_out = |path: &NodePath| left_out.iter().any(|item| item.path.contains(path));
    edits.extend(cuts.into_values().flat_map(|container| container.cut(text, &is_out)));
    edits
}

/// Those that are not inside another; each once.
fn outermost(left_out: &[LeftOut]) -> impl Iterator<Item = &LeftOut> {
    left_out
        .iter()
        .enumerate()
        .filter(|(index, item)| {
            let is_inside = |(other_index, other): (usize, &LeftOut)| {
                let is_same = other.path == item.path;
                other.path.contains(&item.path) && if is_same { other_index < *index } else { true }
            };
            !left_out.iter().enumerate().any(is_inside)
        })
        .map(|(_, item)| item)
}

fn note(item: &LeftOut, at: usize, newline: &str) -> Edit {
    let new = format!("# left out by mam: {}: {}{newline}", item.path, one_line(&item.reason));
    Edit { at: at..at, rank: Rank::Note, new, setting: None }
}

/// `reason` as the rest of a comment: no control characters, not endless.
fn one_line(reason: &str) -> String {
    const MOST: usize = 160;
    let line: String = reason.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let line = line.trim();
    if line.chars().count() <= MOST {
        line.to_owned()
    } else {
        line.chars().take(MOST).chain(['…']).collect()
    }
}

/// A comment sign before each line of a statement.
fn marks(text: &str, statement: Statement) -> impl Iterator<Item = Edit> + use<> {
    let inner = text.get(statement.clone()).unwrap_or_default();
    let breaks: Vec<usize> =
        inner.match_indices('\n').map(|(index, _)| statement.start + index + 1).collect();
    let mark = |at: usize| Edit { at: at..at, rank: Rank::Mark, new: "# ".to_owned(), setting: None };
    std::iter::once(statement.start).chain(breaks).map(mark)
}

/// What has to go for a path to be left out.
enum Found<'a> {
    Statements(Vec<Statement>),
    Entry(Container<'a>),
}

/// An array or inline table, and where it stands.
struct Container<'a> {
    path: NodePath,
    value: &'a Value,
    start: usize,
    /// The first byte of the line of the statement it is in.
    line: usize,
}

impl Container<'_> {
    fn cut(&self, text: &str, is_out: &dyn Fn(&NodePath) -> bool) -> Vec<Edit> {
        let entries = node::entries_of(text, self.value).unwrap_or_default();
        let out: Vec<bool> = entries.iter().map(|entry| is_out(&below(&self.path, entry))).collect();
        let edit = |at| Edit { at, rank: Rank::Cut, new: String::new(), setting: None };
        cut_ranges(text, &entries, &out).into_iter().map(edit).collect()
    }
}

fn below(path: &NodePath, entry: &Entry) -> NodePath {
    NodePath(path.0.iter().chain(&entry.path).cloned().collect())
}

/// The bytes to cut so that just the entries that are `out` go, each with one comma.
fn cut_ranges(text: &str, entries: &[Entry], out: &[bool]) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut index = 0;
    for run in out.chunk_by(|left, right| left == right) {
        let (from, to) = (index, index + run.len());
        index = to;
        if run.first() != Some(&true) {
            continue;
        }
        let start = |at: usize| entries.get(at).map_or(0, |entry| entry.span.start);
        let end = |at: usize| entries.get(at).map_or(0, |entry| entry.span.end);
        cuts.push(if from > 0 {
            end(from - 1)..end(to - 1)
        } else if to < entries.len() {
            start(0)..start(to)
        } else {
            let close = end(to - 1);
            start(0)..node::comma(text, close).map_or(close, |comma| comma + 1)
        });
    }
    cuts
}

/// Whether an inline table keeps an entry when `left_out` is gone.
pub(crate) fn any_left(text: &str, table: &InlineTable, path: &NodePath, left_out: &[LeftOut]) -> bool {
    let is_out = |path: &NodePath| left_out.iter().any(|item| item.path.contains(path));
    node::table_entries(text, table).iter().any(|entry| !is_out(&below(path, entry)))
}

/// Walks down `path`. The last step decides what goes: a step inside a value is an entry between
/// commas, any other a number of statements.
fn find<'a>(text: &str, root: &'a Table, path: &NodePath) -> Option<Found<'a>> {
    enum Node<'a> {
        Table(&'a Table),
        Tables(&'a toml_edit::ArrayOfTables),
        Value(&'a Value),
    }
    let mut node = Node::Table(root);
    let mut found = None;
    let mut line = 0;
    let mut container: Option<(usize, &'a Value)> = None;
    for (depth, step) in path.0.iter().enumerate() {
        let (next, what) = match (node, step) {
            (Node::Table(table), Step::Key(key)) => {
                let next = match table.get(key)? {
                    Item::Value(value) => {
                        line = node::line_start(text, table.key(key)?.span()?.start);
                        container = Some((depth + 1, value));
                        Node::Value(value)
                    }
                    Item::Table(inner) => Node::Table(inner),
                    Item::ArrayOfTables(tables) => Node::Tables(tables),
                    Item::None => return None,
                };
                (next, Found::Statements(node::statements(text, table, key)))
            }
            (Node::Tables(tables), Step::Index(index)) => {
                let element = tables.get(*index)?;
                (Node::Table(element), Found::Statements(node::element_statements(text, element)))
            }
            (Node::Value(value), step) => {
                let inner = node::step_into(value, step)?;
                let (depth_of, outer) = container?;
                let outer_path = NodePath(path.0.get(..depth_of)?.to_vec());
                let entry = Container { path: outer_path, value: outer, start: outer.span()?.start, line };
                // A dotted key belongs to the braces around it.
                if !matches!(inner, Value::InlineTable(table) if table.is_dotted()) {
                    container = Some((depth + 1, inner));
                }
                (Node::Value(inner), Found::Entry(entry))
            }
            (Node::Table(_), Step::Index(_)) | (Node::Tables(_), Step::Key(_)) => return None,
        };
        node = next;
        found = Some(what);
    }
    found
}

/// The smallest setting, table or entry that byte `offset` is in, other than what is already out.
pub fn locate(text: &str, root: &Table, offset: usize, left_out: &[LeftOut]) -> Option<NodePath> {
    let mut search = Search { text, offset, left_out, best: None };
    search.table(root, &NodePath(Vec::new()));
    search.best.map(|(_, path)| path)
}

struct Search<'a> {
    text: &'a str,
    offset: usize,
    left_out: &'a [LeftOut],
    best: Option<(usize, NodePath)>,
}

impl Search<'_> {
    fn consider(&mut self, span: &Range<usize>, path: &NodePath) {
        let is_out = self.left_out.iter().any(|item| item.path.contains(path));
        let is_hit = span.start <= self.offset && self.offset <= span.end && !is_out;
        // Of two of the same length the inner one comes later.
        if is_hit && self.best.as_ref().is_none_or(|(length, _)| span.len() <= *length) {
            self.best = Some((span.len(), path.clone()));
        }
    }

    fn table(&mut self, table: &Table, path: &NodePath) {
        for (key, item) in table {
            let path = step(path, Step::Key(key.to_owned()));
            match item {
                Item::None => {}
                Item::Value(value) => {
                    let key_span = table.key(key).and_then(toml_edit::Key::span);
                    if let (Some(key), Some(span)) = (key_span, value.span()) {
                        let statement = node::line_start(self.text, key.start)..span.end;
                        if statement.contains(&self.offset) || statement.end == self.offset {
                            self.consider(&statement, &path);
                            self.value(value, &path);
                        }
                    }
                }
                Item::Table(inner) => {
                    if let Some(header) = node::header(inner) {
                        self.consider(&header, &path);
                    }
                    self.table(inner, &path);
                }
                Item::ArrayOfTables(tables) => {
                    for (index, inner) in tables.iter().enumerate() {
                        let path = step(&path, Step::Index(index));
                        if let Some(header) = node::header(inner) {
                            self.consider(&header, &path);
                        }
                        self.table(inner, &path);
                    }
                }
            }
        }
    }

    fn value(&mut self, value: &Value, path: &NodePath) {
        for entry in node::entries_of(self.text, value).into_iter().flatten() {
            let path = below(path, &entry);
            self.consider(&entry.span, &path);
            if let Some(inner) = entry.path.iter().try_fold(value, node::step_into) {
                self.value(inner, &path);
            }
        }
    }
}

fn step(path: &NodePath, step: Step) -> NodePath {
    NodePath(path.0.iter().cloned().chain([step]).collect())
}
