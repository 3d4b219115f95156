//! Whether a command line lets an agent do more than another one did.

use std::ffi::OsString;

use super::kind::{Grant, Kind};
use super::reading::{self, Piece, What};

/// What `wanted` allows and `recorded` did not, each in words for a message; empty when it allows no more.
///
/// An option that the table does not know and that is new counts as widening: nobody can tell.
pub fn widened(kind: &Kind, recorded: &[OsString], wanted: &[OsString]) -> Vec<String> {
    let read = |argv: &[OsString]| {
        let program = kind.program_words(argv).unwrap_or(1);
        reading::read(argv.get(program..).unwrap_or_default(), kind)
    };
    let (recorded, wanted) = (read(recorded), read(wanted));
    let allowed = without(grants(kind, &wanted, &kind.widening), grants(kind, &recorded, &kind.widening));
    let lifted = without(grants(kind, &recorded, &kind.narrowing), grants(kind, &wanted, &kind.narrowing));
    let unknown = without(unknown(&wanted), unknown(&recorded));
    let lifted = lifted.into_iter().map(|grant| format!("no longer {grant}"));
    let unknown = unknown.into_iter().map(|option| format!("{option}, which is not in the table"));
    allowed.into_iter().chain(lifted).chain(unknown).collect()
}

/// The uses of the options of `list`.
fn grants(kind: &Kind, pieces: &[Piece], list: &[Grant]) -> Vec<String> {
    let mut found = Vec::new();
    for used in pieces.iter().flat_map(|piece| &piece.uses) {
        let named = |grant: &&Grant| {
            let form = kind.option(grant.name.as_bytes());
            form.map_or(grant.name == used.name, |(_, form)| form.name() == used.name)
        };
        for grant in list.iter().filter(named) {
            let values: Vec<_> = used.values.iter().map(|value| value.to_string_lossy()).collect();
            match &grant.value {
                None if values.is_empty() => found.push(used.name.clone()),
                None => found.extend(values.iter().map(|value| format!("{} {value}", used.name))),
                Some(pattern) => {
                    let counts = values.iter().filter(|value| matches(pattern, value));
                    found.extend(counts.map(|value| format!("{} {value}", used.name)));
                }
            }
        }
    }
    found
}

fn matches(pattern: &str, value: &str) -> bool {
    pattern.strip_suffix('*').map_or(value == pattern, |begin| value.starts_with(begin))
}

fn unknown(pieces: &[Piece]) -> Vec<String> {
    let unsure = pieces.iter().filter(|piece| piece.what == What::Unsure);
    let words = |piece: &Piece| -> Vec<String> {
        piece.words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    };
    unsure.map(|piece| words(piece).join(" ")).collect()
}

/// `these` without `those`, each as often as it is there.
fn without(these: Vec<String>, mut those: Vec<String>) -> Vec<String> {
    let is_new = |this: &String| match those.iter().position(|that| that == this) {
        Some(place) => {
            those.swap_remove(place);
            false
        }
        None => true,
    };
    these.into_iter().filter(is_new).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::kinds::Kinds;
    use super::*;

    #[test]
    fn what_allows_more_is_named() {
        let rows: &[(&str, &str, &str, &[&str])] = &[
            ("claude", "claude --model a", "claude --resume x --model b", &[]),
            (
                "claude",
                "claude",
                "claude --dangerously-skip-permissions",
                &["--dangerously-skip-permissions"],
            ),
            (
                "claude",
                "claude --dangerously-skip-permissions",
                "claude --resume x --dangerously-skip-permissions",
                &[],
            ),
            (
                "claude",
                "claude",
                "claude --permission-mode=bypassPermissions",
                &["--permission-mode bypassPermissions"],
            ),
            ("claude", "claude", "claude --permission-mode plan", &[]),
            ("claude", "claude --permission-mode plan", "claude", &["no longer --permission-mode plan"]),
            (
                "claude",
                "claude --allowedTools Bash",
                "claude --allowed-tools Bash Edit",
                &["--allowed-tools Edit"],
            ),
            ("claude", "claude --disallowed-tools Bash", "claude", &["no longer --disallowed-tools Bash"]),
            ("claude", "claude", "claude --brand-new x", &["--brand-new x, which is not in the table"]),
            ("claude", "claude --brand-new x", "claude --brand-new x", &[]),
            ("codex", "codex", "codex resume x --yolo", &["--dangerously-bypass-approvals-and-sandbox"]),
            (
                "codex",
                "codex -s read-only",
                "codex -s danger-full-access",
                &["--sandbox danger-full-access", "no longer --sandbox read-only"],
            ),
            ("codex", "codex", "codex -capproval_policy=never", &["--config approval_policy=never"]),
            ("codex", "codex", "codex -c model=o3", &[]),
            ("copilot", "copilot --allow-tool a", "copilot --allow-tool a b", &["--allow-tool b"]),
            ("qwen", "qwen", "qwen -dy", &["--yolo"]),
        ];
        let (kinds, _) = Kinds::load(&toml::Table::new(), Path::new("/m"));
        let argv = |text: &str| -> Vec<OsString> { text.split(' ').map(OsString::from).collect() };
        for (kind, recorded, wanted, expected) in rows {
            let kind = kinds.get(kind).unwrap();
            assert_eq!(widened(kind, &argv(recorded), &argv(wanted)), *expected, "{recorded} -> {wanted}");
        }
    }
}
