//! Rules about the sources that nobody has to remember, because they are tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::home::{read, run};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--all-features"]).current_dir(root());
    let ran = run(&mut cargo);
    ran.expect(0);
    serde_json::from_str(&ran.stdout).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// What each crate of ours may use of ours, and who may use the crates that shape a program.
#[test]
fn dependencies_point_one_way() {
    let ours: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("mam-share", &[][..]),
        ("mam-render", &["mam-share"]),
        ("mam-hook", &["mam-share"]),
        ("mam-host", &["mam-hook", "mam-render", "mam-share"]),
        ("mam", &["mam-host", "mam-hook", "mam-render", "herdr-sim"]),
        ("herdr-sim", &[]),
    ]);
    // TOML is edited in one place; the small program has no argument parser of others.
    let reserved: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("toml_edit", &["mam-render"][..]),
        ("clap", &["mam-host", "mam-render"]),
        ("directories", &["mam-share"]),
    ]);
    let metadata = metadata();
    let members: Vec<&Value> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| package["source"].is_null())
        .collect();
    let names: BTreeSet<&str> = members.iter().map(|package| text(&package["name"])).collect();
    assert_eq!(names, ours.keys().copied().collect(), "a crate without a rule");
    for package in members {
        let name = text(&package["name"]);
        for dependency in package["dependencies"].as_array().unwrap() {
            // Only what is linked into a program counts.
            if !dependency["kind"].is_null() {
                continue;
            }
            let target = text(&dependency["name"]);
            if names.contains(target) {
                assert!(ours[name].contains(&target), "{name} must not use {target}");
            }
            if let Some(allowed) = reserved.get(target) {
                assert!(allowed.contains(&name), "{name} must not use {target}");
            }
        }
    }
}

/// The licences of everything that may end up in a program or a test; a new one is a decision.
#[test]
fn licences_are_the_known_ones() {
    const KNOWN: &[&str] = &[
        "0BSD OR MIT OR Apache-2.0",
        "Apache-2.0",
        "Apache-2.0 / MIT",
        "Apache-2.0/MIT",
        "Apache-2.0 OR MIT",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        "BSD-2-Clause OR Apache-2.0 OR MIT",
        "MIT",
        "MIT OR Apache-2.0",
        "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
        "MIT OR Apache-2.0 OR Zlib",
        "MIT OR Zlib OR Apache-2.0",
        "MIT/Apache-2.0",
        "MPL-2.0",
        "Unlicense OR MIT",
        "Zlib",
        "Zlib OR Apache-2.0 OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
    ];
    let metadata = metadata();
    for package in metadata["packages"].as_array().unwrap() {
        let licence = text(&package["license"]);
        assert!(KNOWN.contains(&licence), "{}: licence {licence:?}", text(&package["name"]));
    }
}

/// Every Rust file of ours, from the root.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(directory) = open.pop() {
        for entry in fs_err::read_dir(root().join(&directory)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = directory.join(&name);
            if entry.file_type().unwrap().is_dir() {
                let is_ours =
                    !name.starts_with('.') && name != "target" && name != "corpus" && name != "artifacts";
                open.extend(is_ours.then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 40, "the walk does not find the sources");
    found
}

#[test]
fn every_file_says_what_it_is_and_stays_short() {
    const LONGEST: usize = 400;
    const MEDIAN: usize = 150;
    let mut lengths = Vec::new();
    for path in sources() {
        let source = read(&root().join(&path));
        let is_described = source.starts_with("//! ") || source.starts_with("#!");
        assert!(is_described, "{} does not begin with what it is about", path.display());
        let lines = source.lines().count();
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        assert!(is_test || lines <= LONGEST, "{} has {lines} lines, more than {LONGEST}", path.display());
        if !is_test {
            lengths.push(lines);
        }
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= MEDIAN, "half of the files have more than {median} lines");
}

#[test]
fn no_test_file_is_forgotten() {
    for path in sources() {
        let is_module = path.starts_with("tests")
            && !path.starts_with("tests/herdr-sim")
            && path != Path::new("tests/main.rs");
        if !is_module {
            continue;
        }
        let is_folder = path.file_name().unwrap() == "mod.rs";
        let subject = if is_folder { path.parent().unwrap().to_owned() } else { path.with_extension("") };
        let name = subject.file_name().unwrap().to_str().unwrap();
        let above = subject.parent().unwrap();
        let file = if above == Path::new("tests") { "main.rs" } else { "mod.rs" };
        let listing = read(&root().join(above).join(file));
        assert!(
            listing.lines().any(|line| line.ends_with(&format!("mod {name};"))),
            "{} is not listed",
            path.display()
        );
    }
}

#[test]
fn the_reference_of_variables_is_the_table_of_the_code() {
    let page = read(&root().join("docs/environment.md"));
    for variable in mam_share::variable::ALL {
        let row = format!("| `{}` | {} |", variable.name, variable.purpose);
        assert!(page.contains(&row), "docs/environment.md lacks\n{row}");
    }
}
