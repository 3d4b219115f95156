//! Ending the agent of a session: only a process that is proved to be the recorded one.

use mam_share::exit::Exit;

use super::batch::is_alive;
use super::lease;
use super::name::RecordName;
use super::record::{Ended, SessionRecord, Status};
use super::store::SessionStore;
use crate::clock;
use crate::context::Context;
use crate::handle::{self, Ending};
use crate::words::{Trouble, mam};

/// How long `mam launch` may take to write down that its agent has ended.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// Ends the agent, with SIGTERM first. Whether there was one. The pane stays, with a shell.
///
/// # Errors
/// It does not end, or it runs and is not proved.
pub fn stop(context: &Context, record: &SessionRecord) -> Result<bool, Trouble> {
    let name = &record.name;
    let process = match &record.status {
        Status::Running { process } if is_alive(context, process) => process,
        Status::Running { .. } | Status::Launching { .. } | Status::Ended { .. } | Status::Failed { .. } => {
            return match lease::holder(&context.places.state, &context.profile, name) {
                Ok(Some(_)) => {
                    let text = format!(
                        "the agent of session `{name}` is just starting or ending; it was left alone"
                    );
                    Err(Trouble::new("unproven", Exit::TryAgain, text).hint("try again"))
                }
                Ok(None) | Err(_) => Ok(false),
            };
        }
    };
    let Some(started) = process.start else {
        let text = format!(
            "pid {} is not proved to be the agent of session `{name}`; it was left alone",
            process.pid
        );
        return Err(Trouble::new("unproven", Exit::TryAgain, text).hint(format!("kill {}", process.pid)));
    };
    match handle::end(context.kernel(), process.pid, started) {
        Ending::Gone | Ending::Another => {
            note_end(context, name);
            Ok(true)
        }
        Ending::StillThere(why) => {
            let text = format!("the agent of session `{name}` (pid {}) does not end: {why}", process.pid);
            Err(Trouble::new("still-there", Exit::TryAgain, text)
                .hint(format!("{} stop-session {name}", mam(&context.profile))))
        }
    }
}

/// `mam launch` writes how it ended. An agent without one ended unseen.
fn note_end(context: &Context, name: &RecordName) {
    let store = SessionStore::new(&context.home);
    let deadline = std::time::Instant::now() + PATIENCE;
    while std::time::Instant::now() < deadline {
        match store.read(name) {
            Ok(Some(record)) if matches!(record.status, Status::Running { .. }) => {}
            Ok(_) | Err(_) => return,
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // It cannot be written: `list` sees that the process is gone.
    drop(store.update(name, |record| {
        if matches!(record.status, Status::Running { .. }) {
            record.note_end(Ended::Unseen(()), &clock::utc(clock::now()));
        }
    }));
}
