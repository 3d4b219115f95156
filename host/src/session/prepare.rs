//! What must hold before a recorded agent is launched: nothing is started when it does not.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use mam_share::exit::Exit;

use super::name::RecordName;
use super::record::{SessionRecord, Source};
use crate::context::Context;
use crate::dot_env::{self, Entries};
use crate::words::{Trouble, mam};

/// The caller's and the profile's variables, from which references get their values.
pub struct Values<'a> {
    context: &'a Context,
    /// Whether the caller's environment is a user's, and not the server's.
    is_attended: bool,
    dot_env: Entries,
}

impl<'a> Values<'a> {
    /// Reads the profile's `.env`.
    pub fn new(context: &'a Context, is_attended: bool) -> Self {
        let (dot_env, warnings) = dot_env::load(&context.home);
        context.messages().warn_all(&warnings);
        Self { context, is_attended, dot_env }
    }

    fn of_caller(&self, name: &str) -> Option<OsString> {
        let mut variables = self.context.environment.variables().filter(|_| self.is_attended);
        variables.find(|(own, _)| *own == name).map(|(_, value)| value.to_owned())
    }

    /// The values that have to be handed to the pane: those of references that the caller has. What only
    /// the profile's `.env` has, `mam launch` reads itself.
    ///
    /// # Errors
    /// A reference that nobody has a value for.
    pub fn of(&self, record: &SessionRecord) -> Result<Vec<(String, String)>, Trouble> {
        let mut values = Vec::new();
        for variable in &record.environment {
            match variable.source {
                Source::Reference { .. } => {}
                Source::Stored { .. } | Source::Noted => continue,
            }
            let name = &variable.name;
            let is_in_file = self.dot_env.iter().any(|(own, _)| own == name);
            match self.of_caller(name).map(OsString::into_string) {
                Some(Ok(value)) => values.push((name.clone(), value)),
                Some(Err(_)) | None if is_in_file => {}
                Some(Err(_)) => {
                    let text = format!(
                        "the value of `{name}` for session `{}` is not UTF-8, which herdr cannot hand over; nothing was started",
                        record.name
                    );
                    return Err(Trouble::new("variable", Exit::NeedsChange, text));
                }
                None => return Err(self.missing(&record.name, name)),
            }
        }
        Ok(values)
    }

    fn missing(&self, session: &RecordName, name: &str) -> Trouble {
        let file = self.context.home.join(".env");
        let caller = if self.is_attended { "neither in your environment nor" } else { "not" };
        let text = format!(
            "session `{session}` needs the variable `{name}`, which is {caller} in `{}`; nothing was started",
            file.display()
        );
        let verb = format!("{} resume {session}", mam(&self.context.profile));
        Trouble::new("variable", Exit::NeedsChange, text).hint(format!("{name}=… {verb}"))
    }
}

/// The directory of a launch: the given one, else the recorded one.
///
/// # Errors
/// There is none at that path.
pub fn directory(
    context: &Context,
    record: &SessionRecord,
    given: Option<&Path>,
) -> Result<PathBuf, Trouble> {
    let (path, name) = (given.unwrap_or(&record.cwd), &record.name);
    let path = context.environment.absolute(path);
    if path.is_dir() {
        return Ok(path);
    }
    let text = format!("the directory `{}` of session `{name}` is gone; nothing was started", path.display());
    let verb = format!("{} resume {name} --cwd DIR", mam(&context.profile));
    Err(Trouble::new("no-directory", Exit::NeedsChange, text).hint(verb))
}
