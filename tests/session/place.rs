//! A pane takes the place of another one: rectangle, label, zoom, focus. The same on every herdr.

use std::collections::BTreeMap;
use std::path::Path;

use mam_host::session::layout::{self, Layout};
use mam_host::session::place::{self, Opening, Spot};
use mam_host::session::server::Server;
use mam_share::herdr::parallel::Request;
use mam_share::herdr::socket::NoAnswer;
use mam_share::process;
use serde_json::{Value, json};

use crate::host::rig::{Rig, on_each, until};
use crate::support::home::{read, run};

/// A host whose plugin runs a program that tells how it was started, and stays.
fn prepare(rig: &Rig) {
    rig.ok(&["start"]);
    let launcher = rig.home.program(
        "launcher",
        "#!/bin/sh\nprintf '%s\\n' \"$PWD\" \"$TOKEN\" \"$HERDR_PANE_ID\" > \"$HOME/new.$MAM_LAUNCH\"\n\
         mv \"$HOME/new.$MAM_LAUNCH\" \"$HOME/launched.$MAM_LAUNCH\"\nexec sleep 1000\n",
    );
    let manifest = format!(
        "id = \"mam\"\nname = \"mam\"\nversion = \"1.0.0\"\nmin_herdr_version = \"0.7.5\"\n\
         platforms = [\"linux\", \"macos\"]\n[[panes]]\nid = \"launch\"\ntitle = \"mam\"\n\
         placement = \"split\"\ncommand = [{}]\n",
        json!(launcher)
    );
    rig.home.write("plug/herdr-plugin.toml", manifest);
    let mut herdr = rig.home.command(rig.home.path("bin/herdr"));
    drop(run(herdr.args(["--session", "mam", "plugin", "unlink", "mam"])));
    let mut herdr = rig.home.command(rig.home.path("bin/herdr"));
    herdr.args(["--session", "mam", "plugin", "link"]).arg(rig.home.path("plug"));
    run(&mut herdr).expect(0);
}

fn opening(spot: Spot, cwd: &Path, name: &str, label: Option<&str>) -> Opening {
    let pairs = [("MAM_LAUNCH", name), ("TOKEN", "a b'$x")];
    let variables: BTreeMap<String, String> =
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    Opening { spot, cwd: cwd.to_owned(), label: label.map(ToOwned::to_owned), variables }
}

fn look(server: &Server<'_>) -> Layout {
    Layout::read(&server.ask(Layout::request()).unwrap()).unwrap()
}

fn workspace(rig: &Rig, name: &str) -> String {
    let answer = rig.ask("workspace.create", &json!({"cwd": rig.home.path(""), "label": name}));
    answer["root_pane"]["pane_id"].as_str().unwrap().to_owned()
}

fn split(rig: &Rig, pane: &str) -> String {
    let answer = rig.ask("pane.split", &json!({"target_pane_id": pane, "direction": "down", "ratio": 0.3}));
    answer["pane"]["pane_id"].as_str().unwrap().to_owned()
}

/// The rectangles of the tab of a pane, unzoomed or not.
fn rectangles(rig: &Rig, pane: &str) -> Vec<Value> {
    let answer = rig.ask("pane.layout", &json!({"pane_id": pane}));
    answer["layout"]["panes"].as_array().unwrap().iter().map(|pane| pane["rect"].clone()).collect()
}

/// Puts a new pane in the place of `old`, as a resume does; the new pane's id.
fn replace(rig: &Rig, server: &Server<'_>, old: &str, name: &str) -> String {
    let before = look(server);
    let label = before.pane(old).and_then(|pane| pane.label.clone());
    let cwd = rig.home.path("work dir");
    let opening = opening(Spot::Beside(old.to_owned()), &cwd, name, label.as_deref());
    let opened = place::open(server, &[opening]).pop().unwrap().unwrap();
    server.ask(Request::new("pane.close", json!({"pane_id": old}))).unwrap();
    let replaced = [(old.to_owned(), opened.pane_id.clone())].into();
    for request in layout::put_back(&before, &look(server), &replaced) {
        server.ask(request).unwrap();
    }
    opened.pane_id
}

#[test]
fn a_pane_takes_over_place_label_zoom_and_focus_of_another() {
    on_each(|rig| {
        prepare(rig);
        fs_err::create_dir(rig.home.path("work dir")).unwrap();
        let user = workspace(rig, "user");
        // Whether the old pane is zoomed, whether its neighbour is, and whether the user is in it.
        for (row, (zoomed, neighbour_zoomed, focused)) in [
            (false, false, false),
            (false, false, true),
            (true, false, false),
            (true, false, true),
            (false, true, false),
            (false, true, true),
        ]
        .into_iter()
        .enumerate()
        {
            let server = Server::find(&rig.socket(), Box::leak(Box::new(process::kernel()))).unwrap();
            let neighbour = workspace(rig, "agents");
            let old = split(rig, &neighbour);
            let third = split(rig, &old);
            // A tab in front that is not the one of the agent.
            let other = look(&server).pane(&old).unwrap().workspace_id.clone();
            let front = rig.ask("tab.create", &json!({"workspace_id": other, "focus": true}));
            let front = front["tab"]["tab_id"].as_str().unwrap().to_owned();
            let labelled = row % 2 == 0;
            if labelled {
                rig.ask("pane.rename", &json!({"pane_id": old, "label": "mine"}));
            }
            rig.ask("pane.focus", &json!({"pane_id": old}));
            let rectangle_of = rectangles(rig, &old);
            let zoom = if neighbour_zoomed { &neighbour } else { &old };
            if zoomed || neighbour_zoomed {
                rig.ask("pane.zoom", &json!({"pane_id": zoom, "mode": "on"}));
            }
            if !focused {
                rig.ask("tab.focus", &json!({"tab_id": front}));
                rig.ask("pane.focus", &json!({"pane_id": user}));
            }
            let before = look(&server);

            let new = replace(rig, &server, &old, &format!("r{row}"));

            let after = look(&server);
            let heir = |id: &str| if id == old { new.clone() } else { id.to_owned() };
            let what = format!("zoomed {zoomed}, neighbour {neighbour_zoomed}, focused {focused}");
            let labels = labelled.then_some("mine");
            assert_eq!(after.pane(&new).unwrap().label.as_deref(), labels, "{what}");
            assert_eq!(after.focused, before.focused.as_deref().map(heir), "{what}");
            let tabs = |layout: &Layout| -> Vec<(String, bool, String)> {
                let tabs = layout.tabs.iter();
                tabs.map(|tab| (tab.tab_id.clone(), tab.zoomed, heir(&tab.focused_pane_id))).collect()
            };
            assert_eq!(tabs(&after), tabs(&before), "{what}");
            assert_eq!(after.workspaces, before.workspaces, "{what}");
            assert!(after.pane(&old).is_none() && after.pane(&third).is_some());
            rig.ask("pane.zoom", &json!({"pane_id": new, "mode": "off"}));
            assert_eq!(rectangles(rig, &new), rectangle_of, "{what}");
        }
        let told = rig.home.path("launched.r0");
        until("the program ran", || told.exists());
        let text = read(&told);
        let (directory, rest) = text.split_once('\n').unwrap();
        assert_eq!(directory, rig.home.path("work dir").to_str().unwrap());
        assert!(rest.starts_with("a b'$x\nw"), "{rest}");
        rig.ok(&["stop"]);
    });
}

#[test]
fn many_panes_open_at_once_and_a_workspace_holds_nothing_but_its_pane() {
    on_each(|rig| {
        prepare(rig);
        let server = Server::find(&rig.socket(), Box::leak(Box::new(process::kernel()))).unwrap();
        let user = workspace(rig, "user");
        let home = look(&server).pane(&user).unwrap().workspace_id.clone();
        let cwd = rig.home.path("");
        let mut openings: Vec<Opening> = (0..20)
            .map(|number| {
                let name = format!("n{number}");
                opening(Spot::Workspace(format!("label {number}")), &cwd, &name, None)
            })
            .collect();
        openings.push(opening(Spot::Tab(home.clone()), &cwd, "tab", Some("in a tab")));
        openings.push(opening(Spot::Tab("w99".to_owned()), &cwd, "nowhere", None));
        openings.push(opening(Spot::Beside("w99:p1".to_owned()), &cwd, "nowhere", None));

        let opened = place::open(&server, &openings);

        let layout = look(&server);
        assert_eq!(layout.focused.as_deref(), Some(user.as_str()));
        for (number, opened) in opened.iter().take(20).enumerate() {
            let opened = opened.as_ref().unwrap();
            let of_workspace =
                |pane: &&mam_share::herdr::pane::Pane| pane.workspace_id == opened.workspace_id;
            let panes: Vec<_> = layout.panes.iter().filter(of_workspace).collect();
            assert!(panes.len() == 1 && panes[0].pane_id == opened.pane_id, "{panes:?}");
            assert_eq!(panes[0].label, None);
            let own = layout.workspaces.iter().find(|own| own.workspace_id == opened.workspace_id);
            assert_eq!(own.unwrap().label, format!("label {number}"));
            let told = rig.home.path(&format!("launched.n{number}"));
            until("the program ran", || told.exists());
            assert!(read(&told).ends_with(&format!("{}\n", opened.pane_id)));
        }
        let tab = opened[20].as_ref().unwrap();
        assert_eq!(tab.workspace_id, home);
        assert_eq!(layout.pane(&tab.pane_id).unwrap().label.as_deref(), Some("in a tab"));
        for (at, code) in [(21, "workspace_not_found"), (22, "pane_not_found")] {
            assert!(matches!(&opened[at], Err(NoAnswer::Refused { code: said, .. }) if said == code));
        }
        assert_eq!(layout.panes.len(), 22);
        rig.ok(&["stop"]);
    });
}
