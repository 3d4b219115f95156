//! What herdr writes into the overlay stays, until the user says something newer.

use crate::support::herdr::{assert_off, on_each};
use crate::support::home::{Home, read, run, write};
use crate::support::tools::needs_root;

/// What herdr's settings screen appended when a theme was picked.
const PICKED: &str = "\n[theme]\nname = \"tokyo-night\"\nauto_switch = false\n";

fn append(home: &Home, text: &str) {
    write(&home.overlay(), home.overlay_text() + text);
}

/// Has herdr change the overlay. Its exit code does not count: `channel set` goes on to look for
/// updates, which it cannot reach from a test.
#[track_caller]
fn herdr(home: &Home, arguments: &[&str]) {
    let before = home.overlay_text();
    let mut command = home.command(home.path("bin/herdr"));
    command.args(arguments).env("HERDR_CONFIG_PATH", home.overlay());
    let ran = run(&mut command);
    assert_ne!(home.overlay_text(), before, "{ran}");
}

#[test]
fn a_picked_theme_survives_renders_until_the_user_sets_one() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = 30\n");
        home.render(&[]);
        append(home, PICKED);
        run(&mut home.mam(&["check"])).expect(1);
        home.render(&[]).silent();
        home.write_config("[ui]\nsidebar_width = 31\n");
        home.render(&[]).silent();
        assert_off(home, "kept");
        let overlay = home.overlay_text();
        assert!(
            overlay.contains("name = \"tokyo-night\"") && overlay.contains("sidebar_width = 31"),
            "{overlay}"
        );
        let explained = home.render(&["explain"]).stdout;
        assert!(
            explained.contains("theme.name = \"tokyo-night\"") && explained.contains("kept (herdr wrote it)"),
            "{explained}"
        );

        home.write_config("[ui]\nsidebar_width = 31\n[theme]\nname = \"nord\"\n");
        home.render(&[]).says("`theme.name`: your config's newer value replaces `\"tokyo-night\"`");
        let overlay = home.overlay_text();
        assert!(overlay.contains("name = \"nord\"") && !overlay.contains("tokyo-night"), "{overlay}");
        assert!(overlay.contains("auto_switch = false"), "{overlay}");
        assert_off(home, "superseded");
    });
}

#[test]
fn what_herdrs_own_commands_change_and_remove_is_kept() {
    on_each(|home| {
        home.write_config("[update]\nchannel = \"stable\" # mine\n[keys]\nprefix = \"ctrl+a\"\n[[keys.command]]\nkey = \"prefix+x\"\ncommand = \"true\"\n[ui]\r\nsidebar_width = 30\r\n");
        home.render(&[]);
        herdr(home, &["channel", "set", "preview"]);
        herdr(home, &["config", "reset-keys"]);
        home.render(&[]);
        assert_off(home, "kept");
        let overlay = home.overlay_text();
        assert!(overlay.contains("channel = \"preview\" # mine"), "{overlay}");
        assert!(
            overlay.contains("\n# prefix = \"ctrl+a\"\n") && overlay.contains("\n# [[keys.command]]\n"),
            "{overlay}"
        );
        assert!(
            overlay.contains("\r\nsidebar_width = 30\r\n"),
            "line ends are the user's again\n{overlay:?}"
        );
        let explained = home.render(&["explain", "--json"]).stdout;
        let json: serde_json::Value = serde_json::from_str(&explained).unwrap();
        let from: Vec<&str> =
            json["settings"].as_array().unwrap().iter().map(|row| row["from"].as_str().unwrap()).collect();
        assert_eq!(from, ["always", "kept", "removed", "removed"], "{explained}");
        home.render(&[]).silent();
        assert_eq!(home.overlay_text(), overlay, "twice is once");
    });
}

#[test]
fn an_overlay_that_herdr_broke_is_reported_and_saved() {
    on_each(|home| {
        home.write_config("[theme] # mine\nname = \"nord\"\n");
        home.render(&[]);
        append(home, PICKED);
        let broken = home.overlay_text();
        home.render(&[]).says("is no TOML and is not kept").says("duplicate key");
        assert_off(home, "broken");
        let saved = fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap();
        let saved = saved
            .map(|entry| entry.unwrap().path())
            .find(|path| path.to_str().unwrap().ends_with(".broken.toml"));
        assert_eq!(read(&saved.unwrap()), broken);
    });
}

#[test]
fn restore_that_was_turned_on_in_the_overlay_is_off_again_and_said_aloud() {
    on_each(|home| {
        home.write_config("[ui]\n");
        home.render(&[]);
        for (from, to) in [("restore = false", "restore = true"), ("resume_agents_on_restore = false", "")] {
            write(&home.overlay(), home.overlay_text().replace(from, to));
            home.render(&[]).says("restore had been turned on in `").says("it is off again");
            assert_off(home, to);
            home.render(&[]).silent();
        }
    });
}

#[test]
fn a_lost_overlay_is_made_again_with_what_was_kept() {
    on_each(|home| {
        home.render(&[]);
        append(home, PICKED);
        home.render(&[]);
        let overlay = home.overlay_text();
        fs_err::remove_file(home.overlay()).unwrap();
        run(&mut home.mam(&["check"])).expect(1);
        home.render(&[]).silent();
        assert_eq!(home.overlay_text(), overlay);
    });
}

#[test]
fn an_overlay_that_nothing_is_remembered_of_is_saved_before_it_is_replaced() {
    on_each(|home| {
        home.write_config("[ui]\nsidebar_width = 30\n");
        home.render(&[]);
        append(home, PICKED);
        home.render(&[]);
        let with_theme = home.overlay_text();
        fs_err::remove_dir_all(home.path(".local")).unwrap();
        home.render(&[])
            .says("said otherwise of `theme.auto_switch`, `theme.name`; the overlay is saved as `");
        let saved = fs_err::read_dir(home.path(".local/state/mam/overlays")).unwrap();
        let saved = saved
            .map(|entry| entry.unwrap().path())
            .find(|path| path.to_str().unwrap().ends_with(".previous.toml"));
        assert_eq!(read(&saved.unwrap()), with_theme);
        // Without anything to lose nothing is said.
        fs_err::remove_dir_all(home.path(".local")).unwrap();
        home.render(&[]).silent();
    });
}

#[test]
fn write_back_moves_kept_settings_into_the_users_file() {
    on_each(|home| {
        home.write(
            "dotfiles/herdr.toml",
            "# mine\r\n[ui]\r\nsidebar_width = 30\r\n[update]\r\nchannel = \"stable\"  # why\r\n",
        );
        fs_err::create_dir_all(home.path(".config/herdr")).unwrap();
        std::os::unix::fs::symlink("../../dotfiles/herdr.toml", home.config()).unwrap();
        home.render(&["write-back"]).says("herdr has written nothing");
        home.render(&[]);
        herdr(home, &["channel", "set", "preview"]);
        run(&mut home.mam(&["write-back"])).expect(2).says("stdin is not a terminal");
        let ran = home.render(&["write-back", "--yes"]);
        assert!(!ran.stderr.contains("warning:"), "{ran}");
        assert!(
            ran.stdout.contains("-channel = \"stable\"  # why\n+channel = \"preview\"  # why\n"),
            "{ran}"
        );
        let expected = "# mine\r\n[ui]\r\nsidebar_width = 30\r\n[update]\r\nchannel = \"preview\"  # why\r\n";
        assert_eq!(read(&home.path("dotfiles/herdr.toml")), expected);
        assert!(fs_err::symlink_metadata(home.config()).unwrap().is_symlink());
        let explained = home.render(&["explain"]).stdout;
        assert!(!explained.contains("kept"), "{explained}");
        home.render(&[]).silent();
        assert_off(home, "written back");
    });
}

#[test]
fn write_back_into_a_read_only_file_fails_and_keeps_everything() {
    use std::os::unix::fs::PermissionsExt as _;
    on_each(|home| {
        home.write_config("[ui]\n");
        home.render(&[]);
        append(home, PICKED);
        fs_err::set_permissions(home.config(), std::fs::Permissions::from_mode(0o444)).unwrap();
        run(&mut home.mam(&["write-back", "--yes"])).expect(73).says("is read-only");
        assert_eq!(read(&home.config()), "[ui]\n");
        home.render(&[]);
        assert!(home.overlay_text().contains("tokyo-night"));
    });
}

#[test]
fn write_back_leaves_a_file_that_is_not_ours_and_keeps_the_mode_of_one_that_is() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    if !needs_root() {
        return;
    }
    let home = Home::new();
    home.program("herdr", "#!/bin/sh\necho 'config: ok'\n");
    home.write_config("[ui]\n");
    home.render(&[]);
    append(&home, PICKED);
    let own = |uid| {
        rustix::fs::chown(home.config(), Some(rustix::process::Uid::from_raw(uid)), None).unwrap();
    };
    own(65534);
    run(&mut home.mam(&["write-back", "--yes"])).expect(77).says("belongs to uid 65534");
    assert_eq!(read(&home.config()), "[ui]\n");
    own(0);
    fs_err::set_permissions(home.config(), std::fs::Permissions::from_mode(0o640)).unwrap();
    home.render(&["write-back", "--yes"]);
    assert!(read(&home.config()).contains("name = \"tokyo-night\""));
    assert_eq!(fs_err::metadata(home.config()).unwrap().mode() & 0o7777, 0o640);
}

/// A newer herdr may have written it; this one cannot read it, and would drop the whole file for it.
#[test]
fn what_herdr_wrote_and_cannot_read_itself_is_dropped_for_good() {
    on_each(|home| {
        home.write_config("[theme]\nname = \"nord\"\n");
        home.render(&[]);
        append(home, "\n[ui]\nsidebar_width = \"wide\"\n");
        home.render(&[]).says("herdr cannot read `ui.sidebar_width = \"wide\"` from what herdr wrote");
        assert_off(home, "dropped");
        assert!(!home.overlay_text().contains("wide"), "{}", home.overlay_text());
        // Neither with a change of the config, nor by a herdr that could read it, nor into the user's file.
        home.write_config("[theme]\nname = \"nord\" # changed\n");
        home.render(&[]).silent();
        home.render(&["--no-herdr-check", "--set", "onboarding=false"]);
        assert!(!home.overlay_text().contains("wide"), "{}", home.overlay_text());
        home.render(&["write-back", "--yes"]).says("herdr has written nothing");
    });
}
