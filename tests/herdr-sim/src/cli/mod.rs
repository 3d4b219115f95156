//! The command line: what herdr calls its verbs and how it answers them.

mod api;
mod attach;
mod config;
mod integration;
mod options;
mod plugin;
mod session;
mod sim;
mod verbs;

use std::io::Write as _;
use std::process::ExitCode;

use crate::env;
use crate::paths::Session;

/// How a verb ended.
pub(crate) type Exit = Result<u8, String>;

/// Writes an answer to stdout; a reader that went away is no error.
pub(crate) fn say(text: &str) {
    drop(writeln!(std::io::stdout(), "{text}"));
}

/// Writes a complaint to stderr.
pub(crate) fn complain(text: &str) {
    drop(writeln!(std::io::stderr(), "{text}"));
}

/// Prints how a verb is used; its exit code is 2.
pub(crate) fn usage(text: &str) -> Exit {
    complain(&format!("usage: herdr {text}"));
    Ok(2)
}

/// Runs the program on the arguments of the process.
pub(crate) fn run() -> ExitCode {
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let (session, args) = match split_session(args) {
        Ok(split) => split,
        Err(message) => {
            complain(&format!("error: {message}"));
            return ExitCode::from(2);
        }
    };
    match dispatch(session, &args) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

/// Takes `--session` out of the arguments, wherever it stands before `--`.
fn split_session(args: Vec<String>) -> Result<(Session, Vec<String>), String> {
    let mut explicit = None;
    let mut kept = Vec::new();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            kept.push(arg);
            kept.extend(args.by_ref());
        } else if arg == "--session" {
            explicit = Some(args.next().ok_or("missing value for --session")?);
        } else if let Some(name) = arg.strip_prefix("--session=") {
            explicit = Some(name.to_owned());
        } else {
            kept.push(arg);
        }
    }
    if let [group, verb, name] = kept.as_slice()
        && group == "session"
        && verb == "attach"
    {
        explicit = Some(name.clone());
    }
    Ok((Session::choose(explicit.as_deref())?, kept))
}

fn dispatch(session: Session, args: &[String]) -> Exit {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--version" | "-V"] => {
            say(&format!("herdr {}", env::version()));
            Ok(0)
        }
        ["config", rest @ ..] => config::run(rest),
        ["integration", rest @ ..] => integration::run(rest),
        ["channel", rest @ ..] => config::channel(rest),
        ["sim", rest @ ..] => sim::run(rest),
        [] | ["session", "attach", _] => attach::run(&session),
        ["session", rest @ ..] => session::run(rest),
        ["server", rest @ ..] => session::server(session, rest),
        ["status", ..] => session::status(&session),
        ["plugin", rest @ ..] => plugin::run(&session, rest),
        [group, rest @ ..] => verbs::run(&session, group, rest).unwrap_or_else(|| {
            complain(&format!("unknown command: {group}"));
            Ok(2)
        }),
    }
}
