//! That sourcing the integration says nothing and starts nothing.

use super::session::{Kind, Session, home};
use crate::support::home::run;
use crate::support::tools::needs;

#[test]
fn scripts_are_not_touched() {
    for kind in Kind::ALL {
        let home = home();
        let Some(program) = needs(kind.program()) else { continue };
        let file = home.path(&format!("{}.all", kind.program()));
        let script = home.write("script", format!("{}\nherdr --session mam\n", kind.source(&file)));
        let mut command = home.command(program);
        command.arg(script);
        let ran = run(&mut command);
        ran.expect(0).silent();
        assert_eq!(ran.stdout, "", "{kind:?}");
        assert_eq!(
            crate::support::home::read(&home.path("called")),
            "config=unset\n<--session>\n<mam>\n",
            "{kind:?}"
        );
    }
}

#[test]
fn sourcing_prints_nothing() {
    for kind in Kind::ALL {
        let home = home();
        let Some(mut session) = Session::start(kind, &home, &[]) else { continue };
        assert_eq!(session.source("hosts"), "", "{kind:?}");
    }
}

/// In a process namespace of its own a shell's children are numbered one after another, so a process
/// that was started and is gone again leaves a gap.
#[test]
fn sourcing_starts_no_process() {
    let Some(unshare) = needs("unshare") else { return };
    for kind in Kind::ALL {
        let home = home();
        let Some(program) = needs(kind.program()) else { continue };
        let root = rustix::process::geteuid().is_root();
        let mut arguments = vec!["--pid", "--fork", "--kill-child"];
        if !root {
            arguments.extend(["--user", "--map-root-user"]);
        }
        arguments.push(program.to_str().unwrap());
        arguments.extend(kind.interactive());
        let mut session = Session::start_program(kind, &home, &unshare, &arguments, &[]);
        // On one line, because a prompt may start threads, which take numbers as well.
        let started = |session: &mut Session<'_>, line: &str| -> u32 {
            let pid = "/bin/sh -c 'printf \"<%s>\" $$'";
            let printed = session.run(&format!("{pid}; {line}; {pid}"));
            let numbers: Vec<u32> = printed.split(['<', '>']).filter_map(|word| word.parse().ok()).collect();
            let [first, second] = numbers[..] else { panic!("{kind:?}: {printed}") };
            second - first - 1
        };
        assert_eq!(started(&mut session, "true"), 0, "{kind:?}: not a process");
        assert_eq!(started(&mut session, "/bin/true"), 1, "{kind:?}: the count does not see a process");
        let file = home.path(&format!("{}.hosts", kind.program()));
        assert_eq!(started(&mut session, &kind.source(&file)), 0, "{kind:?}");
        let is_defined = if kind == Kind::Dash { "command -v herdr" } else { "type herdr" };
        assert!(session.run(is_defined).contains("herdr"), "{kind:?}");
    }
}
