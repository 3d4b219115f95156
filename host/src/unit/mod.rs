//! The installed unit: where it is, what it was made from, and how its supervisor is told.

pub mod control;
pub mod install;

use std::path::PathBuf;

use mam_share::files::{self, Trust};
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::setup::block::first_difference;
use crate::supervisor::Kind;

/// The form of the record that this version reads and writes.
const VERSION: u32 = 1;

/// An installed unit, as it is remembered in the state directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    version: u32,
    /// Of which supervisor.
    #[serde(with = "kind_by_name")]
    pub kind: Kind,
    /// Where its files are.
    pub directory: PathBuf,
    /// The path of `mam` in it.
    pub program: String,
    /// The variables in it.
    pub variables: Vec<(String, String)>,
}

/// The installed unit. A record that cannot be read is none.
pub fn installed(context: &Context) -> Option<Installed> {
    let bytes = files::read(&record(context), Trust::Ours).ok()??;
    let unit: Installed = serde_json::from_slice(&bytes).ok()?;
    let is_there = unit.files().iter().all(|file| unit.directory.join(file.name).is_file());
    (unit.version == VERSION && is_there).then_some(unit)
}

fn record(context: &Context) -> PathBuf {
    context.places.state.join("unit.json")
}

impl Installed {
    /// The first of its files that is not as this version writes it, with the line, from 1.
    pub fn changed(&self) -> Option<(PathBuf, usize)> {
        self.files().iter().find_map(|file| {
            let path = self.directory.join(file.name);
            let present = files::read(&path, Trust::Anyone).ok().flatten().unwrap_or_default();
            first_difference(&present, file.text.as_bytes()).map(|line| (path, line))
        })
    }

    fn files(&self) -> Vec<crate::supervisor::UnitFile> {
        self.kind.files(&self.program, &self.variables)
    }
}

mod kind_by_name {
    //! A kind as its word.

    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::supervisor::Kind;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's form")]
    pub(super) fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
