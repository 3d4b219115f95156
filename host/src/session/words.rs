//! What is said when an agent cannot be launched: what happened, where, and what to type.

use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::herdr::socket::NoAnswer;

use super::live::Running;
use super::name::RecordName;
use super::record::Ended;
use super::state::ending;
use crate::words::Trouble;

/// Its pane could not be opened.
pub fn not_opened(name: &RecordName, error: &NoAnswer) -> Trouble {
    let text = format!("no pane was opened for session `{name}`: {error}");
    match error {
        NoAnswer::Refused { code, .. } if code == "plugin_disabled" => {
            Trouble::new("plugin", Exit::NeedsChange, text).hint("herdr plugin enable mam")
        }
        NoAnswer::Refused { code, .. } if code.starts_with("plugin") => {
            Trouble::new("plugin", Exit::NeedsChange, text).hint("mam-restore-hook install")
        }
        NoAnswer::NotRunning => Trouble::new("no-server", Exit::TryAgain, text).hint("mam start"),
        NoAnswer::Broken(_) | NoAnswer::Unreadable(_) | NoAnswer::Refused { .. } => {
            Trouble::new("not-opened", Exit::TryAgain, text).hint("mam status")
        }
    }
}

/// The agent does not run after this time, and nothing says why.
pub fn no_agent(name: &RecordName, pane: &str, patience: Duration) -> Trouble {
    let seconds = patience.as_secs();
    let text = format!("the agent of session `{name}` does not run in pane {pane} after {seconds} s");
    Trouble::new("no-agent", Exit::TryAgain, text).hint(format!("look at pane {pane}; mam show {name}"))
}

/// The record went away.
pub fn gone(name: &RecordName) -> Trouble {
    let text = format!("the record of session `{name}` is gone; its pane was left alone");
    Trouble::new("gone", Exit::No, text).hint("mam list")
}

/// The agent ended as soon as it ran.
pub fn ended_at_once(name: &RecordName, how: Ended, pane: &str) -> Trouble {
    let text = format!("the agent of session `{name}` did not stay: {}", ending(how));
    Trouble::new("ended", Exit::No, text)
        .hint(format!("pane {pane} shows what it said; then: mam resume {name}"))
}

/// The agent could not be started.
pub fn not_started(name: &RecordName, reason: &str, pane: &str) -> Trouble {
    let text = format!("the agent of session `{name}` did not start: {reason}");
    Trouble::new("failed", Exit::NeedsChange, text)
        .hint(format!("mend that; then: mam resume {name} (pane {pane} is a shell)"))
}

/// The pane closed before the agent ran.
pub fn pane_closed(name: &RecordName) -> Trouble {
    let text = format!("the pane of session `{name}` closed before its agent ran");
    Trouble::new("pane-closed", Exit::TryAgain, text).hint("mam why").hint(format!("mam resume {name}"))
}

/// Its conversation runs already.
pub fn runs(name: &RecordName, running: &Running) -> Trouble {
    let pid = running.pid.map_or(String::new(), |pid| format!(", pid {pid}"));
    let text = format!("session `{name}` runs already: {}{pid}; nothing was started", running.place);
    Trouble::new("runs", Exit::TryAgain, text).hint(format!("mam show {name}"))
}
