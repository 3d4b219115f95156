//! What is typed: every form of it, and what is said about each mistake.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

use mam_share::exit::Exit;

use crate::arguments::{Close, Install, List, PROGRAM, Wanted, read};

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn options_come_in_any_order_and_form() {
    let close = |session_id: Option<&str>, session: Option<&str>, dry_run, json| {
        let (session_id, session) = (session_id.map(str::to_owned), session.map(str::to_owned));
        Wanted::Close(Close { session_id, session, dry_run, json })
    };
    let rows = [
        ("close", close(None, None, false, false)),
        ("close --json --session mam --dry-run", close(None, Some("mam"), true, true)),
        ("close --session-id=a=b --session --json", close(Some("a=b"), Some("--json"), false, false)),
        ("close --session-id=", close(Some(""), None, false, false)),
        ("close-restored-shells --herdr /h --session-id x", close(Some("x"), None, false, false)),
        ("list --session=mam --json", Wanted::List(List { session: Some("mam".into()), json: true })),
        ("install --check", Wanted::Install(Install { check: true, herdr: None })),
        ("install --herdr /h", Wanted::Install(Install { check: false, herdr: Some("/h".into()) })),
        ("uninstall --herdr=/h", Wanted::Uninstall(Some("/h".into()))),
        ("startup", Wanted::Startup),
        ("event", Wanted::Event),
    ];
    for (line, expected) in rows {
        assert_eq!(read(words(line)).unwrap(), expected, "{line}");
    }
}

#[test]
fn help_is_had_in_every_way_and_has_every_command_and_option() {
    let answer = |line: &str| {
        let wanted = read(words(line)).unwrap();
        let (Wanted::Answer(text) | Wanted::Help(text)) = wanted else { panic!("{line}: {wanted:?}") };
        text
    };
    assert!(matches!(read([]).unwrap(), Wanted::Help(_)));
    let help = answer("--help");
    for line in ["", "-h", "help"] {
        assert_eq!(answer(line), help, "{line}");
    }
    assert_eq!(answer("-V"), answer("--version"));
    for command in PROGRAM.commands {
        assert!(help.contains(&format!("\n  {} ", command.name)), "{help}");
        let own = answer(&format!("{} --help", command.name));
        assert_eq!(answer(&format!("help {}", command.name)), own);
        for option in command.options {
            assert_eq!(own.contains(&format!("--{}", option.name)), !option.is_hidden, "{own}");
        }
        assert!(own.lines().all(|line| line.len() <= 96), "{own}");
    }
    // The first thing that is not understood counts, and a question before it.
    assert_eq!(answer("close --json --help --nonsense"), answer("close -h"));
}

#[test]
fn a_mistake_is_named_with_what_to_type() {
    let rows = [
        ("lst", "there is no command `lst`", "did you mean `list`?"),
        ("--json", "there is no option `--json`", "mam-restore-hook --help"),
        ("help lst", "there is no command `lst`", "did you mean `list`?"),
        ("list --sesion x", "`list` takes no option `--sesion`", "did you mean `--session`?"),
        ("list -s x", "`list` takes no option `-s`", "mam-restore-hook list --help"),
        ("list --jsn=1", "`list` takes no option `--jsn`", "did you mean `--json`?"),
        ("list mam", "`list` takes no argument `mam`", "mam-restore-hook list --help"),
        ("close --", "`close` takes no option `--`", "mam-restore-hook close --help"),
        ("close --session", "`--session` needs a NAME behind it", "mam-restore-hook close --help"),
        ("close --json=3", "`--json` takes no value", "mam-restore-hook close --help"),
        ("install --check --check", "`--check` is given twice", "mam-restore-hook install --help"),
        ("event now", "`event` takes no argument `now`", "mam-restore-hook event --help"),
        ("\u{1b}[2J", "there is no command `\\u{1b}[2J`", "mam-restore-hook --help"),
    ];
    for (line, message, hint) in rows {
        let failure = read(words(line)).unwrap_err();
        assert_eq!((failure.exit, failure.message.as_str()), (Exit::Usage, message), "{line}");
        assert_eq!(failure.hints.first().map(String::as_str), Some(hint), "{line}");
    }
    let broken = OsStr::from_bytes(b"--session=\xff").to_owned();
    assert!(read(["list".into(), broken]).unwrap_err().message.contains("not UTF-8"));
    assert!(read([OsStr::from_bytes(b"l\xff").to_owned()]).is_err());
}
