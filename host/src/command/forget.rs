//! `mam forget`: removes a record. An agent that runs is left alone, and so is its conversation.

use mam_share::exit::Exit;

use super::answer;
use crate::context::Context;
use crate::session::name::RecordName;
use crate::session::standing::Watch;
use crate::session::state::State;
use crate::session::store::SessionStore;
use crate::session::{quote, table};
use crate::words::{Trouble, mam};

/// Runs the command.
///
/// # Errors
/// There is no such record, or its agent runs.
pub fn run(context: &Context, name: &RecordName) -> Result<Exit, Trouble> {
    let kinds = table::kinds(context);
    let record = super::show::read(context, name)?;
    let now = Watch::new(context, &kinds).now(&record);
    if now.state == State::Running {
        let text = format!("session `{name}` runs ({}); its record stays", now.reason);
        let verb = mam(&context.profile);
        return Err(Trouble::new("runs", Exit::TryAgain, text)
            .hint(format!("{verb} stop-session {name}, then {verb} forget {name}")));
    }
    SessionStore::new(&context.home).remove(name).map_err(|error| error.failure())?;
    context.note("forget", "forgotten", name.as_str());
    answer(&format!("{name}: forgotten\n"))?;
    if let Some(conversation) = &record.conversation {
        let value = quote::word(&conversation.value);
        context.say(&format!("its conversation stays with {}: {value}", conversation.agent));
    }
    Ok(Exit::Done)
}
