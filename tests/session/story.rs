//! Create, crash, resume: what mam is for.

use super::rig::on_each;

#[test]
fn a_resume_brings_the_agent_back_and_leaves_no_restored_shell_behind() {
    on_each(|agents| {
        let rig = &agents.rig;
        let work = agents.create("creator", &["--", "--dangerously-skip-permissions", "--model", "m x"]);
        let conversation = agents.conversation("creator");
        let first = agents.new_launches();
        assert_eq!(first.len(), 1);
        assert_eq!(
            first[0].words(),
            ["--session-id", &conversation, "--dangerously-skip-permissions", "--model", "m x"]
        );
        assert_eq!(first[0].cwd, work);
        assert_eq!(agents.states()["creator"], "running");
        agents.crash_with(&["creator"]);
        assert_eq!(agents.states()["creator"], "lost");

        let ran = rig.ok(&["resume", "creator"]);

        let second = agents.new_launches();
        assert_eq!(second.len(), 1, "herdr relaunched it, or mam did not");
        assert_eq!(
            second[0].words(),
            ["--resume", &conversation, "--dangerously-skip-permissions", "--model", "m x"]
        );
        assert_eq!(second[0].cwd, work);
        let in_work: Vec<_> =
            agents.panes().into_iter().filter(|pane| pane["cwd"] == work.to_str().unwrap()).collect();
        assert_eq!(in_work.len(), 1, "{in_work:?}");
        let pane = in_work[0]["pane_id"].as_str().unwrap();
        assert!(agents.has_agent(pane));
        ran.says("closed restored pane");
        assert_eq!(ran.stdout, format!("creator: resumed in pane {pane}\n"));
        assert_eq!(agents.states()["creator"], "running");
        // Once more: it runs, and stays the one.
        let again = rig.mam(&["resume", "creator"]);
        again.expect(75).says("runs already").says("nothing was started");
        assert_eq!((agents.new_launches().len(), agents.running()), (0, 1));
        rig.ok(&["stop"]);
    });
}
