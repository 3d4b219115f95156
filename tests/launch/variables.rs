//! Whose variables an agent gets.

use mam_host::session::handover;
use mam_host::session::record::{Source, Status, Variable};

use super::rig::{Rig, until};
use crate::support::home::read;
use crate::support::pty::Pty;

fn reference(name: &str) -> Variable {
    Variable { name: name.to_owned(), source: Source::Reference { seen: None } }
}

fn environ(rig: &Rig) -> Vec<String> {
    let bytes = rig.file("environ");
    bytes.split(|byte| *byte == 0).map(|entry| String::from_utf8_lossy(entry).into_owned()).collect()
}

#[test]
fn secrets_arrive_and_are_nowhere_else() {
    let rig = Rig::new();
    rig.home.write(".config/mam/.env", "FROM_FILE=file-secret\nBOTH=file-secret-2\n");
    let script = "cat /proc/$$/environ > \"$HOME/part\"; mv \"$HOME/part\" \"$HOME/environ\"; cat /proc/*/cmdline 2>/dev/null | \
        tr '\\0' '\\n' | grep -Ec '(file|caller|both)[-]secret' > \"$HOME/seen\"; exit 0";
    rig.script(script, &[]);
    let mut record = rig.record();
    record.environment = vec![
        reference("FROM_FILE"),
        reference("FROM_CALLER"),
        reference("BOTH"),
        Variable { name: "STORED".to_owned(), source: Source::Stored { value: "it's\n$HOME".into() } },
    ];
    rig.write(&record);
    let values = [("FROM_CALLER", "caller-secret"), ("BOTH", "both-secret")];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let root = mam_host::profile::ProfileName::root();
    let mut command = rig.home.command(env!("CARGO_BIN_EXE_mam"));
    command.arg("launch").env("SHELL", "/bin/sh").env("PS1", "ready> ");
    command.envs(handover::variables(&root, "review", &values));
    let mut pty = Pty::start(command);
    let variables = environ(&rig);
    for expected in
        ["FROM_FILE=file-secret", "FROM_CALLER=caller-secret", "BOTH=file-secret-2", "STORED=it's\n$HOME"]
    {
        assert!(variables.iter().any(|entry| entry == expected), "{expected}: {variables:?}");
    }
    assert!(!variables.iter().any(|entry| entry.starts_with("MAM_VALUE_")), "{variables:?}");
    pty.wait_for("ready>");
    assert_eq!(rig.text("seen"), "0", "a command line has a secret");
    // The shell that follows has none of them, and neither has the record, the log, or the screen.
    pty.send("env > \"$HOME/shell\"; echo writ''ten\n");
    pty.wait_for("written");
    for path in ["shell", ".config/mam/sessions/review.json", ".config/mam/logs/mam.log"] {
        assert!(!read(&rig.home.path(path)).contains("-secret"), "{path}");
    }
    assert!(!pty.screen().contains("-secret"));
    // A mark tells a changed value.
    assert!(
        rig.record()
            .environment
            .iter()
            .all(|variable| !matches!(variable.source, Source::Reference { seen: None }))
    );
    let mut record = rig.record();
    record.status = Status::Launching { at: String::new() };
    rig.write(&record);
    let mut command = rig.command();
    command.envs(handover::variables(&root, "review", &[("FROM_CALLER".to_owned(), "another".to_owned())]));
    let pty = Pty::start(command);
    pty.wait_for("`FROM_CALLER` has another value than at the last launch");

    pty.wait_for("ready>");
    assert!(!pty.screen().contains("`FROM_FILE`") && !pty.screen().contains("`BOTH`"), "{}", pty.screen());
}

#[test]
fn a_variable_that_nobody_has_is_named_and_nothing_is_started() {
    let rig = Rig::new();
    rig.script("echo run > \"$HOME/runs\"", &[]);
    let mut record = rig.record();
    record.environment = vec![reference("GONE")];
    rig.write(&record);
    let mut command = rig.command();
    // The host's, which may be another profile's.
    command.env("GONE", "the host's");
    let pty = Pty::start(command);
    pty.wait_for("the agent needs a variable: `GONE` is neither in");
    pty.wait_for("hint: GONE=… mam resume review");
    pty.wait_for("ready>");
    assert!(matches!(rig.record().status, Status::Failed { .. }) && !rig.home.path("runs").exists());
}

#[test]
fn a_named_profiles_agent_has_its_own_secrets_and_not_the_roots() {
    let rig = Rig::new();
    rig.home.write(".config/mam/.env", "API_KEY=roots\nSHARED=roots\n");
    rig.home.write(".config/mam/profiles/ops/.env", "SHARED=ops\n");
    let script = "cat /proc/$$/environ > \"$HOME/part\"; mv \"$HOME/part\" \"$HOME/environ\"";
    rig.script(script, &[]);
    let record = rig.record();
    let ops = mam_host::session::store::SessionStore::new(&rig.home.path(".config/mam/profiles/ops"));
    ops.create(&record).unwrap();
    let mut command = rig.command();
    // The environment of the host's panes.
    command.env("MAM_PROFILE", "ops").env("API_KEY", "roots").env("SHARED", "roots").env("OTHER", "kept");
    let pty = Pty::start(command);
    pty.wait_for("`mam -p ops resume review` brings it back");
    let variables = environ(&rig);
    assert!(
        variables.iter().any(|entry| entry == "SHARED=ops")
            && variables.iter().any(|entry| entry == "OTHER=kept")
    );
    assert!(!variables.iter().any(|entry| entry.starts_with("API_KEY=")), "{variables:?}");
    until("it is recorded", || {
        matches!(ops.read(&Rig::name()).unwrap().unwrap().status, Status::Ended { .. })
    });
}
