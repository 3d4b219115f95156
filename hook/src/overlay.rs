//! Whether a server runs on an overlay of mam, and bringing that overlay up to date.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mam_share::child::{self, Run};
use mam_share::environment::Environment;
use mam_share::files::{self, Trust};
use mam_share::places::Places;
use mam_share::sibling;
use serde::Deserialize;

/// How the file name of an overlay ends.
const SUFFIX: &str = ".mam.toml";

/// The program that renders.
const RENDERER: &str = "mam-render-config";

/// How long a rendering may take.
const LIMIT: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
struct Record {
    overlay: PathBuf,
}

/// Whether `config` is an overlay that mam rendered: its name says so, and mam's records know it.
pub fn is_ours(config: &Path, places: &Places) -> bool {
    let named = config.file_name().is_some_and(|name| name.to_string_lossy().ends_with(SUFFIX));
    named && records(places).any(|record| record.overlay == config)
}

fn records(places: &Places) -> impl Iterator<Item = Record> {
    let entries = fs_err::read_dir(places.overlays()).ok().into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let bytes = files::read(&entry.path(), Trust::Ours).ok()??;
        // A line of JSON; behind it are the texts.
        serde_json::from_slice(bytes.split(|byte| *byte == b'\n').next()?).ok()
    })
}

/// Renders the overlay again when it is stale. The renderer is the one beside this program, else the
/// one on `PATH`; without one, and when it fails, the overlay stays as it is.
pub fn refresh(environment: &Environment) {
    let Some(renderer) = sibling::find(RENDERER, environment) else { return };
    // Whatever it says, `mam-render-config check` says it to a person.
    match child::run(Command::new(renderer), LIMIT) {
        Run::Ended(_) | Run::TimedOut | Run::NotStarted(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_has_the_name_and_a_record() {
        let dir = tempfile::tempdir().unwrap();
        let places = Places { home: dir.path().join("home"), state: dir.path().join("state") };
        assert!(!is_ours(Path::new("/c/config.mam.toml"), &places), "without any record");
        files::private_dir(&places.overlays()).unwrap();
        let write = |name: &str, text: &str| {
            files::write_atomic(&places.overlays().join(name), text.as_bytes(), files::PRIVATE).unwrap();
        };
        write("0.record", "{\"version\": 9, \"overlay\": \"/c/config.mam.toml\", \"more\": []}\n[ui]\n");
        write("1.record", "not json");
        write("2.record", "{\"overlay\": \"/c/config.toml\"}");
        let rows = [
            ("/c/config.mam.toml", true),
            ("/c/other.mam.toml", false),
            ("/c/config.toml", false),
            ("config.mam.toml", false),
            ("", false),
        ];
        for (config, expected) in rows {
            assert_eq!(is_ours(Path::new(config), &places), expected, "{config}");
        }
    }
}
