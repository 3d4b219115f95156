//! A mark that tells whether a secret is the one of last time, without keeping it.
//!
//! SipHash-2-4 with a random key of 128 bits. The key is not in the record but in mam's state directory,
//! so a record that was copied, mailed or backed up says nothing about a value to somebody who only
//! guesses: without the key every value may have every mark. Somebody who can read *both* files can try
//! guesses, and will find a short or common value; that is the same user, who can read `.env` as well.
//! The name of the variable goes in too, so that equal values under two names do not show as equal.

use std::ffi::OsStr;
use std::hash::Hasher as _;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use mam_share::files::{self, Trust};
use serde::{Deserialize, Serialize};

use super::bytes::hex;

/// The mark of a value: that of the key, a colon, that of the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

/// The key that marks are made with.
#[derive(Clone, Copy)]
pub struct Key([u8; 16]);

/// What two marks say about two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are equal.
    Same,
    /// They differ.
    Changed,
    /// The marks were made with two keys, so nobody knows.
    Unknown,
}

impl Key {
    /// The key of a state directory, made when there is none.
    ///
    /// # Errors
    /// It cannot be read or made; launches go on without marks.
    pub fn load(state: &Path) -> Result<Self, String> {
        let path = state.join("fingerprint.key");
        let read = |path: &Path| match files::read(path, Trust::Ours) {
            Ok(Some(bytes)) => <[u8; 16]>::try_from(bytes).ok().map(Self),
            Ok(None) | Err(_) => None,
        };
        if let Some(key) = read(&path) {
            return Ok(key);
        }
        files::private_dir(state).map_err(|error| files::reason(&error))?;
        let key = random()?;
        files::write_atomic(&path, &key, files::PRIVATE)
            .map_err(|error| format!("`{}`: {}", path.display(), files::reason(&error)))?;
        // Two programs may have made one at once; the file that stayed is the key of both.
        read(&path).ok_or_else(|| format!("`{}` cannot be read back", path.display()))
    }

    /// The key of these bytes.
    pub fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The mark of the value of the variable `name`.
    pub fn mark(&self, name: &str, value: &OsStr) -> Fingerprint {
        let of_value = self.hash(&[b"value", name.as_bytes(), b"=", value.as_bytes()]);
        Fingerprint(format!("{}:{of_value:016x}", self.own_mark()))
    }

    /// Whether `seen` is the mark of the value of the variable `name`.
    pub fn compare(&self, seen: &Fingerprint, name: &str, value: &OsStr) -> Comparison {
        if *seen == self.mark(name, value) {
            Comparison::Same
        } else if seen.0.split_once(':').is_some_and(|(key, _)| key == self.own_mark()) {
            Comparison::Changed
        } else {
            Comparison::Unknown
        }
    }

    fn own_mark(&self) -> String {
        format!("{:08x}", self.hash(&[b"key"]) >> 32)
    }

    #[expect(deprecated, reason = "the standard library's one hash with a key; it stays what it is")]
    fn hash(&self, parts: &[&[u8]]) -> u64 {
        let (low, high) = self.0.split_at(8);
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| (sum << 8) | u64::from(*byte));
        let mut hasher = std::hash::SipHasher::new_with_keys(number(low), number(high));
        for part in parts {
            hasher.write(part);
        }
        hasher.finish()
    }
}

/// Sixteen random bytes of the kernel.
///
/// # Errors
/// The kernel has none.
pub fn random() -> Result<[u8; 16], String> {
    let mut bytes = [0; 16];
    let device = fs_err::File::open("/dev/urandom");
    device.and_then(|mut device| device.read_exact(&mut bytes)).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Never shows the key.
impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Key({})", self.own_mark())
    }
}

/// A mark for tests and for people: what it is made of.
impl std::fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A random version 4 UUID, as `--session-id` options want it.
///
/// # Errors
/// The kernel has no random bytes.
pub fn uuid() -> Result<String, String> {
    let mut bytes = random()?;
    let [_, _, _, _, _, _, six, _, eight, ..] = &mut bytes;
    *six = (*six & 0x0f) | 0x40;
    *eight = (*eight & 0x3f) | 0x80;
    let mut text = hex(&bytes);
    for place in [20, 16, 12, 8] {
        text.insert(place, '-');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_siphash_2_4() {
        // The vectors of its authors: key 00 01 … 0f, input 00 01 … of the given length.
        let key = Key(std::array::from_fn(|index| u8::try_from(index).unwrap()));
        let input: Vec<u8> = (0..15).collect();
        for (length, hash) in
            [(0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (15, 0xa129_ca61_49be_45e5)]
        {
            assert_eq!(key.hash(&[&input[..length]]), hash, "{length}");
        }
    }

    #[test]
    fn a_mark_tells_a_change_and_another_key_tells_nothing() {
        let (ours, theirs) = (Key::new([1; 16]), Key::new([2; 16]));
        let seen = ours.mark("TOKEN", OsStr::new("one"));
        assert_eq!(ours.compare(&seen, "TOKEN", OsStr::new("one")), Comparison::Same);
        assert_eq!(ours.compare(&seen, "TOKEN", OsStr::new("two")), Comparison::Changed);
        assert_eq!(theirs.compare(&seen, "TOKEN", OsStr::new("one")), Comparison::Unknown);
        assert_ne!(ours.mark("OTHER", OsStr::new("one")), seen);
        assert_ne!(theirs.mark("TOKEN", OsStr::new("one")), seen);
    }

    #[test]
    fn a_key_is_made_once_and_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let first = Key::load(&state).unwrap();
        assert_eq!(Key::load(&state).unwrap().0, first.0);
        assert_ne!(first.0, [0; 16]);
        let mode = fs_err::metadata(state.join("fingerprint.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!format!("{first:?}").contains(&hex(&first.0)));
    }

    #[test]
    fn uuids_are_of_version_4_and_differ() {
        let (one, other) = (uuid().unwrap(), uuid().unwrap());
        assert_ne!(one, other);
        let parts: Vec<&str> = one.split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert!(parts[2].starts_with('4') && parts[3].starts_with(['8', '9', 'a', 'b']), "{one}");
    }
}
