//! How herdr writes settings: a line editor and a plain write.
//!
//! The editor knows a table only by its exact header line, so `[theme] # note` gets a duplicate
//! table. It writes `\n` line ends, whatever there was before.

use std::io;
use std::path::Path;

/// Sets `key = value` in a table, which is appended when it is not there.
pub(crate) fn set(text: &str, table: &str, key: &str, value: &str) -> String {
    let header = format!("[{table}]");
    let assignment = format!("{key} = {value}");
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(start) = lines.iter().position(|line| line.trim() == header) {
        let body = lines.iter().skip(start + 1);
        let end = start + 1 + body.take_while(|line| !is_header(line)).count();
        let old = (start + 1..end).find(|&at| lines.get(at).is_some_and(|l| assigns(l, key)));
        match old {
            Some(at) => drop(lines.splice(at..=at, [assignment.as_str()])),
            None => lines.insert(end, &assignment),
        }
    } else {
        if lines.last().is_some_and(|line| !line.trim().is_empty()) {
            lines.push("");
        }
        lines.extend([header.as_str(), assignment.as_str()]);
    }
    lines.join("\n") + "\n"
}

/// Sets `key = value` above the first table.
pub(crate) fn set_top_level(text: &str, key: &str, value: &str) -> String {
    let assignment = format!("{key} = {value}");
    let mut lines: Vec<&str> = text.lines().collect();
    let root = lines.iter().take_while(|line| !is_header(line)).count();
    match lines.iter().take(root).position(|line| assigns(line, key)) {
        Some(at) => drop(lines.splice(at..=at, [assignment.as_str()])),
        None => lines.insert(0, &assignment),
    }
    lines.join("\n") + "\n"
}

/// Drops every `[keys…]` table and every `keys` assignment at the root.
pub(crate) fn without_keys(text: &str) -> String {
    let mut in_keys = false;
    let mut in_table = false;
    let kept = text.lines().filter(|line| {
        let line = line.trim();
        if let Some(name) = header_name(line) {
            in_table = true;
            in_keys = name == "keys" || name.starts_with("keys.");
        }
        let root_keys = ["keys ", "keys=", "keys."].iter().any(|start| line.starts_with(start));
        !(in_keys || (!in_table && root_keys))
    });
    let mut kept = kept.collect::<Vec<_>>().join("\n");
    if text.ends_with('\n') || !kept.is_empty() {
        kept.push('\n');
    }
    kept
}

/// Reads a file (missing or unreadable counts as empty), edits it, and writes it in place.
pub(crate) fn rewrite(path: &Path, edit: impl FnOnce(&str) -> String) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    std::fs::write(path, edit(&text))
}

fn is_header(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('[') && line.ends_with(']')
}

fn header_name(line: &str) -> Option<&str> {
    let inner = |open, close| line.strip_prefix(open)?.strip_suffix(close);
    inner("[[", "]]").or_else(|| inner("[", "]")).map(str::trim)
}

fn assigns(line: &str, key: &str) -> bool {
    let rest = line.trim().strip_prefix(key);
    rest.is_some_and(|rest| rest.starts_with(' ') || rest.starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::{set, set_top_level, without_keys};

    fn theme(text: &str) -> String {
        let named = set(text, "theme", "name", "\"tokyo-night-day\"");
        set(&named, "theme", "auto_switch", "false")
    }

    const BLOCK: &str = "[theme]\nname = \"tokyo-night-day\"\nauto_switch = false\n";

    #[test]
    fn a_new_table_comes_after_an_empty_line() {
        assert_eq!(theme("a = 1\n"), format!("a = 1\n\n{BLOCK}"));
        assert_eq!(theme(""), BLOCK);
    }

    #[test]
    fn crlf_becomes_lf() {
        assert_eq!(theme("a = 1\r\n"), format!("a = 1\n\n{BLOCK}"));
    }

    #[test]
    fn a_header_with_a_comment_gets_a_second_table() {
        let text = "[theme] # mine\nname = \"nord\"\n";
        assert_eq!(theme(text), format!("{text}\n{BLOCK}"));
    }

    #[test]
    fn an_exact_header_is_edited_in_place() {
        let text = "[theme]\nname = \"nord\"\n[ui]\naccent = \"red\"\n";
        assert_eq!(theme(text), format!("{BLOCK}[ui]\naccent = \"red\"\n"));
    }

    #[test]
    fn root_keys_go_to_the_top() {
        assert_eq!(set_top_level("[ui]\n", "onboarding", "false"), "onboarding = false\n[ui]\n");
        assert_eq!(set_top_level("onboarding=true\n", "onboarding", "false"), "onboarding = false\n");
    }

    #[test]
    fn keys_are_dropped() {
        let text = "keys.help = \"x\"\n[keys]\nhelp = \"y\"\n[[keys.command]]\nkey = \"z\"\n[ui]\n";
        assert_eq!(without_keys(text), "[ui]\n");
    }
}
