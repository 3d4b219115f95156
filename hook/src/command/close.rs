//! `mam-restore-hook close`: closes leftovers because a person or a program asks.

use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::lock::Attempt;

use super::{Context, answer, no_answer};
use crate::arguments::Close;
use crate::closer::{Closer, Done};
use crate::gather::{Herdr, Pick};
use crate::journal::Journal;
use crate::life::Life;
use crate::report::Asked;
use crate::target::Target;
use crate::verdict::Question;
use crate::{plan, report};

/// How long shells that are still starting are waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long another closer of the same server is waited for.
const LOCK_PATIENCE: Duration = Duration::from_secs(130);

/// Runs the command. Nothing is called and nothing said for the default session, without a session,
/// and for an empty id.
///
/// # Errors
/// There is no such session, herdr does not answer, or another closer does not end.
pub fn run(context: &Context<'_>, arguments: &Close) -> Result<Exit, Failure> {
    let named = arguments.session_id.clone();
    if named.as_deref() == Some("") {
        return Ok(Exit::Done);
    }
    let Some(target) = context.session(arguments.session.as_deref())? else { return Ok(Exit::Done) };
    let herdr = context.server(&target)?;
    let asked = named.as_deref().map_or(Asked::Leftovers, Asked::Conversation);
    let nothing = report::nothing(&target.session, asked);
    let question = context.question(named.map(|id| [id].into()));
    if arguments.dry_run {
        return dry_run(&target, &herdr, &question, arguments.json, &nothing);
    }
    let _turn = turn(context, &herdr)?;
    let journal = Journal::new(context.places, target.session.as_str(), "close");
    let closer = Closer { herdr: &herdr, question, journal: &journal, patience: PATIENCE };
    let done: Vec<Done> = closer.run().map_err(|error| no_answer(&target, &error))?;
    done.iter().filter_map(report::line).for_each(|line| context.messages.say(&line));
    if arguments.json {
        answer(&format!("{:#}\n", report::closed_json(target.session.as_str(), &done)))?;
    } else if done.is_empty() {
        context.messages.say(&nothing);
    }
    Ok(Exit::Done)
}

fn dry_run(
    target: &Target,
    herdr: &Herdr<'_>,
    question: &Question,
    json: bool,
    nothing: &str,
) -> Result<Exit, Failure> {
    let named = question.named.as_ref();
    let facts = herdr
        .facts(&Pick::From(&|panes| plan::candidates_and_witnesses(panes, named)))
        .map_err(|error| no_answer(target, &error))?;
    let judged = plan::plan(&facts, question);
    if json {
        answer(&format!("{:#}\n", report::judged_json(target.session.as_str(), &judged)))?;
    } else {
        answer(&report::table(&judged, nothing))?;
    }
    Ok(Exit::Done)
}

/// The turn of one closer of a server: two would ask herdr to close the same panes.
fn turn(context: &Context<'_>, herdr: &Herdr<'_>) -> Result<mam_share::lock::Lock, Failure> {
    match Life::new(context.places, &herdr.server).close_lock(LOCK_PATIENCE) {
        Attempt::Held(lock) => Ok(lock),
        Attempt::Busy => {
            let text = "another mam-restore-hook is closing panes of this server and does not end";
            Err(Failure::new(Exit::TryAgain, text).hint("run this again"))
        }
        Attempt::Failed(error) => {
            let text = format!("mam's state directory cannot be used: {error}");
            Err(Failure::new(Exit::CannotWrite, text).hint("set MAM_STATE_DIR to a directory of yours"))
        }
    }
}
