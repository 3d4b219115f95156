//! Generated texts that are committed, compared with what the programs say. To write them anew after
//! a change: `MAM_TEST_BLESS=1 cargo test reference`.

use std::path::Path;

use crate::support::home::{Home, read, run, write};

/// The commands of `mam-render-config`, in the order of its help.
fn commands(home: &Home) -> Vec<String> {
    let help = home.render(&["--help"]).stdout;
    let (_, rest) = help.split_once("Commands:\n").unwrap();
    // The names are indented by two; the rest of a wrapped description by more.
    let rows = rest.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names = rows.filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.filter(|name| *name != "help").map(ToOwned::to_owned).collect();
    assert!(names.len() > 8, "{help}");
    names
}

#[expect(clippy::disallowed_methods, reason = "the tester's wish")]
pub(crate) fn compare(file: &Path, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("MAM_TEST_BLESS").is_some() {
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, text);
    }
    assert!(path.exists() && read(&path) == text, "{} is not what the program prints", file.display());
}

#[test]
fn manual_pages_are_those_of_the_program() {
    let home = Home::new();
    compare(Path::new("share/man/mam-render-config.1"), &home.render(&["man"]).stdout);
    for command in commands(&home) {
        let page = home.render(&["man", &command]).stdout;
        compare(Path::new(&format!("share/man/mam-render-config-{command}.1")), &page);
    }
}

#[test]
fn completions_are_those_of_the_program() {
    let home = Home::new();
    for (shell, file) in [
        ("bash", "mam-render-config.bash"),
        ("zsh", "_mam-render-config"),
        ("fish", "mam-render-config.fish"),
    ] {
        compare(&Path::new("share/completions").join(file), &home.render(&["completions", shell]).stdout);
    }
}

#[test]
fn all_completions_load_in_their_shells() {
    let home = Home::new();
    let mut loaded = 0;
    for entry in fs_err::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("share/completions")).unwrap() {
        let path = entry.unwrap().path();
        let shell = path.extension().and_then(|extension| extension.to_str()).unwrap_or("zsh");
        let Some(program) = crate::support::tools::needs(shell) else { continue };
        let mut command = home.command(program);
        match shell {
            "zsh" => command.args([
                "-f",
                "-c",
                "autoload -U compinit; compinit -u -D; . \"$0\"",
                path.to_str().unwrap(),
            ]),
            _ => command.arg(&path),
        };
        let ran = run(&mut command);
        ran.expect(0).silent();
        assert_eq!(ran.stdout, "", "{}", path.display());
        loaded += 1;
    }
    assert!(loaded >= 3, "only bash is everywhere");
}

#[test]
fn every_command_has_help_with_what_it_is_for() {
    let home = Home::new();
    for command in commands(&home) {
        let ran = home.render(&[&command, "--help"]);
        ran.silent();
        assert!(ran.stdout.contains(&format!("Usage: mam-render-config {command}")), "{ran}");
        assert!(!ran.stdout.starts_with("Usage"), "{command} does not say what it is for");
    }
    let version = home.render(&["--version"]).stdout;
    assert_eq!(version, format!("mam-render-config {}\n", env!("CARGO_PKG_VERSION")));
}
