//! The table of agents, as it is in force: mam's own with the user's additions.

use super::kinds::Kinds;
use crate::context::Context;

/// The kinds of agents; what is odd about the user's is said.
pub fn kinds(context: &Context) -> Kinds {
    let (kinds, warnings) = Kinds::load(&context.settings.agents, &context.places.settings());
    context.messages().warn_all(&warnings);
    kinds
}
