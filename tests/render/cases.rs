//! What users have in their configs, and that restore is off in the overlay of each.

use crate::support::herdr::{assert_off, on_each};
use crate::support::home::{Home, read, run, write};

/// The file that herdr writes for a new user, in short: every key commented out.
const DEFAULT_CONFIG: &str = "# herdr configuration\n# onboarding = true\n\n[theme]\n# name = \"catppuccin\"\n\n\
    [session]\n# Resume agents after a restart.\n# resume_agents_on_restore = true\n\n[ui]\n# sidebar_width = 26\n";

/// Configs that herdr reads; in the overlay every line of theirs is still there.
const GOOD: &[(&str, &str)] = &[
    ("only comments", "# nothing\n"),
    ("the default config", DEFAULT_CONFIG),
    ("spaces in the header", "[ session ]\n"),
    ("a quoted header", "[\"session\"]\n"),
    ("a header with a comment", "[session] # note\n"),
    ("another dotted key", "session.startup_per_agent_delay_ms = 5\n[ui]\nsidebar_width = 30\n"),
    ("an inline table", "session = { startup_per_agent_delay_ms = 5 }\n"),
    ("an empty inline table", "session = {}\n"),
    ("a table below", "[session.extra]\nx = 1\n"),
    (
        "tables far apart",
        "[keys]\nprefix = \"ctrl+a\"\n[ui]\nsidebar_width = 30\n[session]\n[[keys.command]]\nkey = \"prefix+x\"\ncommand = \"true\"\n[ui.toast]\ndelivery = \"off\"\n",
    ),
    ("CRLF", "[ui]\r\nsidebar_width = 30\r\n"),
    ("a BOM", "\u{feff}[session]\n"),
    ("a BOM and CRLF", "\u{feff}[session]\r\n[ui]\r\n"),
    ("no final newline", "[ui]\nsidebar_width = 30"),
    ("mixed line ends", "[ui]\r\nsidebar_width = 30\n[session]\r\n"),
    ("a string that looks like a table", "x = '''\n[session]\nresume_agents_on_restore = true\n'''\n"),
    (
        "odd values",
        "a = 0o17\nb = 1_000\nc = +inf\nd = 1979-05-27T07:32:00Z\ne = \"\\u00e9\"\n'f g' = nan # 日本\n",
    ),
    ("unknown keys", "[nosuch]\nx = 1\n[ui]\nnosuch = 2\n[theme]\nname = \"nosuch\"\n"),
];

#[test]
fn every_line_of_a_good_config_is_in_force_and_restore_is_off() {
    on_each(|home| {
        // What a real herdr has new users start from; the simulator has nothing to offer.
        let own = run(home.command(home.path("bin/herdr")).arg("--default-config")).stdout;
        let own =
            Some(("herdr's own default config", own.as_str())).filter(|(_, text)| text.contains("[session]"));
        for (what, config) in GOOD.iter().copied().chain(own) {
            home.write_config(config);
            let ran = home.render(&[]);
            assert_eq!(ran.stdout, format!("{}\n", home.overlay().display()), "{what}");
            assert_off(home, what);
            let overlay = home.overlay_text();
            let without_ours: Vec<&str> = overlay
                .split_inclusive('\n')
                .map(|line| line.trim_start_matches('\u{feff}'))
                .filter(|line| !line.starts_with("# Made by mam"))
                .collect();
            for line in config.trim_start_matches('\u{feff}').split_inclusive('\n') {
                let is_inline = line.starts_with("session = {");
                assert!(
                    is_inline
                        || without_ours.contains(&line)
                        || without_ours.contains(&format!("{line}\n").as_str()),
                    "{what}: {line:?}\n{overlay}"
                );
            }
            assert_eq!(read(&home.config()), config, "{what}: the user's own file");
        }
    });
}

#[test]
fn a_setting_that_says_true_is_changed_and_nothing_beside_it() {
    on_each(|home| {
        let rows = [
            "[session]\nresume_agents_on_restore = @  # keep me\n",
            "session.resume_agents_on_restore = @\n[ui]\nsidebar_width = 30\n",
            "session = { resume_agents_on_restore = @, x = 1 }\n",
            "\u{feff}[session]\r\n  resume_agents_on_restore\t=\t@\r\n",
        ];
        for row in rows {
            for value in ["true", "\"false\"", "false", "1"] {
                home.write_config(row.replace('@', value));
                home.render(&[]);
                assert_off(home, row);
                let overlay = home.overlay_text();
                let body = overlay.trim_start_matches('\u{feff}').split_once('\n').unwrap().1;
                assert_eq!(body, row.trim_start_matches('\u{feff}').replace('@', "false"));
            }
        }
    });
}

#[test]
fn no_file_and_an_empty_file_give_an_overlay_too() {
    on_each(|home| {
        home.render(&[]).silent();
        assert_off(home, "no file");
        assert!(!home.config().exists(), "the user config appeared");
        home.write_config("");
        home.render(&[]);
        assert_off(home, "empty file");
    });
}

#[test]
fn session_that_is_no_table_makes_room() {
    on_each(|home| {
        for config in [
            "session = 3\n",
            "[[session]]\nx = 1\n[[session]]\n",
            "session = [1, 2]\n",
            "[session.resume_agents_on_restore]\nx = 1\n",
        ] {
            home.write_config(config);
            home.render(&[]);
            assert_off(home, config);
        }
    });
}

/// Configs that are no TOML, with the place that is named.
const BROKEN: &[(&str, &[u8], &str)] = &[
    ("[session] twice", b"[session]\n[session]\n", ":2:2: "),
    ("a key twice", b"a = 1\na = 2\n", ":2:1: "),
    ("dotted key and table", b"session.a = 1\n[session]\n", ":2:2: "),
    ("a BOM on line 2", b"a = 1\n\xef\xbb\xbfb = 2\n", ":2:1: "),
    ("a lone CR", b"a = 1\rb = 2\n", ":1:7: "),
    ("not UTF-8", b"a = \"\xff\"\n", ":1:6: not UTF-8"),
    ("NUL", b"a = \"\0\"\n", ":1:6: "),
];

#[test]
fn a_config_that_is_no_toml_leaves_the_last_good_overlay_or_the_minimal_one() {
    on_each(|home| {
        for (what, config, place) in BROKEN {
            write(&home.path("gone"), "");
            drop(fs_err::remove_dir_all(home.path(".local")));
            drop(fs_err::remove_file(home.overlay()));
            home.write_config(config);
            let minimal = home.render(&[]);
            minimal.says(place).says("the overlay only switches restore off").says("hint: mend ");
            assert_off(home, what);

            home.write_config("[ui]\nsidebar_width = 30\n");
            home.render(&[]).silent();
            let good = home.overlay_text();
            home.write_config(config);
            home.render(&[]).says(place).says("the overlay of your last good config stays in force");
            assert_eq!(home.overlay_text(), good, "{what}");
            run(&mut home.mam(&["check"])).expect(65).says(place);
            run(&mut home.mam(&["--strict"])).expect(65);
            assert_eq!(fs_err::read(home.config()).unwrap(), *config);

            // Also when nothing is remembered of it.
            fs_err::remove_dir_all(home.path(".local")).unwrap();
            home.render(&[]).says("the overlay of your last good config stays in force");
            assert_eq!(home.overlay_text(), good, "{what}");
            fs_err::remove_file(home.config()).unwrap();
            home.render(&[]);
            assert!(!home.overlay_text().contains("sidebar_width"), "{what}: the config is gone");
        }
    });
}

#[test]
fn what_herdr_cannot_read_is_left_out_and_everything_else_is_in_force() {
    on_each(|home| {
        let ten: Vec<String> = (0..10)
            .map(|index| format!("[[keys.command]]\nkey = \"prefix+{index}\"\ncommand = {index}\n"))
            .collect();
        let rows: &[(&str, &[&str], &str)] = &[
            (
                "[ui]\nsidebar_width = \"wide\"\nconfirm_close = false\n",
                &["ui.sidebar_width"],
                "\nconfirm_close = false\n",
            ),
            (
                "[ui.toast]\ndelivery = \"loud\"\n[theme]\nname = \"nord\"\n",
                &["ui.toast.delivery"],
                "\nname = \"nord\"\n",
            ),
            (
                "onboarding = 1\n[ui]\nsidebar_width = \"wide\"\n[ui.toast]\ndelivery = \"loud\"\n[theme]\nname = \"nord\"\n",
                &["onboarding", "ui.sidebar_width", "ui.toast.delivery"],
                "\nname = \"nord\"\n",
            ),
            (
                "[ui.toast]\ndelivery = \"off\"\ndelay_seconds = \"soon\"\n",
                &["ui.toast.delay_seconds"],
                "\ndelivery = \"off\"\n",
            ),
            (
                "ui = { sidebar_width = \"wide\", confirm_close = false }\n",
                &["ui.sidebar_width"],
                "ui = { confirm_close = false }",
            ),
        ];
        for (config, names, kept) in rows {
            home.write_config(config);
            let ran = home.render(&[]);
            for name in *names {
                ran.says(&format!("herdr cannot read `{name}`"));
            }
            assert_off(home, config);
            assert!(home.overlay_text().contains(kept), "{}", home.overlay_text());
            run(&mut home.mam(&["--strict"])).expect(65);
            home.render(&["check"]);
        }
        home.write_config(ten.concat());
        home.render(&[]).says("herdr cannot read 5 more settings");
        assert_off(home, "ten");
        let explained = home.render(&["explain"]).stdout;
        assert_eq!(explained.matches("quarantined").count(), 10, "{explained}");
    });
}

#[test]
fn what_only_newer_toml_allows_is_left_out_for_a_herdr_that_refuses_it() {
    on_each(|home| {
        for config in [
            "ui = {\n  sidebar_width = 30,\n}\n[theme]\nname = \"nord\"\n",
            "[ui]\nx = { a = 1, }\n[theme]\nname = \"nord\"\n",
            "x = \"\\e\"\n[theme]\nname = \"nord\"\n",
            "x = \"\\x41\"\n[theme]\nname = \"nord\"\n",
            "x = 07:32\n[theme]\nname = \"nord\"\n",
        ] {
            home.write_config(config);
            home.render(&[]).says("herdr cannot read `");
            assert_off(home, config);
            assert!(home.overlay_text().contains("\nname = \"nord\"\n"), "{}", home.overlay_text());
        }
    });
}

#[test]
fn herdrs_own_remarks_are_passed_on() {
    on_each(|home| {
        home.write_config("[ui]\nnosuch = 1\n");
        home.render(&[]).says("herdr says: unknown config key ui.nosuch; ignoring key");
        assert!(home.overlay_text().contains("\nnosuch = 1\n"));
    });
}

#[test]
fn an_upgraded_herdr_is_asked_again() {
    let home = Home::new();
    let log = home.path("asked");
    let herdr = |verdict: &str| {
        format!("#!/bin/sh\necho x >> '{}'\n{verdict}\n", log.to_str().unwrap().replace('\'', "'\\''"))
    };
    let asked = || fs_err::read_to_string(&log).unwrap_or_default().lines().count();
    home.program("herdr", &herdr("echo 'config: ok'"));
    home.write_config("[ui]\nsidebar_width = 30\n");
    home.render(&[]).silent();
    home.render(&[]).silent();
    assert_eq!(asked(), 1);
    fs_err::remove_file(home.path("bin/herdr")).unwrap();
    home.program("herdr", &herdr("echo 'config: issues found'; echo 'config parse error: TOML parse error at line 3, column 1'; echo 'no'; echo '; using defaults'"));
    run(&mut home.mam(&["check"])).expect(1);
    home.render(&[]).says("refuses even an overlay that only switches restore off");
    assert!(asked() > 1);
    // The first is for `mam` to start, the second is herdr's own.
    for words in [
        ["exec", "--scope=hosts", "--", "herdr", "--session=mam", "server"],
        ["exec", "--scope=all", "--", "herdr", "--session=other", "server"],
    ] {
        run(&mut home.mam(&words)).expect(78).says("herdr was not started");
    }
}

#[test]
fn a_herdr_that_cannot_judge_leaves_an_unchecked_overlay() {
    let rows = [
        ("echo 'herdr: unknown command config' >&2; exit 2", "it said: herdr: unknown command config"),
        ("sleep 60", "did not answer within"),
        ("kill -9 $$", "it said nothing"),
    ];
    for (script, said) in rows {
        let home = Home::new();
        home.program("herdr", &format!("#!/bin/sh\n{script}\n"));
        home.write_config("[ui]\nsidebar_width = \"wide\"\n");
        home.render(&[]).says("nobody has checked").says(said);
        assert!(home.overlay_text().contains("resume_agents_on_restore = false"));
        run(&mut home.mam(&["--strict"])).expect(69);
    }
    let home = Home::new();
    home.render(&[]).says("herdr is not on PATH");
    home.render(&["--no-herdr-check"]).silent();
    run(&mut home.mam(&["--herdr", "/nonexistent/herdr"])).expect(69);
}

#[test]
fn what_herdr_refused_stays_out_while_it_cannot_be_asked() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = \"wide\"\n");
        home.render(&[]);
        home.write_config("# more\n[ui]\nsidebar_width = \"wide\"\n");
        home.render(&["--no-herdr-check"]);
        assert_off(home, "remembered");
        assert!(home.overlay_text().contains("# sidebar_width"), "{}", home.overlay_text());
    });
}

#[test]
fn a_large_config_is_rendered_like_a_small_one() {
    on_each(|home| {
        let long = "x".repeat(160);
        let command =
            |index: usize| format!("\n[[keys.command]]\nkey = \"prefix+{index}\"\ncommand = \"{long}\"\n");
        let commands: Vec<String> = (0..5_000).map(command).collect();
        let config = format!("[session]\nresume_agents_on_restore = true\n{}", commands.concat());
        assert!(config.len() > 1024 * 1024);
        home.write_config(&config);
        home.render(&[]);
        let overlay = home.overlay_text();
        assert_eq!(overlay.split_once('\n').unwrap().1, config.replacen("= true", "= false", 1));
    });
}

#[test]
fn managed_settings_come_from_the_command_line_and_from_mams_config() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = 20 # mine\n");
        home.write(".config/mam/config.toml", "[overlay]\nui.sidebar_width = 30\n\"ui.toast.delivery\" = \"off\"\nsession.resume_agents_on_restore = true\n");
        let ran = home.render(&["--set", "theme.name=nord", "--set", "onboarding=false"]);
        ran.says("`overlay.session.resume_agents_on_restore` in `").says("cannot be set");
        assert_off(home, "managed");
        let overlay = home.overlay_text();
        for line in
            ["sidebar_width = 30 # mine", "delivery = \"off\"", "name = \"nord\"", "onboarding = false"]
        {
            assert!(overlay.lines().any(|found| found == line), "{line}\n{overlay}");
        }
        let explained =
            home.render(&["explain", "--set", "theme.name=nord", "--set", "onboarding=false"]).stdout;
        assert!(
            explained.contains("replaces `20` at ") && explained.contains("config.toml:2\n"),
            "{explained}"
        );
        run(&mut home.mam(&["--set", "session.resume_agents_on_restore=true"]))
            .expect(2)
            .says("cannot be set");
        home.render(&["--set", "ui.sidebar_width=wide"])
            .says("herdr cannot read `ui.sidebar_width = \"wide\"` from --set");
        assert_off(home, "refused setting");
    });
}
