//! `mam-restore-hook list`: every restored shell, its verdict and the reason.

use mam_share::exit::Exit;
use mam_share::failure::Failure;

use super::{Context, answer, no_answer};
use crate::arguments::List;
use crate::gather::Pick;
use crate::report::Asked;
use crate::{plan, report};

/// Runs the command. Nothing is said for the default session and without a session.
///
/// # Errors
/// There is no such session, or herdr does not answer.
pub fn run(context: &Context<'_>, arguments: &List) -> Result<Exit, Failure> {
    let Some(target) = context.session(arguments.session.as_deref())? else { return Ok(Exit::Done) };
    let herdr = context.server(&target)?;
    let facts =
        herdr.facts(&Pick::From(&plan::idle_and_witnesses)).map_err(|error| no_answer(&target, &error))?;
    let judged = plan::plan(&facts, &context.question(None));
    if arguments.json {
        answer(&format!("{:#}\n", report::judged_json(target.session.as_str(), &judged)))?;
    } else {
        answer(&report::table(&judged, &report::nothing(&target.session, Asked::Restored)))?;
    }
    Ok(Exit::Done)
}
