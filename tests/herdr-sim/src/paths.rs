//! Where herdr keeps its files, and which session a command addresses.

use std::path::PathBuf;

use crate::env::var;

/// The directory of the config, of the default session and of the plugin registry.
pub(crate) fn config_dir() -> PathBuf {
    base("XDG_CONFIG_HOME", ".config", "herdr")
}

/// The directory under which plugins keep their state.
pub(crate) fn state_dir() -> PathBuf {
    base("XDG_STATE_HOME", ".local/state", "herdr-state")
}

fn base(variable: &str, in_home: &str, in_tmp: &str) -> PathBuf {
    if let Some(dir) = var(variable) {
        return PathBuf::from(dir).join("herdr");
    }
    match var("HOME") {
        Some(home) => PathBuf::from(home).join(in_home).join("herdr"),
        None => std::env::temp_dir().join(in_tmp),
    }
}

/// The config file; a variable that is set but empty names a file that is not there.
pub(crate) fn config_file() -> PathBuf {
    var("HERDR_CONFIG_PATH").map_or_else(|| config_dir().join("config.toml"), PathBuf::from)
}

/// One session: what it is called and where its files are.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// `None` is the default session.
    pub(crate) name: Option<String>,
    /// The API socket, which `HERDR_SOCKET_PATH` may have moved.
    pub(crate) socket: PathBuf,
}

impl Session {
    /// The session of that name, with its own socket.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let name = normalize(name)?;
        let socket = data_dir(name.as_deref()).join("herdr.sock");
        Ok(Self { name, socket })
    }

    /// `--session` beats `HERDR_SOCKET_PATH`, which beats `HERDR_SESSION`.
    pub(crate) fn choose(explicit: Option<&str>) -> Result<Self, String> {
        if let Some(name) = explicit {
            return Self::named(name);
        }
        let inherited = var("HERDR_SESSION");
        let Some(socket) = var("HERDR_SOCKET_PATH") else {
            return Self::named(inherited.as_deref().unwrap_or("default"));
        };
        let name = inherited.and_then(|name| normalize(&name).ok()).flatten();
        Ok(Self { name, socket: PathBuf::from(socket) })
    }

    /// Where the session's files are.
    pub(crate) fn dir(&self) -> PathBuf {
        data_dir(self.name.as_deref())
    }

    /// The socket that clients attach to, beside the API socket.
    pub(crate) fn client_socket(&self) -> PathBuf {
        self.socket.with_file_name("herdr-client.sock")
    }

    /// What the session is called in messages.
    pub(crate) fn label(&self) -> &str {
        self.name.as_deref().unwrap_or("default")
    }
}

fn data_dir(name: Option<&str>) -> PathBuf {
    let dir = config_dir();
    name.map_or(dir.clone(), |name| dir.join("sessions").join(name))
}

/// Checks a session name; `default` is the session without a name.
fn normalize(name: &str) -> Result<Option<String>, String> {
    let good = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    if name.is_empty() || name.len() > 64 {
        return Err(format!("session name {name:?} must have 1 to 64 characters"));
    }
    if name == "." || name == ".." || !name.bytes().all(good) {
        return Err(format!("session name {name:?} may hold only ASCII letters, digits, '.', '_' and '-'"));
    }
    Ok((name != "default").then(|| name.to_owned()))
}
