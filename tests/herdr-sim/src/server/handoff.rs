//! Live handoff: another process takes the session over, with its terminals and its shells.
//!
//! The old server starts `herdr server --handoff-import SOCKET TOKEN`, sends what it knows as one
//! line and the terminals as descriptors, waits until the new one listens, and leaves.

use std::io::{BufRead as _, BufReader, IoSlice, IoSliceMut, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Command;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use super::save::{Saved, SavedTab};
use super::{Server, wait_for_answers};
use crate::env;
use crate::model::{Agent, Tab, Workspace};
use crate::pty::{self, Size, Terminal};

/// How long each side waits for the other.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the new server is told.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct State {
    saved: Saved,
    next_key: u32,
    next_workspace: u32,
    panes: Vec<HandedPane>,
}

#[derive(Debug, Serialize, Deserialize)]
struct HandedPane {
    key: u32,
    pid: i32,
    size: Size,
    agent: Option<String>,
    plugin: Option<(String, String)>,
}

/// What the new server received.
#[derive(Debug)]
pub(super) struct Handed {
    pub(super) state: State,
    pub(super) fds: Vec<OwnedFd>,
    pub(super) stream: UnixStream,
}

impl Server {
    /// Hands the session over; `false` when that failed and this server goes on.
    pub(super) fn hand_over(&mut self, open: &AtomicUsize) -> bool {
        wait_for_answers(open);
        let socket = self.session.dir().join(format!("herdr-handoff-{}.sock", std::process::id()));
        drop(std::fs::remove_file(&socket));
        let result = self.try_hand_over(&socket);
        drop(std::fs::remove_file(&socket));
        if let Err(error) = &result {
            self.log.warn(&format!("live handoff failed: {error}"));
        }
        result.is_ok()
    }

    fn try_hand_over(&mut self, socket: &std::path::Path) -> Result<(), String> {
        let failed = |error: std::io::Error| error.to_string();
        self.save();
        let listener = UnixListener::bind(socket).map_err(failed)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let token = format!("{}-{now}", std::process::id());
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.arg("server").arg("--handoff-import").arg(socket).arg(&token);
        pty::detach(&mut command);
        match &self.session.name {
            // `--session` is gone from the arguments, so the variable has to say it.
            Some(name) => command.env("HERDR_SESSION", name).env_remove("HERDR_SOCKET_PATH"),
            None => command.env_remove("HERDR_SESSION"),
        };
        let mut child = command.spawn().map_err(failed)?;
        let sent = self.send_to(&listener, &token);
        if sent.is_err() {
            drop(child.kill());
            drop(child.wait());
        }
        sent
    }

    fn send_to(&self, listener: &UnixListener, token: &str) -> Result<(), String> {
        let failed = |error: std::io::Error| error.to_string();
        let mut stream = accept(listener)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        let mut line = String::new();
        let mut reader = BufReader::new(stream.try_clone().map_err(failed)?);
        reader.read_line(&mut line).map_err(failed)?;
        if line.trim_end() != token {
            return Err("wrong token".to_owned());
        }
        let state = serde_json::to_string(&self.state()).map_err(|error| error.to_string())?;
        stream.write_all(format!("{state}\n").as_bytes()).map_err(failed)?;
        for pane in self.panes.values() {
            send_fd(&stream, pane.terminal.fd())?;
        }
        line.clear();
        reader.read_line(&mut line).map_err(failed)?;
        if line.trim_end() != "ready" {
            return Err("the new server did not get ready".to_owned());
        }
        Ok(())
    }

    fn state(&self) -> State {
        let handed = self.panes.values().map(|pane| HandedPane {
            key: pane.key,
            pid: pane.terminal.pid(),
            size: pane.terminal.size(),
            agent: pane.agent.as_ref().map(|agent| agent.name.clone()),
            plugin: pane.plugin.clone(),
        });
        State {
            panes: handed.collect(),
            saved: self.saved(),
            next_key: self.next_key,
            next_workspace: self.next_workspace,
        }
    }

    /// Continues a session that another server handed over.
    pub(super) fn take_over(&mut self, state: &State, fds: Vec<OwnedFd>) -> Result<(), String> {
        for workspace in &state.saved.workspaces {
            let tabs = workspace.tabs.iter().zip(&workspace.public_tab_numbers);
            self.workspaces.push(Workspace {
                id: workspace.id.clone(),
                name: workspace.custom_name.clone(),
                cwd: workspace.identity_cwd.clone(),
                tabs: tabs.map(|(tab, number)| same_tab(tab, *number)).collect(),
                active_tab: workspace.active_tab,
                next_pane: workspace.next_public_pane_number,
                next_tab: workspace.next_public_tab_number,
                worktree: workspace.worktree_space.clone(),
            });
        }
        self.active = state.saved.active;
        for (handed, fd) in state.panes.iter().zip(fds) {
            let terminal = Terminal::adopt(fd, handed.pid, handed.size).map_err(|e| e.to_string())?;
            let saved = state.saved.workspaces.iter().find_map(|workspace| {
                let pane = workspace.tabs.iter().find_map(|tab| tab.panes.get(&handed.key))?;
                Some((workspace.public_pane_numbers.get(&handed.key).copied()?, pane.clone()))
            });
            let Some((number, saved)) = saved else {
                continue;
            };
            self.next_key = handed.key;
            let key = self.add_pane(number, terminal, saved.cwd);
            if let Some(pane) = self.panes.get_mut(&key) {
                pane.label = saved.label;
                pane.session = saved.agent_session;
                pane.plugin.clone_from(&handed.plugin);
                pane.agent_before.clone_from(&handed.agent);
                let wrong = env::switch("HANDOFF").as_deref() == Some("wrong");
                pane.agent = pane
                    .session
                    .as_ref()
                    .filter(|_| wrong)
                    .map(|session| Agent { unproved: true, ..Agent::new(&session.agent, "idle") });
            }
        }
        self.next_key = state.next_key;
        self.next_workspace = state.next_workspace;
        // For a moment the new server knows no agents.
        self.detect_at = Instant::now() + env::millis("HANDOFF_MS", 1500);
        self.log.info("live handoff taken over");
        Ok(())
    }
}

fn same_tab(tab: &SavedTab, number: u32) -> Tab {
    Tab {
        number,
        name: tab.custom_name.clone(),
        layout: tab.layout.clone(),
        focused: tab.focused,
        zoomed: tab.zoomed,
        root: tab.root_pane,
    }
}

/// The new server's side: fetches everything.
pub(super) fn receive(socket: &str, token: &str) -> Result<Handed, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut stream = UnixStream::connect(socket).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    stream.write_all(format!("{token}\n").as_bytes()).map_err(failed)?;
    // Byte by byte: what comes after the line belongs to the descriptors.
    let mut line = Vec::new();
    let mut byte = [0];
    while byte != *b"\n" {
        stream.read_exact(&mut byte).map_err(failed)?;
        line.extend(byte);
    }
    let state: State = serde_json::from_slice(&line).map_err(|error| error.to_string())?;
    let mut fds = Vec::new();
    while fds.len() < state.panes.len() {
        fds.push(receive_fd(&stream)?);
    }
    Ok(Handed { state, fds, stream })
}

/// Tells the old server to leave.
pub(super) fn say_ready(stream: &mut UnixStream) -> Result<(), String> {
    stream.write_all(b"ready\n").map_err(|error| error.to_string())
}

fn accept(listener: &UnixListener) -> Result<UnixStream, String> {
    let mut wanted = [rustix::event::PollFd::new(listener, rustix::event::PollFlags::IN)];
    let timeout = rustix::event::Timespec { tv_sec: 30, tv_nsec: 0 };
    match rustix::event::poll(&mut wanted, Some(&timeout)) {
        Ok(1..) => listener.accept().map(|(stream, _)| stream).map_err(|error| error.to_string()),
        _ => Err("the new server did not come".to_owned()),
    }
}

fn send_fd(stream: &UnixStream, fd: BorrowedFd<'_>) -> Result<(), String> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let fds = [fd];
    control.push(SendAncillaryMessage::ScmRights(&fds));
    let sent = sendmsg(stream, &[IoSlice::new(b"f")], &mut control, SendFlags::empty());
    sent.map(drop).map_err(|error| error.to_string())
}

fn receive_fd(stream: &UnixStream) -> Result<OwnedFd, String> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let into = &mut [IoSliceMut::new(&mut byte)];
    recvmsg(stream, into, &mut control, RecvFlags::CMSG_CLOEXEC).map_err(|error| error.to_string())?;
    let fd = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
        _ => None,
    });
    fd.ok_or_else(|| "a terminal did not arrive".to_owned())
}
