//! `herdr` without a verb: a client that attaches, and starts the server first if need be.
//!
//! It shows nothing. It tells the server the size of its terminal and stays until it is
//! interrupted, hung up, or the server goes.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Exit, say};
use crate::paths::Session;
use crate::pty::{self, Size};

/// How long the server may take to listen.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often the terminal's size is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Attaches to the session.
pub(super) fn run(session: &Session) -> Exit {
    let mut stream = match UnixStream::connect(session.client_socket()) {
        Ok(stream) => stream,
        Err(_) => start_server(session)?,
    };
    say(&format!("attached to session {}", session.label()));
    stream.set_read_timeout(Some(LOOK)).map_err(|error| error.to_string())?;
    let mut told: Option<Size> = None;
    loop {
        let size = terminal_size();
        if told != Some(size) {
            told = Some(size);
            if writeln!(stream, "resize {} {}", size.0, size.1).is_err() {
                return Ok(0);
            }
        }
        // The server says nothing: only its end is heard.
        if matches!(stream.read(&mut [0]), Ok(0)) {
            return Ok(0);
        }
    }
}

/// Starts a server that outlives this client, with this client's environment.
fn start_server(session: &Session) -> Result<UnixStream, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(own);
    if let Some(name) = &session.name {
        command.arg("--session").arg(name);
    }
    pty::detach(command.arg("server"));
    command.spawn().map_err(|error| error.to_string())?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        match UnixStream::connect(session.client_socket()) {
            Ok(stream) => return Ok(stream),
            Err(error) if Instant::now() > deadline => return Err(error.to_string()),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn terminal_size() -> Size {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    size.map_or((80, 24), |size| (size.ws_col.max(1), size.ws_row.max(1)))
}
