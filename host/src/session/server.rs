//! The herdr server that a session's agents live on: one process behind a socket. Another server that
//! takes its place is never spoken to.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mam_share::herdr::parallel::{Request, ask_all};
use mam_share::herdr::socket::{NoAnswer, connect};
use mam_share::process::Kernel;
use serde_json::Value;

use super::record::ProcessId;
use crate::handle::started_of;

/// How long one round of requests may take. herdr itself gives up on a request after 5 s, and opening
/// panes takes it some milliseconds each.
const ROUND: Duration = Duration::from_secs(20);

/// A server.
pub struct Server<'a> {
    /// Its socket.
    pub socket: PathBuf,
    /// Its process, where the platform says who listens.
    pub pid: Option<u32>,
    kernel: &'a dyn Kernel,
}

impl<'a> Server<'a> {
    /// The server that listens at `socket` now.
    ///
    /// # Errors
    /// Nobody does.
    pub fn find(socket: &Path, kernel: &'a dyn Kernel) -> Result<Self, NoAnswer> {
        let stream = connect(socket, ROUND)?;
        Ok(Self { socket: socket.to_owned(), pid: kernel.peer(&stream), kernel })
    }

    /// Its process, as a record has it.
    pub fn process(&self) -> Option<ProcessId> {
        let pid = self.pid?;
        Some(ProcessId { pid, start: started_of(self.kernel, pid), boot: self.kernel.boot() })
    }

    /// Sends all requests at once, each on a connection of its own: herdr answers them in one turn.
    pub fn ask_all(&self, requests: &[Request]) -> Vec<Result<Value, NoAnswer>> {
        let is_right = |_, stream: &UnixStream| self.pid.is_none() || self.kernel.peer(stream) == self.pid;
        ask_all(&self.socket, requests, ROUND, &is_right)
    }

    /// Sends one request.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn ask(&self, request: Request) -> Result<Value, NoAnswer> {
        let answer = self.ask_all(&[request]).pop();
        answer.unwrap_or_else(|| Err(NoAnswer::Unreadable("there is none".to_owned())))
    }
}
