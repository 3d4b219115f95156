//! `mam rename`: gives a recorded agent another name.

use mam_share::exit::Exit;

use super::answer;
use crate::context::Context;
use crate::session::arguments::Rename;
use crate::session::lease;
use crate::session::store::SessionStore;
use crate::words::{Trouble, mam};

/// Runs the command.
///
/// # Errors
/// There is no such record, the new name is taken, or its agent runs: the lease goes by the name.
pub fn run(context: &Context, rename: &Rename) -> Result<Exit, Trouble> {
    let Rename { name, new } = rename;
    super::show::read(context, name)?;
    if let Ok(Some(_)) = lease::holder(&context.places.state, &context.profile, name) {
        let text = format!("session `{name}` runs under this name; it keeps it");
        let verb = mam(&context.profile);
        return Err(Trouble::new("runs", Exit::TryAgain, text)
            .hint(format!("{verb} stop-session {name}, then {verb} rename {name} {new}")));
    }
    SessionStore::new(&context.home).rename(name, new).map_err(|error| error.failure())?;
    context.note("rename", "renamed", &format!("{name} to {new}"));
    answer(&format!("{name} is {new} now\n"))?;
    Ok(Exit::Done)
}
