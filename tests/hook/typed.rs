//! Keys that are typed right after a start: the kernel keeps the time of a reading in steps of 8 s, and the
//! hook sees all of them all the same.

use std::path::Path;
use std::time::{Duration, Instant};

use mam_share::process::{Kernel as _, kernel};
use serde_json::json;

use super::rig::{Rig, Saved};

on_each_herdr!(
    a_key_is_seen_however_early_it_is_typed,
    a_shell_that_reads_an_answer_of_its_terminal_is_still_a_leftover,
    half_a_line_in_a_shell_without_an_editor_keeps_it,
    an_unwatched_start_keeps_a_pane_until_somebody_answers_for_it,
);

const SHELLS: [(&str, &str); 3] =
    [("/bin/bash", ".bashrc"), ("/usr/bin/zsh", ".zshrc"), ("/usr/bin/fish", ".config/fish/config.fish")];

fn shells() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHELLS.into_iter().filter(|(shell, _)| {
        let is_here = Path::new(shell).exists();
        if !is_here {
            eprintln!("skipped: needs {shell}");
        }
        is_here
    })
}

/// Waits until a step of the kernel has just begun, so that all of a test is in it.
fn begin_of_a_step() {
    let into = u64::try_from(kernel().table().unwrap().wall.as_millis()).unwrap() % 8000;
    std::thread::sleep(Duration::from_millis(8100 - into));
}

fn prepare(rig: &Rig, shell: &str, start_file: &str, text: &str) {
    rig.dir(".local/share/fish/generated_completions");
    rig.write(start_file, text);
    rig.set_shell(Path::new(shell));
}

/// How a shell is shown by `list`: its verdict and why.
fn shown(rig: &Rig, conversation: &str) -> String {
    let said = rig.hook(&["list"]);
    let line = said.stdout.lines().find(|line| line.contains(&format!("claude {conversation} ")));
    line.unwrap_or_else(|| panic!("{}", said.stdout)).to_owned()
}

/// H7. All keys of a round are within the step in which the shells started.
fn a_key_is_seen_however_early_it_is_typed(rig: &mut Rig) {
    for (shell, start_file) in shells() {
        prepare(rig, shell, start_file, "");
        begin_of_a_step();
        let started = Instant::now();
        let moments = [700, 1200, 1800, 2500, 4000];
        let names: Vec<String> = moments.iter().map(|moment| format!("at{moment}")).collect();
        let mut all: Vec<&str> = names.iter().map(String::as_str).collect();
        all.push("never");
        rig.restore(&all);
        for name in &all {
            rig.until("the shell is idle", || rig.is_idle(&rig.restored(name).unwrap()));
        }
        let panes: Vec<String> = names.iter().map(|name| rig.restored(name).unwrap()).collect();
        for (moment, pane) in moments.iter().zip(&panes) {
            std::thread::sleep(Duration::from_millis(*moment).saturating_sub(started.elapsed()));
            rig.ask("pane.send_text", &json!({"pane_id": pane, "text": "x"}));
        }
        assert!(started.elapsed() < Duration::from_secs(7), "all of it is in one step");
        // Long after that the trace is still there.
        std::thread::sleep(Duration::from_secs(9).saturating_sub(started.elapsed()));
        for name in &names {
            let said = rig.close(name);
            let is_named = said.stderr.contains("typed into it");
            assert!(said.stderr.contains("kept pane") && is_named, "{shell} {name}: {}", said.stderr);
            assert!(rig.restored(name).is_some(), "{shell} {name}");
        }
        let said = rig.close("never");
        assert!(said.stderr.contains("closed restored pane"), "{shell}: {}", said.stderr);
        rig.crash();
    }
}

/// H7c: programs in start files, and some shells themselves, ask the terminal something.
fn a_shell_that_reads_an_answer_of_its_terminal_is_still_a_leftover(rig: &mut Rig) {
    let rows = [
        (
            ".bashrc",
            "/bin/bash",
            "printf '\\e[6n'; IFS= read -t 3 -rsd R answer; printf '%s' \"$answer\" > ~/answer-$$\n",
        ),
        (
            ".zshrc",
            "/usr/bin/zsh",
            "printf '\\e[6n'; IFS= read -t 3 -rsd R answer; printf '%s' \"$answer\" > ~/answer-$$\n",
        ),
    ];
    for (start_file, shell, text) in rows.into_iter().filter(|(_, shell, _)| Path::new(shell).exists()) {
        prepare(rig, shell, start_file, text);
        begin_of_a_step();
        rig.restore(&["A"]);
        let pane = rig.restored("A").unwrap();
        let answer = format!("answer-{}", rig.shell(&pane));
        rig.until("the shell is idle", || rig.is_idle(&pane) && rig.path(&answer).exists());
        if rig.read(&answer).is_empty() {
            eprintln!("skipped: this herdr gives {shell} no answer");
            continue;
        }
        rig.await_startup();
        let said = rig.close("A");
        assert!(said.stderr.contains("closed restored pane"), "{shell}: {}", said.stderr);
        rig.crash();
    }
}

/// H7: the line is in the kernel and nobody has read it.
fn half_a_line_in_a_shell_without_an_editor_keeps_it(rig: &mut Rig) {
    let dash = Path::new("/usr/bin/dash");
    if !dash.exists() {
        eprintln!("skipped: needs dash");
        return;
    }
    rig.set_shell(dash);
    rig.restore(&["A", "B"]);
    rig.ask("pane.send_text", &json!({"pane_id": rig.restored("A").unwrap(), "text": "rm -rf"}));
    for name in ["A", "B"] {
        let said = rig.close(name);
        assert!(said.stderr.contains("kept pane"), "{}", said.stderr);
        assert!(said.stderr.contains("without a line editor"), "{}", said.stderr);
    }
    assert!(rig.restored("A").is_some() && rig.restored("B").is_some());
}

/// The plugin was not linked when the server started.
fn an_unwatched_start_keeps_a_pane_until_somebody_answers_for_it(rig: &mut Rig) {
    rig.is_watched = false;
    begin_of_a_step();
    let saved = |conversation: Option<&str>| Saved {
        cwd: rig.dir("src"),
        conversation: conversation.map(str::to_owned),
    };
    rig.save(&[saved(Some("A")), saved(Some("B")), saved(None)]);
    rig.start();
    rig.until("all are back", || rig.panes().len() == 3);
    rig.resume("A");
    std::thread::sleep(Duration::from_secs(3));
    assert!(shown(rig, "A").contains("right after its start"), "{}", shown(rig, "A"));
    let said = rig.hook(&["close"]);
    assert!(said.stderr.contains("kept pane") && rig.restored("A").is_some(), "{}", said.stderr);
    // Named, it is waited until a key that is typed now would show.
    let said = rig.close("B");
    assert!(said.stderr.contains("closed restored pane"), "{}", said.stderr);
    assert!(rig.close("A").stderr.contains("closed restored pane"));
}
