//! The examples of the README, run as they stand there.

use std::path::Path;

use crate::support::home::{Home, read, run, write};

/// What stands for a block: its commands in a home that is as the text around it says.
enum How {
    /// Run in a home with this config, and compared.
    Run(&'static str),
    /// As `Run`, after herdr has written a theme into the overlay.
    Themed(&'static str),
    /// Not run here: why.
    Not(&'static str),
}

const PLAIN: &str = "# my herdr\n[session]\nresume_agents_on_restore = true  # I like this at home\n\n\
    [ui]\nsidebar_width = 30\n";
const WIDE: &str =
    "# my herdr\n[session]\nresume_agents_on_restore = true\n\n[ui]\nsidebar_width = \"wide\"\n";

/// Each block by its first command, in the order of the README; a block that is not here fails.
const BLOCKS: &[(&str, How)] = &[
    ("cargo run", How::Not("builds: the tests of rendering have it")),
    ("cargo test --workspace", How::Not("this is it")),
    ("cargo install --path . --locked", How::Not("builds for minutes")),
    ("mam setup", How::Not("asks: tests/setup has it")),
    ("mam-render-config", How::Run(PLAIN)),
    ("mam-render-config", How::Run(WIDE)),
    ("mam-render-config check", How::Run(PLAIN)),
    ("mam-render-config diff", How::Run(PLAIN)),
    ("mam-render-config explain", How::Themed(PLAIN)),
    ("mam-render-config write-back --yes", How::Themed(PLAIN)),
    ("mam-render-config exec -- herdr --session mam config check", How::Run(PLAIN)),
    ("mam-render-config env fish", How::Run(PLAIN)),
    (
        "mam-render-config completions bash > ~/.local/share/bash-completion/completions/mam-render-config",
        How::Not("shows a page"),
    ),
    ("mam start", How::Not("has process ids: tests/host has it")),
    ("mam -p ops -q stop", How::Not("has process ids: tests/host has it")),
    ("mam -q unit install s6 --directory ~/service/mam", How::Not("needs s6: tests/host has it")),
    ("cargo run --example tour", How::Not("has a test of its own")),
    ("mam-restore-hook install", How::Run(PLAIN)),
    ("mam-restore-hook list --session mam", How::Not("needs restored panes: tests/hook has it")),
    (
        "mam-restore-hook close --session mam --session-id c1",
        How::Not("needs restored panes: tests/hook has it"),
    ),
    ("mam stop --all", How::Not("takes the programs away")),
];

/// The console blocks of the README.
pub(crate) fn blocks() -> Vec<String> {
    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let blocks = page.split("```console\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// The commands of a block, each with what it says.
fn commands(block: &str) -> Vec<(&str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command, String::new())),
            (None, Some((_, said))) => {
                said.push_str(line);
                said.push('\n');
            }
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    found
}

fn home(config: &str) -> Home {
    let home = Home::with_prefix("readme");
    for (name, program) in [
        ("herdr", env!("CARGO_BIN_EXE_herdr-sim")),
        ("mam", env!("CARGO_BIN_EXE_mam")),
        ("mam-render-config", env!("CARGO_BIN_EXE_mam-render-config")),
        ("mam-restore-hook", env!("CARGO_BIN_EXE_mam-restore-hook")),
    ] {
        home.link_program(name, program.as_ref());
    }
    home.write_config(config);
    home
}

#[test]
fn every_example_is_what_happens() {
    let blocks = blocks();
    let firsts: Vec<&str> = blocks.iter().map(|block| commands(block)[0].0).collect();
    let known: Vec<&str> = BLOCKS.iter().map(|(first, _)| *first).collect();
    assert_eq!(firsts, known, "the README has a block that nobody has decided about");
    for (block, (first, how)) in blocks.iter().zip(BLOCKS) {
        let config = match how {
            How::Not(why) => {
                assert!(!why.is_empty());
                continue;
            }
            How::Run(config) | How::Themed(config) => config,
        };
        let home = home(config);
        if let How::Themed(_) = how {
            home.render(&[]);
            let overlay = home.overlay_text();
            write(
                &home.overlay(),
                format!("{overlay}\n[theme]\nname = \"tokyo-night\"\nauto_switch = false\n"),
            );
        }
        if *first == "mam-render-config check" {
            home.render(&[]);
            home.write_config(format!("{config}# more\n"));
        }
        for (command, expected) in commands(block) {
            let mut shell = home.command("/bin/sh");
            shell.args(["-c", &format!("{command} 2>&1")]);
            let said = run(&mut shell).stdout.replace(&*home.path("").to_string_lossy(), "/home/ada");
            assert_eq!(said, expected, "`{command}` says something else than the README");
        }
    }
}
