//! `mam-render-config exec -- herdr …`: herdr on the overlay, where it belongs. What would start the host,
//! or be a client of it, `mam` does where it is installed.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::herdr::binary::{self, Binary};
use mam_share::herdr::invocation::{self, Target};
use mam_share::herdr::places;
use mam_share::message::Warning;
use mam_share::profile::ProfileName;
use mam_share::settings::Settings;
use mam_share::sibling;
use mam_share::variable::HERDR_CONFIG_PATH;

use super::{Context, render};
use crate::arguments::{Scope, Selection};
use crate::hosted;
use crate::record::Rendering;
use crate::renderer::{Outcome, Renderer};
use crate::safe::{self, Trusted};
use crate::verdict::Verdict;

/// Runs the command; returns only when herdr could not be started. Options that say how to render are
/// for herdr alone, and so is a herdr that is not the one on `PATH`: `mam` could not heed them.
///
/// # Errors
/// No herdr (69), or an overlay that would not keep restore off (78).
pub fn run(
    context: &Context<'_>,
    selection: &Selection,
    scope: Scope,
    command: &[OsString],
) -> Result<Exit, Failure> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Failure::new(Exit::Usage, "no program to run"));
    };
    let (path, _) = binary::find(Path::new(program), context.environment).ok_or_else(|| {
        let text = format!("`{}` is not a program that can be run", Path::new(program).display());
        Failure::new(Exit::NoHerdr, text)
            .hint("install herdr, or give its path: `mam-render-config exec -- /path/to/herdr`")
    })?;
    let mut herdr = Command::new(&path);
    herdr.arg0(program).args(arguments);
    let (settings, warnings) = Settings::load(&context.places.settings());
    let is_standalone = |profile: &ProfileName| hosted::is_standalone(profile, context.places);
    if *selection == Selection::default() && is_the_herdr(&path, context.environment) {
        let verb = hosted::verb(arguments, context.environment, &settings, &is_standalone);
        if let Some((mam, verb)) = sibling::beside("mam").zip(verb) {
            let error = Command::new(&mam).arg0("mam").args(verb).exec();
            let text = format!("`{}` cannot be run: {error}; herdr is started without it", mam.display());
            context.messages.warn(&Warning::new(text).hint("install mam anew"));
        }
    }
    let is_own = || hosted::server(arguments, context.environment, &settings, &is_standalone).is_some();
    if is_ours(scope, arguments, context.environment, &settings) || is_own() {
        let selection = Selection {
            // The herdr that is about to read the overlay is the one to ask.
            herdr: selection.herdr.clone().or(Some(path.clone())),
            config: selection.config.clone(),
            output: selection.output.clone(),
            assignments: selection.assignments.clone(),
            no_herdr_check: selection.no_herdr_check,
        };
        let trusted = if invocation::may_start(arguments) { Trusted::AskedNow } else { Trusted::Remembered };
        herdr.env(HERDR_CONFIG_PATH.name, prepare(context, &selection, trusted)?);
    } else {
        // A name that was misspelt there may be why this call is not ours.
        context.messages.warn_all(&warnings);
    }
    let error = herdr.exec();
    Err(Failure::new(Exit::NoHerdr, format!("`{}` cannot be run: {error}", path.display())))
}

/// Whether this is the herdr that `mam` finds, too.
fn is_the_herdr(path: &Path, environment: &Environment) -> bool {
    let found = binary::find(Path::new("herdr"), environment);
    found.is_some_and(|(_, found)| Some(found) == Binary::at(path))
}

/// Whether a herdr command line gets the overlay. `--scope all` means all; otherwise it has to be for
/// one of mam's sessions, by name or by socket.
pub fn is_ours(scope: Scope, arguments: &[OsString], environment: &Environment, settings: &Settings) -> bool {
    match (scope, invocation::target(arguments, environment)) {
        (Scope::All, _) => true,
        (Scope::Hosts, Target::Session(session)) => settings.is_host_session(&session),
        (Scope::Hosts, Target::Socket { socket, session }) => {
            settings.sessions().any(|ours| places::socket(environment, Some(ours)) == socket)
                || session.is_some_and(|session| settings.is_host_session(&session))
        }
        (Scope::Hosts, Target::Default | Target::Refused) => false,
    }
}

/// Renders, and chooses what herdr is started on. Where a new overlay cannot be made, an older one that
/// keeps restore off will do.
///
/// # Errors
/// 78 when nothing keeps restore off for certain enough.
pub fn prepare(context: &Context<'_>, selection: &Selection, trusted: Trusted) -> Result<PathBuf, Failure> {
    let renderer = Renderer::new(context.environment, context.places, selection)?;
    let trusted = if selection.no_herdr_check { Trusted::Unasked } else { trusted };
    let mut rendering = rendered(context, &renderer, selection, renderer.render());
    let mut choice = safe::choose(&renderer, rendering.as_ref(), trusted);
    let is_surprise = rendering.as_ref().is_some_and(|known| matches!(known.verdict, Verdict::Accepted(_)));
    if is_surprise && !matches!(choice, Ok((_, None))) {
        // What herdr read before it does not read now: it is another one behind the same file.
        rendering = rendered(context, &renderer, selection, renderer.render_anew());
        choice = safe::choose(&renderer, rendering.as_ref(), trusted);
    }
    let (path, warning) = choice?;
    context.messages.warn_all(&warning);
    Ok(path)
}

fn rendered(
    context: &Context<'_>,
    renderer: &Renderer<'_>,
    selection: &Selection,
    outcome: Result<Outcome, Failure>,
) -> Option<Rendering> {
    match outcome {
        Ok(outcome) => {
            render::say(context, renderer, &outcome, selection, render::Voice::News);
            Some(outcome.rendering)
        }
        Err(failure) => {
            let text = format!("{}\nan older overlay is used if it keeps restore off", failure.message);
            context.messages.warn(&Warning { message: text, hint: failure.hints.first().cloned() });
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overlay_is_for_mams_own_sessions() {
        let (settings, _) =
            Settings::parse(Path::new("/m"), "[host]\nsession = \"host\"\nmore_sessions = [\"b\"]\n");
        let ours = "/h/.config/herdr/sessions/host/herdr.sock";
        let rows: &[(&[&str], &[(&str, &str)], bool)] = &[
            (&["--session", "host", "server"], &[], true),
            (&["--session=b"], &[], true),
            (&["--session", "other"], &[], false),
            (&[], &[], false),
            (&["server"], &[], false),
            (&["session", "attach", "host"], &[], true),
            (&[], &[("HERDR_SESSION", "host")], true),
            (&["--session", "default"], &[("HERDR_SESSION", "host")], false),
            (&["pane", "list"], &[("HERDR_SOCKET_PATH", ours)], true),
            (&["pane", "list"], &[("HERDR_SOCKET_PATH", "/x/herdr.sock"), ("HERDR_SESSION", "host")], true),
            (&["--session", "a b"], &[], false),
        ];
        for (arguments, variables, expected) in rows {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            let environment =
                Environment::new([("HOME", "/h")].into_iter().chain(variables.iter().copied()), "/", "/tmp");
            assert_eq!(
                is_ours(Scope::Hosts, &arguments, &environment, &settings),
                *expected,
                "{arguments:?} {variables:?}"
            );
            assert!(is_ours(Scope::All, &arguments, &environment, &settings));
        }
    }
}
