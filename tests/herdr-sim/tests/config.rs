//! How the config file is found, judged and written.

use crate::support::Home;

const OFF: &str = "[session]\nresume_agents_on_restore = false\n";

fn check(home: &Home, config: &[u8]) -> (i32, String) {
    home.write(".config/herdr/config.toml", config);
    let out = home.run(&["config", "check"]);
    (out.status.code().unwrap(), String::from_utf8(out.stdout).unwrap())
}

#[test]
fn it_claims_the_measured_version() {
    let home = Home::new();
    let out = home.run(&["--version"]);
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "herdr 0.8.2\n");
}

#[test]
fn files_that_herdr_takes() {
    let home = Home::new();
    let missing = home.run(&["config", "check"]);
    assert_eq!((missing.status.code(), missing.stdout), (Some(0), b"config: ok\n".to_vec()));
    let good: &[&[u8]] = &[
        b"",
        b"# nothing\n",
        OFF.as_bytes(),
        b"\xef\xbb\xbf[session]\r\nresume_agents_on_restore = false\r\n",
        b"session.resume_agents_on_restore = false\n",
        b"session = { resume_agents_on_restore = false }\n",
        b"[[keys.command]]\nkey = [\"a\", \"b\"]\ntype = \"popup\"\nwidth = \"80%\"\nheight = 9\n",
        b"[keys]\nfullscreen = \"prefix+z\"\n[ui]\nagent_panel_sort = \"workspaces\"\n",
        b"[ui.sidebar.spaces]\nrows = [[\"branch\", { token = \"$jj\", fg = \"#abc\" }]]\n",
        b"[[ui.tab_bar_right]]\ntype = \"zoom\"\n",
        b"[theme]\nname = \"Tokyo Night\"\n",
    ];
    for text in good {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(check(&home, text), (0, "config: ok\n".to_owned()), "{shown}");
    }
}

#[test]
fn files_that_herdr_drops_whole() {
    let home = Home::new();
    let bad: &[(&str, &str)] = &[
        ("[session]\n[session]\n", "line 2, column 1"),
        ("[session]\na = 1\na = 2\n", "line 3, column 1"),
        ("a = 1\n\u{feff}b = 2\n", "line 2, column 1"),
        ("a = 1\rb = 2\n", "line 1, column"),
        ("[ui]\nsidebar_width = \"wide\"\n", "line 2, column 17"),
        ("[ui.toast]\ndelivery = \"loud\"\n", "line 2, column 12"),
        ("[session]\nresume_agents_on_restore = \"false\"\n", "line 2, column 28"),
        ("session = 3\n", "line 1, column 11"),
        ("[[session]]\n", "line 1, column 1"),
        ("[server]\nheadless_cols = 0\n", "line 2, column 17"),
    ];
    for (text, place) in bad {
        let (code, said) = check(&home, text.as_bytes());
        assert_eq!(code, 1, "{text}");
        let start = format!("config: issues found\nconfig parse error: TOML parse error at {place}");
        assert!(said.starts_with(&start), "{said}");
        assert!(said.contains(" | ") && said.contains('^'), "an excerpt: {said}");
        assert!(said.ends_with("; using defaults\n"), "{said}");
    }
    let (code, said) = check(&home, b"# \xff\n");
    assert_eq!(code, 1);
    assert!(said.contains("config read error: ") && said.contains("; using defaults"), "{said}");
}

#[test]
fn harmless_issues_are_listed_one_by_one() {
    let home = Home::new();
    let text = "odd = 1\n[extra]\na = 1\n[[more]]\n[toast]\n[session]\nx = 1\n\"a b\" = 2\n";
    let (code, said) = check(&home, text.as_bytes());
    assert_eq!(code, 1);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "config: issues found",
            "unknown config section [extra]; ignoring section",
            "unknown config section [[more]]; ignoring section",
            "unknown config section [toast]; did you mean [ui.toast]? ignoring section",
            "unknown config key odd; ignoring key",
            "unknown config key session.\"a b\"; ignoring key",
            "unknown config key session.x; ignoring key",
        ]
    );
    let (code, said) = check(&home, b"[theme]\nname = \"nosuch\"\n");
    assert_eq!(code, 1);
    assert!(said.contains("unknown theme \"nosuch\" in theme.name"), "{said}");
}

#[test]
fn sound_paths_are_relative_to_the_config_file() {
    let home = Home::new();
    home.write("elsewhere/a.mp3", b"");
    home.write("elsewhere/c.toml", b"[ui.sound]\npath = \"a.mp3\"\ndone_path = \"b.mp3\"\n");
    let path = home.path("elsewhere/c.toml");
    let out = home.command(&["config", "check"]).env("HERDR_CONFIG_PATH", &path).output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    let missing = home.path("elsewhere/b.mp3");
    let want = format!("sound file missing: ui.sound.done_path = b.mp3, looked for at {}", missing.display());
    assert!(said.contains(&want) && !said.contains("a.mp3"), "{said}");
}

#[test]
fn the_variables_that_move_the_file() {
    let home = Home::new();
    home.write(".config/herdr/config.toml", b"in_home = 1\n");
    home.write("xdg/herdr/config.toml", b"in_xdg = 1\n");
    home.write("herdr/config.toml", b"in_cwd = 1\n");
    home.write("own.toml", b"in_own = 1\n");
    let said = |variables: &[(&str, &str)]| {
        let mut command = home.command(&["config", "check"]);
        command.current_dir(home.path("")).envs(variables.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let own = home.path("own.toml");
    let own = own.to_str().unwrap();
    assert!(said(&[]).contains("in_home"));
    assert!(said(&[("XDG_CONFIG_HOME", "xdg")]).contains("in_xdg"));
    assert!(said(&[("XDG_CONFIG_HOME", "")]).contains("in_cwd"));
    assert!(said(&[("XDG_CONFIG_HOME", "xdg"), ("HERDR_CONFIG_PATH", own)]).contains("in_own"));
    assert_eq!(said(&[("HERDR_CONFIG_PATH", "")]), "config: ok\n");
    let mut homeless = home.command(&["config", "check"]);
    homeless.env_remove("HOME").env("TMPDIR", home.path("xdg"));
    assert!(String::from_utf8(homeless.output().unwrap().stdout).unwrap().contains("in_xdg"));
}

#[test]
fn settings_are_written_to_the_file_in_use() {
    let home = Home::new();
    home.write("overlay.toml", b"[session]\r\nresume_agents_on_restore = false\r\n");
    let overlay = home.path("overlay.toml");
    let run = |args: &[&str]| {
        let out = home.command(args).env("HERDR_CONFIG_PATH", &overlay).output().unwrap();
        assert!(out.status.success(), "{out:?}");
    };
    run(&["sim", "set-theme", "tokyo-night-day"]);
    let theme = "\n[theme]\nname = \"tokyo-night-day\"\nauto_switch = false\n";
    assert_eq!(home.read("overlay.toml"), format!("{OFF}{theme}"));
    run(&["channel", "set", "preview"]);
    assert!(home.read("overlay.toml").ends_with("\n[update]\nchannel = \"preview\"\n"));
    run(&["sim", "finish-onboarding"]);
    assert!(home.read("overlay.toml").starts_with("onboarding = false\n"));
    std::fs::write(&overlay, format!("{OFF}[keys]\nhelp = \"x\"\n")).unwrap();
    run(&["config", "reset-keys"]);
    assert_eq!(home.read("overlay.toml"), OFF);
    assert!(!home.path(".config/herdr/config.toml").exists());
}

#[test]
fn switches_for_a_check_that_hangs_or_does_not_exist() {
    let home = Home::new();
    let unknown =
        home.command(&["config", "check"]).env("HERDR_SIM_CONFIG_CHECK", "unknown").output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("usage: herdr config"));
    let mut hanging =
        home.command(&["config", "check"]).env("HERDR_SIM_CONFIG_CHECK", "hang").spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(hanging.try_wait().unwrap(), None);
    hanging.kill().unwrap();
    hanging.wait().unwrap();
}
