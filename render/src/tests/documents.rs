//! Random TOML documents of every shape, and random settings and nodes to go with them.
//!
//! A document is made of statements that are appended one by one, each only if the text is still TOML
//! with it: so reopened tables, tables above tables and dotted keys come in every legal order.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use toml_edit::{Item, Table, TableLike, Value};

use crate::key_path::KeyPath;
use crate::leave_out::LeftOut;
use crate::node::{self, NodePath, Step};
use crate::setting::{Setting, Source};
use crate::syntax;

/// A key as it is spelled. Few names, so that they meet each other and the managed paths.
fn key() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => select(&["session", "session", "\"session\"", "'session'", "\"s\\u0065ssion\""][..]),
        6 => select(&["resume_agents_on_restore", "\"resume_agents_on_restore\""][..]),
        14 => select(&["a", "b", "c", "ui", "'a'"][..]),
        2 => select(&["\"\"", "\"a b\"", "'x.y'", "\"ä日\"", "\"q\\\"\\n\\u0007\"", "1", "-", "'#'"][..]),
    ]
}

/// A key or some with dots between.
fn path(most: usize) -> impl Strategy<Value = String> {
    let keys = prop::collection::vec(key(), 1..=most);
    let usual = (keys, select(&[".", ".", ".", " . ", "\t."][..])).prop_map(|(keys, dot)| keys.join(dot));
    prop_oneof![
        6 => usual,
        1 => Just("session.resume_agents_on_restore".to_owned()),
        1 => Just("session".to_owned()),
    ]
}

const SCALARS: &[&str] = &[
    "true",
    "false",
    "0",
    "-0",
    "1_000",
    "0xDEAD_beef",
    "0o17",
    "0b1",
    "9223372036854775807",
    "-0.0",
    "6.02e+23",
    "nan",
    "-nan",
    "+inf",
    "1979-05-27T07:32:00Z",
    "1979-05-27 07:32:00.999999-07:00",
    "1979-05-27",
    "07:32:00",
    "\"\"",
    "'false'",
    "\"a, b] } # c\"",
    "'\\'",
    "\"\\\"\\u00e9\\t日本 \"",
    "\"\"\"\n[session]\nresume_agents_on_restore = true\n\"\"\"",
    "'''\n# left out by mam\n[[a]]\n  '' ]\n'''",
    "\"\"\"x \\\n   y\"\"\"",
    "\"\"\"\"\"\"",
];

fn value() -> impl Strategy<Value = String> {
    select(SCALARS)
        .prop_map(str::to_owned)
        .prop_recursive(3, 10, 3, |inner| prop_oneof![array(inner.clone()), inline_table(inner)])
}

fn array(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    const COMMAS: &[&str] = &[", ", ",", " , ", ",\n  ", " # c, ]\n,", ", # d\n"];
    const ENDS: &[(&str, &str)] =
        &[("[", "]"), ("[ ", " ]"), ("[\n  ", ",\n]"), ("[", ",]"), ("[ # e\n", " # f\n]")];
    (prop::collection::vec(inner, 0..4), select(COMMAS), select(ENDS)).prop_map(
        |(elements, comma, (open, close))| {
            let close = if elements.is_empty() { close.trim_start_matches(',') } else { close };
            format!("{open}{}{close}", elements.join(comma))
        },
    )
}

fn inline_table(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    const USUAL: &[(&str, &str, &str)] = &[("{ ", ", ", " }"), ("{", ",", "}"), ("{\t", " ,", "}")];
    // What TOML 1.1 allows and herdr does not read.
    const NEWER: &[(&str, &str, &str)] =
        &[("{ ", ", ", ", }"), ("{\n  ", ",\n  ", "\n}"), ("{ # g\n", " # h\n, ", ",\n}")];
    let form = prop_oneof![4 => select(USUAL), 1 => select(NEWER)];
    let entry = (path(3), select(&["=", " = ", "\t= "][..]), inner)
        .prop_map(|(path, equals, value)| format!("{path}{equals}{value}"));
    (prop::collection::vec(entry, 0..4), form).prop_map(|(entries, (open, comma, close))| {
        let close = if entries.is_empty() { close.trim_start_matches(',') } else { close };
        format!("{open}{}{close}", entries.join(comma))
    })
}

fn statement() -> impl Strategy<Value = String> {
    const REMARKS: &[&str] =
        &["", "  ", "#", "# [session]", "# resume_agents_on_restore = true", "#日本 é", "\t# x = ["];
    let ends = select(&["", "", "", " # note", "\t", " #"][..]);
    let header = prop_oneof![3 => Just(("[", "]")), 1 => Just(("[ ", "\t]")), 3 => Just(("[[", "]]"))];
    let header = (header, path(3)).prop_map(|((open, close), path)| format!("{open}{path}{close}"));
    let pair = (path(3), select(&["=", " = ", " =\t"][..]), value());
    let pair = pair.prop_map(|(path, equals, value)| format!("{path}{equals}{value}"));
    let indented = (select(&["", "", "", "  ", "\t"][..]), prop_oneof![2 => header, 3 => pair], ends)
        .prop_map(|(indent, statement, end)| format!("{indent}{statement}{end}"));
    prop_oneof![5 => indented, 1 => select(REMARKS).prop_map(str::to_owned)]
}

/// How a document ends its lines.
#[derive(Clone, Copy, Debug)]
enum Newlines {
    Unix,
    Dos,
    Mixed,
}

/// A document that `toml_edit` reads.
pub(super) fn document() -> impl Strategy<Value = String> {
    let newlines = select(&[Newlines::Unix, Newlines::Unix, Newlines::Dos, Newlines::Mixed][..]);
    let statements = prop::collection::vec(statement(), 0..14);
    (statements, newlines, prop::bool::weighted(0.2), prop::bool::weighted(0.8)).prop_map(
        |(statements, newlines, has_mark, has_final_newline)| {
            let mut text = String::new();
            for statement in statements {
                let longer = format!("{text}{statement}\n");
                if syntax::parse(&longer).is_ok() {
                    text = longer;
                }
            }
            if !has_final_newline {
                text.pop();
            }
            let mark = if has_mark { "\u{feff}" } else { "" };
            let lines = text.split_inclusive('\n').enumerate().map(|(number, line)| match newlines {
                Newlines::Dos => line.replace('\n', "\r\n"),
                Newlines::Mixed if number % 2 == 0 => line.replace('\n', "\r\n"),
                Newlines::Mixed | Newlines::Unix => line.to_owned(),
            });
            format!("{mark}{}", lines.collect::<String>())
        },
    )
}

/// The setting that is always there, and random ones that do not overlap.
pub(super) fn settings() -> impl Strategy<Value = Vec<Setting>> {
    let values = prop_oneof![3 => select(SCALARS).prop_map(str::to_owned), 1 => value()];
    let setting = (path(4), values).prop_filter_map("no TOML 1.0", |(path, text)| {
        format!("x = {text}").parse::<toml_of_herdr::Table>().ok()?;
        let path: KeyPath = path.parse().ok()?;
        Setting::new(path, &text, Source::Command).ok()
    });
    prop::collection::vec(setting, 0..5).prop_map(|more| {
        let mut settings = vec![Setting::restore_off()];
        for setting in more {
            if !settings.iter().any(|earlier| earlier.path.overlaps(&setting.path)) {
                settings.push(setting);
            }
        }
        settings
    })
}

/// Some of the nodes of a document, for the caller to look up with [`picked`].
pub(super) fn picks() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 0..4)
}

/// The nodes that `picks` mean in `text`.
pub(super) fn picked(text: &str, picks: &[Index]) -> Vec<LeftOut> {
    let all = nodes(text);
    let picks = picks.iter().filter(|_| !all.is_empty());
    picks
        .map(|pick| LeftOut { path: pick.get(&all).clone(), reason: "odd\nreason\u{7f}".to_owned() })
        .collect()
}

/// Whether a dotted key adds to a table that a header has made. TOML forbids it; the parsers allow some.
pub(super) fn adds_to_header(text: &str) -> bool {
    fn any(text: &str, table: &Table) -> bool {
        table.iter().any(|(key, item)| match item {
            Item::None | Item::Value(_) => false,
            Item::Table(inner) => {
                let first = node::statements(text, table, key).into_iter().next();
                let first = first.and_then(|first| text.get(first)).unwrap_or_default();
                inner.is_dotted() && first.trim_start().starts_with('[') || any(text, inner)
            }
            Item::ArrayOfTables(tables) => tables.iter().any(|inner| any(text, inner)),
        })
    }
    syntax::parse(text).is_ok_and(|document| any(text, document.as_table()))
}

/// The path of every node of a document.
pub(super) fn nodes(text: &str) -> Vec<NodePath> {
    let mut found = Vec::new();
    if let Ok(document) = syntax::parse(text) {
        collect_table(document.as_table(), &mut Vec::new(), &mut found);
    }
    found
}

fn collect_table(table: &dyn TableLike, path: &mut Vec<Step>, found: &mut Vec<NodePath>) {
    for (key, item) in table.iter() {
        path.push(Step::Key(key.to_owned()));
        found.push(NodePath(path.clone()));
        match item {
            Item::None => {}
            Item::Value(value) => collect_value(value, path, found),
            Item::Table(inner) => collect_table(inner, path, found),
            Item::ArrayOfTables(tables) => {
                for (index, inner) in tables.iter().enumerate() {
                    path.push(Step::Index(index));
                    found.push(NodePath(path.clone()));
                    collect_table(inner, path, found);
                    path.pop();
                }
            }
        }
        path.pop();
    }
}

fn collect_value(value: &Value, path: &mut Vec<Step>, found: &mut Vec<NodePath>) {
    if let Some(table) = value.as_inline_table() {
        collect_table(table, path, found);
    }
    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
        path.push(Step::Index(index));
        found.push(NodePath(path.clone()));
        collect_value(inner, path, found);
        path.pop();
    }
}
