//! Starting a server: its directory, its sockets, its first state.

use std::collections::BTreeMap;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use super::clients::Clients;
use super::faults::Faults;
use super::handoff::{self, Handed};
use super::log::Log;
use super::{Server, listen};
use crate::cli::say;
use crate::paths::Session;
use crate::plugins::run::Runner;
use crate::{config, env, pty};

/// `herdr server`: serves in the foreground until it is told to stop.
pub(crate) fn run(session: Session) -> Result<u8, String> {
    pty::keep_descriptors_private();
    let stop = stop_on_signals()?;
    if UnixStream::connect(&session.socket).is_ok() {
        let socket = session.socket.display();
        return Err(format!("error: herdr server is already running\napi socket: {socket}"));
    }
    let dir = session.dir();
    std::fs::create_dir_all(&dir).map_err(|error| format!("error: {}: {error}", dir.display()))?;
    let listeners = bind(&session)?;
    let shown = |path: &std::path::Path| path.display().to_string();
    say("herdr server running; you can use any herdr CLI command in another terminal.");
    say(&format!("api socket: {}", shown(&session.socket)));
    say(&format!("client socket: {}", shown(&session.client_socket())));
    say(&format!("logs: {}", shown(&dir.join("herdr-server.log"))));
    say("did you mean to open the Herdr TUI? run `herdr`; you do not need `herdr server`.");
    let mut server = Server::new(session, stop);
    server.restore();
    server.serve(listeners)
}

/// `herdr server --handoff-import`: takes a running session over from another server.
pub(crate) fn handoff_import(session: Session, socket: &str, token: &str) -> Result<u8, String> {
    pty::keep_descriptors_private();
    let stop = stop_on_signals()?;
    let Handed { state, fds, mut stream } = handoff::receive(socket, token)?;
    let mut server = Server::new(session, stop);
    server.take_over(&state, fds)?;
    // The old server goes on with a session that it could not hand over, so binding comes first.
    let listeners = bind(&server.session)?;
    handoff::say_ready(&mut stream)?;
    server.serve(listeners)
}

fn bind(session: &Session) -> Result<(UnixListener, UnixListener), String> {
    let failed = |error: String| format!("Error: {error}");
    let api = listen::bind(&session.socket).map_err(failed)?;
    let clients = listen::bind(&session.client_socket()).map_err(failed)?;
    Ok((api, clients))
}

/// A flag that SIGTERM, SIGINT and SIGHUP set.
fn stop_on_signals() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).map_err(|error| error.to_string())?;
    }
    Ok(stop)
}

impl Server {
    fn new(session: Session, stop: Arc<AtomicBool>) -> Self {
        let dir = session.dir();
        let log = Log::open(&dir.join("herdr-server.log"));
        let config = config::load();
        config.diagnostics.iter().for_each(|line| log.warn(line));
        let columns = config.config.server.headless_cols.map_or(120, Into::into);
        let rows = config.config.server.headless_rows.map_or(40, Into::into);
        let settle = Duration::ZERO;
        Self {
            faults: Faults::new(&dir),
            session,
            log,
            config,
            workspaces: Vec::new(),
            active: 0,
            panes: BTreeMap::new(),
            next_key: 1,
            next_workspace: 1,
            terminals: 0,
            size: (columns, rows),
            headless: (columns, rows),
            leaving: Vec::new(),
            plugins: Runner::default(),
            save_at: None,
            started: Instant::now(),
            hooks_ran: false,
            detect_at: Instant::now() + settle,
            table: None,
            clients: Clients::default(),
            stop,
            handoff: false,
        }
    }

    fn serve(mut self, (api, attached): (UnixListener, UnixListener)) -> Result<u8, String> {
        let (sender, queue) = channel();
        let open = Arc::new(AtomicUsize::new(0));
        listen::serve(api, sender, Arc::clone(&open));
        self.clients.serve(attached);
        self.log.info(&format!("server {} of session {}", env::version(), self.session.label()));
        self.turn_until_stopped(&queue, &open);
        Ok(0)
    }
}
