//! Looks at everything that a setup is decided from. Nothing is changed, and no server is asked.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mam_render::arguments::{Scope, Selection};
use mam_render::command::init;
use mam_render::compose::UserConfig;
use mam_render::renderer::Renderer;
use mam_share::child::{self, Run};
use mam_share::environment::Environment;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};
use mam_share::herdr::binary;
use mam_share::herdr::version::Version;
use mam_share::shell::Shell;
use mam_share::variable::{HERDR_CONFIG_PATH, HERDR_SESSION, HERDR_SOCKET_PATH, HOME, XDG_RUNTIME_DIR};

use super::facts::{Facts, File, Herdr, Integration, Overlay, Unit};
use super::receipt::{Block, Receipt};
use super::{block, profile_file, undo};
use crate::context::Context;
use crate::decision::Owner;
use crate::supervisor::Kind;
use crate::{plugin, unit};

/// How long a program may take to say what it is.
const LIMIT: Duration = Duration::from_secs(10);

/// The home directory, for paths that people read.
pub fn home(environment: &Environment) -> Option<PathBuf> {
    environment.get(HOME).map(PathBuf::from).filter(|home| home.is_absolute())
}

/// What a setup is decided from. `shell` is the one that was named; `None` is the user's own, and
/// `Some(None)` none at all.
///
/// # Errors
/// A config path that herdr cannot use.
pub fn facts(context: &Context, shell: Option<Option<Shell>>) -> Result<Facts, Failure> {
    let shell = match shell {
        Some(None) => Err("none was asked for".to_owned()),
        Some(Some(shell)) => Ok(shell),
        None => profile_file::shell(&context.environment),
    };
    Ok(Facts {
        herdr: herdr(&context.environment),
        overlay: overlay(context)?,
        plugin: plugin::standing(context),
        shell: shell.and_then(|shell| integration(context, shell)),
        unit: unit_facts(context),
        receipt: Receipt::load(&context.places.state),
    })
}

/// The herdr on `PATH`, and what it says it is.
pub fn herdr(environment: &Environment) -> Option<Herdr> {
    let (path, _) = binary::find(Path::new("herdr"), environment)?;
    let mut command = Command::new(&path);
    for variable in [HERDR_SESSION, HERDR_SOCKET_PATH, HERDR_CONFIG_PATH] {
        command.env_remove(variable.name);
    }
    command.arg("--version");
    let said = match child::run(command, LIMIT) {
        Run::Ended(answer) => String::from_utf8_lossy(&answer.stdout).into_owned(),
        Run::TimedOut | Run::NotStarted(_) => String::new(),
    };
    Some(Herdr { path, version: Version::parse(&said) })
}

/// The overlay, and whether it is fresh.
///
/// # Errors
/// A config path that herdr cannot use.
pub fn overlay(context: &Context) -> Result<Overlay, Failure> {
    let selection = Selection::default();
    let renderer = Renderer::new(&context.environment, &context.places, &selection)?;
    let snapshot = renderer.read();
    let broken = match &snapshot.user {
        UserConfig::Unusable(error) => Some(error.clone()),
        UserConfig::Missing | UserConfig::Text(_) => None,
    };
    Ok(Overlay {
        is_there: fs_err::symlink_metadata(&renderer.site.overlay).is_ok(),
        stale: renderer.reasons(&snapshot).iter().map(ToString::to_string).collect(),
        broken,
        path: renderer.site.overlay,
        config: renderer.site.config,
    })
}

/// The integration file that mam has for a shell.
pub fn init_file(context: &Context, shell: Shell) -> PathBuf {
    context.places.home.join(format!("init.{shell}"))
}

/// The integration of a shell, with its files as they are.
///
/// # Errors
/// Why there can be none.
pub fn integration(context: &Context, shell: Shell) -> Result<Integration, String> {
    let is_there = |path: &Path| fs_err::symlink_metadata(path).is_ok();
    let is_login = cfg!(target_os = "macos");
    let profile = profile_file::find(shell, &context.environment, is_login, &is_there)?;
    let init_path = init_file(context, shell);
    if init_path.to_str().is_none() || init_path.to_string_lossy().contains('\n') {
        return Err(format!("`{}` cannot stand in a profile file", init_path.display()));
    }
    Ok(Integration {
        shell,
        block: block::text(shell, &init_path, home(&context.environment).as_deref()),
        init: file(&init_path),
        init_text: init::text(shell, Scope::Hosts),
        init_other: init::text(shell, Scope::All),
        profile: file(&profile.path),
    })
}

/// A file as it is now, and whether it may be edited: it is the user's own, a regular file with one name,
/// not read-only, in a directory that can be written to.
pub fn file(path: &Path) -> File {
    let target = match files::resolve_links(path) {
        Ok(target) => target,
        Err(error) => {
            let untouchable = Some(files::reason(&error));
            return File { path: path.to_owned(), target: path.to_owned(), bytes: None, untouchable };
        }
    };
    let (bytes, unread) = match files::read(&target, Trust::Anyone) {
        Ok(bytes) => (bytes, None),
        Err(error) => (None, Some(error.to_string())),
    };
    let untouchable = unread.or_else(|| guarded(&target)).or_else(|| {
        let directory = files::parent(&target);
        (!files::is_writable_dir(directory))
            .then(|| format!("`{}` cannot be written to", directory.display()))
    });
    File { path: path.to_owned(), target, bytes, untouchable }
}

fn guarded(target: &Path) -> Option<String> {
    let metadata = fs_err::metadata(target).ok()?;
    let us = rustix::process::geteuid().as_raw();
    if metadata.uid() != us {
        Some(format!("it belongs to uid {}, and this is uid {us}", metadata.uid()))
    } else if metadata.mode() & 0o200 == 0 {
        Some("it is read-only".to_owned())
    } else if metadata.nlink() > 1 {
        Some(format!("it has {} names (hard links), and would lose the others", metadata.nlink()))
    } else {
        None
    }
}

fn unit_facts(context: &Context) -> Unit {
    let has_tool = |tool: &str| binary::find(Path::new(tool), &context.environment).is_some();
    let systemd = || {
        let runtime = context.environment.filled(XDG_RUNTIME_DIR)?;
        let is_up = Path::new(runtime).join("systemd/private").exists();
        (is_up && has_tool("systemctl")).then_some(Kind::Systemd)
    };
    let found =
        if cfg!(target_os = "macos") { has_tool("launchctl").then_some(Kind::Launchd) } else { systemd() };
    Unit { installed: unit::installed(context).map(|unit| unit.kind), found }
}

/// What an undoing is decided from: what is recorded, and what can be recognised without a record.
///
/// # Errors
/// A config path that herdr cannot use.
pub fn undo_facts(context: &Context, receipt: &Receipt) -> Result<undo::Facts, Failure> {
    let mut blocks = receipt.blocks.clone();
    let mut written = receipt.files.clone();
    for integration in Shell::ALL.into_iter().filter_map(|shell| integration(context, shell).ok()) {
        let path = &integration.profile.path;
        let bytes = integration.profile.bytes.as_deref().unwrap_or_default();
        if !matches!(block::find(bytes), Ok(None)) && blocks.iter().all(|block| block.path != *path) {
            blocks.push(Block { path: path.clone(), text: integration.block, is_new_file: false });
        }
    }
    written.retain(|file| file.path.starts_with(&context.places.home));
    let installed = receipt.unit.clone().zip(unit::installed(context));
    let unit = installed.filter(|(kind, unit)| unit.kind.name() == kind);
    Ok(undo::Facts {
        blocks: blocks.into_iter().map(|block| undo::Edited { file: file(&block.path), block }).collect(),
        files: written.into_iter().map(|of| undo::Written { file: file(&of.path), text: of.text }).collect(),
        overlay: receipt.overlay.as_deref().map(|path| undo_overlay(context, path)).transpose()?,
        plugin: receipt.plugin,
        unit: unit.map(|(kind, unit)| (kind, unit.changed())),
    })
}

fn undo_overlay(context: &Context, path: &Path) -> Result<undo::Overlay, Failure> {
    let selection = Selection { output: Some(path.to_owned()), ..Selection::default() };
    let renderer = Renderer::new(&context.environment, &context.places, &selection)?;
    let snapshot = renderer.read();
    let present = files::read(path, Trust::Anyone).ok().flatten();
    let rendered = snapshot.last_text().map(str::as_bytes);
    let changed = present.as_deref().zip(rendered).and_then(|(is, was)| block::first_difference(is, was));
    let used_by = match context.peek().map(|look| look.owner) {
        None | Some(Owner::Nobody) => None,
        Some(Owner::Process { pid, .. } | Owner::Stranger { pid: Some(pid) }) => {
            Some(format!("the host (pid {pid})"))
        }
        Some(Owner::Stranger { pid: None } | Owner::Unknowable { .. }) => Some("perhaps a host".to_owned()),
    };
    Ok(undo::Overlay {
        path: path.to_owned(),
        is_there: fs_err::symlink_metadata(path).is_ok(),
        changed,
        has_kept: snapshot.has_kept(),
        used_by,
    })
}
