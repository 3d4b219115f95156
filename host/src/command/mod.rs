//! One file per verb: each looks, has it decided, says its target, and acts.

pub mod adopt;
pub mod attach;
pub mod create;
pub mod doctor;
pub mod env;
pub mod forget;
pub mod launch;
pub mod list;
pub mod notice;
pub mod profile;
pub mod reload;
pub mod rename;
pub mod restart;
pub mod resume;
pub mod run;
pub mod setup;
pub mod show;
pub mod start;
pub mod status;
pub mod stop;
pub mod stop_session;
pub mod unit;
pub mod why;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message;

use crate::context::Context;
use crate::decision::Owner;
use crate::gather::Whose;
use crate::observe::Look;

/// Says whom and what a verb is about, before it does anything.
pub fn tell(context: &Context, look: &Look) {
    for warning in &look.warnings {
        context.warn(warning);
    }
    let unit = match look.whose {
        Whose::Host => crate::unit::installed(context).map_or("none", |unit| unit.kind.name()),
        Whose::Own => "none",
    };
    let pid = match &look.owner {
        Owner::Process { pid, .. } => pid.to_string(),
        Owner::Nobody => "none".to_owned(),
        Owner::Stranger { pid } => {
            pid.map_or("a stranger's".to_owned(), |pid| format!("{pid} (a stranger's)"))
        }
        Owner::Unknowable { .. } => "unknown".to_owned(),
    };
    let (home, session) = (context.home.display(), &look.session);
    context.say(&format!("home `{home}`, session `{session}`, unit {unit}, pid {pid}"));
}

/// Prints the answer of a verb.
///
/// # Errors
/// stdout cannot be written, for another reason than a reader that went away.
pub fn answer(text: &str) -> Result<(), Failure> {
    message::answer(text.as_bytes())
        .map_err(|error| Failure::new(Exit::CannotWrite, format!("the answer cannot be written: {error}")))
}

/// Prints a value as one JSON document.
///
/// # Errors
/// As [`answer`].
pub fn answer_json(value: &serde_json::Value) -> Result<(), Failure> {
    answer(&format!("{value:#}\n"))
}
