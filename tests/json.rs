//! The shapes of all JSON answers: the examples of `docs/json.md`, compared with what the programs say.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::hook::rig::{Rig, Which};
use crate::support::home::{Home, read, run};

/// The commands of the page with their examples.
fn examples() -> Vec<(String, Value)> {
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md"));
    let sections: Vec<&str> = page.split("\n### `").skip(1).collect();
    let example = |section: &&str| {
        let (command, rest) = section.split_once("`\n").unwrap();
        let (_, block) = rest.split_once("```json\n").unwrap();
        let (text, _) = block.split_once("```").unwrap();
        (command.to_owned(), serde_json::from_str(text).unwrap_or_else(|error| panic!("{command}: {error}")))
    };
    sections.iter().map(example).collect()
}

/// Every path in a value with the kind of what is there; rows of a list are one.
fn shape(value: &Value, path: &str, found: &mut BTreeMap<String, &'static str>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(rows) => {
            for row in rows {
                shape(row, &format!("{path}[]"), found);
            }
            if rows.is_empty() { "nothing" } else { "list" }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                shape(field, &format!("{path}.{name}"), found);
            }
            if fields.is_empty() { "nothing" } else { "object" }
        }
    };
    let known = found.entry(path.to_owned()).or_insert(kind);
    if *known == "null" {
        *known = kind;
    }
}

/// What of `one` is not in `other`, or of another kind. Below `null` and an empty list anything may be.
fn differences(one: &Value, other: &Value) -> Vec<String> {
    let (mut left, mut right) = (BTreeMap::new(), BTreeMap::new());
    shape(one, "", &mut left);
    shape(other, "", &mut right);
    let is_open = |path: &str| {
        let mut above = path;
        while let Some(end) = above.rfind(['.', '[']) {
            above = above.get(..end).unwrap_or_default();
            if matches!(right.get(above), Some(&("null" | "nothing"))) {
                return true;
            }
        }
        false
    };
    let agrees = |kind: &str, path: &str| match right.get(path) {
        Some(known) => {
            *known == kind || [*known, kind].iter().any(|kind| matches!(*kind, "null" | "nothing"))
        }
        None => is_open(path),
    };
    left.iter()
        .filter(|(path, kind)| !agrees(kind, path))
        .map(|(path, kind)| format!("{path}: {kind}"))
        .collect()
}

fn compare(command: &str, documented: &Value, said: &str) {
    let answer: Value =
        serde_json::from_str(said).unwrap_or_else(|error| panic!("{command}: {error}\n{said}"));
    assert_eq!(
        differences(&answer, documented),
        [""; 0],
        "{command} says what docs/json.md does not\n{said}"
    );
    assert_eq!(
        differences(documented, &answer),
        [""; 0],
        "docs/json.md says what {command} does not\n{said}"
    );
}

#[test]
fn a_difference_of_shapes_is_seen() {
    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (one, other, same) in [
        (r#"{"a": 1, "b": [{"c": "x"}]}"#, r#"{"a": 2, "b": [{"c": "y"}, {"c": null}]}"#, true),
        (r#"{"a": 1}"#, "{}", false),
        (r#"{"a": 1, "b": 2}"#, r#"{"a": 1}"#, false),
        (r#"{"a": "1"}"#, r#"{"a": 1}"#, false),
        (r#"{"a": {"b": 1}}"#, r#"{"a": null}"#, true),
        (r#"{"a": [{"b": 1}]}"#, r#"{"a": []}"#, true),
        (r#"{"a": [{"b": 1}]}"#, r#"{"a": [{"c": 1}]}"#, false),
    ] {
        let is_same = [(one, other), (other, one)]
            .iter()
            .all(|(one, other)| differences(&value(one), &value(other)).is_empty());
        assert!(is_same == same || one == r#"{"a": 1}"#, "{one} {other}");
    }
}

#[test]
fn the_page_is_what_the_programs_say() {
    let home = Home::with_prefix("j ");
    for (name, program) in [
        ("herdr", env!("CARGO_BIN_EXE_herdr-sim")),
        ("mam", env!("CARGO_BIN_EXE_mam")),
        ("mam-render-config", env!("CARGO_BIN_EXE_mam-render-config")),
        ("mam-restore-hook", env!("CARGO_BIN_EXE_mam-restore-hook")),
    ] {
        home.link_program(name, program.as_ref());
    }
    home.write_config("[session]\nresume_agents_on_restore = true\n[ui]\nsidebar_width = \"wide\"\n");
    let call = |words: &str| {
        let mut words = words.split_whitespace();
        let mut command = home.command(home.path("bin").join(words.next().unwrap()));
        command.args(words).env("SHELL", "/bin/bash");
        run(&mut command)
    };
    let mut hooks = 0;
    for (command, documented) in examples() {
        match command.as_str() {
            // On the panes of the hook's own tests, below.
            hook if hook.starts_with("mam-restore-hook") => {
                hooks += 1;
                continue;
            }
            "mam why --json" => {
                call("mam profile create ops").expect(0);
                call("mam -p ops stop").expect(0);
                call("mam -p ops run").expect(78);
                compare(&command, &documented, &call("mam -p ops why --json").stdout);
                continue;
            }
            "mam-render-config check --json" => {
                home.write_config("[session]\nresume_agents_on_restore = true\n[ui]\nsidebar_width = 30\n");
            }
            _ => {}
        }
        compare(&command, &documented, &call(&command).stdout);
    }
    drop(call("mam stop --all"));
    assert_eq!(hooks, 2);
}

#[test]
fn the_page_is_what_the_hook_says() {
    let mut rig = Rig::new(Which::Simulated).unwrap();
    rig.restore(&["A", "B"]);
    for (command, documented) in examples() {
        if let Some(arguments) = command.strip_prefix("mam-restore-hook ") {
            let arguments: Vec<&str> = arguments.split(' ').collect();
            compare(&command, &documented, &rig.hook(&arguments).stdout);
        }
    }
}
