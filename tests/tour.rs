//! The tour: it says what the README says, and leaves nothing behind.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::readme;
use crate::support::home::run;
use crate::support::tools;

/// The example that `cargo test` builds beside the programs.
fn tour() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_BIN_EXE_mam")).with_file_name("examples").join("tour");
    if !path.is_file() {
        tools::skip("the tour: `cargo test --workspace` builds it");
        return None;
    }
    Some(path)
}

/// What differs from run to run, made the same: digits of a conversation and of process ids, the home.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    for word in text.split_inclusive([' ', '\n', '/', ',', ';']) {
        let is_id = word.len() > 30 && word.matches('-').count() == 4;
        let is_pid = word.trim_end_matches([',', '\n']).parse::<u32>().is_ok();
        match (is_id, is_pid, word.starts_with("mam-tour-")) {
            (true, ..) => masked.push_str("ID "),
            (_, true, _) => masked.push_str("PID "),
            (.., true) => masked.push_str("mam-tour-HOME "),
            _ => masked.push_str(word),
        }
    }
    masked
}

/// The home that the tour says it has.
fn home(said: &str) -> PathBuf {
    let (_, rest) = said.split_once("The home of this tour is ").unwrap();
    rest.split(';').next().unwrap().into()
}

#[test]
fn it_tells_the_story_of_the_readme_and_an_interrupted_one_leaves_nothing() {
    let Some(tour) = tour() else { return };
    let blocks = readme::blocks();
    let block = blocks.iter().find(|block| block.starts_with("$ cargo run --example tour\n")).unwrap();
    let (_, documented) = block.split_once('\n').unwrap();
    let mut command = Command::new(&tour);
    let ran = run(command.env("HOME", "/nonexistent").stdin(Stdio::null()));
    ran.expect(0);
    assert_eq!(masked(&ran.stdout), masked(documented));
    assert!(!home(&ran.stdout).exists());

    let mut interrupted = Command::new(&tour).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    // Kept: a tour that nobody listens to ends by itself.
    let mut reader = BufReader::new(interrupted.stdout.take().unwrap());
    reader.read_line(&mut first).unwrap();
    let home = home(&first);
    let deadline = Instant::now() + Duration::from_secs(30);
    let wait_until = |what: &str, is_so: &dyn Fn() -> bool| {
        while !is_so() {
            assert!(Instant::now() < deadline, "it did not come about that {what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    wait_until("an agent was launched", &|| home.join("launched").exists());
    interrupted.kill().unwrap();
    interrupted.wait().unwrap();
    wait_until("its home was removed", &|| !home.exists());
}
