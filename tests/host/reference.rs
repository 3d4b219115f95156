//! Generated texts of `mam` that are committed. To write them anew: `MAM_TEST_BLESS=1 cargo test reference`.

use std::path::Path;

use super::rig::Rig;
use crate::reference::compare;

#[test]
fn manual_pages_and_completions_are_those_of_the_program() {
    let rig = Rig::sim();
    compare(Path::new("share/man/mam.1"), &rig.ok(&["man"]).stdout);
    let help = rig.ok(&["--help"]).stdout;
    let (_, rest) = help.split_once("Commands:\n").unwrap();
    // The names are indented by two; the rest of a wrapped description by more.
    let rows = rest.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names: Vec<&str> = rows.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10, "{help}");
    for name in names.into_iter().filter(|name| *name != "help") {
        compare(Path::new(&format!("share/man/mam-{name}.1")), &rig.ok(&["man", name]).stdout);
        let ran = rig.ok(&[name, "--help"]);
        assert!(!ran.stdout.starts_with("Usage"), "{name} does not say what it is for");
    }
    for (shell, file) in [("bash", "mam.bash"), ("zsh", "_mam"), ("fish", "mam.fish")] {
        compare(&Path::new("share/completions").join(file), &rig.ok(&["completions", shell]).stdout);
    }
}

/// The pages of the small program come from here.
#[test]
fn manual_pages_and_completions_of_the_hook_are_those_of_its_command_line() {
    let rig = Rig::sim();
    compare(Path::new("share/man/mam-restore-hook.1"), &rig.ok(&["man", "--hook"]).stdout);
    for command in mam_hook::arguments::PROGRAM.commands {
        let page = rig.ok(&["man", "--hook", command.name]).stdout;
        compare(Path::new(&format!("share/man/mam-restore-hook-{}.1", command.name)), &page);
        for option in command.options.iter().filter(|option| !option.is_hidden) {
            let shown = page.replace("\\-", "-");
            assert!(shown.contains(&format!("--{}", option.name)), "{}: {shown}", command.name);
        }
    }
    for (shell, file) in
        [("bash", "mam-restore-hook.bash"), ("zsh", "_mam-restore-hook"), ("fish", "mam-restore-hook.fish")]
    {
        let text = rig.ok(&["completions", shell, "--hook"]).stdout;
        compare(&Path::new("share/completions").join(file), &text);
    }
    let unknown = rig.mam(&["man", "--hook", "resume"]);
    unknown.expect(2).says("there is no command `resume`");
}
