//! `session …`, `server …` and `status`.

use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Exit, api, complain, say, usage};
use crate::paths::{self, Session};
use crate::{env, server};

/// How long a stop may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// `herdr session …`.
pub(super) fn run(args: &[&str]) -> Exit {
    let json = args.contains(&"--json");
    let words: Vec<&str> = args.iter().copied().filter(|arg| *arg != "--json").collect();
    match words.as_slice() {
        ["list"] => list(json),
        ["stop", name] => stop(name, json),
        ["delete", name] => delete(name, json),
        _ => usage("session <list|stop NAME|delete NAME> [--json]"),
    }
}

/// `herdr server …`.
pub(super) fn server(session: Session, args: &[&str]) -> Exit {
    match args {
        [] => server::run(session),
        ["--handoff-import", socket, token] => server::handoff_import(session, socket, token),
        ["stop"] => match stop_and_wait(&session) {
            Ok(()) => Ok(0),
            Err(message) => Err(message),
        },
        ["reload-config"] => {
            api::ask(&session, "cli:server:reload_config", "server.reload_config", json!({}))
        }
        ["live-handoff"] => api::ask(&session, "cli:server:live_handoff", "server.live_handoff", json!({})),
        _ => usage("server [stop|reload-config|live-handoff]"),
    }
}

/// `herdr status`.
pub(super) fn status(session: &Session) -> Exit {
    let (version, socket) = (env::version(), session.socket.display());
    say(&format!("client:\n  version: {version}\n  channel: stable\n  protocol: 20\n\nserver:"));
    let pong = api::request(session, "cli:status", "ping", json!({}));
    match pong.get("result") {
        Some(pong) => {
            let of = |name: &str| pong.get(name).map(Value::to_string).unwrap_or_default();
            let (version, protocol) = (of("version"), of("protocol"));
            let version = version.trim_matches('"');
            say(&format!("  status: running\n  version: {version}\n  protocol: {protocol}"));
        }
        None => say("  status: not running"),
    }
    say(&format!("  socket: {socket}"));
    Ok(0)
}

fn runs(session: &Session) -> bool {
    UnixStream::connect(&session.socket).is_ok()
}

fn info(session: &Session) -> Value {
    json!({
        "name": session.label(),
        "default": session.name.is_none(),
        "running": runs(session),
        "socket_path": session.socket,
        "session_dir": session.dir(),
    })
}

fn list(as_json: bool) -> Exit {
    let dir = paths::config_dir().join("sessions");
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names.insert(0, "default".to_owned());
    let sessions: Vec<Session> = names.iter().filter_map(|name| Session::named(name).ok()).collect();
    if as_json {
        let sessions: Vec<Value> = sessions.iter().map(info).collect();
        say(&json!({"sessions": sessions}).to_string());
        return Ok(0);
    }
    say(&format!("{:<20} {:<8} {:<48} socket", "name", "status", "directory"));
    for session in &sessions {
        let status = if runs(session) { "running" } else { "stopped" };
        let (dir, socket) = (session.dir(), session.socket.display());
        say(&format!("{:<20} {status:<8} {:<48} {socket}", session.label(), dir.display()));
    }
    Ok(0)
}

fn stop(name: &str, as_json: bool) -> Exit {
    let stopped = Session::named(name).and_then(|session| {
        stop_and_wait(&session)?;
        Ok(session)
    });
    match stopped {
        Ok(session) if as_json => {
            say(&json!({"stopped": true, "session": info(&session)}).to_string());
            Ok(0)
        }
        Ok(session) => {
            say(&format!("stopped session {}", session.label()));
            Ok(0)
        }
        Err(message) => failed("session_stop_failed", &message),
    }
}

/// Asks the server to stop, and waits until its socket is gone.
fn stop_and_wait(session: &Session) -> Result<(), String> {
    let gone = || !session.socket.exists();
    if !runs(session) {
        let socket = session.socket.display();
        return Err(format!("session {} is not running at {socket}", session.label()));
    }
    drop(api::request(session, "cli:server:stop", "server.stop", json!({})));
    let deadline = Instant::now() + PATIENCE;
    while !gone() && runs(session) {
        if Instant::now() > deadline {
            return Err(format!("session {} did not stop", session.label()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn delete(name: &str, as_json: bool) -> Exit {
    let session = match Session::named(name) {
        Ok(session) if session.name.is_none() => {
            return failed("session_delete_failed", "the default session cannot be deleted");
        }
        Ok(session) if runs(&session) => {
            return failed("session_delete_failed", &format!("session {name} is running"));
        }
        Ok(session) => session,
        Err(message) => return failed("session_delete_failed", &message),
    };
    if let Err(error) = std::fs::remove_dir_all(session.dir()) {
        return failed("session_delete_failed", &error.to_string());
    }
    if as_json {
        say(&json!({"deleted": true, "session": info(&session)}).to_string());
    } else {
        say(&format!("deleted session {name}"));
    }
    Ok(0)
}

fn failed(code: &str, message: &str) -> Exit {
    complain(&json!({"error": {"code": code, "message": message}}).to_string());
    Ok(1)
}
