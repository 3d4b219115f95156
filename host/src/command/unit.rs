//! `mam unit`: the host under a supervisor.

use mam_share::exit::Exit;
use mam_share::failure::Failure;

use super::answer;
use crate::arguments::Unit;
use crate::context::Context;
use crate::supervisor::Kind;
use crate::unit::{self, install};
use crate::words::Trouble;

/// Runs the command.
///
/// # Errors
/// What cannot be written, or is not installed.
pub fn run(context: &Context, command: &Unit) -> Result<Exit, Trouble> {
    match command {
        Unit::Print { kind } => print(context, *kind)?,
        Unit::Install { kind, directory } => {
            super::tell(context, &context.look());
            if let Some(other) = unit::installed(context).filter(|other| other.kind != *kind) {
                let text = format!("a {} unit is installed already", other.kind.name());
                return Err(Trouble::new("other-unit", Exit::NeedsChange, text)
                    .hint(format!("mam unit uninstall {}", other.kind.name())));
            }
            let unit = install::now(context, *kind, directory.as_deref())?;
            unit.install(context)?;
            context.note("unit", "installed", &format!("{}: {}", kind.name(), unit.directory.display()));
            answer(&format!("{}\n", unit.directory.display()))?;
            context.say(&format!(
                "{}; the host that may run is left alone: mam restart --all moves it there",
                next(*kind)
            ));
        }
        Unit::Uninstall { kind } => {
            super::tell(context, &context.look());
            let unit = unit::installed(context)
                .filter(|unit| unit.kind == *kind)
                .ok_or_else(|| Failure::new(Exit::No, format!("no {} unit is installed", kind.name())))?;
            unit.uninstall(context)?;
            context.note("unit", "uninstalled", kind.name());
            context.say(&format!("the {} unit is gone; the host that may run is left alone", kind.name()));
        }
    }
    Ok(Exit::Done)
}

/// What a person does next, so that the supervisor takes the unit up.
fn next(kind: Kind) -> &'static str {
    match kind {
        Kind::Systemd => "systemd starts it at the next login, or now: mam start",
        Kind::S6 => "s6 takes it up when it scans: s6-svscanctl -a SCANDIR; then: mam start",
        Kind::Runit => "runit takes it up within five seconds; then: mam start",
        Kind::Launchd => "launchd starts it at the next login, or now: mam start",
    }
}

fn print(context: &Context, kind: Kind) -> Result<(), Failure> {
    // Where it would go does not matter for what is in it.
    let unit = install::now(context, kind, Some(std::path::Path::new(".")))?;
    let files = kind.files(&unit.program, &unit.variables);
    let is_one = files.len() == 1;
    for file in &files {
        if !is_one {
            answer(&format!("# {}\n", file.name))?;
        }
        answer(&file.text)?;
    }
    Ok(())
}
