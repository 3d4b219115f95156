//! Decisions in words: what happened, and what to type.

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::session_name::SessionName;

use crate::decision::{Refusal, Waiting};
use crate::profile::ProfileName;

/// A failure with the code of its reason, for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The reason's code.
    pub reason: &'static str,
    /// What is said.
    pub failure: Failure,
}

impl Trouble {
    /// A failure for this reason.
    pub fn new(reason: &'static str, exit: Exit, message: impl Into<String>) -> Self {
        Self { reason, failure: Failure::new(exit, message) }
    }

    /// The same with one more hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.failure = self.failure.hint(hint);
        self
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        let reason = match failure.exit {
            Exit::Done => "done",
            Exit::No => "no",
            Exit::Usage => "usage",
            Exit::BadInput => "bad-input",
            Exit::NoHerdr => "no-herdr",
            Exit::CannotWrite => "cannot-write",
            Exit::TryAgain => "try-again",
            Exit::NotPermitted => "not-permitted",
            Exit::NeedsChange => "needs-change",
        };
        Self { reason, failure }
    }
}

/// Whose command it is, in a command to type: `mam`, or `mam -p ops`.
pub fn mam(profile: &ProfileName) -> String {
    if profile.is_root() { "mam".to_owned() } else { format!("mam -p {profile}") }
}

/// A profile whose own server can have no session of its own.
pub fn no_session(host: &SessionName, profile: &ProfileName) -> Trouble {
    let text = format!("`{host}-{profile}`, the session of the profile's own server, is too long");
    Trouble::new("session-name", Exit::NeedsChange, text)
        .hint("give the host a shorter session name: [host] session in mam's config.toml")
}

/// What a `mam run` in the background said before it ended with `code`. Its own failure is passed on as it
/// is; what herdr said is shown.
pub fn not_started(code: i32, output: &str) -> Trouble {
    let exit = [Exit::NoHerdr, Exit::CannotWrite, Exit::TryAgain, Exit::NotPermitted, Exit::NeedsChange]
        .into_iter()
        .find(|exit| i32::from(*exit as u8) == code)
        .unwrap_or(Exit::No);
    let failure = format!("\n{output}");
    if let Some((_, said)) = failure.rsplit_once("\nmam: error: ") {
        let (hints, lines): (Vec<&str>, Vec<&str>) =
            said.lines().partition(|line| line.starts_with("hint: "));
        let trouble = Trouble::new("not-started", exit, lines.join("\n"));
        let hints = hints.into_iter().filter_map(|hint| hint.strip_prefix("hint: "));
        return hints.fold(trouble, Trouble::hint);
    }
    let said = if output.is_empty() { "it said nothing".to_owned() } else { format!("it said\n{output}") };
    Trouble::new("not-started", exit, format!("herdr's server ended with exit code {code}; {said}"))
        .hint("mam -v run shows each step, in the foreground")
}

/// Why a run is refused.
pub fn refusal(refusal: &Refusal, profile: &ProfileName, session: &SessionName) -> Trouble {
    let refuse = |reason, text: String| Trouble::new(reason, Exit::NeedsChange, text);
    match refusal {
        Refusal::Stranger { pid } => {
            let who = pid.map_or("a process that cannot be named".to_owned(), |pid| format!("pid {pid}"));
            let text = format!(
                "a herdr server that mam did not start runs on session `{session}` ({who}); mam's cannot start beside it"
            );
            refuse("stranger", text)
                .hint(format!("stop it: herdr --session {session} server stop; then: {} start", mam(profile)))
                .hint("or give the host another session: [host] session = \"…\" in mam's config.toml")
        }
        Refusal::Excluded { pid } => {
            let text =
                format!("the host (pid {pid}) does not serve profile `{profile}`: its config excludes it");
            refuse("excluded", text)
                .hint(format!("take `{profile}` out of [host] exclude in the root's config.toml; then: mam -p {profile} start"))
                .hint("or give it a server of its own: [host] standalone = true in its own config.toml")
        }
        Refusal::Parked { pid } => {
            let text = format!("profile `{profile}` is parked: the host (pid {pid}) must not serve it");
            refuse("parked", text).hint(format!("{} start", mam(profile)))
        }
        Refusal::NotServed { pid } => {
            let text = format!(
                "--replace: the host (pid {pid}) does not serve profile `{profile}`, and is not this profile's to replace"
            );
            refuse("not-served", text)
                .hint(format!("{} start", mam(profile)))
                .hint("to restart the host for everybody: mam restart --all")
        }
    }
}

/// What is waited for.
pub fn waiting(waiting: &Waiting, profile: &ProfileName, session: &SessionName) -> Trouble {
    let wait = |reason, text: String| Trouble::new(reason, Exit::TryAgain, text);
    match waiting {
        Waiting::SetUnknown { pid } => wait(
            "set-unknown",
            format!("pid {pid} owns the host, and does not say whom it serves; it is left alone"),
        )
        .hint("try again: mam status")
        .hint(format!("if it hangs, end it yourself: kill {pid}; then: {} start", mam(profile))),
        Waiting::StillServed { pid } => wait(
            "still-served",
            format!("profile `{profile}` is standalone, and the host (pid {pid}) still serves it"),
        )
        .hint(format!("{0} stop, then {0} start", mam(profile))),
        Waiting::Unknowable { reason } => wait(
            "unknowable",
            format!("nobody can tell whether session `{session}` has a host: {reason}; nothing was started"),
        )
        .hint("make the state directory usable, or name another: MAM_STATE_DIR"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_in_the_background_is_passed_on_as_it_is() {
        let output = "mam: warning: odd\nmam: error: no\nnot at all\nhint: mend it\nhint: or not";
        let trouble = not_started(78, output);
        assert_eq!((trouble.reason, trouble.failure.exit), ("not-started", Exit::NeedsChange));
        assert_eq!(trouble.failure.message, "no\nnot at all");
        assert_eq!(trouble.failure.hints, ["mend it", "or not"]);
        let herdrs = not_started(101, "panic!\nat the disco");
        assert_eq!(herdrs.failure.exit, Exit::No);
        assert!(herdrs.failure.message.ends_with("exit code 101; it said\npanic!\nat the disco"));
        assert!(not_started(1, "").failure.message.ends_with("it said nothing"));
    }

    #[test]
    fn every_refusal_says_what_to_type() {
        let (profile, session) = ("ops".parse().unwrap(), "mam".parse().unwrap());
        for case in [
            Refusal::Stranger { pid: Some(7) },
            Refusal::Excluded { pid: 7 },
            Refusal::Parked { pid: 7 },
            Refusal::NotServed { pid: 7 },
        ] {
            let trouble = refusal(&case, &profile, &session);
            assert_eq!(trouble.failure.exit, Exit::NeedsChange);
            assert!(trouble.failure.message.contains('7'));
            assert!(
                trouble.failure.hints.iter().any(|hint| hint.contains("mam -p ops start")),
                "{trouble:?}"
            );
        }
        for case in [
            Waiting::SetUnknown { pid: 7 },
            Waiting::StillServed { pid: 7 },
            Waiting::Unknowable { reason: "no".to_owned() },
        ] {
            let trouble = waiting(&case, &profile, &session);
            assert_eq!(trouble.failure.exit, Exit::TryAgain);
            assert!(!trouble.failure.hints.is_empty());
        }
    }
}
