//! `mam reload`: the overlay is rendered, and the server reads it.

use std::path::Path;
use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::herdr::socket::{self, NoAnswer};
use mam_share::message::harmless;
use serde_json::{Value, json};

use super::answer;
use crate::context::Context;
use crate::decision::Owner;
use crate::gather::Whose;
use crate::launch;
use crate::observe::Look;
use crate::seat::Seat;
use crate::words::{self, Trouble};

/// How long a server may take. It answers within 5 s or gives up.
const LIMIT: Duration = Duration::from_secs(6);

/// Runs the command.
///
/// # Errors
/// No safe overlay; a host that is not ours, or that keeps its old config.
pub fn run(context: &Context) -> Result<Exit, Trouble> {
    let seat = context.seat()?;
    let look = context.look_at(seat);
    super::tell(context, &look);
    let overlay = launch::overlay(context, seat)?;
    answer(&format!("{}\n", overlay.display()))?;
    match &look.owner {
        Owner::Process { pid, is_proven: true, .. } => reload(context, seat, &look, *pid, &overlay),
        Owner::Process { pid, is_proven: false, .. } => Err(crate::ending::unproven(*pid)),
        Owner::Stranger { pid } => {
            let refusal = crate::decision::Refusal::Stranger { pid: *pid };
            Err(words::refusal(&refusal, &context.profile, &look.session))
        }
        Owner::Nobody | Owner::Unknowable { .. } => {
            context.say(&format!("{} does not run; the next one starts with the overlay", seat.server()));
            Ok(Exit::Done)
        }
    }
}

fn reload(context: &Context, seat: &Seat, look: &Look, pid: u32, overlay: &Path) -> Result<Exit, Trouble> {
    let recorded = look.record.as_ref();
    let path = recorded.and_then(|record| record.socket.clone()).unwrap_or_else(|| seat.socket.clone());
    let (server, mam) = (seat.server(), words::mam(&context.profile));
    let restart = match seat.whose {
        Whose::Host => format!("{mam} restart --all"),
        Whose::Own => format!("{mam} restart"),
    };
    let kept = |why: String| {
        Trouble::new("not-reloaded", Exit::No, format!("{server} (pid {pid}) keeps its old config: {why}"))
            .hint(restart.clone())
    };
    if recorded.and_then(|record| record.overlay.as_deref()).is_some_and(|theirs| theirs != overlay) {
        return Err(kept("it was started on another overlay".to_owned()));
    }
    match socket::ask(&path, "server.reload_config", &json!({}), LIMIT) {
        Ok(answer) if answer.get("status").and_then(Value::as_str) == Some("failed") => {
            Err(kept(harmless(&answer.to_string())))
        }
        Ok(_) => {
            context.say(&format!("{server} (pid {pid}) has read its config again"));
            Ok(Exit::Done)
        }
        Err(NoAnswer::NotRunning) => Err(kept("it does not listen".to_owned())),
        Err(error) => Err(kept(error.to_string())),
    }
}
