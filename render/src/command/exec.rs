//! `mam-render-config exec -- herdr …`: herdr on the overlay, where it belongs.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};
use mam_share::herdr::binary;
use mam_share::herdr::invocation::{self, Target};
use mam_share::herdr::places;
use mam_share::message::Warning;
use mam_share::settings::Settings;
use mam_share::variable::HERDR_CONFIG_PATH;

use super::{Context, render};
use crate::arguments::{Scope, Selection};
use crate::overlay;
use crate::record::tree_of;
use crate::renderer::{Renderer, Retry};
use crate::verdict::Verdict;

/// Runs the command; returns only when herdr could not be started.
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
    let path = binary::find(Path::new(program), context.environment).ok_or_else(|| {
        let text = format!("`{}` is not a program that can be run", Path::new(program).display());
        Failure::new(Exit::NoHerdr, text)
            .hint("install herdr, or give its path: `mam-render-config exec -- /path/to/herdr`")
    })?;
    let mut herdr = Command::new(&path);
    herdr.arg0(program).args(arguments);
    let (settings, warnings) = Settings::load(&context.places.settings());
    if is_ours(scope, arguments, context.environment, &settings) {
        let selection = Selection {
            // The herdr that is about to read the overlay is the one to ask.
            herdr: selection.herdr.clone().or(Some(path.clone())),
            config: selection.config.clone(),
            output: selection.output.clone(),
            assignments: selection.assignments.clone(),
            no_herdr_check: selection.no_herdr_check,
        };
        let overlay = prepare(context, &selection)?;
        herdr.env(HERDR_CONFIG_PATH.name, overlay);
    } else if settings.is_uncertain {
        context.messages.warn_all(&warnings);
    }
    let error = herdr.exec();
    Err(Failure::new(Exit::NoHerdr, format!("`{}` cannot be run: {error}", path.display())))
}

/// Whether a herdr command line gets the overlay. `--scope all` means all; otherwise it has to be for
/// one of mam's sessions, by name or by socket.
pub fn is_ours(scope: Scope, arguments: &[OsString], environment: &Environment, settings: &Settings) -> bool {
    match (scope, invocation::target(arguments, environment)) {
        (Scope::All, _) => true,
        (Scope::Hosts, Target::Session(session)) => settings.is_host_session(&session),
        (Scope::Hosts, Target::Socket(socket)) => {
            settings.sessions().any(|session| places::socket(environment, Some(session)) == socket)
        }
        (Scope::Hosts, Target::Default | Target::Refused) => false,
    }
}

/// Renders and verifies. Where a new overlay cannot be made, an older one that keeps restore off does.
fn prepare(context: &Context<'_>, selection: &Selection) -> Result<std::path::PathBuf, Failure> {
    let renderer = Renderer::new(context.environment, context.places, selection)?;
    let overlay = renderer.site.overlay.clone();
    let verdict = match render::render(context, &renderer, selection, Retry::No) {
        Ok(outcome) => outcome.rendering.verdict,
        Err(failure) => {
            // Said whether or not there is an older one to go on with.
            let text = format!("{}\nan older overlay is used if it keeps restore off", failure.message);
            context.messages.warn(&Warning { message: text, hint: failure.hints.first().cloned() });
            Verdict::Unknown(failure.message)
        }
    };
    verify(&overlay, &verdict)?;
    Ok(overlay)
}

/// Reads the overlay from disk, as herdr will, and makes sure that it keeps restore off: whatever was
/// rendered a moment ago counts for nothing.
///
/// # Errors
/// 78 with the reason, when herdr would relaunch agents.
pub fn verify(path: &Path, verdict: &Verdict) -> Result<(), Failure> {
    let refuse = |why: String| {
        let text = format!("the overlay `{}` would not keep restore off: {why}", path.display());
        Err(Failure::new(Exit::NeedsChange, text)
            .hint("run `mam-render-config` to see what is wrong; herdr was not started"))
    };
    if let Verdict::Rejected { reason, .. } = verdict {
        return refuse(format!("herdr cannot read it ({reason})"));
    }
    match files::read(path, Trust::Ours) {
        Err(error) => refuse(error.to_string()),
        Ok(None) => refuse("it is missing".to_owned()),
        Ok(Some(bytes)) => match std::str::from_utf8(&bytes).ok().and_then(tree_of) {
            None => refuse("it is no TOML".to_owned()),
            Some(tree) if !overlay::is_off(&tree) => refuse("it does not say so".to_owned()),
            Some(_) => Ok(()),
        },
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
            (&["pane", "list"], &[("HERDR_SOCKET_PATH", "/x/herdr.sock"), ("HERDR_SESSION", "host")], false),
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

    #[test]
    fn only_an_overlay_that_says_false_starts_herdr() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("o");
        let unknown = Verdict::Unknown(String::new());
        assert!(verify(&path, &unknown).unwrap_err().message.contains("missing"));
        let rows = [
            ("", false),
            ("[session]\nresume_agents_on_restore = true\n", false),
            ("[session]\nresume_agents_on_restore = \"false\"\n", false),
            ("[session]\nresume_agents_on_restore = false\n[session]\n", false),
            ("[session]\nresume_agents_on_restore = false\n", true),
            ("session.resume_agents_on_restore = false", true),
        ];
        for (text, expected) in rows {
            files::write_atomic(&path, text.as_bytes(), files::PRIVATE).unwrap();
            let verified = verify(&path, &unknown);
            assert_eq!(verified.is_ok(), expected, "{text}");
            assert!(verified.err().is_none_or(|failure| failure.exit == Exit::NeedsChange));
        }
        let rejected = Verdict::Rejected { position: None, reason: "no".into() };
        assert!(verify(&path, &rejected).is_err());
    }
}
