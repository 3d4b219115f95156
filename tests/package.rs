//! What is installed: the files of the Debian package are there, and nothing that belongs in it is left out.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::home::read;

#[test]
fn the_debian_package_has_all_pages_and_completions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = read(&root.join("Cargo.toml")).parse().unwrap();
    let package = &manifest["package"];
    let assets = package["metadata"]["deb"]["assets"].as_array().unwrap();
    let mut programs = BTreeSet::new();
    let mut covered = BTreeSet::new();
    for asset in assets {
        let source = asset[0].as_str().unwrap();
        if let Some(program) = source.strip_prefix("target/release/") {
            programs.insert(program.to_owned());
            continue;
        }
        let (directory, pattern) = source.rsplit_once('/').unwrap_or(("", source));
        let (before, after) = pattern.split_once('*').unwrap_or((pattern, ""));
        let entries = fs_err::read_dir(root.join(directory)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let is_meant = |name: &String| {
            if pattern.contains('*') {
                name.starts_with(before) && name.ends_with(after)
            } else {
                name == pattern
            }
        };
        let found: Vec<String> = names.filter(is_meant).collect();
        assert!(!found.is_empty(), "no file is {source}");
        covered.extend(found.into_iter().map(|name| format!("{directory}/{name}")));
    }
    assert_eq!(programs.into_iter().collect::<Vec<_>>(), ["mam", "mam-render-config", "mam-restore-hook"]);
    for directory in ["share/man", "share/completions"] {
        for entry in fs_err::read_dir(root.join(directory)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(
                covered.contains(&format!("{directory}/{name}")),
                "{directory}/{name} is not in the package"
            );
        }
    }
    // `cargo install` takes every binary that needs no feature.
    let bins = manifest["bin"].as_array().unwrap().iter();
    let installed: Vec<&str> = bins
        .filter(|bin| bin.get("required-features").is_none())
        .map(|bin| bin["name"].as_str().unwrap())
        .collect();
    assert_eq!(installed, ["mam-render-config", "mam-restore-hook", "mam"]);
}
