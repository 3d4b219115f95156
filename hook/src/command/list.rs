//! `mam-restore-hook list`: every restored shell, its verdict and the reason.

use mam_share::exit::Exit;
use mam_share::failure::Failure;

use super::{Context, answer, no_answer};
use crate::arguments::List;
use crate::gather::Pick;
use crate::{plan, report, target};

/// Runs the command. Nothing is said for the default session and without a session.
///
/// # Errors
/// There is no such session, or herdr does not answer.
pub fn run(context: &Context<'_>, arguments: &List) -> Result<Exit, Failure> {
    let target = target::named(arguments.session.as_deref(), context.environment)?;
    let Some(target) = target.filter(|target| !target.is_default_session(context.environment)) else {
        return Ok(Exit::Done);
    };
    let herdr = context.server(&target)?;
    let facts =
        herdr.facts(&Pick::From(&plan::idle_and_witnesses)).map_err(|error| no_answer(&target, &error))?;
    let judged = plan::plan(&facts, &context.question(None));
    if arguments.json {
        answer(&format!("{:#}\n", report::judged_json(target.session.as_str(), &judged)))?;
    } else if judged.is_empty() {
        answer(&format!("session `{}` has no restored shells\n", target.session))?;
    } else {
        answer(&report::table(&judged))?;
    }
    Ok(Exit::Done)
}
