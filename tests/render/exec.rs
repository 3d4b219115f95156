//! `mam-render-config exec`: herdr on the overlay, where it belongs.

use crate::support::herdr::on_each;
use crate::support::home::{Home, read, run, write};

/// A herdr that says how it was called, and that can read every config.
const HERDR: &str = "#!/bin/sh\n[ \"$1 $2\" = 'config check' ] && { echo 'config: ok'; exit 0; }\n\
    printf 'config=%s\\n' \"${HERDR_CONFIG_PATH-unset}\"\nprintf 'argument=%s\\n' \"$@\"\nexit \"${WANTED-0}\"\n";

fn home() -> Home {
    let home = Home::new();
    home.program("herdr", HERDR);
    home
}

#[test]
fn a_call_for_a_host_session_gets_the_overlay_and_its_arguments_whole() {
    let home = home();
    let arguments = ["exec", "--", "herdr", "--session", "mam", "", "a b", "it's", "$HOME", "--help", "*"];
    let ran = home.render(&arguments);
    ran.silent();
    let expected = format!(
        "config={}\nargument=--session\nargument=mam\nargument=\nargument=a b\nargument=it's\nargument=$HOME\nargument=--help\nargument=*\n",
        home.overlay().display()
    );
    assert_eq!(ran.stdout, expected);
}

#[test]
fn any_other_call_is_not_touched() {
    let home = home();
    for arguments in [
        &["pane", "list"][..],
        &["--session", "work"],
        &["--session", "default"],
        &["server"],
        &["--session", "not a name"],
    ] {
        let ran = home.render(&[&["exec", "--", "herdr"], arguments].concat());
        ran.silent();
        assert!(ran.stdout.starts_with("config=unset\n"), "{ran}");
        assert!(!home.overlay().exists(), "rendered for {arguments:?}");
    }
    let ran = home.render(&["exec", "--scope", "all", "--", "herdr", "pane", "list"]);
    assert!(ran.stdout.starts_with(&format!("config={}\n", home.overlay().display())), "{ran}");
    let mut own = home.mam(&["exec", "--", "herdr"]);
    own.env("HERDR_CONFIG_PATH", "/my/own.toml");
    assert!(run(&mut own).stdout.starts_with("config=/my/own.toml\n"));
}

#[test]
fn sessions_are_those_of_mams_config_and_of_the_environment() {
    let home = home();
    home.write(".config/mam/config.toml", "[host]\nsession = \"work\"\nmore_sessions = [\"two\"]\n");
    for (session, ours) in [("work", true), ("two", true), ("mam", false)] {
        let mut command = home.mam(&["exec", "--", "herdr"]);
        command.env("HERDR_SESSION", session);
        let ran = run(&mut command);
        assert_eq!(ran.stdout.starts_with("config=unset\n"), !ours, "{session}: {ran}");
    }
}

#[test]
fn a_broken_config_of_mams_gives_every_named_session_the_overlay_and_says_so() {
    let home = home();
    for config in ["[host\n", "[host]\nsession = \"not a name\"\n"] {
        home.write(".config/mam/config.toml", config);
        let ran = home.render(&["exec", "--", "herdr", "--session", "work"]);
        ran.says("warning:").says(".config/mam/config.toml");
        assert!(ran.stdout.starts_with(&format!("config={}\n", home.overlay().display())), "{ran}");
        let ran = home.render(&["exec", "--", "herdr", "pane", "list"]);
        assert!(ran.stdout.starts_with("config=unset\n"), "the default server is not touched: {ran}");
    }
}

#[test]
fn the_exit_code_is_herdrs() {
    let home = home();
    let mut command = home.mam(&["exec", "--", "herdr", "--session", "mam"]);
    command.env("WANTED", "42");
    run(&mut command).expect(42);
}

#[test]
fn without_a_herdr_it_says_so() {
    let home = Home::new();
    run(&mut home.mam(&["exec", "--", "herdr", "--session", "mam"]))
        .expect(69)
        .says("`herdr` is not a program");
    run(&mut home.mam(&["exec", "--"])).expect(2);
    run(&mut home.mam(&["exec", "herdr"])).expect(2);
}

#[test]
fn an_overlay_that_cannot_be_made_safe_starts_nothing() {
    let home = home();
    fs_err::create_dir_all(home.overlay()).unwrap();
    let ran = run(&mut home.mam(&["exec", "--", "herdr", "--session", "mam"]));
    ran.expect(78).says("would not keep restore off").says("herdr was not started");
    assert_eq!(ran.stdout, "");
}

#[test]
fn an_older_overlay_is_used_when_no_new_one_can_be_written() {
    let home = home();
    home.write_config("number = 1\n");
    home.render(&[]);
    home.write_config(format!("number = 2\nfill = \"{}\"\n", "x".repeat(60_000)));
    let mut command = home.command("sh");
    let mam = env!("CARGO_BIN_EXE_mam-render-config");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" exec -- herdr --session mam", mam]);
    let ran = run(&mut command);
    ran.expect(0).says("an older overlay is used");
    assert!(ran.stdout.starts_with(&format!("config={}\n", home.overlay().display())), "{ran}");
    assert!(home.overlay_text().contains("number = 1"));
}

#[test]
fn a_quarantined_config_is_said_once_and_not_at_every_start() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = \"wide\"\n");
        let arguments = ["exec", "--", "herdr", "--session", "mam", "config", "check"];
        let first = home.render(&arguments);
        first.says("herdr cannot read `ui.sidebar_width`");
        assert_eq!(first.stdout, "config: ok\n", "herdr reads the overlay");
        home.render(&arguments).silent();
    });
}

#[test]
fn env_prints_one_line_that_each_shell_reads() {
    let home = home();
    for shell in ["bash", "zsh", "sh", "fish"] {
        let ran = home.render(&["env", shell]);
        assert_eq!(ran.stdout.lines().count(), 1);
        let Some(program) = crate::support::tools::needs(if shell == "sh" { "dash" } else { shell }) else {
            continue;
        };
        let script = home.write("set", format!("{}printf '%s' \"$HERDR_CONFIG_PATH\"\n", ran.stdout));
        let mut command = home.command(program);
        command.arg(script);
        assert_eq!(run(&mut command).stdout, home.overlay().to_str().unwrap(), "{shell}");
    }
    assert!(home.overlay().exists());
    run(&mut home.mam(&["env", "tcsh"])).expect(2).says("one of bash, zsh, sh, fish");
}

#[test]
fn the_overlay_that_herdr_will_read_is_the_one_that_is_verified() {
    let home = home();
    home.render(&[]);
    write(&home.overlay(), "[session]\nresume_agents_on_restore = true\n");
    let ran = home.render(&["exec", "--", "herdr", "--session", "mam"]);
    ran.says("restore had been turned on");
    assert!(read(&home.overlay()).contains("resume_agents_on_restore = false"));
}
