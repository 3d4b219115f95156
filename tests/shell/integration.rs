//! What the `herdr` function does in each shell.

use super::session::{Kind, Session, home};

/// What herdr writes down when it has the overlay.
fn with_overlay(home: &crate::support::home::Home, words: &str) -> String {
    format!("config={}\n{words}", home.overlay().display())
}

fn in_each(variables: &[(&str, &str)], test: impl Fn(&crate::support::home::Home, &mut Session<'_>)) {
    for kind in Kind::ALL {
        let home = home();
        let Some(mut session) = Session::start(kind, &home, variables) else { continue };
        test(&home, &mut session);
    }
}

#[test]
fn a_host_session_gets_the_overlay_and_the_words_arrive_whole() {
    in_each(&[], |home, shell| {
        shell.source("hosts");
        let called = shell.call("herdr --session mam '' 'a b' '*' --help \"it's\"");
        let words = "<--session>\n<mam>\n<>\n<a b>\n<*>\n<--help>\n<it's>\n";
        assert_eq!(called, with_overlay(home, words), "{:?}", shell.kind);
    });
}

#[test]
fn any_other_herdr_is_not_touched() {
    in_each(&[], |home, shell| {
        shell.source("hosts");
        assert_eq!(shell.call("herdr pane list"), "config=unset\n<pane>\n<list>\n", "{:?}", shell.kind);
        assert_eq!(shell.call("herdr"), "config=unset\n", "{:?}", shell.kind);
        assert!(!home.overlay().exists());
    });
}

#[test]
fn with_scope_all_every_herdr_gets_the_overlay() {
    in_each(&[], |home, shell| {
        shell.source("all");
        assert_eq!(shell.call("herdr pane list"), with_overlay(home, "<pane>\n<list>\n"), "{:?}", shell.kind);
    });
}

#[test]
fn the_status_and_ctrl_c_are_herdrs() {
    in_each(&[], |_, shell| {
        shell.source("hosts");
        let status = format!("herdr --session mam fail; printf 'status=%s.' {}", shell.kind.status());
        assert!(shell.run(&status).contains("status=42."), "{:?}", shell.kind);
        shell.send("herdr --session mam wait\n");
        shell.wait_for("waiting\r\n");
        shell.send("\u{3}");
        assert!(shell.run("printf 'alive%s' .").contains("alive."), "{:?}", shell.kind);
    });
}

#[test]
fn sourcing_twice_is_sourcing_once() {
    in_each(&[], |home, shell| {
        shell.source("hosts");
        assert_eq!(shell.source("hosts"), "", "{:?}", shell.kind);
        assert_eq!(shell.call("herdr --session mam"), with_overlay(home, "<--session>\n<mam>\n"));
    });
}

#[test]
fn in_a_pane_of_herdr_it_does_nothing() {
    in_each(&[("HERDR_ENV", "1"), ("HERDR_CONFIG_PATH", "/the/pane's.toml")], |_, shell| {
        shell.source("all");
        let called = shell.call("herdr --session mam");
        assert_eq!(called, "config=/the/pane's.toml\n<--session>\n<mam>\n", "{:?}", shell.kind);
    });
}

#[test]
fn when_mam_is_uninstalled_herdr_runs_as_ever() {
    in_each(&[], |home, shell| {
        shell.source("hosts");
        fs_err::remove_file(home.path("bin/mam-render-config")).unwrap();
        let printed = shell.run("herdr --session mam >/dev/null");
        assert!(
            !printed.contains("not found") && !printed.contains("mam-render-config"),
            "{:?}: {printed}",
            shell.kind
        );
        assert_eq!(
            shell.call("herdr --session mam"),
            "config=unset\n<--session>\n<mam>\n",
            "{:?}",
            shell.kind
        );
    });
}

#[test]
fn aliases_of_the_user_neither_break_it_nor_are_broken() {
    in_each(&[], |home, shell| {
        // In fish an alias is a function, and a function of the user's stays.
        if shell.kind == Kind::Fish {
            return;
        }
        shell.run("alias command='echo HOSTILE' builtin='echo HOSTILE' eval='echo HOSTILE' printf=printf");
        shell.source("hosts");
        shell.run("alias herdr='herdr --session mam'");
        let called = shell.call("herdr pane list");
        assert_eq!(called, with_overlay(home, "<--session>\n<mam>\n<pane>\n<list>\n"), "{:?}", shell.kind);
        let again = shell.source("hosts");
        assert!(!again.contains("rror"), "{:?}: {again}", shell.kind);
        assert_eq!(shell.call("herdr pane list"), called);
    });
}

#[test]
fn an_alias_that_was_there_first_is_no_syntax_error() {
    in_each(&[], |home, shell| {
        if shell.kind == Kind::Fish {
            return;
        }
        shell.run("alias herdr='herdr --session mam'");
        let printed = shell.source("hosts");
        assert!(!printed.contains("rror"), "{:?}: {printed}", shell.kind);
        let called = shell.call("herdr");
        // A POSIX shell cannot define a function under an alias without destroying the alias.
        let expected = if shell.kind == Kind::Dash {
            "config=unset\n<--session>\n<mam>\n".to_owned()
        } else {
            with_overlay(home, "<--session>\n<mam>\n")
        };
        assert_eq!(called, expected, "{:?}", shell.kind);
    });
}

#[test]
fn a_function_of_the_user_is_not_replaced() {
    in_each(&[], |_, shell| {
        if shell.kind == Kind::Dash {
            return;
        }
        shell.run(if shell.kind == Kind::Fish {
            "function herdr; command herdr mine $argv; end"
        } else {
            "herdr() { command herdr mine \"$@\"; }"
        });
        shell.source("hosts");
        assert_eq!(shell.call("herdr x"), "config=unset\n<mine>\n<x>\n", "{:?}", shell.kind);
    });
}

#[test]
fn it_works_under_the_strictest_options() {
    in_each(&[], |home, shell| {
        let strict = match shell.kind {
            Kind::Fish => return,
            Kind::Bash => "set -eu -o pipefail",
            Kind::Zsh => "setopt err_exit no_unset pipe_fail sh_word_split ksh_arrays",
            Kind::Dash => "set -eu",
        };
        shell.run(strict);
        shell.source("hosts");
        assert_eq!(
            shell.call("herdr --session mam 'a b'"),
            with_overlay(home, "<--session>\n<mam>\n<a b>\n"),
            "{:?}",
            shell.kind
        );
    });
}
