//! Leftovers of resumed sessions: proved and closed by the hook, whose words these are.

use std::time::Duration;

use mam_hook::closer::{Closer, Done, Outcome};
use mam_hook::gather::{Herdr, Pick};
use mam_hook::journal::Journal;
use mam_hook::life::Life;
use mam_hook::verdict::{Named, Verdict};
use mam_hook::{plan, report};
use mam_share::herdr::session_name::SessionName;
use mam_share::lock::Attempt;
use mam_share::message::Warning;

use super::server::Server;
use super::survey::question;
use crate::context::Context;

/// How long shells that are still starting are waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long another closer of the same server is waited for.
const LOCK_PATIENCE: Duration = Duration::from_secs(130);

/// Closes the restored shells of the conversations `named`, as far as they are proved to be idle; how many
/// were closed. Says what became of each. Nothing depends on it: what stays is an empty shell.
pub fn close(context: &Context, session: &SessionName, server: &Server<'_>, named: Named) -> usize {
    if named.is_empty() {
        return 0;
    }
    let Ok(herdr) = Herdr::find(&server.socket, context.kernel()) else {
        context.step("this system does not say who listens on a socket: restored shells stay");
        return 0;
    };
    if herdr.panes().is_ok_and(|panes| plan::candidates(&panes, Some(&named)).is_empty()) {
        return 0;
    }
    let life = Life::new(&context.places, &herdr.server);
    let Attempt::Held(_turn) = life.close_lock(LOCK_PATIENCE) else {
        context.warn(&Warning::new("restored shells stay: somebody else closes panes, for very long"));
        return 0;
    };
    let journal = Journal::new(&context.places, session.as_str(), "resume");
    let question = question(context, Some(named));
    let closer = Closer { herdr: &herdr, question, journal: &journal, patience: PATIENCE };
    match closer.run() {
        Ok(done) => {
            done.iter().filter_map(report::line).for_each(|line| context.say(&line));
            done.iter().filter(|done| is_closed(done)).count()
        }
        Err(error) => {
            context.warn(&Warning::new(format!("restored shells stay: {error}")));
            0
        }
    }
}

fn is_closed(done: &Done) -> bool {
    matches!(done.outcome, Outcome::Closed(_) | Outcome::Gone)
}

/// How many leftovers a server has; `None` when it does not say.
pub fn count(context: &Context, server: &Server<'_>) -> Option<usize> {
    let herdr = Herdr::find(&server.socket, context.kernel()).ok()?;
    let facts = herdr.facts(&Pick::From(&|panes| plan::candidates_and_witnesses(panes, None))).ok()?;
    let judged = plan::plan(&facts, &question(context, None));
    Some(judged.iter().filter(|judged| matches!(judged.verdict, Verdict::Close(_))).count())
}
