//! Where the user config is, and where its overlay and what is remembered of it go.

use std::path::{Path, PathBuf};

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};
use mam_share::herdr::places;
use mam_share::message::Warning;
use mam_share::places::Places;
use mam_share::variable::HERDR_CONFIG_PATH;

use crate::banner;
use crate::record::{self, Record};

/// What marks an overlay in a directory listing: `config.toml` becomes `config.mam.toml`.
const MARK: &str = ".mam.toml";

/// The files of one overlay, all absolute and UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The user config.
    pub config: PathBuf,
    /// The overlay.
    pub overlay: PathBuf,
    /// The record of the overlay.
    pub record: PathBuf,
    /// The lock that renders of this overlay take in turn.
    pub lock: PathBuf,
    /// Where the overlay goes when it was not beside the config: what was wrong with that place.
    pub moved_because: Option<String>,
}

/// What a command line says about files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// `--config`
    pub config: Option<PathBuf>,
    /// `--output`
    pub output: Option<PathBuf>,
}

impl Site {
    /// Finds the files. The config is the named one, else `HERDR_CONFIG_PATH`, else herdr's own place;
    /// when that is an overlay of ours (a shell in a pane of the host), the config it came from. The
    /// overlay is the named one, else `config.mam.toml` beside the config, else in the state directory.
    ///
    /// # Errors
    /// A path that is not UTF-8: herdr ignores such a `HERDR_CONFIG_PATH`, and with it the overlay.
    pub fn find(
        environment: &Environment,
        places: &Places,
        named: &Named,
    ) -> Result<(Self, Vec<Warning>), Failure> {
        let mut warnings = Vec::new();
        let config = match &named.config {
            Some(path) => environment.absolute(path),
            None => config_in_force(environment, places, &mut warnings),
        };
        let beside = files::parent(&config);
        let name = overlay_name(&config);
        let (overlay, moved_because) = match &named.output {
            Some(path) => (environment.absolute(path), None),
            None if files::is_writable_dir(beside) => (beside.join(name), None),
            None => {
                let because = format!("`{}` cannot be written to", beside.display());
                let file = format!("{}.{name}", Record::file_name(&config).trim_end_matches(record::SUFFIX));
                (places.overlays().join(file), Some(because))
            }
        };
        if overlay == config {
            let text = format!("the overlay would replace the user config `{}`", config.display());
            return Err(Failure::new(Exit::Usage, text).hint("name another file with --output"));
        }
        for path in [&config, &overlay] {
            if path.to_str().is_none() {
                let text = format!("`{}` is not UTF-8, and herdr ignores such a path", path.display());
                return Err(
                    Failure::new(Exit::NeedsChange, text).hint("use --config and --output with other paths")
                );
            }
        }
        let record = places.overlays().join(Record::file_name(&overlay));
        let lock = record.with_extension("lock");
        Ok((Self { config, overlay, record, lock, moved_because }, warnings))
    }

    /// An overlay of nothing but the setting that mam exists for, for a herdr that nobody can vouch for.
    pub fn minimal(&self) -> PathBuf {
        self.record.with_extension("minimal.mam.toml")
    }

    /// Whether relative paths in the overlay mean other files than in the user config.
    pub fn is_elsewhere(&self) -> bool {
        files::parent(&self.config) != files::parent(&self.overlay)
    }
}

fn config_in_force(environment: &Environment, places: &Places, warnings: &mut Vec<Warning>) -> PathBuf {
    let default = places::default_config_file(environment);
    let Some(value) = environment.get(HERDR_CONFIG_PATH) else { return default };
    let Some(path) = places::named_config_file(environment) else {
        let what = if value.is_empty() { "empty" } else { "not UTF-8" };
        let text = format!("HERDR_CONFIG_PATH is {what}; `{}` is used", default.display());
        warnings.push(Warning::new(text).hint("unset HERDR_CONFIG_PATH, or set it to your config file"));
        return default;
    };
    if let Some(config) = config_of_overlay(&path, places) {
        return config;
    }
    if fs_err::metadata(&path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        let text = format!("HERDR_CONFIG_PATH names `{}`, which does not exist", path.display());
        warnings.push(Warning::new(text).hint("unset HERDR_CONFIG_PATH, or set it to your config file"));
    }
    path
}

/// The user config that an overlay of ours was rendered from; `None` for any other file.
pub fn config_of_overlay(path: &Path, places: &Places) -> Option<PathBuf> {
    let record = places.overlays().join(Record::file_name(path));
    if let Ok(Some(record)) = Record::load(&record, path) {
        return Some(record.config);
    }
    // The record may be gone. The first line of the file tells as well, and of a file that is gone too
    // the name; a file with such a name and another first line is somebody's own config.
    if let Ok(Some(bytes)) = files::read(path, Trust::Ours) {
        return banner::source(&String::from_utf8_lossy(&bytes));
    }
    let name = path.file_name()?.to_str()?.strip_suffix(MARK)?;
    if name.is_empty() { None } else { Some(path.with_file_name(format!("{name}.toml"))) }
}

/// `config.toml` → `config.mam.toml`; a name without `.toml` gets all of it.
fn overlay_name(config: &Path) -> String {
    let name = config.file_name().and_then(|name| name.to_str()).unwrap_or("config.toml");
    format!("{}{MARK}", name.strip_suffix(".toml").unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World {
        dir: tempfile::TempDir,
    }

    impl World {
        fn new() -> Self {
            let world = Self { dir: tempfile::tempdir().unwrap() };
            fs_err::create_dir_all(world.path("home/.config/herdr")).unwrap();
            world
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        fn find(&self, variables: &[(&str, &str)], named: &Named) -> (Site, Vec<String>) {
            let home = self.path("home").to_string_lossy().into_owned();
            let all = [("HOME", home.as_str())].into_iter().chain(variables.iter().copied());
            let environment = Environment::new(all, self.dir.path(), "/tmp");
            let places = Places::find(&environment).unwrap();
            let (site, warnings) = Site::find(&environment, &places, named).unwrap();
            (site, warnings.into_iter().map(|warning| warning.message).collect())
        }
    }

    #[test]
    fn the_overlay_is_beside_the_config_that_is_in_force() {
        let world = World::new();
        fs_err::create_dir(world.path("d")).unwrap();
        files::write_atomic(&world.path("d/my.toml"), b"", 0o644).unwrap();
        files::write_atomic(&world.path("d/own.mam.toml"), b"x = 1\n", 0o644).unwrap();
        let rows: &[(Option<&str>, &str, &str, usize)] = &[
            (None, "home/.config/herdr/config.toml", "home/.config/herdr/config.mam.toml", 0),
            (Some(""), "home/.config/herdr/config.toml", "home/.config/herdr/config.mam.toml", 1),
            (Some("d/my.toml"), "d/my.toml", "d/my.mam.toml", 0),
            (Some("d/absent.toml"), "d/absent.toml", "d/absent.mam.toml", 1),
            (Some("d/my.mam.toml"), "d/my.toml", "d/my.mam.toml", 0),
            (Some("d/own.mam.toml"), "d/own.mam.toml", "d/own.mam.mam.toml", 0),
        ];
        for (variable, config, overlay, warned) in rows {
            let variables: Vec<_> = variable.iter().map(|value| ("HERDR_CONFIG_PATH", *value)).collect();
            let (site, warnings) = world.find(&variables, &Named::default());
            assert_eq!(
                (site.config, site.overlay),
                (world.path(config), world.path(overlay)),
                "{variable:?}"
            );
            assert_eq!(warnings.len(), *warned, "{variable:?}: {warnings:?}");
        }
    }

    #[test]
    fn an_overlay_elsewhere_is_known_by_its_record() {
        let world = World::new();
        let state = world.path("home/.local/state/mam/overlays");
        files::private_dir(&state).unwrap();
        let overlay = world.path("elsewhere/x");
        let path = state.join(Record::file_name(&overlay));
        let rendering = record::tests::rendering("");
        let bytes = Record::to_bytes(&overlay, &world.path("d/my.toml"), &rendering).unwrap();
        files::write_atomic(&path, &bytes, files::PRIVATE).unwrap();
        let (site, _) = world.find(&[("HERDR_CONFIG_PATH", overlay.to_str().unwrap())], &Named::default());
        assert_eq!(site.config, world.path("d/my.toml"));
    }

    #[test]
    fn a_place_that_cannot_be_written_moves_the_overlay_into_the_state_directory() {
        let world = World::new();
        files::write_atomic(&world.path("file"), b"", 0o644).unwrap();
        let named = Named { config: Some(world.path("file/version")), output: None };
        let (site, _) = world.find(&[], &named);
        assert!(site.moved_because.is_some() && site.is_elsewhere());
        assert!(site.overlay.starts_with(world.path("home/.local/state/mam/overlays")), "{site:?}");
        assert!(site.overlay.to_str().unwrap().ends_with("version.mam.toml"));
    }
}
