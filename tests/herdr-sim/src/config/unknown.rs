//! What herdr says about keys and sections that it does not know.

use serde_ignored::Path;

use super::sections::TOP_LEVEL;

/// One step of a path into the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Segment {
    Key(String),
    Index(usize),
}

/// The steps from the root to an ignored key.
pub(super) fn segments(path: &Path<'_>) -> Vec<Segment> {
    let (parent, step) = match path {
        Path::Root => return Vec::new(),
        Path::Seq { parent, index } => (parent, Some(Segment::Index(*index))),
        Path::Map { parent, key } => (parent, Some(Segment::Key(key.clone()))),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            (parent, None)
        }
    };
    let mut steps = segments(parent);
    steps.extend(step);
    steps
}

/// Sections first, in the order of their names, then single keys, sorted.
pub(super) fn diagnostics(text: &str, mut ignored: Vec<Vec<Segment>>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut sections = Vec::new();
    for (key, value) in text.parse::<toml::Table>().unwrap_or_default() {
        if TOP_LEVEL.contains(&key.as_str()) {
            continue;
        }
        let Some(header) = header(&key, &value) else {
            continue;
        };
        let hint = if key == "toast" { "; did you mean [ui.toast]?" } else { ";" };
        lines.push(format!("unknown config section {header}{hint} ignoring section"));
        sections.push(vec![Segment::Key(key)]);
    }
    ignored.retain(|path| !sections.contains(path));
    ignored.sort();
    ignored.dedup();
    lines.extend(ignored.iter().map(|path| {
        let shown: Vec<String> = path.iter().map(show).collect();
        format!("unknown config key {}; ignoring key", shown.join("."))
    }));
    lines
}

/// How a section of that value is written in a file, if it is one.
fn header(key: &str, value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::Table(_) => Some(format!("[{key}]")),
        toml::Value::Array(items) if !items.is_empty() && items.iter().all(toml::Value::is_table) => {
            Some(format!("[[{key}]]"))
        }
        _ => None,
    }
}

fn show(segment: &Segment) -> String {
    match segment {
        Segment::Index(index) => index.to_string(),
        Segment::Key(key) => {
            let bare = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
            if !key.is_empty() && key.bytes().all(bare) {
                return key.clone();
            }
            toml::Value::String(key.clone()).to_string()
        }
    }
}
