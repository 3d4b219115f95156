//! Starting the programs of panes: which shell, in which environment.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Server;
use super::requests::{Refusal, refuse};
use crate::config::ShellMode;
use crate::env;
use crate::model::ids::encode;
use crate::model::{Pane, existing};
use crate::pty::Terminal;

/// Where a new pane belongs.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) workspace: String,
    pub(super) tab: u32,
    pub(super) number: u32,
}

/// What runs in a new pane.
#[derive(Debug, Default)]
pub(super) struct Launch {
    /// A shell when empty.
    pub(super) argv: Vec<String>,
    pub(super) cwd: PathBuf,
    pub(super) env: BTreeMap<String, String>,
}

impl Server {
    /// Starts a program on a new terminal; it belongs to no tab yet.
    pub(super) fn spawn(&mut self, spot: &Spot, launch: Launch) -> Result<u32, Refusal> {
        let cwd = existing(&launch.cwd);
        let failed = if launch.argv.is_empty() { "pane_spawn_failed" } else { "plugin_pane_open_failed" };
        let mut command = match launch.argv.split_first() {
            Some((program, args)) => {
                // A name is looked for in PATH; a relative path starts in the pane's directory.
                let path = Path::new(program);
                let relative = program.contains('/') && path.is_relative();
                let program = if relative { cwd.join(path) } else { path.to_path_buf() };
                let mut command = Command::new(program);
                command.args(args);
                command
            }
            None => self.shell(),
        };
        self.environment(&mut command, spot, &cwd);
        command.envs(launch.env.iter().filter(|(name, _)| !name.starts_with("HERDR_PANE_")));
        command.current_dir(&cwd);
        let terminal = Terminal::spawn(&mut command, self.size)
            .or_else(|error| refuse(failed, format!("{:?}: {error}", command.get_program())))?;
        Ok(self.add_pane(spot.number, terminal, cwd))
    }

    /// Registers a terminal as a pane.
    pub(super) fn add_pane(&mut self, number: u32, terminal: Terminal, cwd: PathBuf) -> u32 {
        let key = self.next_key;
        self.next_key += 1;
        let pane = Pane {
            key,
            number,
            terminal_id: self.terminal_id(),
            terminal,
            start_cwd: cwd,
            label: None,
            agent: None,
            session: None,
            plugin: None,
            agent_before: None,
        };
        self.panes.insert(key, pane);
        self.table = None;
        key
    }

    /// An id that no terminal had before.
    fn terminal_id(&mut self) -> String {
        self.terminals += 1;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        format!("term_{now:x}{}", self.terminals)
    }

    /// The user's shell; on Linux it is a login shell only when the config says so.
    fn shell(&self) -> Command {
        let terminal = &self.config.config.terminal;
        let configured = terminal.default_shell.clone().filter(|shell| !shell.is_empty());
        let shell = configured
            .or_else(|| env::var("SHELL").filter(|shell| !shell.is_empty()))
            .unwrap_or_else(|| "/bin/sh".to_owned());
        let mut command = Command::new(&shell);
        if terminal.shell_mode == Some(ShellMode::Login) {
            let name = Path::new(&shell).file_name().unwrap_or_default().to_string_lossy();
            command.arg0(format!("-{name}"));
        }
        command
    }

    /// The server's whole environment, and the pane's own variables.
    fn environment(&self, command: &mut Command, spot: &Spot, cwd: &Path) {
        command.env_remove("CODEX_THREAD_ID").env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor").env("HERDR_ENV", "1");
        command.env("HERDR_SOCKET_PATH", &self.session.socket);
        command.env("HERDR_WORKSPACE_ID", &spot.workspace);
        command.env("HERDR_TAB_ID", format!("{}:t{}", spot.workspace, encode(spot.tab)));
        command.env("HERDR_PANE_ID", format!("{}:p{}", spot.workspace, encode(spot.number)));
        if let Ok(own) = std::env::current_exe() {
            command.env("HERDR_BIN_PATH", own);
        }
        match &self.session.name {
            Some(name) => command.env("HERDR_SESSION", name),
            None => command.env_remove("HERDR_SESSION"),
        };
        // The directory that the shell starts in, unless a test wants the server's own to show.
        if env::switch("PWD").as_deref() != Some("inherit") {
            command.env("PWD", cwd);
        }
    }

    /// The number of the next pane of a workspace.
    pub(super) fn take_number(&mut self, at: usize) -> u32 {
        let reuse = self.faults.reuses_ids();
        let Some(workspace) = self.workspaces.get_mut(at) else {
            return 1;
        };
        if reuse {
            let keys = workspace.panes();
            let taken = |number: &u32| {
                keys.iter().filter_map(|key| self.panes.get(key)).any(|pane| pane.number == *number)
            };
            return (1..).find(|number| !taken(number)).unwrap_or(1);
        }
        let number = workspace.next_pane;
        workspace.next_pane += 1;
        number
    }
}
