//! The help of every command of every program, and the reference pages: each says what it is for, and the
//! same option means the same everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::home::{Home, read, run};

const PROGRAMS: [(&str, &str); 3] = [
    ("mam", env!("CARGO_BIN_EXE_mam")),
    ("mam-render-config", env!("CARGO_BIN_EXE_mam-render-config")),
    ("mam-restore-hook", env!("CARGO_BIN_EXE_mam-restore-hook")),
];

/// The commands whose help has examples: the programs, and what a newcomer types.
const WITH_EXAMPLES: &[&str] = &["mam", "mam-render-config", "mam-restore-hook", "mam setup"];

/// The help of a command and of all below it, by the words that call it.
fn helps(home: &Home, program: &str, words: &[String], found: &mut BTreeMap<String, String>) {
    let path = PROGRAMS.iter().find(|(name, _)| *name == program).unwrap().1;
    let mut command = home.command(path);
    command.args(words).arg("--help").env("COLUMNS", "200");
    let ran = run(&mut command);
    ran.expect(0).silent();
    let rows = ran.stdout.split_once("Commands:\n").map_or("", |(_, rest)| rest);
    // The names are indented by two; the rest of a wrapped description by more.
    let rows = rows.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names: Vec<String> =
        rows.filter_map(|line| line.split_whitespace().next()).map(ToOwned::to_owned).collect();
    let title = [&[program.to_owned()], words].concat().join(" ");
    found.insert(title, ran.stdout);
    for name in names.into_iter().filter(|name| name != "help") {
        helps(home, program, &[words, &[name]].concat(), found);
    }
}

fn all() -> BTreeMap<String, String> {
    let home = Home::new();
    let mut found = BTreeMap::new();
    for (program, _) in PROGRAMS {
        helps(&home, program, &[], &mut found);
    }
    assert!(found.len() > 30, "{:?}", found.keys());
    found
}

#[test]
fn every_command_says_what_it_is_for() {
    let found = all();
    for (command, help) in &found {
        let summary = help.lines().next().unwrap_or_default();
        assert!(!summary.starts_with("Usage") && summary.len() > 10, "{command}: {help}");
        let first = summary.chars().next().unwrap();
        assert!(first.is_uppercase(), "{command}: {summary}");
        // What a program is for is more than one sentence.
        assert!(!command.contains(' ') || !summary.ends_with('.'), "{command}: {summary}");
        assert!(help.contains(&format!("Usage: {command}")), "{command}: {help}");
        // Backticks are for documents.
        let odd: Vec<&str> =
            help.lines().filter(|line| line.contains("``") || line.contains("TODO")).collect();
        assert!(odd.is_empty(), "{command}: {odd:?}");
    }
    for command in WITH_EXAMPLES {
        let help = &found[*command];
        let (_, examples) =
            help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command} has no examples"));
        let program = command.split(' ').next().unwrap();
        let lines = examples.lines().take_while(|line| !line.is_empty());
        for line in lines {
            let Some(rest) = line.trim_start().strip_prefix(program) else { continue };
            // What it means stands behind more than one space.
            let words = rest.strip_prefix(' ').filter(|words| !words.starts_with([' ', '-']));
            if let Some(word) = words.and_then(|words| words.split_whitespace().next()) {
                let known = found.contains_key(&format!("{program} {word}"));
                assert!(known, "{command}: there is no `{program} {word}`");
            }
        }
    }
}

#[test]
fn an_option_means_the_same_everywhere() {
    let mut meanings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (command, help) in all() {
        let mut lines = help.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(rest) = line.trim_start().split_once("--").map(|(_, rest)| rest) else { continue };
            if !line.trim_start().starts_with('-') {
                continue;
            }
            let option = rest.split([' ', '=']).next().unwrap_or_default();
            let shared =
                ["json", "session", "profile", "config", "yes", "dry-run", "quiet", "verbose", "herdr"];
            if !shared.contains(&option) {
                continue;
            }
            // Long help has the description on the lines below.
            let same_line = line.split("  ").map(str::trim).filter(|part| !part.is_empty()).nth(1);
            let text = same_line.map_or_else(
                || lines.peek().map(|next| next.trim().to_owned()).unwrap_or_default(),
                ToOwned::to_owned,
            );
            let text = text.split(" [default").next().unwrap_or_default().trim_end_matches('.').to_owned();
            assert!(!text.is_empty(), "{command}: --{option} is not described");
            meanings.entry(option.to_owned()).or_default().insert(text);
        }
    }
    for (option, texts) in &meanings {
        // Two programs ask a herdr for different things.
        if option == "herdr" {
            continue;
        }
        // One may say more than another, of the same thing.
        let shortest = texts.iter().min_by_key(|text| text.len()).unwrap();
        let is_same = texts.iter().all(|text| text.starts_with(shortest.as_str()));
        assert!(is_same, "--{option} is described as {texts:?}");
    }
    assert!(meanings.len() >= 8, "{:?}", meanings.keys());
}

#[test]
fn the_reference_of_the_config_is_the_table_of_the_code() {
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md"));
    for key in mam_share::setting_keys::ALL {
        let row = format!(
            "| `[{}] {}` | `{}` | {} | {} | {} |",
            key.section, key.name, key.example, key.default, key.from, key.purpose
        );
        assert!(page.contains(&row), "docs/configuration.md lacks\n{row}");
    }
    let rows = page.lines().filter(|line| line.starts_with("| `[")).count();
    assert_eq!(rows, mam_share::setting_keys::ALL.len(), "docs/configuration.md has a key that is none");
}
