//! Tables: what is planned, and what is taken back, from what was looked at.

use std::path::{Path, PathBuf};

use mam_share::herdr::version::Version;
use mam_share::shell::Shell;

use super::facts::{Facts, File, Herdr, Integration, Overlay, Plugin, Unit};
use super::plan::{self, Action, State};
use super::receipt::{Block, Receipt, Whole};
use super::{apply, block, undo};
use crate::supervisor::Kind;

fn home() -> &'static Path {
    Path::new("/h")
}

fn file(path: &str, text: Option<&str>) -> File {
    File {
        path: path.into(),
        target: path.into(),
        bytes: text.map(|text| text.as_bytes().to_vec()),
        untouchable: None,
    }
}

fn block_text() -> String {
    block::text(Shell::Bash, Path::new("/h/.config/mam/init.bash"), Some(home()))
}

/// A machine with herdr on which nothing has been done.
fn fresh() -> Facts {
    Facts {
        herdr: Some(Herdr { path: "/bin/herdr".into(), version: Some(Version(0, 8, 2)) }),
        overlay: Overlay {
            path: "/h/.config/herdr/config.mam.toml".into(),
            config: "/h/.config/herdr/config.toml".into(),
            is_there: false,
            stale: vec!["it is missing".into()],
            broken: None,
        },
        plugin: Plugin::NotLinked,
        shell: Ok(Integration {
            shell: Shell::Bash,
            init: file("/h/.config/mam/init.bash", None),
            init_text: "new\n".into(),
            init_other: "all\n".into(),
            profile: file("/h/.bashrc", Some("a\n")),
            block: block_text(),
        }),
        unit: Unit { installed: None, found: Some(Kind::Systemd) },
        receipt: Receipt::default(),
    }
}

/// The same after a setup.
fn done() -> Facts {
    let mut facts = fresh();
    facts.overlay.is_there = true;
    facts.overlay.stale.clear();
    facts.plugin = Plugin::Current;
    facts.unit.installed = Some(Kind::Systemd);
    let shell = facts.shell.as_mut().unwrap();
    shell.init.bytes = Some(b"new\n".to_vec());
    shell.profile.bytes = Some(block::insert(b"a\n", &block_text()));
    facts
}

fn states(facts: &Facts) -> Vec<(&'static str, State)> {
    plan::plan(facts, Some(home())).iter().map(|step| (step.subject, step.state)).collect()
}

/// The state and the text of the steps about `subject`.
fn of(facts: &Facts, subject: &str) -> (Vec<State>, String) {
    let steps = plan::plan(facts, Some(home()));
    let ours: Vec<_> = steps.into_iter().filter(|step| step.subject == subject).collect();
    let text = ours.iter().flat_map(|step| step.text.clone()).collect::<Vec<_>>().join("\n");
    (ours.iter().map(|step| step.state).collect(), text)
}

#[test]
fn everything_is_done_once() {
    use State::{Done, Left, Todo};
    let first = [
        ("herdr", Done),
        ("overlay", Todo),
        ("plugin", Todo),
        ("shell", Todo),
        ("shell", Todo),
        ("unit", Left),
    ];
    assert_eq!(states(&fresh()), first);
    assert!(states(&done()).iter().all(|(_, state)| *state == Done), "{:?}", states(&done()));
}

#[test]
fn what_is_about_to_change_is_what_is_recorded() {
    let facts = fresh();
    let receipt = apply::receipt(&facts, &plan::plan(&facts, None));
    assert_eq!(receipt.overlay.as_deref(), Some(Path::new("/h/.config/herdr/config.mam.toml")));
    assert_eq!(receipt.blocks, [Block { path: "/h/.bashrc".into(), text: block_text(), is_new_file: false }]);
    assert_eq!(receipt.files, [Whole { path: "/h/.config/mam/init.bash".into(), text: "new\n".into() }]);
    let directories = ["/h", "/h/.config", "/h/.config/herdr", "/h/.config/mam"];
    assert_eq!(receipt.directories, directories.map(PathBuf::from));
    assert!(receipt.plugin);
    assert_eq!(apply::receipt(&done(), &plan::plan(&done(), None)), Receipt::default());
}

#[test]
fn each_thing_that_stands_against_the_shell_is_named() {
    type Change = fn(&mut Integration, &mut Receipt);
    use State::{Done, Left, Todo};
    let rows: &[(&str, Change, &[State], &str)] = &[
        (
            "read-only",
            |shell, _| shell.profile.untouchable = Some("it is read-only".into()),
            &[Left],
            "~/.bashrc is left alone: it is read-only\nadd this yourself:\n  # >>> mam",
        ),
        ("missing", |shell, _| shell.profile.bytes = None, &[Todo, Todo], "make ~/.bashrc:\n  # >>> mam"),
        (
            "link",
            |shell, _| shell.profile.target = "/h/dotfiles/bashrc".into(),
            &[Todo, Todo],
            "add to ~/dotfiles/bashrc, where ~/.bashrc leads:",
        ),
        (
            "by hand",
            |shell, _| shell.profile.bytes = Some(b"a\n. ~/.config/mam/init.bash\n".to_vec()),
            &[Done],
            "~/.bashrc has the integration already, on line 2",
        ),
        (
            "half a block",
            |shell, _| shell.profile.bytes = Some(b"# >>> mam >>>\n".to_vec()),
            &[Left],
            "~/.bashrc:1: a block begins here, and has no end",
        ),
        (
            "another block",
            |shell, _| shell.profile.bytes = Some(b"a\n# >>> mam >>>\nmine\n# <<< mam <<<\n".to_vec()),
            &[Left],
            "~/.bashrc:2: mam's block was changed",
        ),
        (
            "a block of an older mam",
            |shell, receipt| {
                let old = "# >>> mam >>>\nold\n# <<< mam <<<";
                shell.profile.bytes = Some(block::insert(b"a", old));
                receipt.blocks.push(Block {
                    path: "/h/.bashrc".into(),
                    text: old.into(),
                    is_new_file: false,
                });
            },
            &[Todo, Todo],
            "bring mam's block in ~/.bashrc up to date",
        ),
        (
            "the other scope",
            |shell, _| shell.init.bytes = Some(b"all\n".to_vec()),
            &[Done, Todo],
            "~/.config/mam/init.bash is there",
        ),
        (
            "a file of the user's",
            |shell, _| shell.init.bytes = Some(b"mine\n".to_vec()),
            &[Left, Todo],
            "is not as this mam writes it, and stays\nto have it anew: mam-render-config init bash > ~/.config/mam/init.bash",
        ),
        (
            "a file of an older mam",
            |shell, receipt| {
                shell.init.bytes = Some(b"old\n".to_vec());
                receipt.files.push(Whole { path: "/h/.config/mam/init.bash".into(), text: "old\n".into() });
            },
            &[Todo, Todo],
            "bring up to date ~/.config/mam/init.bash",
        ),
    ];
    for (name, change, expected, text) in rows {
        let mut facts = fresh();
        let mut receipt = Receipt::default();
        change(facts.shell.as_mut().unwrap(), &mut receipt);
        facts.receipt = receipt;
        let (states, said) = of(&facts, "shell");
        assert_eq!(states, *expected, "{name}");
        assert!(said.contains(text), "{name}: {said}");
    }
    let mut facts = fresh();
    facts.shell = Err("SHELL is not set".into());
    assert_eq!(of(&facts, "shell").0, [Left]);
}

#[test]
fn an_edit_changes_nothing_but_the_block() {
    for text in ["a\n", "a", "", "a\r\nb"] {
        let mut facts = fresh();
        facts.shell.as_mut().unwrap().profile.bytes = Some(text.into());
        let steps = plan::plan(&facts, None);
        let edits: Vec<_> = steps
            .iter()
            .filter_map(|step| match &step.action {
                Some(Action::Edit { after, .. }) => Some(after.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(edits, [block::insert(text.as_bytes(), &block_text())]);
    }
}

#[test]
fn herdr_and_the_plugin_are_judged() {
    use State::{Done, Left, Todo};
    let rows = [
        (None, Left, "not on PATH"),
        (Some(None), Done, "does not say its version"),
        (Some(Some(Version(0, 7, 4))), Left, "too old"),
        (Some(Some(Version(0, 9, 1))), Done, "mam was tested on 0.8.0 to 0.8.2"),
    ];
    for (herdr, state, text) in rows {
        let mut facts = fresh();
        facts.herdr = herdr.map(|version| Herdr { path: "/bin/herdr".into(), version });
        let (states, said) = of(&facts, "herdr");
        assert!(states == [state] && said.contains(text), "{said}");
    }
    let rows = [
        (Plugin::Off, Done, "herdr plugin enable mam"),
        (Plugin::NotCurrent(String::new()), Todo, "again"),
        (Plugin::NoInstaller, Left, "`mam-restore-hook` is not installed"),
        (Plugin::Unknown("x".into()), Left, "nobody can tell: x"),
    ];
    for (plugin, state, text) in rows {
        let facts = Facts { plugin, ..fresh() };
        let (states, said) = of(&facts, "plugin");
        assert!(states == [state] && said.contains(text), "{said}");
    }
    let mut facts = fresh();
    facts.unit.found = None;
    assert_eq!(of(&facts, "unit").0, [Done]);
    facts.overlay.broken = Some("no TOML".into());
    assert!(of(&facts, "overlay").1.contains("without your ~/.config/herdr/config.toml"));
}

/// What was done by [`fresh`]'s plan, as it is now.
fn set_up() -> (Receipt, undo::Facts) {
    let facts = fresh();
    let mut steps = plan::plan(&facts, None);
    for step in &mut steps {
        step.state = State::Todo;
    }
    let receipt = apply::receipt(&facts, &steps);
    let profile = String::from_utf8(block::insert(b"a\n", &block_text())).unwrap();
    let undo = undo::Facts {
        blocks: vec![undo::Edited {
            block: receipt.blocks[0].clone(),
            file: file("/h/.bashrc", Some(&profile)),
        }],
        files: vec![undo::Written {
            text: "new\n".into(),
            file: file("/h/.config/mam/init.bash", Some("new\n")),
        }],
        overlay: Some(undo::Overlay {
            path: facts.overlay.path,
            is_there: true,
            changed: None,
            has_kept: false,
            used_by: None,
        }),
        plugin: true,
        unit: Some(("systemd".into(), None)),
    };
    (receipt, undo)
}

#[test]
fn everything_is_taken_back_and_then_nothing_is_recorded() {
    let (receipt, facts) = set_up();
    let steps = undo::plan(&facts, Some(home()));
    assert!(steps.iter().all(|step| step.state == State::Todo), "{steps:?}");
    let after = steps.iter().find_map(|step| match &step.action {
        Some(undo::Action::Rewrite { after, .. }) => Some(after.clone()),
        _ => None,
    });
    assert_eq!(after.as_deref(), Some(b"a\n".as_slice()));
    assert_eq!(undo::rest(&receipt, &steps, &|_| true), Receipt::default());
    assert_eq!(undo::rest(&receipt, &steps, &|_| false), receipt);
}

#[test]
fn what_was_changed_since_stays_and_is_named_by_line() {
    type Change = fn(&mut undo::Facts);
    use State::{Done, Left, Todo};
    let with_block = |before: &str, middle: &str| {
        let lines = block_text().replace("fi\n", &format!("fi\n{middle}"));
        format!("{before}{lines}\n")
    };
    let changed = with_block("1\n2\n", "mine\n");
    let rows: &[(&str, Change, &str, State, &str)] = &[
        ("in the block", |_| (), "shell", Left, "~/.bashrc:5: the block was changed since"),
        ("no block", |facts| facts.blocks[0].file.bytes = Some(b"a\n".to_vec()), "shell", Done, "no block"),
        ("gone", |facts| facts.blocks[0].file.bytes = None, "shell", Done, "~/.bashrc is gone"),
        (
            "two",
            |facts| facts.blocks[0].file.bytes = Some(b"# <<< mam <<<\n".to_vec()),
            "shell",
            Left,
            "~/.bashrc:1: a block ends",
        ),
        (
            "read-only",
            |facts| {
                facts.blocks[0].file.bytes = Some(block::insert(b"", &block_text()));
                facts.blocks[0].file.untouchable = Some("it is read-only".into());
            },
            "shell",
            Left,
            "~/.bashrc is left alone: it is read-only",
        ),
        (
            "made for it",
            |facts| {
                facts.blocks[0].file.bytes = Some(block::insert(b"", &block_text()));
                facts.blocks[0].block.is_new_file = true;
            },
            "shell",
            Todo,
            "remove ~/.bashrc",
        ),
        (
            "used",
            |facts| facts.overlay.as_mut().unwrap().used_by = Some("the host".into()),
            "overlay",
            Left,
            "stays: the host runs on it",
        ),
        ("kept", |facts| facts.overlay.as_mut().unwrap().has_kept = true, "overlay", Left, "write-back"),
        (
            "edited",
            |facts| facts.overlay.as_mut().unwrap().changed = Some(7),
            "overlay",
            Left,
            "config.mam.toml:7: changed since",
        ),
        ("no overlay", |facts| facts.overlay.as_mut().unwrap().is_there = false, "overlay", Done, "is gone"),
        (
            "unit",
            |facts| facts.unit = Some(("s6".into(), Some(("/h/s/run".into(), 2)))),
            "unit",
            Left,
            "~/s/run:2: changed since",
        ),
    ];
    for (name, change, subject, state, text) in rows {
        let (receipt, mut facts) = set_up();
        facts.blocks[0].file.bytes = Some(changed.clone().into_bytes());
        change(&mut facts);
        let steps = undo::plan(&facts, Some(home()));
        let step = steps.iter().find(|step| step.subject == *subject).unwrap();
        assert!(step.state == *state && step.text.join("\n").contains(text), "{name}: {step:?}");
        let rest = undo::rest(&receipt, &steps, &|step| step.state != Left);
        assert_eq!(rest == Receipt::default(), steps.iter().all(|step| step.state != Left), "{name}");
    }
    let (_, mut facts) = set_up();
    facts.files[0].file.bytes = Some(b"new\nmore\n".to_vec());
    let text = format!("{:?}", undo::plan(&facts, Some(home())));
    assert!(text.contains("~/.config/mam/init.bash:2: changed since, and stays"), "{text}");
}
