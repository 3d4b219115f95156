//! Talking to the server from the command line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Exit, complain, say};
use crate::paths::Session;

/// Longer than the server may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends one request; the error says that no server answered.
pub(super) fn request(session: &Session, id: &str, method: &str, params: Value) -> Value {
    let line = json!({"id": id, "method": method, "params": params}).to_string();
    exchange(session, &line).unwrap_or_else(|| {
        let start = match &session.name {
            Some(name) => format!("herdr session attach {name}"),
            None => "herdr".to_owned(),
        };
        let socket = session.socket.display();
        let message = format!("nothing listens at {socket}; `{start}` starts a server");
        json!({"id": id, "error": {"code": "server_not_running", "message": message}})
    })
}

fn exchange(session: &Session, line: &str) -> Option<Value> {
    let mut stream = UnixStream::connect(&session.socket).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.write_all(format!("{line}\n").as_bytes()).ok()?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).ok()?;
    serde_json::from_str(&answer).ok()
}

/// Prints an answer: a result to stdout, an error to stderr.
pub(super) fn print(answer: &Value) -> Exit {
    let failed = answer.get("error").is_some();
    if failed {
        complain(&answer.to_string());
    } else {
        say(&answer.to_string());
    }
    Ok(u8::from(failed))
}

/// Sends a request and prints the answer.
pub(super) fn ask(session: &Session, id: &str, method: &str, params: Value) -> Exit {
    print(&request(session, id, method, params))
}

/// Sends a request whose answer is printed only when it is an error.
pub(super) fn tell(session: &Session, id: &str, method: &str, params: Value) -> Exit {
    let answer = request(session, id, method, params);
    if answer.get("error").is_some() {
        return print(&answer);
    }
    Ok(0)
}
