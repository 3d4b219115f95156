//! Whether the host is to serve a profile, by what is set for it.

use std::path::Path;

use mam_share::settings::Settings;

use crate::profile::ProfileName;

/// What is set for a profile.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, and all of them go together")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Membership {
    /// `mam stop` parked it: the host must not serve it until `mam start`.
    pub is_parked: bool,
    /// The root's config excludes it.
    pub is_excluded: bool,
    /// Its own config gives it a server of its own.
    pub is_standalone: bool,
    /// Its own config cannot be read.
    pub is_unclear: bool,
}

impl Membership {
    /// What is set for `profile` below the home `root`, whose settings are `settings`. The root's own
    /// profile can be parked, but neither be excluded from its own host nor stand beside it.
    pub fn of(profile: &ProfileName, root: &Path, settings: &Settings) -> Self {
        let home = profile.home(root);
        let is_parked = fs_err::symlink_metadata(home.join("parked")).is_ok();
        if profile.is_root() {
            return Self { is_parked, ..Self::default() };
        }
        let (own, _) = Settings::load(&home.join("config.toml"));
        Self {
            is_parked,
            is_excluded: settings.exclude.iter().any(|name| name == profile.as_str()),
            is_standalone: own.is_standalone,
            is_unclear: own.is_uncertain,
        }
    }

    /// Whether a new host serves it.
    pub fn is_served(self) -> bool {
        self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mam_share::files::write_atomic;

    #[test]
    fn every_profile_is_served_unless_something_says_otherwise() {
        let dir = tempfile::tempdir().unwrap();
        let of = |name: &str| {
            let settings = Settings { exclude: vec!["out".into(), "default".into()], ..Settings::default() };
            Membership::of(&name.parse().unwrap(), dir.path(), &settings)
        };
        for (name, file, text) in [
            ("parked", "parked", ""),
            ("alone", "config.toml", "[host]\nstandalone = true\n"),
            ("broken", "config.toml", "[host"),
            ("plain", "config.toml", ""),
        ] {
            let home = dir.path().join("profiles").join(name);
            fs_err::create_dir_all(&home).unwrap();
            write_atomic(&home.join(file), text.as_bytes(), 0o600).unwrap();
        }
        assert!(of("default").is_served() && of("plain").is_served());
        assert!(of("parked").is_parked && of("out").is_excluded);
        assert!(of("alone").is_standalone && of("broken").is_unclear);
        for name in ["parked", "out", "alone", "broken"] {
            assert!(!of(name).is_served(), "{name}");
        }
    }
}
