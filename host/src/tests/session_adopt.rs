//! Agents that the user started: what a record keeps of them, and when the arguments are not to be had.

use std::ffi::OsString;
use std::path::Path;

use mam_share::herdr::pane::Conversation;
use mam_share::process::StartEnvironment;

use super::session_argv::kinds;
use crate::session::adopt::{Found, default_name, record};
use crate::session::kind::Kind;
use crate::session::record::{Flags, Origin, Place, ProcessId, SessionRecord, Source, Status};

fn environment(entries: &[(&str, &str)]) -> StartEnvironment {
    StartEnvironment(entries.iter().map(|(name, value)| (name.into(), value.into())).collect())
}

fn found<'a>(kind: &'a Kind, arguments: &[&str], executable: &str) -> Found<'a> {
    Found {
        kind,
        conversation: Some(Conversation { agent: kind.name.clone(), kind: "id".into(), value: "A".into() }),
        arguments: Some(arguments.iter().map(OsString::from).collect()),
        executable: Some(executable.into()),
        directory: Some("/src/app".into()),
        environment: None,
        inherited: None,
        process: ProcessId { pid: 50, start: Some(1), boot: Some("b".into()) },
        place: Place { pane: "w1:p1".into(), terminal: "t1".into(), ..Place::default() },
        session: "mam".into(),
        workspace: None,
    }
}

fn adopt(found: Found<'_>) -> SessionRecord {
    record("a".parse().unwrap(), found, "t").unwrap()
}

#[test]
fn arguments_are_kept_unless_a_title_may_stand_in_their_place() {
    let kinds = kinds();
    let rows: &[(&str, &[&str], &str, bool)] = &[
        ("claude", &["claude", "--model", "m x", ""], "/home/a/.local/share/claude/versions/2.1.0", true),
        ("claude", &["claude"], "/opt/claude", true),
        ("claude", &["node", "/usr/bin/claude", "-c"], "/usr/bin/node", true),
        ("claude", &["claude", "", "", ""], "/usr/bin/node", false),
        ("claude", &["claude", ""], "/opt/claude", false),
        ("claude", &["claude"], "/usr/bin/node", false),
        ("claude", &["claude: working on it"], "/usr/bin/node", false),
        ("pi", &["pi"], "/usr/bin/node", false),
        ("claude", &["claude"], "/usr/bin/perl", false),
        ("claude", &["perl", "/usr/bin/claude"], "/usr/bin/perl", true),
        ("kimi", &["Kimi Code"], "/usr/bin/python3.12", false),
        ("kimi", &["python3", "/usr/bin/kimi", "--yolo"], "/usr/bin/python3.12", true),
        ("codex", &["codex", "--yolo"], "/opt/codex-x86_64", true),
        ("codex", &["wrapper", "codex"], "/opt/wrapper", false),
        ("codex", &[], "/opt/codex", false),
    ];
    for (name, arguments, executable, is_known) in rows {
        let kind = kinds.get(name).unwrap();
        let adopted = adopt(found(kind, arguments, executable));
        let flags = if *is_known { Flags::Known } else { Flags::Unknown };
        assert_eq!(adopted.flags, flags, "{arguments:?} {executable}");
        let expected: Vec<OsString> = if *is_known {
            arguments.iter().map(OsString::from).collect()
        } else {
            vec![kind.executable.clone().into()]
        };
        assert_eq!(adopted.argv, expected);
    }
    let claude = kinds.get("claude").unwrap();
    let silent = Found { arguments: None, ..found(claude, &[], "") };
    assert_eq!(adopt(silent).flags, Flags::Unknown);
}

#[test]
fn only_the_values_that_the_table_names_are_kept() {
    let kinds = kinds();
    let claude = kinds.get("claude").unwrap();
    let seen = Found {
        environment: Some(environment(&[
            ("CLAUDE_CONFIG_DIR", "/c d"),
            ("SECRET_TOKEN", "hunter2"),
            ("PATH", "/bin"),
            ("HERDR_PANE_ID", "w1:p1"),
            ("LANG", "C"),
            ("EDITOR", "vi"),
            ("odd name", "x"),
        ])),
        inherited: Some(environment(&[("LANG", "C"), ("EDITOR", "nano")])),
        ..found(claude, &["claude"], "/opt/claude")
    };
    let adopted = adopt(seen);
    let kept: Vec<_> =
        adopted.environment.iter().map(|variable| (variable.name.as_str(), &variable.source)).collect();
    let stored = Source::Stored { value: "/c d".into() };
    assert_eq!(
        kept,
        [("CLAUDE_CONFIG_DIR", &stored), ("EDITOR", &Source::Noted), ("SECRET_TOKEN", &Source::Noted)]
    );
    assert!(!serde_json::to_string(&adopted).unwrap().contains("hunter2"));
    assert_eq!((adopted.origin, adopted.history.len()), (Origin::Adopted, 1));
    assert!(matches!(adopted.status, Status::Running { process } if process.pid == 50));
}

#[test]
fn the_directory_is_where_it_works_and_without_one_nothing_is_adopted() {
    let kinds = kinds();
    let claude = kinds.get("claude").unwrap();
    let base = || found(claude, &["claude"], "/opt/claude");
    assert_eq!(adopt(base()).cwd, Path::new("/src/app"));
    let removed = Found { directory: Some("/src/gone (deleted)".into()), ..base() };
    assert_eq!(adopt(removed).cwd, Path::new("/src/gone"));
    let started = Found { directory: None, environment: Some(environment(&[("PWD", "/src/b")])), ..base() };
    assert_eq!(adopt(started).cwd, Path::new("/src/b"));
    let nowhere = Found { directory: None, ..base() };
    assert_eq!(record("a".parse().unwrap(), nowhere, "t"), None);
}

#[test]
fn a_name_is_made_that_is_not_taken() {
    let kinds = kinds();
    let claude = kinds.get("claude").unwrap();
    let rows = [
        ("/src/app", &[][..], "claude-app"),
        ("/src/app", &["claude-app"], "claude-app-2"),
        ("/src/app", &["claude-app", "claude-app-2"], "claude-app-3"),
        ("/src/größe x", &[], "claude-gr--e-x"),
        ("/", &[], "claude"),
    ];
    for (directory, taken, expected) in rows {
        let is_taken = |name: &crate::session::name::RecordName| taken.contains(&name.as_str());
        assert_eq!(default_name(claude, Path::new(directory), is_taken).as_str(), expected);
    }
    let long = format!("/src/{}", "x".repeat(200));
    assert!(default_name(claude, Path::new(&long), |_| false).as_str().len() <= 64);
}
