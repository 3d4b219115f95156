//! What a setup has changed, so that it can be undone: written before the first change.

use std::path::{Path, PathBuf};

use mam_share::files::{self, Trust};
use serde::{Deserialize, Serialize};

/// The form of the file; another one is not read.
const VERSION: u32 = 1;

/// A marked block in a profile file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The profile file, as the shell names it.
    pub path: PathBuf,
    /// The block.
    pub text: String,
    /// The file was made for it.
    pub is_new_file: bool,
}

/// A file that setup wrote whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    /// The file.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
}

/// Everything that a setup has changed, or is about to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    version: u32,
    /// Blocks in profile files.
    pub blocks: Vec<Block>,
    /// Whole files.
    pub files: Vec<Whole>,
    /// Directories that were made for them, outermost first.
    pub directories: Vec<PathBuf>,
    /// The overlay, where there was none before.
    pub overlay: Option<PathBuf>,
    /// The plugin was linked.
    pub plugin: bool,
    /// The unit was installed: the name of its supervisor.
    pub unit: Option<String>,
}

impl Default for Receipt {
    fn default() -> Self {
        Self {
            version: VERSION,
            blocks: Vec::new(),
            files: Vec::new(),
            directories: Vec::new(),
            overlay: None,
            plugin: false,
            unit: None,
        }
    }
}

impl Receipt {
    /// Where it is, in a state directory.
    pub fn path(state: &Path) -> PathBuf {
        state.join("setup.json")
    }

    /// The receipt of a state directory, an empty one where there is none. One that cannot be read is
    /// none: what mam put into files is recognised without it.
    pub fn load(state: &Path) -> Self {
        let read = || -> Option<Self> {
            let bytes = files::read(&Self::path(state), Trust::Ours).ok()??;
            serde_json::from_slice(&bytes).ok().filter(|receipt: &Self| receipt.version == VERSION)
        };
        read().unwrap_or_default()
    }

    /// Writes it; an empty one is removed.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn save(&self, state: &Path) -> std::io::Result<()> {
        let path = Self::path(state);
        if *self == Self::default() {
            return match fs_err::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
                Ok(()) | Err(_) => Ok(()),
            };
        }
        files::private_dir(state)?;
        files::write_atomic(&path, &serde_json::to_vec_pretty(self)?, files::PRIVATE)
    }

    /// Adds what another setup is about to change. What is recorded already stays as it is: that setup
    /// found the file as the user had it.
    pub fn merge(&mut self, more: Self) {
        for block in more.blocks {
            match self.blocks.iter_mut().find(|known| known.path == block.path) {
                Some(known) => known.text = block.text,
                None => self.blocks.push(block),
            }
        }
        for file in more.files {
            match self.files.iter_mut().find(|known| known.path == file.path) {
                Some(known) => known.text = file.text,
                None => self.files.push(file),
            }
        }
        for directory in more.directories {
            if !self.directories.contains(&directory) {
                self.directories.push(directory);
            }
        }
        self.overlay = self.overlay.take().or(more.overlay);
        self.plugin |= more.plugin;
        self.unit = self.unit.take().or(more.unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_kept_until_it_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        assert_eq!(Receipt::load(&state), Receipt::default());
        let block = Block { path: "/h/.bashrc".into(), text: "b".into(), is_new_file: true };
        let mut receipt = Receipt { blocks: vec![block], plugin: true, ..Receipt::default() };
        receipt.save(&state).unwrap();
        assert_eq!(Receipt::load(&state), receipt);
        // A second setup with a newer block: the file still was made for the first one.
        let newer = Block { path: "/h/.bashrc".into(), text: "c".into(), is_new_file: false };
        receipt.merge(Receipt { blocks: vec![newer], unit: Some("systemd".into()), ..Receipt::default() });
        assert_eq!(
            receipt.blocks,
            [Block { path: "/h/.bashrc".into(), text: "c".into(), is_new_file: true }]
        );
        assert!(receipt.plugin && receipt.unit.is_some());
        Receipt::default().save(&state).unwrap();
        assert!(!Receipt::path(&state).exists());
        Receipt::default().save(&state).unwrap();
    }
}
