//! How panes close: when they are told to, and when their program ends.

use std::time::{Duration, Instant};

use serde_json::json;

use super::panes::Target;
use super::requests::{Answer, Refusal, done, refuse};
use super::{Leaving, Server};
use crate::env;

impl Server {
    pub(super) fn pane_close(&mut self, params: Target) -> Answer {
        let key = self.pane_key(&params.pane_id)?;
        let (at, _) = self.place(key).unwrap_or_default();
        let sole = self.workspaces.get(at).is_some_and(|workspace| workspace.panes().len() == 1);
        if sole {
            self.confirm_group_close(at, "this pane heads a worktree group")?;
        }
        let workspace_id = self.workspaces.get(at).map(|workspace| workspace.id.clone());
        self.emit_later("pane.closed", json!({"pane_id": params.pane_id, "workspace_id": workspace_id}));
        if sole {
            self.close_workspace(at);
        } else {
            self.remove_pane(key);
        }
        self.emit_waiting();
        // Closing a pane keeps herdr busy, however many closes wait.
        std::thread::sleep(env::millis("CLOSE_MS", 17).min(Duration::from_secs(1)));
        done()
    }

    /// Refuses to close a workspace that heads a group, when the user wants to be asked.
    pub(super) fn confirm_group_close(&self, at: usize, message: &str) -> Result<(), Refusal> {
        let heads = self.workspaces.get(at).is_some_and(|ws| ws.heads_a_group(&self.workspaces));
        match heads && self.config.config.ui.confirm_close.unwrap_or(true) {
            true => refuse("confirmation_required", message),
            false => Ok(()),
        }
    }

    /// Takes a pane out of its tab; the neighbour gets its place and, if need be, the focus.
    pub(super) fn remove_pane(&mut self, key: u32) {
        let Some((at, tab_at)) = self.place(key) else {
            return;
        };
        self.moving_focus(|server| {
            let tabs = server.workspaces.get_mut(at).map(|workspace| &mut workspace.tabs);
            let Some(tab) = tabs.and_then(|tabs| tabs.get_mut(tab_at)) else {
                return;
            };
            match tab.layout.clone().without(key) {
                Some(layout) => {
                    let order = tab.layout.panes();
                    let own = order.iter().position(|other| *other == key).unwrap_or(0);
                    let next = order.get(own + 1).or_else(|| order.get(own.wrapping_sub(1)));
                    if tab.focused == key {
                        tab.focused = next.copied().unwrap_or(key);
                    }
                    tab.root = layout.panes().first().copied().unwrap_or(key);
                    tab.layout = layout;
                    tab.zoomed = false;
                    server.hang_up(key);
                }
                None => server.remove_tab(at, tab_at),
            }
        });
        self.changed();
    }

    /// Ends a pane's program and forgets the pane.
    pub(super) fn hang_up(&mut self, key: u32) {
        let Some(pane) = self.panes.remove(&key) else {
            return;
        };
        pane.terminal.hang_up();
        if let Some(child) = pane.terminal.into_child() {
            self.leaving.push(Leaving { child, since: Instant::now() });
        }
    }

    /// Panes whose program ended by itself close.
    pub(super) fn close_ended_panes(&mut self) {
        let ended = self.panes.values_mut().filter_map(|p| p.terminal.ended().then_some(p.key));
        for key in ended.collect::<Vec<_>>() {
            let Some((at, _)) = self.place(key) else {
                continue;
            };
            let pane_id = self.public_id(key);
            let workspace_id = self.workspaces.get(at).map(|workspace| workspace.id.clone());
            let exited = json!({"pane_id": pane_id, "workspace_id": workspace_id});
            self.emit_later("pane.exited", exited);
            if self.workspaces.get(at).is_some_and(|workspace| workspace.panes().len() == 1) {
                self.close_workspace(at);
            } else {
                self.remove_pane(key);
            }
            self.emit_waiting();
        }
    }
}
