//! How herdr is asked: with which variables, how often, and of which herdr an answer counts.

use std::time::{Duration, Instant};

use crate::support::home::{Home, read, run};

/// A herdr that writes down its calls, and answers with the line of `answers` of that number, the last
/// one over and over.
fn answering(home: &Home, answers: &[&str]) {
    let arm = |(index, answer): (usize, &&str)| {
        let pattern = if index + 1 == answers.len() { "*".to_owned() } else { (index + 1).to_string() };
        format!("{pattern}) {answer};;\n")
    };
    let arms: String = answers.iter().enumerate().map(arm).collect();
    let script =
        format!("#!/bin/sh\necho x >> \"$HOME/asked\"\ncase $(wc -l < \"$HOME/asked\") in\n{arms}esac\n");
    home.program("herdr", &script);
}

fn asked(home: &Home) -> usize {
    fs_err::read_to_string(home.path("asked")).unwrap_or_default().lines().count()
}

fn refusing(line: usize) -> String {
    format!(
        "printf 'config: issues found\\nconfig parse error: TOML parse error at line {line}, column 1\\n'; \
         printf '  |\\nno\\n; using defaults\\n'"
    )
}

#[test]
fn herdr_has_our_variables_but_none_that_names_a_server() {
    let home = Home::new();
    home.program("herdr", "#!/bin/sh\nenv > \"$HOME/env\"\necho 'config: ok'\n");
    for arguments in [&[][..], &["print", "--set", "x=1"]] {
        let mut command = home.mam(arguments);
        command.env("ASDF_DIR", "/it's there").env("HERDR_SESSION", "other").env("HERDR_ENV", "1");
        command.env("HERDR_SOCKET_PATH", "/tmp/other.sock").env("HERDR_PANE_ID", "w1:p1");
        run(&mut command).expect(0);
        let seen = read(&home.path("env"));
        let of_herdr: Vec<&str> = seen.lines().filter(|line| line.starts_with("HERDR_")).collect();
        let [config] = of_herdr[..] else { panic!("{of_herdr:?}") };
        assert!(config.starts_with("HERDR_CONFIG_PATH=/") && config.ends_with(".mam-tmp"), "{config}");
        assert!(seen.lines().any(|line| line == "ASDF_DIR=/it's there"), "{seen}");
    }
}

/// Two of them cannot be read, so that each is tried once more when herdr takes the file.
#[test]
fn a_herdr_that_hangs_once_is_not_asked_about_every_piece() {
    let home = Home::new();
    // The first line is the banner, and later there is a note on what is left out.
    let (first, second) = (refusing(2), refusing(4));
    answering(&home, &[&first, &second, "echo 'config: ok'", "sleep 60"]);
    home.write_config("a = 1\nb = 2\nc = 3\n");
    let started = Instant::now();
    home.render(&[]).says("herdr cannot read `a`").says("herdr cannot read `b`");
    assert_eq!(asked(&home), 4, "once more than it takes to see that it hangs");
    assert!(started.elapsed() < Duration::from_secs(10), "it was waited for twice");
    assert!(home.overlay_text().contains("# a = 1\n") && home.overlay_text().contains("\nc = 3\n"));
}

#[test]
fn a_check_that_hangs_is_ended_with_all_that_it_started() {
    let home = Home::new();
    home.program("herdr", "#!/bin/sh\nsleep 600 &\necho $! > \"$HOME/child\"\nwait\n");
    home.render(&[]).says("did not answer within 5 s");
    let pid = read(&home.path("child"));
    let status = format!("/proc/{}/status", pid.trim());
    let is_alive = || {
        let status = fs_err::read_to_string(&status).unwrap_or_default();
        status.lines().any(|line| line.starts_with("State:") && !line.contains("zombie"))
    };
    let deadline = Instant::now() + Duration::from_secs(10);
    while is_alive() {
        assert!(Instant::now() < deadline, "a child of herdr's is left");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn check_says_why_herdr_would_be_asked() {
    let home = Home::new();
    home.write_config("[ui]\n");
    let stale = |said: &str| {
        let ran = run(&mut home.mam(&["check"]));
        ran.expect(1);
        assert_eq!(ran.stdout, format!("stale: {}: {said}\n", home.overlay().display()));
    };
    home.render(&["--no-herdr-check"]);
    home.program("herdr", "#!/bin/sh\necho 'config: ok'\n");
    stale("herdr has not checked it yet");
    home.render(&[]).silent();
    home.render(&["check"]);
    home.program("herdr", "#!/bin/sh\n# another\necho 'config: ok'\n");
    stale("herdr was installed or upgraded");
    home.render(&[]).silent();
    home.render(&["check"]);
    // The same bytes in another file: what was installed anew is another herdr.
    fs_err::remove_file(home.path("bin/herdr")).unwrap();
    home.program("elsewhere", "#!/bin/sh\n# another\necho 'config: ok'\n");
    home.link_program("herdr", &home.path("bin/elsewhere"));
    stale("herdr was installed or upgraded");
    // Nobody who could be asked is no reason to render.
    fs_err::remove_file(home.path("bin/herdr")).unwrap();
    home.render(&["check"]);
}
