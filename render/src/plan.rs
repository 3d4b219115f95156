//! From settings to splices: where in the user's text each setting has to be written.
//!
//! The rules, for a setting with the path `a.b.c`, by what the user's text has:
//!
//! | there | written |
//! |---|---|
//! | the value | over the value |
//! | a value where a table is needed (`a = 3`) | over that value, as an inline table |
//! | a table where a value is needed | the table is left out; then as if it was not there |
//! | an inline table | as its first entry |
//! | dotted keys (`a.b.x = 1`) | as one more dotted key, before them |
//! | `[a.b]` | on the line after the header |
//! | nothing of `[a.b]`, or only `[a.b.x]` | as a new table at the end: herdr's own editor looks for headers |
//! | nothing, and the path is one key | on the first line |

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::{InlineTable, Item, Table, Value};

use crate::key_path::dotted;
use crate::leave_out::{self, LeftOut};
use crate::node::{self, NodePath};
use crate::setting::Setting;
use crate::splice::Splice;

/// The user's text, parsed, and what is wanted of it.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The user's text.
    pub text: &'a str,
    /// Its root table, with spans into `text`.
    pub root: &'a Table,
    /// The settings; no two overlap.
    pub settings: &'a [Setting],
    /// User settings to leave out.
    pub left_out: &'a [LeftOut],
    /// A comment for the first line.
    pub banner: Option<&'a str>,
}

/// The splices that make `wanted` true, in order. Whether they do is for the proof to say.
pub fn plan(wanted: Wanted<'_>) -> Vec<Splice> {
    let mut planner = Planner::new(wanted);
    for (index, setting) in wanted.settings.iter().enumerate() {
        planner.place(index, setting);
    }
    planner.splices()
}

/// The order of edits that start at the same byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    Banner,
    FirstLine,
    Line,
    Note,
    Mark,
    Entry,
    Cut,
    Append,
}

/// An edit before it is put in order.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) at: Range<usize>,
    pub(crate) rank: Rank,
    pub(crate) new: String,
    pub(crate) setting: Option<usize>,
}

/// New entries of one inline table, written as one edit.
struct NewEntries<'a> {
    table: &'a InlineTable,
    path: NodePath,
    entries: Vec<(String, usize)>,
}

struct Planner<'a> {
    wanted: Wanted<'a>,
    newline: &'static str,
    left_out: Vec<LeftOut>,
    edits: Vec<Edit>,
    /// New tables, in order, with the settings in each.
    appended: Vec<(&'a [String], Vec<usize>)>,
    /// New entries by the offset of the brace they go behind.
    entries: BTreeMap<usize, NewEntries<'a>>,
    /// Values that go, by their start, and the settings that take their place.
    replaced: BTreeMap<usize, (Range<usize>, NodePath, Vec<usize>)>,
}

impl<'a> Planner<'a> {
    fn new(wanted: Wanted<'a>) -> Self {
        Self {
            newline: newline_of(wanted.text),
            left_out: wanted.left_out.to_vec(),
            wanted,
            edits: Vec::new(),
            appended: Vec::new(),
            entries: BTreeMap::new(),
            replaced: BTreeMap::new(),
        }
    }

    /// Finds the place of one setting. `home` is how many keys lead to the table in whose body a
    /// dotted key would be written.
    fn place(&mut self, index: usize, setting: &'a Setting) {
        let keys = setting.path.keys();
        let mut table = self.wanted.root;
        let mut home = 0;
        for (depth, key) in keys.iter().enumerate() {
            let (above, here) = at_depth(keys, depth);
            let last = depth + 1 == keys.len();
            match table.get(key).filter(|_| !self.is_left_out(&here)) {
                Some(Item::Table(inner)) if !last => {
                    if !inner.is_dotted() {
                        home = depth + 1;
                    }
                    table = inner;
                }
                Some(Item::Value(Value::InlineTable(inner))) if !last => {
                    return self.place_inline(index, keys, depth + 1, inner);
                }
                Some(Item::Value(value)) => return self.replace(value, here, index),
                Some(Item::Table(_) | Item::ArrayOfTables(_)) => {
                    self.make_room(here);
                    return self.insert(index, keys, table, above.len(), home);
                }
                None | Some(Item::None) => return self.insert(index, keys, table, above.len(), home),
            }
        }
    }

    /// The same inside an inline table; `depth` keys lead to it.
    fn place_inline(&mut self, index: usize, keys: &'a [String], depth: usize, outer: &'a InlineTable) {
        let mut table = outer;
        let mut container = outer;
        let mut home = depth;
        for (depth, key) in keys.iter().enumerate().skip(depth) {
            let (_, here) = at_depth(keys, depth);
            let last = depth + 1 == keys.len();
            match table.get(key).filter(|_| !self.is_left_out(&here)) {
                Some(Value::InlineTable(inner)) if !last => {
                    if !inner.is_dotted() {
                        home = depth + 1;
                        container = inner;
                    }
                    table = inner;
                }
                Some(Value::InlineTable(inner)) if inner.is_dotted() => {
                    self.make_room(here);
                    return self.insert_entry(index, keys, home, container);
                }
                Some(value) => return self.replace(value, here, index),
                None => return self.insert_entry(index, keys, home, container),
            }
        }
    }

    fn is_left_out(&self, path: &NodePath) -> bool {
        self.left_out.iter().any(|left_out| left_out.path.contains(path))
    }

    /// Leaves out a table of the user that stands where a setting has to be a value.
    fn make_room(&mut self, path: NodePath) {
        self.left_out.push(LeftOut { path, reason: "a managed setting takes its place".to_owned() });
    }

    fn replace(&mut self, value: &Value, path: NodePath, index: usize) {
        let Some(span) = value.span() else { return };
        self.replaced.entry(span.start).or_insert_with(|| (span, path, Vec::new())).2.push(index);
    }

    /// Writes a setting into `table`, which `depth` keys lead to and which has nothing for the next.
    fn insert(&mut self, index: usize, keys: &'a [String], table: &Table, depth: usize, home: usize) {
        let Some((_, parents)) = keys.split_last() else { return };
        if table.is_dotted() {
            if let Some(at) = first_dotted_key(self.wanted.text, table) {
                self.line(at, Rank::Line, keys, home, index);
            }
        } else if depth == parents.len() && depth == 0 {
            self.line(node::line_start(self.wanted.text, 0), Rank::FirstLine, keys, 0, index);
        } else if let (true, Some(header)) = (depth == parents.len(), node::header(table)) {
            let text = self.wanted.text;
            let end = text.get(header.end..).and_then(|rest| rest.find('\n'));
            let at = end.map_or(text.len(), |end| header.end + end + 1);
            self.line(at, Rank::Line, keys, depth, index);
        } else {
            let known = self.appended.iter_mut().find(|(header, _)| *header == parents);
            if let Some((_, settings)) = known {
                settings.push(index);
            } else {
                self.appended.push((parents, vec![index]));
            }
        }
    }

    /// A statement on a line of its own; the keys from `home` on are written.
    fn line(&mut self, at: usize, rank: Rank, keys: &[String], home: usize, index: usize) {
        let statement = self.statement(keys, home, index);
        let new = self.whole_line(at, &statement);
        self.edits.push(Edit { at: at..at, rank, new, setting: Some(index) });
    }

    fn statement(&self, keys: &[String], home: usize, index: usize) -> String {
        format!("{} = {}", dotted(keys.get(home..).unwrap_or_default()), self.value(index))
    }

    fn value(&self, index: usize) -> &'a str {
        self.wanted.settings.get(index).map_or("", |setting| setting.text.as_str())
    }

    /// `content` as a line at `at`: at the end of a text without a final newline the break goes first.
    fn whole_line(&self, at: usize, content: &str) -> String {
        let text = self.wanted.text;
        if at == text.len() && !text.is_empty() && !text.ends_with(['\n', '\u{feff}']) {
            format!("{}{content}", self.newline)
        } else {
            format!("{content}{}", self.newline)
        }
    }

    fn insert_entry(&mut self, index: usize, keys: &[String], home: usize, table: &'a InlineTable) {
        let Some(span) = table.span() else { return };
        let path = NodePath::of_keys(keys.get(..home).unwrap_or_default());
        let statement = self.statement(keys, home, index);
        let new = NewEntries { table, path, entries: Vec::new() };
        let entries = self.entries.entry(span.start + 1).or_insert(new);
        entries.entries.push((statement, index));
    }

    /// Everything in order.
    fn splices(mut self) -> Vec<Splice> {
        self.write_banner();
        self.write_replaced();
        self.write_entries();
        self.write_appended();
        let replaced: Vec<&NodePath> = self.replaced.values().map(|(_, path, _)| path).collect();
        let untouched = |left_out: &&LeftOut| !replaced.iter().any(|path| path.contains(&left_out.path));
        let left_out: Vec<LeftOut> = self.left_out.iter().filter(untouched).cloned().collect();
        let root = self.wanted.root;
        self.edits.extend(leave_out::edits(self.wanted.text, root, &left_out, self.newline));
        self.edits.sort_by_key(|edit| (edit.at.start, edit.rank));
        let text = self.wanted.text;
        let splice = |edit: Edit| Splice {
            old: text.get(edit.at.clone()).unwrap_or_default().to_owned(),
            at: edit.at,
            new: edit.new,
            setting: edit.setting,
        };
        self.edits.into_iter().map(splice).collect()
    }

    fn write_banner(&mut self) {
        if let Some(banner) = self.wanted.banner {
            let at = node::line_start(self.wanted.text, 0);
            let new = format!("# {banner}{}", self.newline);
            self.edits.push(Edit { at: at..at, rank: Rank::Banner, new, setting: None });
        }
    }

    fn write_replaced(&mut self) {
        for (span, path, settings) in self.replaced.values() {
            let depth = path.0.len();
            let setting = settings.first().copied();
            let keys =
                |index: usize| self.wanted.settings.get(index).map_or(&[][..], |setting| setting.path.keys());
            let exact = settings.iter().find(|index| keys(**index).len() == depth);
            let new = exact.map_or_else(
                || {
                    let entries = settings.iter().map(|index| self.statement(keys(*index), depth, *index));
                    format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
                },
                |index| self.value(*index).to_owned(),
            );
            self.edits.push(Edit { at: span.clone(), rank: Rank::Cut, new, setting });
        }
    }

    fn write_entries(&mut self) {
        for (at, new) in &self.entries {
            let Some((_, index)) = new.entries.first() else { continue };
            let joined = new.entries.iter().map(|(entry, _)| entry.as_str()).collect::<Vec<_>>().join(", ");
            let spaced =
                self.wanted.text.get(*at..).is_some_and(|rest| rest.starts_with([' ', '\t', '\r', '\n']));
            // Only now is it known what later settings made room for.
            let any_left = leave_out::any_left(self.wanted.text, new.table, &new.path, &self.left_out);
            let tail = match (any_left, spaced) {
                (true, true) => ",",
                (true, false) => ", ",
                (false, true) => "",
                (false, false) => " ",
            };
            debug_assert!(self.left_out.iter().all(|left_out| !left_out.path.contains(&new.path)));
            let edit = Edit {
                at: *at..*at,
                rank: Rank::Entry,
                new: format!(" {joined}{tail}"),
                setting: Some(*index),
            };
            self.edits.push(edit);
        }
    }

    fn write_appended(&mut self) {
        let end = self.wanted.text.len();
        let mut is_first =
            self.wanted.text.trim_start_matches('\u{feff}').is_empty() && self.wanted.banner.is_none();
        for (header, settings) in std::mem::take(&mut self.appended) {
            let blank = if is_first { String::new() } else { self.whole_line(end, "") };
            is_first = false;
            let mut before = format!("{blank}{}", self.whole_line(end, &format!("[{}]", dotted(header))));
            for index in settings {
                let keys = self.wanted.settings.get(index).map_or(&[][..], |setting| setting.path.keys());
                let statement = self.statement(keys, header.len(), index);
                let new = format!("{}{}", std::mem::take(&mut before), self.whole_line(end, &statement));
                self.edits.push(Edit { at: end..end, rank: Rank::Append, new, setting: Some(index) });
            }
        }
    }
}

/// The keys above `depth`, and the path of the node at it.
fn at_depth(keys: &[String], depth: usize) -> (&[String], NodePath) {
    let above = keys.get(..depth).unwrap_or_default();
    (above, NodePath::of_keys(keys.get(..=depth).unwrap_or_default()))
}

/// The line break of a text: that of its first line.
pub fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
        Some(_) | None => "\n",
    }
}

/// Where the line of the first dotted key begins that makes up `table`.
fn first_dotted_key(text: &str, table: &Table) -> Option<usize> {
    let starts = table.iter().filter_map(|(key, item)| match item {
        Item::Value(_) => Some(node::line_start(text, table.key(key)?.span()?.start)),
        Item::Table(inner) if inner.is_dotted() => first_dotted_key(text, inner),
        Item::Table(_) | Item::ArrayOfTables(_) | Item::None => None,
    });
    starts.min()
}
