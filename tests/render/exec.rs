//! `mam-render-config exec`: herdr on the overlay, where it belongs.

use crate::support::herdr::on_each;
use crate::support::home::{Home, read, run, write};

/// A herdr that says how it was called, and that can read every config.
const HERDR: &str = "#!/bin/sh\n[ \"$1 $2\" = 'config check' ] && { echo 'config: ok'; exit 0; }\n\
    printf 'config=%s\\n' \"${HERDR_CONFIG_PATH-unset}\"\nprintf 'argument=%s\\n' \"$@\"\nexit \"${WANTED-0}\"\n";

fn home() -> Home {
    let home = Home::new().without_mam();
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

/// The overlay that only switches restore off, from what herdr was started with.
#[track_caller]
fn minimal(ran: &crate::support::home::Ran) -> String {
    ran.says("which only switches restore off: your settings are not in force");
    let path = ran.stdout.lines().find_map(|line| line.strip_prefix("config=")).unwrap();
    assert!(path.ends_with(".minimal.mam.toml"), "{ran}");
    read(path.as_ref())
}

#[test]
fn an_overlay_that_cannot_be_written_is_replaced_by_a_minimal_one_or_nothing_starts() {
    let home = home();
    fs_err::create_dir_all(home.overlay()).unwrap();
    let arguments = ["exec", "--", "herdr", "--session", "mam"];
    let ran = home.render(&arguments);
    let text = minimal(&ran);
    assert!(text.ends_with("[session]\nresume_agents_on_restore = false\n"), "{text}");

    home.write("file", "");
    let mut command = home.mam(&arguments);
    command.env("MAM_STATE_DIR", home.path("file/state"));
    let ran = run(&mut command);
    ran.expect(78).says("would not keep restore off").says("herdr was not started");
    assert_eq!(ran.stdout, "");
}

/// A herdr whose `config check` does as `script` says.
fn with_check(home: &Home, script: &str) {
    let rest = HERDR.split_once("exit 0; }").unwrap().1;
    home.program("herdr", &format!("#!/bin/sh\nif [ \"$1 $2\" = 'config check' ]; then\n{script}\nfi{rest}"));
}

#[test]
fn a_herdr_that_nobody_can_ask_is_started_on_the_minimal_overlay_every_time() {
    let home = Home::new().without_mam();
    home.write_config("[ui]\nsidebar_width = 30\n");
    with_check(&home, "echo 'unknown command' >&2; exit 2");
    for _ in 0..2 {
        let ran = home.render(&["exec", "--", "herdr", "--session", "mam"]);
        assert!(!minimal(&ran).contains("sidebar_width"));
    }
    // Who says not to ask is believed.
    let ran = home.render(&["exec", "--no-herdr-check", "--", "herdr", "--session", "mam"]);
    assert!(ran.stdout.starts_with(&format!("config={}\n", home.overlay().display())), "{ran}");
}

#[test]
fn a_herdr_that_was_slow_once_is_asked_again() {
    let home = Home::new().without_mam();
    home.write_config("[ui]\nsidebar_width = 30\n");
    with_check(
        &home,
        "[ -e \"$HOME/warm\" ] || { touch \"$HOME/warm\"; sleep 30; }; echo 'config: ok'; exit 0",
    );
    let arguments = ["exec", "--", "herdr", "--session", "mam"];
    minimal(&home.render(&arguments));
    let ran = home.render(&arguments);
    assert!(ran.stdout.starts_with(&format!("config={}\n", home.overlay().display())), "{ran}");
    home.render(&arguments).silent();
}

#[test]
fn another_herdr_behind_the_same_file_is_noticed_at_the_next_start() {
    on_each(|home| {
        let real = fs_err::read_link(home.path("bin/herdr")).unwrap();
        home.write("version/herdr", "#!/bin/sh\necho 'config: ok'\n");
        let run_version = |program: &str| home.program("version-of-the-day", program);
        run_version("#!/bin/sh\necho 'config: ok'\n");
        // What a version manager puts on the PATH: it stays the same whatever it runs.
        fs_err::remove_file(home.path("bin/herdr")).unwrap();
        home.program("herdr", "#!/bin/sh\nexec version-of-the-day \"$@\"\n");
        home.write_config("[ui]\nsidebar_width = \"wide\"\n");
        home.render(&[]).silent();
        fs_err::remove_file(home.path("bin/version-of-the-day")).unwrap();
        home.link_program("version-of-the-day", &real);
        let mut server = home.mam(&["exec", "--", "herdr", "--session", "mam", "--version"]);
        run(&mut server).expect(0).says("herdr cannot read `ui.sidebar_width`");
        crate::support::herdr::assert_off(home, "upgraded");
    });
}

#[test]
fn a_fallback_is_judged_by_herdr_too() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = 30\n");
        home.render(&[]);
        write(&home.overlay(), home.overlay_text().replace("= 30", "= \"wide\""));
        // No new overlay can be written.
        let mut command = home.command("sh");
        let mam = env!("CARGO_BIN_EXE_mam-render-config");
        home.write_config(format!("# {}\n[ui]\nsidebar_width = 31\n", "x".repeat(60_000)));
        command.args([
            "-c",
            "trap '' XFSZ; ulimit -f 8; exec \"$0\" exec -- herdr --session mam config check",
            mam,
        ]);
        let ran = run(&mut command);
        ran.expect(0)
            .says("would not keep restore off: herdr cannot read it")
            .says("which only switches restore off");
        assert_eq!(ran.stdout, "config: ok\n", "herdr reads what it was given");
    });
}

#[test]
fn a_socket_elsewhere_does_not_hide_a_host_session() {
    let home = home();
    let mut command = home.mam(&["exec", "--", "herdr", "server"]);
    command.env("HERDR_SOCKET_PATH", "/tmp/elsewhere.sock").env("HERDR_SESSION", "mam");
    let ran = run(&mut command);
    assert!(ran.stdout.starts_with(&format!("config={}\n", home.overlay().display())), "{ran}");
}

#[test]
fn a_config_that_broke_since_is_said_at_every_start() {
    let home = home();
    home.write_config("[ui]\nsidebar_width = 30\n");
    home.render(&[]);
    home.write_config("[ui\n");
    for _ in 0..2 {
        let ran = home.render(&["exec", "--", "herdr", "--session", "mam"]);
        ran.says("config.toml:1:4: ").says("the overlay of your last good config stays in force");
    }
}

#[test]
fn an_older_overlay_is_used_when_no_new_one_can_be_written() {
    let home = home();
    home.write_config("number = 1\n");
    home.render(&[]);
    home.write_config(format!("number = 2\nfill = \"{}\"\n", "x".repeat(60_000)));
    let mut command = home.command("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" exec -- herdr --session mam"]);
    command.arg(home.renderer());
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
    run(&mut home.mam(&["env", "tcsh"])).expect(2).says("[possible values: bash, zsh, sh, fish]");
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
