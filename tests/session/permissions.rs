//! A resume allows an agent no more than was recorded, and what was not recorded nobody resumes unasked.

use super::rig::on_each;
use crate::host::rig::until;
use crate::support::tools::needs;

/// S10.
#[test]
fn a_resume_that_would_allow_more_is_refused_without_a_flag() {
    on_each(|agents| {
        let rig = &agents.rig;
        agents.create("s", &["--", "--permission-mode", "plan"]);
        agents.crash_with(&["s"]);
        agents.new_launches();
        rig.home.write(
            ".config/mam/config.toml",
            "[agents.claude]\nresume = [\"--resume\", \"{}\", \"--dangerously-skip-permissions\"]\n",
        );
        let refused = rig.mam(&["resume", "s"]);
        refused.expect(78).says("--dangerously-skip-permissions").says("--widen");
        let all = rig.mam(&["resume", "--all"]);
        all.expect(1);
        assert!(all.stdout.contains("--widen"), "{}", all.stdout);
        assert_eq!((agents.new_launches(), agents.running()), (vec![], 0));
        rig.ok(&["resume", "s", "--widen"]);
        let words = agents.new_launches()[0].words();
        assert!(words.contains(&"--dangerously-skip-permissions".to_owned()), "{words:?}");
        assert!(words.ends_with(&["--permission-mode".to_owned(), "plan".to_owned()]), "{words:?}");
        rig.ok(&["stop"]);
    });
}

/// S10b: an agent that was started by hand and has put a title over its arguments.
#[test]
fn an_agent_whose_flags_nobody_knows_is_resumed_by_name_only() {
    let Some(perl) = needs("perl") else { return };
    on_each(|agents| {
        let rig = &agents.rig;
        let marks = rig.home.path("marks");
        let script = format!(
            "#!{}\nopen(my $f, '>>', '{}') or die; print $f join(' ', @ARGV), \"\\n\"; close $f;\n\
             $0 = 'claude'; $| = 1; print \"Welcome to Claude Code (fake)\\n\"; sleep 1 while 1;\n",
            perl.display(),
            marks.display().to_string().replace('\'', "\\'"),
        );
        let launches = || fs_err::read_to_string(&marks).unwrap_or_default().lines().count();
        rig.home.program("claude", &script);
        // herdr's call of the plugin could be so early that the arguments are still there.
        rig.home.write(".config/mam/config.toml", "[sessions]\nadopt = \"off\"\n");
        rig.ok(&["start"]);
        let work = agents.dir("titled");
        let made = rig.ask("workspace.create", &serde_json::json!({"cwd": work, "label": "titled"}));
        let pane = made["root_pane"]["pane_id"].as_str().unwrap().to_owned();
        let typed = serde_json::json!({"pane_id": pane, "text": "claude --verbose", "keys": ["Enter"]});
        rig.ask("pane.send_input", &typed);
        let shown = || agents.panes().into_iter().find(|it| it["pane_id"] == *pane).unwrap();
        until("herdr sees the agent", || shown()["agent"] == "claude");
        agents.report(&pane, "titled-1");
        // Again until its title is there: before that its arguments can be read.
        until("it is recorded", || rig.mam(&["adopt", &pane, "--name", "titled"]).code == Some(0));
        let record = agents.record("titled");
        assert_eq!(record.flags, mam_host::session::record::Flags::Unknown);
        let listed = rig.ok(&["list"]).stdout;
        assert!(listed.contains("flags unknown"), "{listed}");
        assert_eq!(launches(), 1);
        agents.crash(&["titled-1".to_owned()]);

        let all = rig.mam(&["resume", "--all"]);
        all.expect(1);
        assert!(all.stdout.contains("flags") && all.stdout.contains("mam resume titled"), "{}", all.stdout);
        assert_eq!(launches(), 1, "nobody asked for it by name");
        rig.ok(&["resume", "titled"]);
        until("it runs", || launches() == 2);
        rig.ok(&["stop"]);
    });
}
