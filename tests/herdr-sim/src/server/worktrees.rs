//! `worktree.create`, enough to make a group of workspaces of one repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::{Value, json};

use super::Server;
use super::requests::{Answer, Refusal, refuse};
use super::spawn::Launch;
use crate::env;
use crate::model::Worktree;

#[derive(Deserialize)]
pub(super) struct CreateParams {
    workspace_id: Option<String>,
    branch: Option<String>,
    path: Option<PathBuf>,
    label: Option<String>,
    #[serde(default)]
    focus: bool,
}

impl Server {
    pub(super) fn worktree_create(&mut self, params: CreateParams) -> Answer {
        let at = params.workspace_id.as_deref().map_or(Ok(self.active), |id| self.workspace_at(id))?;
        let Some(cwd) = self.workspaces.get(at).map(|workspace| workspace.cwd.clone()) else {
            return refuse("workspace_not_found", "workspace not found");
        };
        let root = PathBuf::from(git(&cwd, &["rev-parse", "--show-toplevel"])?);
        let key = git(&cwd, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
        let repo = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let branch = params.branch.unwrap_or_else(|| "worktree".to_owned());
        let home = env::var("HOME").unwrap_or_default();
        let usual = || Path::new(&home).join(".herdr/worktrees").join(&repo).join(&branch);
        let checkout = params.path.unwrap_or_else(usual);
        let place = checkout.display().to_string();
        git(&root, &["worktree", "add", "-b", &branch, &place])?;
        let tree = |checkout_path: &Path, is_linked_worktree| Worktree {
            key: key.clone(),
            label: repo.clone(),
            repo_root: root.clone(),
            checkout_path: checkout_path.to_path_buf(),
            is_linked_worktree,
        };
        let head = tree(&root, false);
        if let Some(workspace) = self.workspaces.get_mut(at) {
            workspace.worktree.get_or_insert(head);
        }
        self.emit("workspace.updated", json!({"workspace": self.workspace_info(at)}));
        let launch = Launch { cwd: checkout.clone(), ..Launch::default() };
        let name = params.label.unwrap_or_else(|| branch.clone());
        let new = self.open_workspace(Some(name), launch, params.focus)?;
        if let Some(workspace) = self.workspaces.get_mut(new) {
            workspace.worktree = Some(tree(&checkout, true));
        }
        let worktree = self.worktree_info(new, &checkout, &branch, &repo);
        let workspace = self.workspace_info(new);
        self.emit("worktree.created", json!({"workspace": workspace, "worktree": worktree}));
        let mut created = self.created(new, "worktree_created");
        if let Some(map) = created.as_object_mut() {
            map.insert("worktree".to_owned(), worktree);
        }
        Ok(created)
    }

    fn worktree_info(&self, at: usize, checkout: &Path, branch: &str, repo: &str) -> Value {
        json!({
            "path": checkout,
            "branch": branch,
            "is_bare": false,
            "is_detached": false,
            "is_prunable": false,
            "is_linked_worktree": true,
            "open_workspace_id": self.workspaces.get(at).map(|workspace| &workspace.id),
            "label": repo,
        })
    }
}

fn git(dir: &Path, args: &[&str]) -> Result<String, Refusal> {
    let out = Command::new("git").arg("-C").arg(dir).args(args).stdin(Stdio::null()).output();
    match out {
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).trim_end().to_owned()),
        Ok(out) => refuse("git_failed", String::from_utf8_lossy(&out.stderr).trim_end()),
        Err(error) => refuse("git_failed", error.to_string()),
    }
}
