//! The commands that answer, and what they print.

use crate::support::herdr::{Herdr, on_each};
use crate::support::home::{Home, run};

#[test]
fn check_names_every_reason_and_writes_nothing() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = 30\n");
        let stale = |reason: &str, arguments: &[&str]| {
            let ran = run(&mut home.mam(&[&["check"], arguments].concat()));
            ran.expect(1);
            assert_eq!(ran.stdout, format!("stale: {}: {reason}\n", home.overlay().display()));
        };
        stale("there is no overlay yet", &[]);
        assert!(!home.overlay().exists() && !home.path(".local").exists(), "check wrote something");
        home.render(&[]);
        assert_eq!(home.render(&["check"]).stdout, format!("fresh: {}\n", home.overlay().display()));
        stale("the managed settings were changed", &["--set", "theme.name=nord"]);
        home.write_config("[ui]\nsidebar_width = 31\n");
        stale("the user config was changed", &[]);
        let json = run(&mut home.mam(&["check", "--json"])).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((json["version"].as_u64(), json["state"].as_str()), (Some(1), Some("stale")));
    });
}

#[test]
fn a_fresh_overlay_is_not_written_again() {
    use std::os::unix::fs::MetadataExt as _;
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = 30\n");
        home.render(&[]);
        let identity = || {
            let metadata = fs_err::metadata(home.overlay()).unwrap();
            (metadata.ino(), metadata.mtime_nsec())
        };
        let before = identity();
        home.render(&[]).silent();
        home.write_config("[ui]\nsidebar_width = 30\n");
        home.render(&[]).silent();
        assert_eq!(identity(), before);
    });
}

#[test]
fn print_and_diff_show_what_a_render_would_write() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = \"wide\"\n");
        let printed = home.render(&["print"]);
        let diff = home.render(&["diff"]);
        assert!(!home.overlay().exists() && !home.path(".local").exists(), "something was written");
        home.render(&[]);
        assert_eq!(printed.stdout, home.overlay_text());
        assert!(
            diff.stdout.contains("\n-sidebar_width = \"wide\"\n")
                && diff.stdout.contains("\n+# sidebar_width = \"wide\"\n"),
            "{diff}"
        );
        assert!(!diff.stdout.contains('\u{1b}'));
        assert_eq!(home.render(&["print"]).stdout, printed.stdout);
    });
}

#[test]
fn explain_says_where_each_setting_comes_from_and_what_it_replaced() {
    on_each(|home| {
        home.write_config("# one\n[session]\nresume_agents_on_restore = true\n");
        let ran = home.render(&["explain"]);
        let expected = format!(
            "session.resume_agents_on_restore = false  managed (always)\n    replaces `true` at {}:3\n",
            home.config().display()
        );
        assert_eq!(ran.stdout, expected);
        let json: serde_json::Value =
            serde_json::from_str(&home.render(&["explain", "--json"]).stdout).unwrap();
        assert_eq!(json["version"], 1);
        assert_eq!(json["settings"][0]["replaces"]["line"], 3);
        assert_eq!(json["settings"][0]["from"], "always");
    });
}

#[test]
fn a_render_answers_in_json_when_asked() {
    on_each(|home| {
        let json: serde_json::Value = serde_json::from_str(&home.render(&["--json"]).stdout).unwrap();
        assert_eq!(json["overlay"], home.overlay().to_str().unwrap());
        assert_eq!(
            (&json["version"], &json["written"], &json["checkedByHerdr"]),
            (&1.into(), &true.into(), &true.into())
        );
    });
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = Home::new();
    home.link_program("herdr", &Herdr::sim().path);
    let mut command = home.command("bash");
    command.args(["-o", "pipefail", "-c", "\"$0\" man | true", env!("CARGO_BIN_EXE_mam-render-config")]);
    run(&mut command).expect(0).silent();
}

#[test]
fn wrong_arguments_are_usage_errors() {
    let home = Home::new();
    for arguments in [
        &["nosuch"][..],
        &["--set", "a"],
        &["--set", "a b=1"],
        &["init"],
        &["init", "tcsh"],
        &["man", "nosuch"],
        &["exec", "--scope", "x", "--", "true"],
    ] {
        run(&mut home.mam(arguments)).expect(2);
    }
    assert!(!home.path(".config").exists());
}

#[test]
fn without_any_home_it_says_what_to_set() {
    let home = Home::new();
    // The user database still has a home for most users; a user id without an entry has none.
    let Some(setpriv) = crate::support::tools::needs("setpriv") else { return };
    if !rustix::process::geteuid().is_root() {
        println!("skipped: needs root");
        return;
    }
    let copy = home.path("mam");
    fs_err::copy(env!("CARGO_BIN_EXE_mam-render-config"), &copy).unwrap();
    rustix::fs::chown(home.path(""), Some(rustix::process::Uid::from_raw(54321)), None).unwrap();
    let mut command = home.command(setpriv);
    command.env_remove("HOME").args(["--reuid=54321", "--clear-groups"]).arg(copy);
    run(&mut command).expect(78).says("there is no home directory").says("hint: set HOME");
}
