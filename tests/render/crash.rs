//! Many renders at once, renders that are killed, and a full disk.

use std::process::Stdio;
use std::time::Duration;

use crate::support::herdr::Herdr;
use crate::support::home::{Home, run, write};

fn strays(home: &Home) -> Vec<String> {
    [".config/herdr", ".local/state/mam/overlays"]
        .iter()
        .flat_map(|directory| fs_err::read_dir(home.path(directory)).into_iter().flatten())
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".mam-tmp"))
        .collect()
}

fn is_whole(text: &str) -> bool {
    let table: Result<toml::Table, _> = text.parse();
    table.is_ok_and(|table| {
        table.get("session").and_then(|session| session.get("resume_agents_on_restore"))
            == Some(&toml::Value::Boolean(false))
            && table.get("last").is_some()
    })
}

fn config(number: usize) -> String {
    format!("number = {number}\nfill = \"{}\"\nlast = true\n", "x".repeat(number * 200))
}

#[test]
fn a_hundred_renders_at_once_agree() {
    let home = Home::new();
    home.link_program("herdr", &Herdr::sim().path);
    home.write_config(config(1));
    let mut children: Vec<_> = (0..100)
        .map(|_| home.mam(&[]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert!(is_whole(&home.overlay_text()));
    assert_eq!(strays(&home), [""; 0]);
    home.render(&["check"]);
}

#[test]
fn a_render_that_is_killed_leaves_the_old_or_the_new_overlay() {
    let home = Home::new();
    home.link_program("herdr", &Herdr::sim().path);
    home.write_config(config(1));
    home.render(&[]);
    for round in 0..120_usize {
        home.write_config(config(round % 7 + 1));
        let mut child = home.mam(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Steps well below the time a render takes, so that every part of it is hit.
        std::thread::sleep(Duration::from_micros(u64::try_from(round).unwrap() * 150));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_whole(&home.overlay_text()), "round {round}\n{}", home.overlay_text());
        if round % 4 == 0 {
            let ran = home.render(&[]);
            assert!(
                !ran.stderr.contains("kept") && !ran.stderr.contains("changed"),
                "our own crash looks like herdr\n{ran}"
            );
            assert_eq!(strays(&home), [""; 0], "round {round}");
            let explained = home.render(&["explain"]).stdout;
            assert_eq!(explained.lines().count(), 1, "{explained}");
        }
    }
}

#[test]
fn renders_of_one_overlay_take_turns() {
    let home = Home::new();
    home.write_config(config(1));
    home.render(&["--no-herdr-check"]);
    let before = home.overlay_text();
    let directory = fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap();
    let lock = directory
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "lock"));
    let lock = fs_err::File::open(lock.unwrap()).unwrap();
    lock.file().lock().unwrap();
    home.write_config(config(2));
    let mut child =
        home.mam(&["--no-herdr-check"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(
        child.try_wait().unwrap().is_none() && home.overlay_text() == before,
        "it did not wait for its turn"
    );
    lock.file().unlock().unwrap();
    assert!(child.wait().unwrap().success());
    assert_ne!(home.overlay_text(), before);
}

/// The calls that change a file, as `strace` names them.
const CHANGES: [&str; 5] = ["rename,renameat,renameat2", "fsync", "write", "fchmod", "unlink,unlinkat"];

/// Renders, and is killed at the `count`-th of these calls, should there be as many.
fn render_killed(home: &Home, strace: &std::path::Path, calls: &str, count: usize) {
    let mut command = home.command(strace);
    let inject = format!("inject={calls}:signal=KILL:when={count}");
    command.args(["-o", "/dev/null", "-e", &inject]).arg(home.renderer()).arg("--no-herdr-check");
    run(&mut command);
    assert!(is_whole(&home.overlay_text()), "{calls} {count}");
}

/// What is left must never look like a change that herdr made.
#[track_caller]
fn assert_nothing_to_guess(home: &Home, number: usize, what: &str) {
    home.render(&["--no-herdr-check"]).silent();
    let state = fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap();
    let next = state.flatten().find(|entry| entry.path().extension().is_some_and(|end| end == "next"));
    assert!(next.is_none(), "{what}: {next:?}");
    let explained = home.render(&["explain", "--no-herdr-check"]).stdout;
    assert_eq!(explained.lines().count(), 1, "{what}: {explained}");
    assert!(home.overlay_text().contains(&format!("number = {number}\n")), "{what}");
    home.render(&["check", "--no-herdr-check"]);
    // The next render that writes sweeps what is left.
    home.write_config(config(number + 1));
    home.render(&["--no-herdr-check"]).silent();
    assert_eq!(strays(home), [""; 0], "{what}");
}

#[test]
fn a_kill_at_each_step_leaves_nothing_to_guess() {
    let Some(strace) = crate::support::tools::needs("strace") else { return };
    for calls in CHANGES {
        for count in 1..=6 {
            let home = Home::new();
            home.write_config(config(1));
            home.render(&["--no-herdr-check"]);
            home.write_config(config(2));
            render_killed(&home, &strace, calls, count);
            assert_nothing_to_guess(&home, 2, &format!("{calls} {count}"));
        }
    }
}

/// Also when the config went on changing meanwhile, or back to what it was.
#[test]
fn a_kill_after_a_kill_leaves_nothing_to_guess_either() {
    let Some(strace) = crate::support::tools::needs("strace") else { return };
    for calls in ["rename,renameat,renameat2", "fsync"] {
        for (first, second, last) in
            (1..=4).flat_map(|first| (1..=4).flat_map(move |second| [(first, second, 1), (first, second, 4)]))
        {
            let home = Home::new();
            home.write_config(config(1));
            home.render(&["--no-herdr-check"]);
            home.write_config(config(2));
            render_killed(&home, &strace, calls, first);
            home.write_config(config(3));
            render_killed(&home, &strace, calls, second);
            home.write_config(config(last));
            assert_nothing_to_guess(&home, last, &format!("{calls} {first} {second}, then {last}"));
        }
    }
}

#[test]
fn a_full_disk_keeps_the_old_overlay() {
    let home = Home::new();
    home.write_config(config(1));
    home.render(&["--no-herdr-check"]);
    let before = home.overlay_text();
    home.write_config(config(300));
    // A limit on the size of files fails a write half-way, as a full disk does.
    let mut command = home.command("sh");
    command.args([
        "-c",
        "trap '' XFSZ; ulimit -f 8; exec \"$0\" --no-herdr-check",
        env!("CARGO_BIN_EXE_mam-render-config"),
    ]);
    let ran = run(&mut command);
    ran.expect(73).says("cannot write the overlay");
    assert_eq!(home.overlay_text(), before);
    assert_eq!(strays(&home), [""; 0]);
    home.render(&["--no-herdr-check"]);
    assert!(is_whole(&home.overlay_text()));
}

#[test]
fn a_record_that_is_broken_is_reported_and_made_again() {
    let home = Home::new();
    home.write_config(config(1));
    home.render(&["--no-herdr-check"]);
    for entry in fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "record") {
            write(&path, "{\"half\":");
        }
    }
    home.render(&["--no-herdr-check"]).says("is not used:");
    home.render(&["--no-herdr-check"]).silent();
}

/// The record is larger than the overlay: on a disk that is nearly full it fails alone. What the overlay then
/// has that nothing is remembered of must not look like changes that herdr made.
#[test]
fn a_record_that_does_not_fit_is_none_and_not_an_older_one() {
    let home = Home::new();
    let limited = |config: &str| {
        home.write_config(config);
        let mut command = home.command("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" --no-herdr-check"]).arg(home.renderer());
        run(&mut command)
    };
    home.write_config("[ui]\nsidebar_width = 30\n");
    home.render(&["--no-herdr-check"]).silent();
    let fill = "x".repeat(2500);
    limited(&format!("[ui]\nsidebar_width = 31\n[theme]\nname = \"nord\" # {fill}\n"))
        .expect(0)
        .says("nothing is remembered of this render");
    assert!(home.overlay_text().contains("name = \"nord\""));
    home.write_config("[ui]\nsidebar_width = 31\n");
    home.render(&["--no-herdr-check"]);
    assert!(!home.overlay_text().contains("nord"), "the user's value was taken for herdr's");
    assert_eq!(home.render(&["explain", "--no-herdr-check"]).stdout.lines().count(), 1);
    home.render(&["--no-herdr-check"]).silent();
}
