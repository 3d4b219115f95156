//! `mam adopt`: a record for an agent that somebody started by hand.

use mam_share::exit::Exit;
use mam_share::herdr::places;
use mam_share::message::Warning;
use serde_json::json;

use super::{answer, answer_json};
use crate::context::Context;
use crate::session::arguments::Adopt;
use crate::session::record::Flags;
use crate::session::server::Server;
use crate::session::{adoption, table};
use crate::words::Trouble;

/// Runs the command.
///
/// # Errors
/// No agent of a known kind runs in the pane, or it is recorded already.
pub fn run(context: &Context, arguments: &Adopt, is_json: bool) -> Result<Exit, Trouble> {
    let kinds = table::kinds(context);
    let session = super::create::session(context, arguments.session.as_deref())?;
    let socket = places::socket(&context.environment, Some(&session));
    let server = Server::find(&socket, context.kernel()).map_err(|error| {
        let text = format!("herdr session `{session}` does not answer: {error}");
        Trouble::new("no-server", Exit::NoHerdr, text).hint("mam status")
    })?;
    let (pane, name) = (&arguments.pane, arguments.name.as_ref());
    let record = adoption::pane(context, &kinds, session.as_str(), &server, pane, name)?;
    context.note("adopt", "adopted", &format!("{} in {pane}", record.name));
    if record.flags == Flags::Unknown {
        let text = format!("the flags of `{}` are not known: the agent has overwritten them", record.name);
        context.warn(&Warning::new(text).hint("it is resumed only by its name, and without flags"));
    }
    if is_json {
        answer_json(&json!({
            "version": 1, "name": record.name.as_str(), "agent": record.agent, "pane": pane,
            "conversation": record.conversation, "flagsKnown": record.flags == Flags::Known,
        }))?;
    } else {
        answer(&format!("{}: {} in pane {pane}\n", record.name, record.agent))?;
    }
    Ok(Exit::Done)
}
