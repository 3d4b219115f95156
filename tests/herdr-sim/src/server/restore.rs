//! Restoring a session after a stop or a crash: new shells in the old places, and no events.

use super::Server;
use super::save::{Saved, SavedPane, SavedTab, SavedWorkspace};
use super::spawn::{Launch, Spot};
use crate::agents;
use crate::model::ids::decode;
use crate::model::layout::Node;
use crate::model::{Tab, Workspace};

impl Server {
    /// Brings back what `session.json` holds.
    pub(super) fn restore(&mut self) {
        let text = std::fs::read_to_string(self.saved_path()).unwrap_or_default();
        let saved: Option<Saved> = serde_json::from_str(&text).ok();
        let outcome = match &saved {
            Some(_) => "ok",
            None if text.is_empty() => "empty",
            None => "failed",
        };
        if let Some(saved) = saved {
            let active = saved.active;
            saved.workspaces.into_iter().for_each(|workspace| self.restore_workspace(workspace));
            self.active = active.min(self.workspaces.len().saturating_sub(1));
        }
        let count = self.workspaces.len();
        self.log.info(&format!("session restore evaluated outcome=\"{outcome}\" workspaces={count}"));
    }

    fn restore_workspace(&mut self, saved: SavedWorkspace) {
        let number = saved.id.strip_prefix('w').and_then(decode).unwrap_or(0);
        self.next_workspace = self.next_workspace.max(number + 1);
        let mut tabs = Vec::new();
        for (tab, number) in saved.tabs.iter().zip(&saved.public_tab_numbers) {
            tabs.extend(self.restore_tab(&saved, tab, *number));
        }
        if tabs.is_empty() {
            return;
        }
        self.workspaces.push(Workspace {
            id: saved.id,
            name: saved.custom_name,
            cwd: saved.identity_cwd,
            active_tab: saved.active_tab.min(tabs.len() - 1),
            tabs,
            next_pane: saved.next_public_pane_number,
            next_tab: saved.next_public_tab_number,
            worktree: saved.worktree_space,
        });
    }

    fn restore_tab(&mut self, saved: &SavedWorkspace, tab: &SavedTab, number: u32) -> Option<Tab> {
        let mut layout = tab.layout.clone();
        let mut renamed = std::collections::BTreeMap::new();
        for old in tab.layout.panes() {
            let pane = tab.panes.get(&old);
            let spot = Spot {
                workspace: saved.id.clone(),
                tab: number,
                number: saved.public_pane_numbers.get(&old).copied().unwrap_or(old),
            };
            match pane.and_then(|pane| self.restore_pane(pane, &spot)) {
                Some(key) => drop(renamed.insert(old, key)),
                None => layout = layout.without(old)?,
            }
        }
        rename(&mut layout, &renamed);
        let first = layout.panes().first().copied()?;
        let new = |old: u32| renamed.get(&old).copied().unwrap_or(first);
        Some(Tab {
            number,
            name: tab.custom_name.clone(),
            layout,
            focused: new(tab.focused),
            zoomed: tab.zoomed,
            root: new(tab.root_pane),
        })
    }

    /// A shell where the pane was. With resume on, the agent's bare command is typed into it.
    fn restore_pane(&mut self, saved: &SavedPane, spot: &Spot) -> Option<u32> {
        let launch = Launch { cwd: saved.cwd.clone(), ..Launch::default() };
        let key = match self.spawn(spot, launch) {
            Ok(key) => key,
            Err(refusal) => {
                self.log.warn(&format!("pane not restored: {refusal:?}"));
                return None;
            }
        };
        let resumes = self.config.resumes_agents();
        let pane = self.panes.get_mut(&key)?;
        pane.label.clone_from(&saved.label);
        pane.session.clone_from(&saved.agent_session);
        let command = saved
            .agent_session
            .as_ref()
            .filter(|_| resumes)
            .and_then(|session| agents::resume_command(&session.agent, &session.source, &session.value));
        if let Some(command) = command {
            drop(pane.terminal.type_bytes(format!("{command}\r").as_bytes()));
        }
        Some(key)
    }
}

fn rename(node: &mut Node, renamed: &std::collections::BTreeMap<u32, u32>) {
    match node {
        Node::Pane(pane) => *pane = renamed.get(pane).copied().unwrap_or(*pane),
        Node::Split { first, second, .. } => {
            rename(first, renamed);
            rename(second, renamed);
        }
    }
}
