//! `mam-restore-hook install` and `uninstall`: mam as herdr's plugin.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mam_share::child::{self, Run};
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, PRIVATE, Trust};
use mam_share::herdr::binary;
use mam_share::settings::Settings;
use mam_share::variable::{HERDR_CONFIG_PATH, HERDR_SESSION, HERDR_SOCKET_PATH};
use serde_json::Value;

use super::{Context, answer};
use crate::arguments::Install;
use crate::plugin::{self, Standing};

/// How long one call of herdr may take.
const LIMIT: Duration = Duration::from_secs(20);

/// The name of this program on `PATH`.
const PROGRAM: &str = "mam-restore-hook";

/// The program that runs in the plugin's panes, installed beside this one.
const HOST: &str = "mam";

/// Links the plugin, or links it again; with `--check` only says how things stand.
///
/// # Errors
/// herdr is missing or refuses, or the manifest cannot be written.
pub fn install(context: &Context<'_>, arguments: &Install) -> Result<Exit, Failure> {
    let call = if arguments.check { "install --check" } else { "install" };
    let herdr = Cli::find(context, arguments.herdr.as_deref(), call)?;
    let directory = directory(context);
    let wanted = wanted(context)?;
    let standing = |herdr: &Cli| -> Result<Standing, Failure> {
        let present = files::read(&directory.join(plugin::FILE), Trust::Ours).ok().flatten();
        Ok(plugin::standing(&herdr.list()?, &directory, present.as_deref(), &wanted))
    };
    let found = standing(&herdr)?;
    if arguments.check {
        return check(&found);
    }
    if !matches!(found, Standing::Current | Standing::Disabled) {
        write(&directory, &wanted)?;
        if !matches!(found, Standing::NotLinked) {
            herdr.unlink()?;
        }
        herdr.run(&["plugin", "link", &directory.to_string_lossy()])?;
    }
    match standing(&herdr)? {
        Standing::Current => answer("the plugin is linked and enabled\n").map(|()| Exit::Done),
        Standing::Disabled => {
            answer("the plugin is linked, and switched off\nswitch it on: herdr plugin enable mam\n")
                .map(|()| Exit::Done)
        }
        other @ (Standing::NotLinked | Standing::Elsewhere(_) | Standing::Stale) => {
            let text = format!("herdr took the plugin and does not show it: {other:?}");
            Err(Failure::new(Exit::No, text).hint("`herdr plugin list` shows what herdr has"))
        }
    }
}

fn check(found: &Standing) -> Result<Exit, Failure> {
    let (exit, text) = match found {
        Standing::Current => (Exit::Done, "linked, enabled, current".to_owned()),
        Standing::Disabled => (Exit::No, "linked, switched off: herdr plugin enable mam".into()),
        Standing::Stale => (Exit::No, "linked, not current: mam-restore-hook install".into()),
        Standing::Elsewhere(root) => {
            (Exit::No, format!("linked from another place, `{root}`: mam-restore-hook install"))
        }
        Standing::NotLinked => (Exit::No, "not linked: mam-restore-hook install".into()),
    };
    answer(&format!("{text}\n")).map(|()| exit)
}

/// Takes the plugin out of herdr, and its manifest away.
///
/// # Errors
/// herdr is missing or refuses.
pub fn uninstall(context: &Context<'_>, herdr: Option<&Path>) -> Result<Exit, Failure> {
    let herdr = Cli::find(context, herdr, "uninstall")?;
    let directory = directory(context);
    match plugin::standing(&herdr.list()?, &directory, None, "") {
        Standing::NotLinked => answer("the plugin is not linked\n")?,
        Standing::Elsewhere(root) => {
            let text = format!("herdr has a plugin `{}` from another place, `{root}`", plugin::ID);
            return Err(Failure::new(Exit::No, text).hint("if that is mam's too: herdr plugin unlink mam"));
        }
        Standing::Stale | Standing::Disabled | Standing::Current => {
            herdr.unlink()?;
            answer("the plugin is no longer linked\n")?;
        }
    }
    // A manifest that stays is in nobody's way.
    drop(fs_err::remove_file(directory.join(plugin::FILE)));
    Ok(Exit::Done)
}

fn directory(context: &Context<'_>) -> PathBuf {
    context.places.state.join("plugin")
}

fn write(directory: &Path, manifest: &str) -> Result<(), Failure> {
    let path = directory.join(plugin::FILE);
    files::private_dir(directory)
        .and_then(|()| files::write_atomic(&path, manifest.as_bytes(), PRIVATE))
        .map_err(|error| Failure::new(Exit::CannotWrite, format!("`{}`: {error}", path.display())))
}

/// The manifest of this program and of `mam` beside it. It names a program as `PATH` does where that is
/// the very file: a package manager moves the file at every upgrade and keeps the name.
fn wanted(context: &Context<'_>) -> Result<String, Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::new(Exit::No, format!("this program does not know its path: {error}")))?;
    let resolved = |path: &Path| fs_err::canonicalize(path).ok();
    let named = |name: &str, path: PathBuf| {
        let named = binary::find(Path::new(name), context.environment).map(|(path, _)| path);
        named.filter(|named| resolved(named) == resolved(&path)).unwrap_or(path)
    };
    let (hook, mam) = (named(PROGRAM, own.clone()), named(HOST, own.with_file_name(HOST)));
    plugin::manifest(&hook, &mam).ok_or_else(|| {
        let text = format!("the path `{}` is not UTF-8, which a manifest cannot hold", own.display());
        Failure::new(Exit::NeedsChange, text).hint("install mam in another place")
    })
}

/// herdr as a program.
struct Cli {
    program: PathBuf,
    session: String,
}

impl Cli {
    /// The program `given`, else the one on `PATH`; `call` is what was typed.
    fn find(context: &Context<'_>, given: Option<&Path>, call: &str) -> Result<Self, Failure> {
        let wanted = given.unwrap_or(Path::new("herdr"));
        let (program, _) = binary::find(wanted, context.environment).ok_or_else(|| {
            let shown = wanted.display();
            let is_path = wanted.components().count() > 1;
            let text = if is_path {
                format!("`{shown}` is no program")
            } else {
                format!("there is no `{shown}` on PATH")
            };
            Failure::new(Exit::NoHerdr, text).hint(format!("name it: {PROGRAM} {call} --herdr PATH"))
        })?;
        let (settings, _) = Settings::load(&context.places.settings());
        Ok(Self { program, session: settings.session.to_string() })
    }

    /// What herdr has, also when no server runs.
    fn list(&self) -> Result<Value, Failure> {
        let text = self.run(&["plugin", "list", "--json"])?;
        serde_json::from_slice(&text).map_err(|error| {
            Failure::new(Exit::No, format!("`herdr plugin list --json` is not understood: {error}"))
        })
    }

    /// `unlink` needs a server and `uninstall` does not; for a linked plugin both leave its files alone.
    fn unlink(&self) -> Result<(), Failure> {
        let unlinked = self.run(&["plugin", "unlink", plugin::ID]);
        unlinked.or_else(|_| self.run(&["plugin", "uninstall", plugin::ID])).map(|_| ())
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
        let mut command = Command::new(&self.program);
        for variable in [HERDR_SESSION, HERDR_SOCKET_PATH, HERDR_CONFIG_PATH] {
            command.env_remove(variable.name);
        }
        command.args(["--session", &self.session]).args(arguments);
        let shown = format!("herdr --session {} {}", self.session, arguments.join(" "));
        match child::run(command, LIMIT) {
            Run::Ended(answer) if answer.status.success() => Ok(answer.stdout),
            Run::Ended(answer) => {
                let said = [answer.stdout, answer.stderr].concat();
                let said = mam_share::message::harmless_lines(String::from_utf8_lossy(&said).trim());
                Err(Failure::new(Exit::No, format!("`{shown}` failed: {said}")))
            }
            Run::TimedOut => Err(Failure::new(Exit::TryAgain, format!("`{shown}` does not end"))),
            Run::NotStarted(error) => Err(Failure::new(Exit::NoHerdr, format!("`{shown}`: {error}"))),
        }
    }
}
