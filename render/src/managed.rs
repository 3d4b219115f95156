//! The managed settings of one run: those of the command line over those of mam's config.

use std::path::Path;

use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::Warning;

use crate::key_path::KeyPath;
use crate::record::Managed;
use crate::setting::{self, Source};

/// Puts the layers together, the strongest first. `config_path` is for the messages.
///
/// # Errors
/// Two assignments of the command line that cannot both hold.
pub fn layers(
    assignments: &[(KeyPath, String)],
    config: &[(String, String)],
    config_path: &Path,
) -> Result<(Vec<Managed>, Vec<Warning>), Failure> {
    let mut managed: Vec<Managed> = Vec::new();
    for (path, value) in assignments {
        // As with most options, the last of the same name counts.
        managed.retain(|earlier| earlier.path != *path);
        if let Some(other) = managed.iter().find(|earlier| earlier.path.overlaps(path)) {
            let text = format!("--set {path}=… and --set {}=… cannot both hold", other.path);
            return Err(Failure::new(Exit::Usage, text));
        }
        managed.push(Managed { path: path.clone(), value: value.clone(), source: Source::Command });
    }
    let mut warnings = Vec::new();
    let strongest = managed.len();
    for (key, value) in config {
        match from_config(key, value, managed.get(strongest..).unwrap_or_default()) {
            Ok(Some(setting)) => {
                if !managed.iter().any(|stronger| stronger.path.overlaps(&setting.path)) {
                    managed.push(setting);
                }
            }
            Ok(None) => {}
            Err(why) => {
                let text = format!("`overlay.{key}` in `{}` {why}; it is ignored", config_path.display());
                warnings.push(Warning::new(text));
            }
        }
    }
    Ok((managed, warnings))
}

fn from_config(key: &str, value: &str, earlier: &[Managed]) -> Result<Option<Managed>, String> {
    let path: KeyPath = key.parse()?;
    let restore = setting::restore_path();
    if path == restore && value == "false" {
        return Ok(None);
    }
    if path.overlaps(&restore) {
        return Err(format!("cannot be set: an overlay always says `{restore} = false`"));
    }
    if let Some(other) = earlier.iter().find(|earlier| earlier.path.overlaps(&path)) {
        return Err(format!("and `overlay.{}` cannot both hold", other.path));
    }
    Ok(Some(Managed { path, value: value.to_owned(), source: Source::Config }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(assignments: &[&str], config: &[(&str, &str)]) -> Result<(Vec<String>, usize), String> {
        let assignments: Vec<_> =
            assignments.iter().map(|text| setting::parse_assignment(text).unwrap()).collect();
        let config: Vec<_> =
            config.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let (managed, warnings) =
            layers(&assignments, &config, Path::new("/m")).map_err(|error| error.message)?;
        let shown = managed.iter().map(|setting| format!("{}={}", setting.path, setting.value)).collect();
        Ok((shown, warnings.len()))
    }

    #[test]
    fn the_command_line_is_stronger_than_the_config() {
        let rows: &[(&[&str], &[(&str, &str)], &[&str], usize)] = &[
            (&["a=1", "a=2"], &[], &["a=2"], 0),
            (&["a.b=1"], &[("a.b", "2"), ("a.c", "3")], &["a.b=1", "a.c=3"], 0),
            (&["a=1"], &[("a.b", "2")], &["a=1"], 0),
            (&[], &[("a", "1"), ("a.b", "2")], &["a=1"], 1),
            (&[], &[("session.resume_agents_on_restore", "true")], &[], 1),
            (&[], &[("session.resume_agents_on_restore", "false")], &[], 0),
            (&[], &[("session", "3"), ("a b", "1")], &[], 2),
        ];
        for (assignments, config, expected, warnings) in rows {
            let found = run(assignments, config).unwrap();
            assert_eq!(
                (found.0.iter().map(String::as_str).collect::<Vec<_>>(), found.1),
                (expected.to_vec(), *warnings)
            );
        }
        assert!(run(&["a=1", "a.b=2"], &[]).unwrap_err().contains("cannot both hold"));
    }
}
