//! What a herdr is started on: the overlay as it is on disk, if herdr can read it, else one that only
//! switches restore off, else nothing.

use std::path::{Path, PathBuf};

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::files::{self, Trust};
use mam_share::message::Warning;

use crate::banner;
use crate::overlay::{self, Ingredients};
use crate::record::{Rendering, tree_of};
use crate::renderer::{self, Renderer};
use crate::setting::Setting;
use crate::syntax::Config;
use crate::verdict::Verdict;

/// How much is known of the herdr that will read the overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trusted {
    /// What it said of these very bytes before still holds.
    Remembered,
    /// It is asked again: a program behind the same file (a version manager's) may be another.
    AskedNow,
    /// The user said not to ask.
    Unasked,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vetted {
    /// Restore is off, and herdr reads the file.
    Safe,
    /// Restore is off, and nobody knows whether herdr reads the file.
    Unvouched(String),
    /// Restore would be on.
    Unsafe(String),
}

/// Judges what is on disk. Whatever was rendered a moment ago counts for nothing.
pub fn vet(path: &Path, ask: &mut dyn FnMut(&str) -> Verdict) -> Vetted {
    let bytes = match files::read(path, Trust::Ours) {
        Err(error) => return Vetted::Unsafe(error.to_string()),
        Ok(None) => return Vetted::Unsafe("it is missing".to_owned()),
        Ok(Some(bytes)) => bytes,
    };
    let Ok(text) = std::str::from_utf8(&bytes) else { return Vetted::Unsafe("it is not UTF-8".to_owned()) };
    match tree_of(text) {
        None => return Vetted::Unsafe("it is no TOML".to_owned()),
        Some(tree) if !overlay::is_off(&tree) => return Vetted::Unsafe("it does not say so".to_owned()),
        Some(_) => {}
    }
    match ask(text) {
        Verdict::Accepted(_) => Vetted::Safe,
        Verdict::Rejected { reason, .. } => Vetted::Unsafe(format!("herdr cannot read it ({reason})")),
        Verdict::Unknown(why) => Vetted::Unvouched(why),
    }
}

/// The file to start herdr on, and what to say about it. `rendering` is the rendering in force, if there
/// is one.
///
/// # Errors
/// 78 when no file keeps restore off for certain enough.
pub fn choose(
    renderer: &Renderer<'_>,
    rendering: Option<&Rendering>,
    trusted: Trusted,
) -> Result<(PathBuf, Option<Warning>), Failure> {
    let overlay = &renderer.site.overlay;
    let mut is_silent = false;
    let mut ask = |text: &str| {
        let known = rendering.filter(|rendering| rendering.text == text).map(|rendering| &rendering.verdict);
        let verdict = match (trusted, known) {
            (Trusted::Unasked, _) => Verdict::Accepted(Vec::new()),
            // Remembered, or asked about a moment ago.
            (Trusted::Remembered, Some(verdict))
            | (Trusted::AskedNow, Some(verdict @ Verdict::Unknown(_))) => verdict.clone(),
            _ if is_silent => Verdict::Unknown("herdr does not answer".to_owned()),
            _ => renderer::ask(renderer, overlay, text),
        };
        is_silent |= matches!(verdict, Verdict::Unknown(_));
        verdict
    };
    let why = match vet(overlay, &mut ask) {
        Vetted::Safe => return Ok((overlay.clone(), None)),
        Vetted::Unvouched(why) => {
            format!("nobody can tell whether herdr reads the overlay `{}`: {why}", overlay.display())
        }
        Vetted::Unsafe(why) => {
            format!("the overlay `{}` would not keep restore off: {why}", overlay.display())
        }
    };
    let minimal = write_minimal(renderer).map_err(|error| refused(&format!("{why}\nand {error}")))?;
    match vet(&minimal, &mut ask) {
        Vetted::Safe | Vetted::Unvouched(_) => {
            let text = format!(
                "{why}\nherdr is started on `{}`, which only switches restore off: your settings are not in force",
                minimal.display()
            );
            Ok((minimal, Some(Warning::new(text).hint("run `mam-render-config` to see what is wrong"))))
        }
        Vetted::Unsafe(reason) => {
            Err(refused(&format!("{why}\nand `{}` would not either: {reason}", minimal.display())))
        }
    }
}

fn refused(why: &str) -> Failure {
    Failure::new(Exit::NeedsChange, why)
        .hint("run `mam-render-config` to see what is wrong; herdr was not started")
}

fn write_minimal(renderer: &Renderer<'_>) -> Result<PathBuf, String> {
    let settings = [Setting::restore_off()];
    let banner = banner::of(&renderer.site.config);
    let nothing = Config::new("");
    let ingredients =
        Ingredients { config: &nothing, settings: &settings, left_out: &[], banner: Some(&banner) };
    let overlay = overlay::render(ingredients).map_err(|error| format!("{error:?}"))?;
    let path = renderer.site.minimal();
    let written = files::private_dir(files::parent(&path))
        .and_then(|()| files::write_atomic(&path, overlay.text.as_bytes(), files::PRIVATE));
    written.map_err(|error| format!("`{}` cannot be written: {}", path.display(), files::reason(&error)))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_says_false_and_that_herdr_reads_is_safe() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("o");
        let mut accepts = |_: &str| Verdict::Accepted(Vec::new());
        assert_eq!(vet(&path, &mut accepts), Vetted::Unsafe("it is missing".into()));
        let rows = [
            ("", false),
            ("[session]\nresume_agents_on_restore = true\n", false),
            ("[session]\nresume_agents_on_restore = \"false\"\n", false),
            ("[session]\nresume_agents_on_restore = false\n[session]\n", false),
            ("[session]\nresume_agents_on_restore = false\n", true),
            ("session.resume_agents_on_restore = false", true),
        ];
        for (text, is_off) in rows {
            files::write_atomic(&path, text.as_bytes(), files::PRIVATE).unwrap();
            assert_eq!(vet(&path, &mut accepts) == Vetted::Safe, is_off, "{text}");
        }
        let mut rejects = |_: &str| Verdict::Rejected { position: None, reason: "no".into() };
        assert_eq!(vet(&path, &mut rejects), Vetted::Unsafe("herdr cannot read it (no)".into()));
        let mut silent = |_: &str| Verdict::Unknown("hangs".into());
        assert_eq!(vet(&path, &mut silent), Vetted::Unvouched("hangs".into()));
    }
}
