//! One look at the host: the lock, the record, the kernel and the socket. Everything is bounded, and
//! nothing is changed.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mam_share::herdr::parallel::{self, Request};
use mam_share::herdr::session_name::SessionName;
use mam_share::herdr::socket::NoAnswer;
use mam_share::message::Warning;
use mam_share::process::Kernel;
use mam_share::variable::{HERDR_ENV, MAM_HOST};
use serde_json::{Value, json};

use crate::decision::Owner;
use crate::gather::Whose;
use crate::handle::started_of;
use crate::lock::{Holder, HostLock};
use crate::owner::{self, Seen, Socket};
use crate::record::{Facts, HostRecord};
use crate::store::Store;

/// How long a server may take to answer `ping`. It answers in its next turn, after about 20 ms.
const PING_LIMIT: Duration = Duration::from_secs(2);

/// The longest path of a socket that the kernel takes, in bytes.
pub const LONGEST_SOCKET: usize = if cfg!(target_os = "macos") { 103 } else { 107 };

/// Where to look.
pub struct Place<'a> {
    /// Where the lock and the record are.
    pub seat: &'a Path,
    /// The lock, opened once in this process; or why it could not be.
    pub lock: Result<&'a HostLock, &'a str>,
    /// The API socket of the seat's session.
    pub socket: &'a Path,
}

/// What a look gave.
#[derive(Clone, Debug)]
pub struct Look {
    /// Whose server was looked at.
    pub whose: Whose,
    /// The session of its seat.
    pub session: SessionName,
    /// Its socket, as the config has it now.
    pub socket: PathBuf,
    /// The store of its record.
    pub store: Store,
    /// The mark of its server.
    pub mark: PathBuf,
    /// Who owns the host.
    pub owner: Owner,
    /// The record, also one that is stale.
    pub record: Option<HostRecord>,
    /// The owner took over in a live handoff, and the record does not name it yet.
    pub is_handed_over: bool,
    /// Nobody holds the lock.
    pub is_lock_free: bool,
    /// What the server said of itself in its answer to `ping`.
    pub ping: Option<Value>,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

/// Looks once.
pub fn look(place: &Place<'_>, whose: Whose, session: &SessionName, kernel: &dyn Kernel) -> Look {
    let store = Store::new(place.seat);
    let (record, warning) = store.read();
    let lock = match place.lock {
        Ok(lock) => lock.holder().map_err(|error| error.to_string()),
        Err(reason) => Err(reason.to_owned()),
    };
    let holder = match lock {
        Ok(Some(Holder::Pid(pid))) => Some(pid),
        Ok(Some(Holder::Hidden) | None) | Err(_) => None,
    };
    let (socket, ping) = listen(&sockets(place.socket, record.as_ref(), holder), kernel);
    let facts = Facts {
        started: record.as_ref().and_then(|record| started_of(kernel, record.pid)),
        boot: kernel.boot(),
        lock_holder: holder,
        socket_peer: socket.peer(),
    };
    let is_marked = socket.peer().is_some_and(|pid| is_marked(kernel, pid, place.seat));
    let is_lock_free = matches!(lock, Ok(None));
    let seen = Seen { lock, record, facts, socket, is_marked };
    let judged = owner::judge(&seen);
    Look {
        whose,
        session: session.clone(),
        socket: place.socket.to_owned(),
        store,
        mark: place.seat.to_owned(),
        owner: judged.owner,
        record: seen.record,
        is_handed_over: judged.is_handed_over,
        is_lock_free,
        ping,
        warnings: warning.into_iter().collect(),
    }
}

/// Where the host may listen: the recorded place of the process that holds the lock, else the place
/// that the config names now, else the recorded one (the config may have changed since).
fn sockets(configured: &Path, record: Option<&HostRecord>, holder: Option<u32>) -> Vec<PathBuf> {
    let recorded = record.and_then(|record| Some((record.pid, record.socket.clone()?)));
    match (holder, recorded) {
        (Some(holder), Some((pid, socket))) if pid == holder => vec![socket],
        (None, Some((_, socket))) if socket != configured => vec![socket, configured.to_owned()],
        _ => vec![configured.to_owned()],
    }
}

/// The first socket at which there is somebody, or at which that cannot be told.
fn listen(sockets: &[PathBuf], kernel: &dyn Kernel) -> (Socket, Option<Value>) {
    let all = sockets.iter().map(|socket| ping(socket, kernel));
    all.into_iter().find(|(socket, _)| *socket != Socket::Nobody).unwrap_or((Socket::Nobody, None))
}

/// Asks the server at `socket` for a sign of life.
pub fn ping(socket: &Path, kernel: &dyn Kernel) -> (Socket, Option<Value>) {
    if socket.as_os_str().len() > LONGEST_SOCKET {
        // Nobody can listen there; a start says so.
        return (Socket::Nobody, None);
    }
    let connected = Cell::new(false);
    let peer = Cell::new(None);
    let note = |_, stream: &std::os::unix::net::UnixStream| {
        connected.set(true);
        peer.set(kernel.peer(stream));
        true
    };
    let request = [Request::new("ping", json!({}))];
    let answer = parallel::ask_all(socket, &request, PING_LIMIT, &note).pop();
    match answer {
        Some(Ok(answer)) => (Socket::Answers(peer.get()), Some(answer)),
        Some(Err(NoAnswer::NotRunning)) | None => (Socket::Nobody, None),
        Some(Err(_)) if connected.get() => (Socket::Silent(peer.get()), None),
        Some(Err(error)) => (Socket::Unknowable(format!("`{}`: {error}", socket.display())), None),
    }
}

/// Whether the process `pid` was started for this seat.
fn is_marked(kernel: &dyn Kernel, pid: u32, seat: &Path) -> bool {
    kernel.environment(pid).is_some_and(|environment| {
        environment.get(MAM_HOST.name) == Some(seat.as_os_str()) && environment.get(HERDR_ENV.name).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_socket_is_looked_at_where_it_may_matter() {
        let configured = Path::new("/c");
        let record = HostRecord { socket: Some("/r".into()), ..HostRecord::new(50) };
        let rows: [(Option<&HostRecord>, Option<u32>, &[&str]); 5] = [
            (None, None, &["/c"]),
            (Some(&record), Some(50), &["/r"]),
            (Some(&record), Some(51), &["/c"]),
            (Some(&record), None, &["/r", "/c"]),
            (None, Some(50), &["/c"]),
        ];
        for (record, holder, expected) in rows {
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(sockets(configured, record, holder), expected);
        }
    }

    #[test]
    fn a_socket_that_nobody_listens_at_is_nobodys() {
        let dir = tempfile::tempdir().unwrap();
        let kernel = mam_share::process::kernel();
        let path = dir.path().join("s");
        assert_eq!(ping(&path, &kernel).0, Socket::Nobody);
        let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let us = std::process::id();
        let silent = ping(&path, &kernel).0;
        assert!(matches!(silent, Socket::Silent(peer) if peer.is_none_or(|peer| peer == us)), "{silent:?}");
        drop(listener);
        assert_eq!(ping(&path, &kernel).0, Socket::Nobody, "left by a server that was killed");
    }
}
