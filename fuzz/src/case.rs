//! An input: a config, and behind a line `%%` what is done with it, a line each.
//!
//! | line | meaning |
//! |---|---|
//! | `KEY=VALUE` | a managed setting |
//! | `-N` | the N-th node of the config is left out |
//! | `!WORD` | herdr refuses a config with this key or string |
//! | `@L:C` | where herdr says its error is; without it, at the word |
//! | `~N` | herdr refuses and points at random, with this seed |

use mam_render::key_path::KeyPath;
use mam_render::leave_out::LeftOut;
use mam_render::node::{NodePath, Step};
use mam_render::setting::{self, Setting, Source};
use mam_render::syntax;
use mam_render::verdict::Place;
use toml_edit::{Item, TableLike, Value};

/// An input, taken apart.
pub struct Case<'a> {
    /// The config, not always UTF-8.
    pub config: &'a [u8],
    /// The setting that is always there, and those of the input that do not overlap.
    pub settings: Vec<Setting>,
    /// Which nodes are left out.
    picks: Vec<usize>,
    /// The words that the judge refuses.
    pub words: Vec<&'a str>,
    /// Where the judge points.
    pub place: Option<Place>,
    /// The seed of a judge that follows no rule.
    pub seed: Option<u64>,
}

impl<'a> Case<'a> {
    /// Takes an input apart.
    pub fn of(input: &'a [u8]) -> Self {
        const SEPARATOR: &[u8] = b"%%\n";
        let at = input.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
        let (config, rest) = at.map_or((input, &[][..]), |at| (&input[..at], &input[at + SEPARATOR.len()..]));
        let mut case = Self {
            config,
            settings: vec![Setting::restore_off()],
            picks: Vec::new(),
            words: Vec::new(),
            place: None,
            seed: None,
        };
        for line in rest.split(|byte| *byte == b'\n').take(12) {
            let Ok(line) = std::str::from_utf8(line) else { continue };
            if let Some(pick) = line.strip_prefix('-').and_then(|number| number.parse().ok()) {
                case.picks.push(pick);
            } else if let Some(word) = line.strip_prefix('!').filter(|word| !word.is_empty()) {
                case.words.push(word);
            } else if let Some((line, column)) =
                line.strip_prefix('@').and_then(|place| place.split_once(':'))
            {
                let number = |text: &str| text.parse().ok();
                case.place = number(line).zip(number(column)).map(|(line, column)| Place { line, column });
            } else if let Some(seed) = line.strip_prefix('~').and_then(|number| number.parse().ok()) {
                case.seed = Some(seed);
            } else if let Ok((path, text)) = setting::parse_assignment(line) {
                case.set(path, &text);
            }
        }
        case
    }

    fn set(&mut self, path: KeyPath, text: &str) {
        // Deeper than a config is read at all.
        const MOST: usize = 100;
        if text.len() > MOST || path.keys().len() > MOST / 4 {
            return;
        }
        let overlaps = self.settings.iter().any(|earlier| earlier.path.overlaps(&path));
        if let (false, Ok(setting)) = (overlaps, Setting::new(path, text, Source::Command)) {
            self.settings.push(setting);
        }
    }

    /// The config, when it is a TOML document.
    pub fn text(&self) -> Option<&'a str> {
        let text = syntax::text(self.config).ok()?;
        syntax::parse(text).ok().map(|_| text)
    }

    /// The nodes that are left out of `text`.
    pub fn left_out(&self, text: &str) -> Vec<LeftOut> {
        let mut nodes = Vec::new();
        if let (false, Ok(document)) = (self.picks.is_empty(), syntax::parse(text)) {
            collect_table(document.as_table(), &mut Vec::new(), &mut nodes);
        }
        let picks = self.picks.iter().filter(|_| !nodes.is_empty());
        let path = |pick: &usize| nodes[pick % nodes.len()].clone();
        picks.map(|pick| LeftOut { path: path(pick), reason: "odd\nreason\u{7f}".to_owned() }).collect()
    }
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
