//! One request to a herdr server: a JSON line each way on a connection of its own.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::form::{Object, Odd};

/// The longest answer that is read, in bytes. herdr bounds a request to 1 MiB; an answer about
/// hundreds of panes is well below this.
const ANSWER_LIMIT: u64 = 8 * 1024 * 1024;

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// Nobody listens: no socket, or one left by a killed server.
    NotRunning,
    /// The connection broke, timed out, or could not be made for another reason.
    Broken(std::io::Error),
    /// What came is not an answer: half a line, more than 8 MiB, not JSON, another form.
    Unreadable(String),
    /// herdr says no, with its code (`pane_not_found`, …) and message.
    Refused {
        /// herdr's error code.
        code: String,
        /// herdr's text.
        message: String,
    },
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotRunning => formatter.write_str("no server is running"),
            Self::Broken(error) => write!(formatter, "the connection failed: {error}"),
            Self::Unreadable(what) => write!(formatter, "the answer could not be read: {what}"),
            Self::Refused { code, message } => write!(formatter, "herdr refused ({code}): {message}"),
        }
    }
}

impl std::error::Error for NoAnswer {}

/// Sends `method` with `params` to the server at `socket` and returns its `result`, within `limit`
/// in all.
///
/// # Errors
/// [`NoAnswer`]; unknown fields and error codes are not errors of reading.
pub fn ask(socket: &Path, method: &str, params: &Value, limit: Duration) -> Result<Value, NoAnswer> {
    let deadline = Instant::now() + limit;
    let mut stream = connect(socket, limit)?;
    send(&mut stream, method, params)?;
    parse(&read_line(stream, deadline)?)
}

/// Opens a connection on which neither connecting nor sending takes longer than `limit`: a server
/// that hangs with a full queue would hold a plain `connect` for ever.
///
/// # Errors
/// [`NoAnswer::NotRunning`] and [`NoAnswer::Broken`].
pub fn connect(socket: &Path, limit: Duration) -> Result<UnixStream, NoAnswer> {
    let nobody = [ErrorKind::NotFound, ErrorKind::ConnectionRefused];
    open(socket, limit).map_err(|error| {
        let error = std::io::Error::from(error);
        if nobody.contains(&error.kind()) { NoAnswer::NotRunning } else { NoAnswer::Broken(error) }
    })
}

fn open(socket: &Path, limit: Duration) -> rustix::io::Result<UnixStream> {
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, sockopt};
    let descriptor = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&descriptor, rustix::io::FdFlags::CLOEXEC)?;
    sockopt::set_socket_timeout(&descriptor, sockopt::Timeout::Send, Some(limit))?;
    rustix::net::connect(&descriptor, &SocketAddrUnix::new(socket)?)?;
    Ok(descriptor.into())
}

/// Writes one request.
pub(super) fn send(stream: &mut UnixStream, method: &str, params: &Value) -> Result<(), NoAnswer> {
    let mut request = serde_json::json!({"id": "mam", "method": method, "params": params}).to_string();
    request.push('\n');
    stream.write_all(request.as_bytes()).map_err(NoAnswer::Broken)
}

/// One line, byte by byte as it comes, so that a server that trickles cannot hold us past `deadline`.
pub(super) fn read_line(stream: UnixStream, deadline: Instant) -> Result<Vec<u8>, NoAnswer> {
    let mut line = Vec::new();
    let mut reader = BufReader::new(stream.take(ANSWER_LIMIT + 1));
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NoAnswer::Broken(ErrorKind::TimedOut.into()));
        }
        reader.get_ref().get_ref().set_read_timeout(Some(left)).map_err(NoAnswer::Broken)?;
        let (used, ended) = match reader.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                line.extend(bytes.iter().take(end.unwrap_or(bytes.len())));
                (end.map_or(bytes.len(), |end| end + 1), end.is_some())
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(NoAnswer::Broken(error)),
        };
        reader.consume(used);
        if ended {
            return Ok(line);
        }
    }
    let what = if line.is_empty() { "the server closed the connection" } else { "the line has no end" };
    Err(NoAnswer::Unreadable(what.to_owned()))
}

/// The `result` of an answer line.
///
/// # Errors
/// [`NoAnswer::Unreadable`] and [`NoAnswer::Refused`].
pub fn parse(line: &[u8]) -> Result<Value, NoAnswer> {
    let unreadable = |what: &str| NoAnswer::Unreadable(what.to_owned());
    let answer: Value =
        serde_json::from_slice(line).map_err(|error| NoAnswer::Unreadable(error.to_string()))?;
    let envelope = Object::of(&answer).map_err(|Odd| unreadable("it is no object"))?;
    let Some(error) = envelope.get("error") else {
        let result = envelope.get("result").cloned();
        return result.ok_or_else(|| unreadable("it holds neither a result nor an error"));
    };
    let refused = |error: Object<'_>| {
        let message = error.any_text("message")?.unwrap_or_default();
        Ok(NoAnswer::Refused { code: error.text("code")?, message })
    };
    let refused = Object::of(error).and_then(refused);
    Err(refused.unwrap_or_else(|Odd| unreadable("its error has an unknown form")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    /// A server that reads the request and sends `answer` in pieces of `piece` bytes.
    fn serve(
        answer: &'static [u8],
        piece: usize,
        pause: Duration,
    ) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = String::new();
            BufReader::new(stream.try_clone().unwrap()).read_line(&mut request).unwrap();
            for part in answer.chunks(piece) {
                if stream.write_all(part).is_err() {
                    return;
                }
                std::thread::sleep(pause);
            }
        });
        (dir, path)
    }

    #[test]
    fn answers_are_read_and_refusals_keep_their_code() {
        let (_dir, path) = serve(b"{\"id\":\"mam\",\"result\":{\"x\":1},\"new\":true}\n", 7, Duration::ZERO);
        let answer = ask(&path, "ping", &Value::Null, Duration::from_secs(10)).unwrap();
        assert_eq!(answer, serde_json::json!({"x": 1}));
        let (_dir, path) = serve(b"{\"error\":{\"code\":\"some_new_code\"}}\n", 99, Duration::ZERO);
        let error = ask(&path, "ping", &Value::Null, Duration::from_secs(10)).unwrap_err();
        assert!(matches!(error, NoAnswer::Refused { code, .. } if code == "some_new_code"));
    }

    #[test]
    fn an_answer_is_an_object_with_a_result_or_an_error() {
        let rows: &[(&str, &str)] = &[
            (r#"{"id":"mam","result":{"x":1}}"#, "ok {\"x\":1}"),
            (r#"{"result":[],"error":null}"#, "ok []"),
            (r#"{"result":"x"}"#, "ok \"x\""),
            (r#"{"error":{"code":"c","message":"m"}}"#, "refused c m"),
            (r#"{"result":{},"error":{"code":"c","new":[]}}"#, "refused c "),
            (r#"{"error":"c"}"#, "unreadable"),
            (r#"{"error":["c","m"]}"#, "unreadable"),
            (r#"{"error":{}}"#, "unreadable"),
            (r#"{"error":{"code":1}}"#, "unreadable"),
            (r#"{"error":{"code":"c","message":1}}"#, "unreadable"),
            (r#"{"error":false,"result":{}}"#, "unreadable"),
            (r#"{"id":"mam"}"#, "unreadable"),
            (r#"{"result":null}"#, "unreadable"),
            // By position, a struct of a result and an error.
            (r#"[{"panes":[]},null]"#, "unreadable"),
            (r"[]", "unreadable"),
            (r"null", "unreadable"),
            (r#""result""#, "unreadable"),
            (r#"{"result":{}} {"result":{}}"#, "unreadable"),
            (r#"{"result":{"#, "unreadable"),
            ("", "unreadable"),
        ];
        for (line, expected) in rows {
            let read = match parse(line.as_bytes()) {
                Ok(result) => format!("ok {result}"),
                Err(NoAnswer::Refused { code, message }) => format!("refused {code} {message}"),
                Err(NoAnswer::Unreadable(_)) => "unreadable".to_owned(),
                Err(error @ (NoAnswer::NotRunning | NoAnswer::Broken(_))) => panic!("{line}: {error}"),
            };
            assert_eq!(read, *expected, "{line}");
        }
        // As deep as nobody sends, and not UTF-8.
        let deep = [b"{\"result\":".as_slice(), &vec![b'['; 100_000]].concat();
        assert!(matches!(parse(&deep), Err(NoAnswer::Unreadable(_))));
        assert!(matches!(parse(b"{\"result\":\"\xff\"}"), Err(NoAnswer::Unreadable(_))));
    }

    #[test]
    fn half_a_line_a_slow_server_and_no_server_are_bounded_and_named() {
        let (_dir, path) = serve(b"{\"id\":", 99, Duration::ZERO);
        let half = ask(&path, "ping", &Value::Null, Duration::from_secs(10)).unwrap_err();
        assert!(matches!(half, NoAnswer::Unreadable(_)), "{half}");
        let (_dir, path) = serve(&[b' '; 1000], 1, Duration::from_millis(10));
        let started = Instant::now();
        let slow = ask(&path, "ping", &Value::Null, Duration::from_millis(200)).unwrap_err();
        assert!(matches!(slow, NoAnswer::Broken(_)), "{slow}");
        assert!(started.elapsed() < Duration::from_secs(5));
        let none =
            ask(Path::new("/nonexistent/s"), "ping", &Value::Null, Duration::from_secs(1)).unwrap_err();
        assert!(matches!(none, NoAnswer::NotRunning), "{none}");
    }
}
