//! Where files are, what kind they are, and that the user's own never change.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use crate::support::herdr::{assert_off, on_each};
use crate::support::home::{Home, read, run, write};
use crate::support::tools::needs;

/// Everything about a file that a careless program changes.
fn identity(path: &Path) -> (u64, u32, i64, i64, Option<std::path::PathBuf>) {
    let metadata = fs_err::symlink_metadata(path).unwrap();
    (metadata.ino(), metadata.mode(), metadata.mtime(), metadata.mtime_nsec(), fs_err::read_link(path).ok())
}

#[test]
fn a_linked_config_in_a_read_only_store_is_read_through() {
    on_each(|home| {
        let store = home.write("store/abc/config.toml", "[ui]\nsidebar_width = 30\n");
        fs_err::set_permissions(&store, std::fs::Permissions::from_mode(0o444)).unwrap();
        fs_err::create_dir_all(home.path(".config/herdr")).unwrap();
        symlink(&store, home.config()).unwrap();
        let before = (identity(&store), identity(&home.config()));
        home.render(&[]).silent();
        assert_off(home, "linked");
        assert!(home.overlay_text().contains("\nsidebar_width = 30\n"));
        assert_eq!((identity(&store), identity(&home.config())), before);
        assert!(fs_err::symlink_metadata(home.overlay()).unwrap().is_file());
    });
}

#[test]
fn a_dangling_link_is_a_missing_config() {
    on_each(|home| {
        fs_err::create_dir_all(home.path(".config/herdr")).unwrap();
        symlink("nowhere", home.config()).unwrap();
        home.render(&[]).silent();
        assert_off(home, "dangling");
        assert!(!home.path(".config/herdr/nowhere").exists());
    });
}

#[test]
fn what_is_no_file_is_named_and_nothing_hangs() {
    on_each(|home| {
        fs_err::create_dir_all(home.path(".config/herdr")).unwrap();
        let config = home.config();
        let make: [(&str, &dyn Fn()); 3] = [
            ("it is a directory", &|| fs_err::create_dir(&config).unwrap()),
            ("it is a FIFO", &|| {
                rustix::fs::mknodat(rustix::fs::CWD, &config, rustix::fs::FileType::Fifo, 0o600.into(), 0)
                    .unwrap();
            }),
            ("it is a device", &|| symlink("/dev/zero", &config).unwrap()),
        ];
        for (said, make) in make {
            make();
            home.render(&[]).says(said).says("the overlay only switches restore off");
            assert_off(home, said);
            run(&mut home.mam(&["check"])).expect(65).says(said);
            drop(fs_err::remove_file(&config));
            drop(fs_err::remove_dir(&config));
        }
    });
}

#[test]
fn an_unreadable_config_is_named() {
    let Some(setpriv) = needs("setpriv") else { return };
    let home = Home::new();
    home.write_config("[ui]\n");
    fs_err::set_permissions(home.config(), std::fs::Permissions::from_mode(0o000)).unwrap();
    let ran = if rustix::process::geteuid().is_root() {
        // Root reads everything: be somebody else, whose home this is.
        for path in ["", ".config", ".config/herdr", ".config/herdr/config.toml"] {
            rustix::fs::chown(home.path(path), Some(rustix::process::Uid::from_raw(65534)), None).unwrap();
        }
        let mut command = home.command(setpriv);
        // The test binary may be in a directory that only root can enter.
        let copy = home.path("mam");
        fs_err::copy(env!("CARGO_BIN_EXE_mam-render-config"), &copy).unwrap();
        command.args(["--reuid=65534", "--clear-groups"]).arg(copy);
        run(&mut command)
    } else {
        run(&mut home.mam(&[]))
    };
    ran.expect(0).says("cannot be read: Permission denied").says("the overlay only switches restore off");
    assert!(home.overlay_text().contains("resume_agents_on_restore = false"));
}

#[test]
fn a_config_directory_that_cannot_be_written_moves_the_overlay_and_its_paths() {
    let Some(unshare) = needs("unshare") else { return };
    let home = Home::with_prefix("mam");
    home.write_config("[ui.sound]\npath = \"a.mp3\" # mine\ndone_path = \"/abs.mp3\"\n");
    let directory = home.path(".config/herdr");
    let mam = env!("CARGO_BIN_EXE_mam-render-config");
    let script = format!(
        "mount --bind '{0}' '{0}' && mount -o remount,bind,ro '{0}' && exec {mam} --no-herdr-check",
        directory.display()
    );
    let mut command = home.command(unshare);
    command.args(["--map-root-user", "--user", "--mount", "sh", "-c", &script]);
    let ran = run(&mut command);
    ran.expect(0).says("cannot be written to; the overlay is `");
    let overlay = std::path::PathBuf::from(ran.stdout.trim_end());
    assert!(overlay.starts_with(home.path(".local/state/mam")), "{ran}");
    let text = read(&overlay);
    let absolute =
        format!("path = \"{}\" # mine\ndone_path = \"/abs.mp3\"\n", directory.join("a.mp3").display());
    assert!(text.contains(&absolute), "{text}");
    assert!(!home.overlay().exists());
}

#[test]
fn an_output_elsewhere_gets_absolute_paths_and_is_explained() {
    on_each(|home| {
        home.write_config("[ui.sound]\nrequest_path = 'b.mp3'\n");
        home.write(".config/herdr/b.mp3", "");
        let ran = home.render(&["--output", "else where/o.toml"]);
        ran.silent();
        let text = read(&home.path("else where/o.toml"));
        assert!(
            text.contains(&format!("request_path = \"{}\"", home.path(".config/herdr/b.mp3").display())),
            "{text}"
        );
        let explained = home.render(&["explain", "--output", "else where/o.toml"]);
        assert!(explained.stdout.contains("made absolute"), "{explained}");
        run(&mut home.mam(&["--output", home.config().to_str().unwrap()]))
            .expect(2)
            .says("would replace the user config");
    });
}

#[test]
fn nothing_but_an_overlay_of_ours_is_ever_replaced() {
    let home = Home::new();
    let theirs = "[ui]\nsidebar_width = 30\n";
    home.write("dot/h.toml", theirs);
    home.write("notes", "mine\n");
    fs_err::create_dir_all(home.path(".config/herdr")).unwrap();
    symlink(home.path("dot/h.toml"), home.config()).unwrap();
    let config = home.config();
    let config = config.to_str().unwrap().replace("/herdr/", "/herdr/../herdr/");
    for (output, said) in [
        ("dot/h.toml", "is the user config"),
        (config.as_str(), "is the user config"),
        ("notes", "is not an overlay of mam's"),
    ] {
        run(&mut home.mam(&["--no-herdr-check", "--output", output]))
            .expect(78)
            .says(said)
            .says("it is not replaced");
    }
    assert_eq!(read(&home.path("dot/h.toml")), theirs);
    assert_eq!(read(&home.path("notes")), "mine\n");

    let own = home.write("own.mam.toml", theirs);
    let mut command = home.mam(&["--no-herdr-check"]);
    command.env("HERDR_CONFIG_PATH", &own);
    let ran = run(&mut command);
    assert_eq!(
        ran.stdout,
        format!("{}\n", home.path("own.mam.mam.toml").display()),
        "a config of the user's with such a name"
    );
    assert_eq!(read(&own), theirs);

    fs_err::remove_file(home.config()).unwrap();
    home.render(&["--no-herdr-check"]);
    symlink("config.mam.toml", home.config()).unwrap();
    let before = home.overlay_text();
    run(&mut home.mam(&["--no-herdr-check"])).expect(78).says("is the user config");
    assert_eq!(home.overlay_text(), before);
}

#[test]
fn one_overlay_is_made_from_one_config() {
    let home = Home::new();
    let (a, b) = (home.write("a.toml", "[ui]\nsidebar_width = 30\n"), home.write("b.toml", "[ui\n"));
    let render = |config: &Path| {
        home.render(&["--no-herdr-check", "--output", "o.toml", "--config", config.to_str().unwrap()])
    };
    render(&a);
    let ran = render(&b);
    ran.says("was last made from `").says("nothing of that is used");
}

#[test]
fn nobody_writes_into_the_state_of_another_user() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: needs root");
        return;
    }
    let home = Home::new();
    home.render(&["--no-herdr-check"]);
    let before = home.overlay_text();
    rustix::fs::chown(
        home.path(".local/state/mam/overlays"),
        Some(rustix::process::Uid::from_raw(65534)),
        None,
    )
    .unwrap();
    home.write_config("[ui]\n");
    run(&mut home.mam(&["--no-herdr-check"])).expect(77).says("belongs to uid 65534, and this is uid 0");
    assert_eq!(home.overlay_text(), before);
}

#[test]
fn names_that_steer_a_terminal_are_shown_as_escapes() {
    let home = Home::new();
    home.write(".config/mam/config.toml", "\"\\u001b[31mx\" = 1\n");
    for arguments in [&["--herdr", "/x\u{1b}[31m"][..], &["exec", "--", "\u{1b}[31mx"], &["--no-herdr-check"]]
    {
        let ran = run(&mut home.mam(arguments));
        assert!(!ran.stderr.contains('\u{1b}') && ran.stderr.contains("\\u{1b}"), "{ran}");
    }
}

#[test]
fn the_variable_that_names_the_config_is_understood() {
    on_each(|home| {
        let named = |value: &str| {
            let mut command = home.mam(&[]);
            command.env("HERDR_CONFIG_PATH", value);
            run(&mut command)
        };
        home.write("my files/my.toml", "[ui]\nsidebar_width = 31\n");
        home.write_config("[ui]\nsidebar_width = 32\n");
        let ran = named("my files/my.toml");
        ran.expect(0).silent();
        let overlay = home.path("my files/my.mam.toml");
        assert_eq!(ran.stdout, format!("{}\n", overlay.display()));
        assert!(read(&overlay).contains("sidebar_width = 31"));

        let again = named(overlay.to_str().unwrap());
        again.expect(0).silent();
        assert_eq!(again.stdout, ran.stdout, "an overlay of an overlay");

        let missing = named("/nonexistent/x.toml");
        assert_ne!(missing.code, Some(2), "{missing}");
        missing.says("HERDR_CONFIG_PATH names `/nonexistent/x.toml`, which does not exist");

        let empty = named("");
        empty.expect(0).says("HERDR_CONFIG_PATH is empty");
        assert!(home.overlay_text().contains("sidebar_width = 32"));
    });
}

#[test]
fn the_config_is_found_where_herdr_looks() {
    on_each(|home| {
        for (value, below) in [(Some("x dg"), "x dg/herdr"), (Some(""), "herdr"), (None, ".config/herdr")] {
            let config = home.write(&format!("{below}/config.toml"), "[ui]\nsidebar_width = 33\n");
            let mut command = home.mam(&[]);
            if let Some(value) = value {
                command.env("XDG_CONFIG_HOME", value);
            }
            let ran = run(&mut command);
            ran.expect(0).silent();
            assert_eq!(ran.stdout, format!("{}\n", config.with_file_name("config.mam.toml").display()));
        }
        let mut command = home.mam(&["--no-herdr-check"]);
        command
            .env_remove("HOME")
            .env("TMPDIR", home.path("tmp"))
            .env("MAM_STATE_DIR", home.path("st"))
            .env("MAM_HOME", home.path("mh"));
        let ran = run(&mut command);
        ran.expect(0);
        assert_eq!(ran.stdout, format!("{}\n", home.path("tmp/herdr/config.mam.toml").display()));
    });
}

#[test]
fn our_files_are_private_and_a_foreign_overlay_is_not_believed() {
    let home = Home::new();
    home.render(&["--no-herdr-check"]);
    let mode = |path: &Path| fs_err::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&home.overlay()), 0o600);
    let state = home.path(".local/state/mam/overlays");
    assert_eq!(mode(&state), 0o700);
    for entry in fs_err::read_dir(&state).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    if rustix::process::geteuid().is_root() {
        rustix::fs::chown(home.overlay(), Some(rustix::process::Uid::from_raw(65534)), None).unwrap();
        home.render(&["--no-herdr-check"]).says("it belongs to uid 65534, not to uid 0");
        assert_eq!(fs_err::metadata(home.overlay()).unwrap().uid(), 0);
    }
}

#[test]
fn a_state_directory_that_cannot_be_used_costs_memory_and_not_the_overlay() {
    let home = Home::new();
    write(&home.path("file"), "");
    let mut command = home.mam(&["--no-herdr-check"]);
    command.env("MAM_STATE_DIR", home.path("file/state"));
    run(&mut command).expect(0).says("nothing is remembered of this render");
    assert!(home.overlay_text().contains("resume_agents_on_restore = false"));
}

#[test]
fn an_overlay_that_cannot_be_written_is_an_error_with_a_way_out() {
    let home = Home::new();
    fs_err::create_dir_all(home.overlay().join("x")).unwrap();
    let ran = run(&mut home.mam(&["--no-herdr-check"]));
    ran.expect(73).says("cannot write the overlay").says("hint: name another place with --output FILE");
    assert_eq!(ran.stdout, "");
    let listed: Vec<_> = fs_err::read_dir(home.path(".config/herdr"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(listed, ["config.mam.toml"], "a stray file");
}

/// herdr takes a value that is not UTF-8 for none, and would not find the overlay.
#[test]
fn paths_that_herdr_cannot_be_told_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff.toml");
    let home = Home::new();
    home.write_config("[ui]\nsidebar_width = 30\n");
    for option in ["--config", "--output"] {
        let mut command = home.mam(&["--no-herdr-check", option]);
        command.arg(odd);
        let ran = run(&mut command);
        ran.expect(78)
            .says("is not UTF-8, and herdr ignores such a path")
            .says("hint: use --config and --output");
        assert_eq!(ran.stdout, "");
    }
    let listed = fs_err::read_dir(home.path("")).unwrap();
    assert!(listed.flatten().all(|entry| !entry.file_name().to_string_lossy().starts_with("odd")));
    let mut command = home.mam(&["--no-herdr-check"]);
    command.env("HERDR_CONFIG_PATH", odd);
    let ran = run(&mut command);
    ran.expect(0).says("HERDR_CONFIG_PATH is not UTF-8; `").says("config.toml` is used");
    assert!(home.overlay_text().contains("sidebar_width = 30"));
}
