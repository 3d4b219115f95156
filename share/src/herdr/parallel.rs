//! Many requests at once.
//!
//! herdr answers on its next loop turn, and everything that waits then in the same turn: fifty
//! requests on fifty connections take as long as one. No threads are needed for that: all requests
//! are sent before the first answer is read.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::socket::{NoAnswer, connect, parse, read_line, send};

/// The most connections that are open at a time: below the queue of 128 that a listening socket
/// usually has.
const AT_ONCE: usize = 100;

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// herdr's name of the method.
    pub method: &'static str,
    /// Its parameters.
    pub params: Value,
}

impl Request {
    /// A request of `method` with `params`.
    pub fn new(method: &'static str, params: Value) -> Self {
        Self { method, params }
    }
}

/// Sends all requests to the server at `socket` and returns their results in the same order, within
/// `limit` in all. `is_right` is asked with the number of each request and its connection, right before it
/// is sent. One that it refuses is not sent, and counts as no server: the one that was meant is gone and
/// another listens in its place.
pub fn ask_all(
    socket: &Path,
    requests: &[Request],
    limit: Duration,
    is_right: &dyn Fn(usize, &UnixStream) -> bool,
) -> Vec<Result<Value, NoAnswer>> {
    let deadline = Instant::now() + limit;
    let open = |(number, request): (usize, &Request)| {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NoAnswer::Broken(std::io::ErrorKind::TimedOut.into()));
        }
        let mut stream = connect(socket, left)?;
        if !is_right(number, &stream) {
            return Err(NoAnswer::NotRunning);
        }
        send(&mut stream, request.method, &request.params)?;
        Ok(stream)
    };
    let mut answers = Vec::with_capacity(requests.len());
    for (chunk, some) in requests.chunks(AT_ONCE).enumerate() {
        let streams: Vec<_> = (chunk * AT_ONCE..).zip(some).map(open).collect();
        answers.extend(streams.into_iter().map(|stream| parse(&read_line(stream?, deadline)?)));
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::os::unix::net::UnixListener;

    /// A server that answers nothing before `together` requests have come, then all, last first.
    fn serve(together: usize, rounds: usize) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        std::thread::spawn(move || {
            for _ in 0..rounds {
                let mut waiting = Vec::new();
                while waiting.len() < together {
                    let (stream, _) = listener.accept().unwrap();
                    let mut line = String::new();
                    BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
                    if line.is_empty() {
                        continue;
                    }
                    waiting.push((stream, serde_json::from_str::<Value>(&line).unwrap()));
                }
                for (mut stream, request) in waiting.into_iter().rev() {
                    let answer = serde_json::json!({"id": "mam", "result": request["params"]});
                    stream.write_all(format!("{answer}\n").as_bytes()).unwrap();
                }
            }
            // Whoever comes late still finds a server.
            listener.incoming().for_each(drop);
        });
        (dir, path)
    }

    fn numbered(count: usize) -> Vec<Request> {
        (0..count).map(|number| Request::new("x", serde_json::json!(number))).collect()
    }

    #[test]
    fn all_requests_wait_together_and_answers_keep_their_order() {
        let (_dir, path) = serve(50, 1);
        let answers = ask_all(&path, &numbered(50), Duration::from_secs(10), &|_, _| true);
        for (number, answer) in answers.into_iter().enumerate() {
            assert_eq!(answer.unwrap(), serde_json::json!(number));
        }
    }

    #[test]
    fn a_server_that_hangs_costs_the_limit_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let _listener = UnixListener::bind(&path).unwrap();
        let started = Instant::now();
        let answers = ask_all(&path, &numbered(300), Duration::from_millis(200), &|_, _| true);
        assert_eq!(answers.len(), 300);
        assert!(answers.iter().all(Result::is_err));
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    }

    #[test]
    fn another_server_in_the_same_place_is_not_asked() {
        let (_dir, path) = serve(1, 1);
        let answers = ask_all(&path, &numbered(1), Duration::from_secs(10), &|_, _| false);
        assert!(matches!(answers.as_slice(), [Err(NoAnswer::NotRunning)]));
    }

    #[test]
    fn a_request_that_is_refused_at_the_last_moment_is_not_sent_and_the_others_are() {
        let (_dir, path) = serve(AT_ONCE / 2, 2);
        let asked = std::cell::RefCell::new(Vec::new());
        let is_right = |number, _: &UnixStream| {
            asked.borrow_mut().push(number);
            number % 2 == 0
        };
        let answers = ask_all(&path, &numbered(2 * AT_ONCE), Duration::from_secs(10), &is_right);
        assert_eq!(*asked.borrow(), (0..2 * AT_ONCE).collect::<Vec<_>>());
        for (number, answer) in answers.into_iter().enumerate() {
            assert_eq!(answer.ok(), (number % 2 == 0).then(|| serde_json::json!(number)));
        }
    }
}
