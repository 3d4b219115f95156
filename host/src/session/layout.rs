//! What a server shows, and how it is put back where panes took the places of others.
//!
//! A split takes the zoom off its tab, a pane of a plugin has the plugin's title for a label, and when a
//! pane closes, the focus of its tab goes to a neighbour. `pane.zoom` and `pane.focus` move the focus of
//! the whole session along, so the last request puts that back too.

use std::collections::BTreeMap;

use mam_share::herdr::form::{self, Object, Odd, Read};
use mam_share::herdr::pane::{self, Pane};
use mam_share::herdr::parallel::Request;
use serde_json::{Value, json};

/// One moment of a server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The pane that a user would type into.
    pub focused: Option<String>,
    /// All panes.
    pub panes: Vec<Pane>,
    /// The tab of each pane.
    pub tab_of: BTreeMap<String, String>,
    /// All tabs.
    pub tabs: Vec<Tab>,
    /// All workspaces.
    pub workspaces: Vec<Workspace>,
}

/// A tab, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// Its id.
    pub tab_id: String,
    /// Its workspace.
    pub workspace_id: String,
    /// Whether its focused pane covers it.
    pub zoomed: bool,
    /// Its focused pane.
    pub focused_pane_id: String,
}

/// A workspace, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Its id.
    pub workspace_id: String,
    /// What it is called.
    pub label: String,
    /// Its tab in front.
    pub active_tab_id: Option<String>,
}

struct InTab {
    pane_id: String,
    tab_id: String,
}

impl Read for Tab {
    fn read(value: &Value) -> Result<Self, Odd> {
        let tab = Object::of(value)?;
        Ok(Self {
            tab_id: tab.text("tab_id")?,
            workspace_id: tab.text("workspace_id")?,
            zoomed: tab.any_flag("zoomed")?.unwrap_or_default(),
            focused_pane_id: tab.text("focused_pane_id")?,
        })
    }
}

impl Read for Workspace {
    fn read(value: &Value) -> Result<Self, Odd> {
        let workspace = Object::of(value)?;
        Ok(Self {
            workspace_id: workspace.text("workspace_id")?,
            label: workspace.any_text("label")?.unwrap_or_default(),
            active_tab_id: workspace.any_text("active_tab_id")?,
        })
    }
}

impl Read for InTab {
    fn read(value: &Value) -> Result<Self, Odd> {
        let pane = Object::of(value)?;
        Ok(Self { pane_id: pane.text("pane_id")?, tab_id: pane.text("tab_id")? })
    }
}

impl Layout {
    /// The request for it.
    pub fn request() -> Request {
        Request::new("session.snapshot", json!({}))
    }

    /// The layout of an answer; `None` when it holds no list of panes. Entries of unknown forms are left
    /// out.
    pub fn read(answer: &Value) -> Option<Self> {
        let snapshot = answer.get("snapshot")?;
        let places: Vec<InTab> = entries(snapshot, "panes");
        Some(Self {
            focused: snapshot.get("focused_pane_id").and_then(Value::as_str).map(ToOwned::to_owned),
            panes: pane::panes(snapshot)?,
            tab_of: places.into_iter().map(|place| (place.pane_id, place.tab_id)).collect(),
            tabs: entries(snapshot, "layouts"),
            workspaces: entries(snapshot, "workspaces"),
        })
    }

    /// The pane with that id.
    pub fn pane(&self, id: &str) -> Option<&Pane> {
        self.panes.iter().find(|pane| pane.pane_id == id)
    }

    fn tab(&self, id: &str) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.tab_id == id)
    }
}

fn entries<T: Read>(snapshot: &Value, key: &str) -> Vec<T> {
    form::list(snapshot, key).into_iter().flatten().flat_map(T::read).collect()
}

/// The request that gives a pane its label; `None` takes a label away.
pub fn label_request(pane_id: &str, label: Option<&str>) -> Request {
    Request::new("pane.rename", json!({"pane_id": pane_id, "label": label}))
}

/// What puts zoom and focus back, to be sent one after the other: `before` is from before the new panes
/// were opened, `after` from after the old ones were closed, `replaced` names the old pane that each new
/// one took the place of. Empty when everything is where it was.
///
/// A focus that is neither where it was nor where a close put it was moved by the user, and stays.
pub fn put_back(before: &Layout, after: &Layout, replaced: &BTreeMap<String, String>) -> Vec<Request> {
    // A pane that is gone is where its successor is.
    let now = |old: &str| -> Option<String> {
        let is_there = |id: &str| after.pane(id).is_some();
        if is_there(old) {
            return Some(old.to_owned());
        }
        replaced.get(old).filter(|new| is_there(new)).cloned()
    };
    let mut requests = Vec::new();
    for tab in &before.tabs {
        let (Some(today), Some(front)) = (after.tab(&tab.tab_id), now(&tab.focused_pane_id)) else {
            continue;
        };
        let is_ours = front != tab.focused_pane_id;
        let is_unzoomed = tab.zoomed && !today.zoomed && touches(before, after, tab, replaced);
        if is_unzoomed {
            requests.push(Request::new("pane.zoom", json!({"pane_id": front, "mode": "on"})));
        } else if is_ours && today.focused_pane_id != front {
            requests.push(Request::new("pane.focus", json!({"pane_id": front})));
        }
    }
    let focused = before.focused.as_deref();
    let successor = focused.and_then(now).filter(|front| focused != Some(front.as_str()));
    // The focus of a pane that was replaced goes to its successor, unless the user took it to another tab;
    // any other is where the user has it.
    let today = after.focused.as_ref().and_then(|pane| after.tab_of.get(pane));
    let successor = successor.filter(|pane| today.is_none() || after.tab_of.get(pane) == today);
    let wanted = successor.or_else(|| after.focused.clone());
    if requests.is_empty() {
        let is_there = wanted.is_none() || wanted == after.focused;
        return wanted.filter(|_| !is_there).map(|pane| focus(&pane)).into_iter().collect();
    }
    // The requests so far moved tabs and workspaces to the front.
    for workspace in &after.workspaces {
        let moved = |request: &Request| {
            let id = request.params.get("pane_id").and_then(Value::as_str).and_then(|id| after.pane(id));
            id.is_some_and(|pane| pane.workspace_id == workspace.workspace_id)
        };
        if let Some(tab) = workspace.active_tab_id.as_deref().filter(|_| requests.iter().any(moved)) {
            requests.push(Request::new("tab.focus", json!({"tab_id": tab})));
        }
    }
    requests.extend(wanted.map(|pane| focus(&pane)));
    requests
}

/// Whether `tab` is one in which a pane was opened: a zoom that somebody took off elsewhere stays off.
fn touches(before: &Layout, after: &Layout, tab: &Tab, replaced: &BTreeMap<String, String>) -> bool {
    let is_in = |layout: &Layout, id: &str| layout.tab_of.get(id) == Some(&tab.tab_id);
    replaced.iter().any(|(old, new)| is_in(before, old) || is_in(after, new))
}

fn focus(pane_id: &str) -> Request {
    Request::new("pane.focus", json!({"pane_id": pane_id}))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A layout in words: panes `workspace/tab/pane` with `*` behind the focused one of a tab and `!`
    /// behind that of a zoomed tab; the first tab of a workspace is in front.
    fn layout(focused: &str, panes: &[&str]) -> Layout {
        let mut snapshot = json!({"focused_pane_id": focused, "panes": [], "layouts": [], "workspaces": []});
        let push = |snapshot: &mut Value, list: &str, entry: Value| {
            let list = snapshot[list].as_array_mut().unwrap();
            if !list.contains(&entry) {
                list.push(entry);
            }
        };
        for text in panes {
            let mut parts = text.trim_end_matches(['*', '!']).split('/');
            let [workspace, tab, pane] = [(); 3].map(|()| parts.next().unwrap());
            let place =
                json!({"pane_id": pane, "terminal_id": pane, "workspace_id": workspace, "tab_id": tab});
            push(&mut snapshot, "panes", place);
            if text.ends_with(['*', '!']) {
                let entry = json!({"tab_id": tab, "workspace_id": workspace, "focused_pane_id": pane,
                    "zoomed": text.ends_with('!')});
                push(&mut snapshot, "layouts", entry);
            }
            let known = snapshot["workspaces"].as_array().unwrap();
            if !known.iter().any(|known| known["workspace_id"] == workspace) {
                push(&mut snapshot, "workspaces", json!({"workspace_id": workspace, "active_tab_id": tab}));
            }
        }
        Layout::read(&json!({"type": "session_snapshot", "snapshot": snapshot})).unwrap()
    }

    fn words(requests: &[Request]) -> Vec<String> {
        let id = |request: &Request| {
            let id = request.params.get("pane_id").or_else(|| request.params.get("tab_id"));
            id.and_then(Value::as_str).unwrap().to_owned()
        };
        requests.iter().map(|request| format!("{} {}", request.method, id(request))).collect()
    }

    #[test]
    fn what_moved_is_put_back_and_nothing_else() {
        let rows: &[(&str, Layout, Layout, &[(&str, &str)], &[&str])] = &[
            (
                "nothing moved",
                layout("b", &["w1/t1/old*", "w2/t2/b*"]),
                layout("b", &["w1/t1/new*", "w2/t2/b*"]),
                &[("old", "new")],
                &[],
            ),
            (
                "the focused pane was replaced, and the focus is there",
                layout("old", &["w1/t1/old*"]),
                layout("new", &["w1/t1/new*"]),
                &[("old", "new")],
                &[],
            ),
            (
                "the focus went to a neighbour",
                layout("old", &["w1/t1/a", "w1/t1/old*"]),
                layout("a", &["w1/t1/a*", "w1/t1/new"]),
                &[("old", "new")],
                &["pane.focus new", "tab.focus t1", "pane.focus new"],
            ),
            (
                "the tab in the back has its focus at a neighbour",
                layout("x", &["w1/t1/a", "w1/t1/old*", "w2/t2/x*"]),
                layout("x", &["w1/t1/a*", "w1/t1/new", "w2/t2/x*"]),
                &[("old", "new")],
                &["pane.focus new", "tab.focus t1", "pane.focus x"],
            ),
            (
                "a zoomed pane was replaced, in another workspace than the user's",
                layout("x", &["w1/t1/a", "w1/t1/old!", "w2/t2/x*"]),
                layout("x", &["w1/t1/a", "w1/t1/new*", "w2/t2/x*"]),
                &[("old", "new")],
                &["pane.zoom new", "tab.focus t1", "pane.focus x"],
            ),
            (
                "the pane beside the replaced one was zoomed, in a tab in the back",
                layout("x", &["w1/t0/x*", "w1/t1/a!", "w1/t1/old"]),
                layout("x", &["w1/t0/x*", "w1/t1/a*", "w1/t1/new"]),
                &[("old", "new")],
                &["pane.zoom a", "tab.focus t0", "pane.focus x"],
            ),
            (
                "the old pane stays and keeps its zoom",
                layout("old", &["w1/t1/a", "w1/t1/old!"]),
                layout("old", &["w1/t1/a", "w1/t1/old*", "w1/t1/new"]),
                &[("old", "new")],
                &["pane.zoom old", "tab.focus t1", "pane.focus old"],
            ),
            (
                "a zoom that was taken off elsewhere stays off",
                layout("x", &["w1/t1/old*", "w2/t2/x!", "w2/t2/y"]),
                layout("x", &["w1/t1/new*", "w2/t2/x*", "w2/t2/y"]),
                &[("old", "new")],
                &[],
            ),
            (
                "the user went elsewhere meanwhile",
                layout("x", &["w1/t1/old*", "w2/t2/x*", "w3/t3/y*"]),
                layout("y", &["w1/t1/new*", "w2/t2/x*", "w3/t3/y*"]),
                &[("old", "new")],
                &[],
            ),
            (
                "the user went elsewhere from the pane that was replaced",
                layout("old", &["w1/t1/old*", "w2/t2/x*"]),
                layout("x", &["w1/t1/new*", "w2/t2/x*"]),
                &[("old", "new")],
                &[],
            ),
            (
                "nobody took the place",
                layout("old", &["w1/t1/a", "w1/t1/old*"]),
                layout("a", &["w1/t1/a*"]),
                &[("old", "new")],
                &[],
            ),
            (
                "a workspace is gone",
                layout("old", &["w1/t1/old*", "w2/t2/b*"]),
                layout("b", &["w2/t2/b*"]),
                &[],
                &[],
            ),
        ];
        for (what, before, after, replaced, expected) in rows {
            let replaced = replaced.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
            assert_eq!(words(&put_back(before, after, &replaced)), *expected, "{what}");
        }
    }

    #[test]
    fn an_answer_of_another_form_is_no_layout() {
        for odd in [json!(null), json!({}), json!({"snapshot": {}}), json!({"snapshot": {"panes": 3}})] {
            assert_eq!(Layout::read(&odd), None);
        }
        let bare = Layout::read(&json!({"snapshot": {"panes": [], "layouts": [3], "new": 1}})).unwrap();
        assert_eq!(bare, Layout::default());
    }
}
