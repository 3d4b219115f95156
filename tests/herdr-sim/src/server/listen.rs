//! The API socket: one request per connection, one line in and one line out.
//!
//! Connections wait on threads; the requests wait in a queue until the server's next turn.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use super::faults::{Action, Rule};

/// A request line may be this long.
const LONGEST_LINE: u64 = 1024 * 1024;
/// How long a client may take to send its line, and the server to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// What a huge answer weighs.
const HUGE: usize = 10 * 1024 * 1024;

/// A request that waits for the next turn.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) line: String,
    pub(crate) reply: Sender<Reply>,
}

/// An answer, and what goes wrong on its way.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) faults: Vec<Rule>,
}

/// Binds a socket that only its user may talk to.
pub(crate) fn bind(path: &Path) -> Result<UnixListener, String> {
    let too_long = || "local socket name length exceeds capacity of sun_path of sockaddr_un".to_owned();
    if path.as_os_str().len() > 107 {
        return Err(too_long());
    }
    drop(std::fs::remove_file(path));
    let listener = UnixListener::bind(path).map_err(|error| error.to_string())?;
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(path, private).map_err(|error| error.to_string())?;
    Ok(listener)
}

/// Accepts connections until the process ends or hands over; `open` counts the answers under way.
pub(crate) fn serve(listener: UnixListener, queue: Sender<Waiting>, open: Arc<AtomicUsize>) {
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (queue, open) = (queue.clone(), Arc::clone(&open));
            open.fetch_add(1, Ordering::SeqCst);
            std::thread::spawn(move || {
                converse(stream, &queue);
                open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
}

fn converse(mut stream: UnixStream, queue: &Sender<Waiting>) {
    drop(stream.set_read_timeout(Some(PATIENCE)));
    drop(stream.set_write_timeout(Some(PATIENCE)));
    let mut line = Vec::new();
    let read = BufReader::new((&stream).take(LONGEST_LINE)).read_until(b'\n', &mut line);
    if read.is_err() || line.pop() != Some(b'\n') {
        return;
    }
    let (reply, answer) = channel();
    let line = String::from_utf8_lossy(&line).into_owned();
    if queue.send(Waiting { line, reply }).is_err() {
        return;
    }
    let Ok(reply) = answer.recv_timeout(PATIENCE) else {
        return;
    };
    let mut bytes = (reply.text + "\n").into_bytes();
    for rule in &reply.faults {
        match rule.action {
            Action::Slow => std::thread::sleep(rule.wait()),
            Action::Drop => return,
            Action::Half => bytes.truncate(bytes.len() / 2),
            Action::Huge => bytes = vec![b'x'; HUGE],
            _ => {}
        }
    }
    drop(stream.write_all(&bytes));
}
