//! Writing and removing the files of a unit. A host that runs is never restarted by it.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};
use mam_share::message::Warning;
use mam_share::variable::{
    HERDR_CONFIG_PATH, HOME, MAM_HOME, MAM_STATE_DIR, PATH, Variable, XDG_CONFIG_HOME, XDG_STATE_HOME,
};

use super::control::tell;
use super::{Installed, VERSION, record};
use crate::background;
use crate::context::Context;
use crate::supervisor::Kind;

/// The unit of this moment: this program, this `PATH`, and the variables that say where things are.
///
/// # Errors
/// A value that a unit cannot hold.
pub fn now(context: &Context, kind: Kind, directory: Option<&Path>) -> Result<Installed, Failure> {
    let cannot = |what: &str, text: &str| {
        Failure::new(Exit::NeedsChange, format!("{what} (`{text}`) cannot stand in a unit"))
    };
    let program =
        background::program_text().map_err(|path| cannot("the path of mam", &path.to_string_lossy()))?;
    let mut variables = Vec::new();
    let kept = [PATH, HERDR_CONFIG_PATH, XDG_CONFIG_HOME, XDG_STATE_HOME];
    for variable in kept {
        if let Some(value) = context.environment.filled(variable) {
            let text = value.to_str().ok_or_else(|| cannot(variable.name, &value.to_string_lossy()))?;
            variables.push((variable.name.to_owned(), text.to_owned()));
        }
    }
    for (variable, path) in [(MAM_HOME, &context.places.home), (MAM_STATE_DIR, &context.places.state)] {
        if context.environment.filled(variable).is_some() {
            let text = path.to_str().ok_or_else(|| cannot(variable.name, &path.to_string_lossy()))?;
            variables.push((variable.name.to_owned(), text.to_owned()));
        }
    }
    let texts = variables.iter().map(|(_, value)| value).chain([&program]);
    if let Some(odd) = texts.into_iter().find(|text| text.contains(char::is_control)) {
        return Err(cannot("a text with a control character", odd));
    }
    let directory = match directory {
        Some(directory) => context.environment.absolute(directory),
        None => place(context, kind)?,
    };
    Ok(Installed { version: VERSION, kind, directory, program, variables })
}

/// Where the unit of a kind goes when nobody says.
fn place(context: &Context, kind: Kind) -> Result<PathBuf, Failure> {
    let below = |variable: Variable| {
        context.environment.get(variable).map(PathBuf::from).filter(|path| path.is_absolute())
    };
    let home = below(HOME);
    let found = match kind {
        Kind::Systemd => below(XDG_CONFIG_HOME)
            .or_else(|| Some(home?.join(".config")))
            .map(|config| config.join("systemd/user")),
        Kind::Launchd => home.map(|home| home.join("Library/LaunchAgents")),
        // Which directory is scanned is the user's to say.
        Kind::S6 | Kind::Runit => None,
    };
    found.ok_or_else(|| {
        let text = format!("where the {} unit goes is not known", kind.name());
        Failure::new(Exit::Usage, text)
            .hint(format!("mam unit install {} --directory PATH-OF-THE-SERVICE-DIRECTORY", kind.name()))
    })
}

impl Installed {
    /// Writes the files, and remembers them.
    ///
    /// # Errors
    /// One that cannot be written.
    pub fn install(&self, context: &Context) -> Result<(), Failure> {
        self.write().map_err(|why| Failure::new(Exit::CannotWrite, why))?;
        let bytes =
            serde_json::to_vec_pretty(self).map_err(|error| Failure::new(Exit::No, error.to_string()))?;
        let path = record(context);
        let written = files::private_dir(&context.places.state)
            .and_then(|()| files::write_atomic(&path, &bytes, files::PRIVATE));
        written.map_err(|error| {
            Failure::new(Exit::CannotWrite, format!("`{}`: {}", path.display(), files::reason(&error)))
        })?;
        match self.kind {
            Kind::Systemd => {
                let known = tell("systemctl", &["--user".into(), "daemon-reload".into()]).and_then(|()| {
                    tell("systemctl", &["--user".into(), "enable".into(), "mam.service".into()])
                });
                if let Err(why) = known {
                    context.warn(
                        &Warning::new(format!("systemd does not know the unit yet: {why}"))
                            .hint("systemctl --user daemon-reload && systemctl --user enable mam.service"),
                    );
                }
            }
            Kind::S6 | Kind::Runit | Kind::Launchd => {}
        }
        Ok(())
    }

    /// Removes the files.
    ///
    /// # Errors
    /// One that cannot be removed.
    pub fn uninstall(&self, context: &Context) -> Result<(), Failure> {
        if self.kind == Kind::Systemd {
            // A systemd that does not run has nothing to be told.
            drop(tell("systemctl", &["--user".into(), "disable".into(), "mam.service".into()]));
        }
        for path in self.files().iter().map(|file| self.directory.join(file.name)).chain([record(context)]) {
            match fs_err::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Failure::new(Exit::CannotWrite, error.to_string()));
                }
                Ok(()) | Err(_) => {}
            }
        }
        if self.kind == Kind::Systemd {
            drop(tell("systemctl", &["--user".into(), "daemon-reload".into()]));
        }
        Ok(())
    }

    /// Writes the files anew when this version makes others of the same unit.
    pub(super) fn refresh(&self, context: &Context) {
        let is_same = self.files().iter().all(|file| {
            let present = files::read(&self.directory.join(file.name), Trust::Ours);
            present.is_ok_and(|bytes| bytes.as_deref() == Some(file.text.as_bytes()))
        });
        if is_same {
            return;
        }
        match self.write() {
            Ok(()) => {
                context.say(&format!("the {} unit was written anew", self.kind.name()));
                if self.kind == Kind::Systemd {
                    drop(tell("systemctl", &["--user".into(), "daemon-reload".into()]));
                }
            }
            Err(why) => context.warn(&Warning::new(format!("the unit stays as it is: {why}"))),
        }
    }

    fn write(&self) -> Result<(), String> {
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o755).create(&self.directory);
        made.map_err(|error| format!("`{}`: {error}", self.directory.display()))?;
        for file in self.files() {
            let path = self.directory.join(file.name);
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            files::write_atomic(&path, file.text.as_bytes(), mode)
                .map_err(|error| format!("`{}`: {}", path.display(), files::reason(&error)))?;
        }
        Ok(())
    }
}
