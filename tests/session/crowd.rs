//! Many at once.

use std::collections::BTreeMap;

use serde_json::json;

use super::rig::on_each;

const MANY: usize = 50;

#[test]
fn fifty_agents_come_back_each_once_and_each_in_its_place() {
    on_each(|agents| {
        let rig = &agents.rig;
        rig.ok(&["start"]);
        let work = agents.dir("work");
        let names: Vec<String> = (0..MANY).map(|number| format!("s{number:02}")).collect();
        // Five workspaces with ten tabs each, and one where they are side by side.
        for (number, name) in names.iter().enumerate() {
            let label = format!("w{}", number % 5);
            let words =
                ["create", name, "--agent", "claude", "--cwd", work.to_str().unwrap(), "--workspace", &label];
            rig.ok(&words);
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        agents.crash_with(&names);
        agents.new_launches();
        let places = |agents: &super::rig::Agents| -> BTreeMap<String, (String, String)> {
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            let panes = agents.panes().into_iter();
            panes
                .map(|pane| {
                    let id = text(&pane["agent_session"]["value"]);
                    (id, (text(&pane["tab_id"]), pane["label"].as_str().unwrap_or_default().to_owned()))
                })
                .collect()
        };
        rig.ok(&["start"]);
        let before = places(agents);
        assert_eq!(before.len(), MANY);
        let focused = rig.ask("pane.current", &json!({}))["pane"]["agent_session"]["value"].clone();

        let ran = rig.ok(&["resume", "--all"]);

        assert!(ran.stdout.ends_with("50 resumed\n"), "{}", ran.stdout);
        assert_eq!(ran.stdout.lines().count(), MANY + 1);
        assert_eq!(ran.stderr.matches("closed restored pane").count(), MANY, "{}", ran.stderr);
        assert_eq!((agents.new_launches().len(), agents.running()), (MANY, MANY));
        agents.settle(&names);
        assert_eq!(places(agents), before);
        assert_eq!(rig.ask("pane.current", &json!({}))["pane"]["agent_session"]["value"], focused);
        rig.ok(&["stop"]);
    });
}
