//! The host record: a hint about who owns the host, to be proved before it is believed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::profile::ProfileName;

/// The form of the record that this version writes and believes.
pub const PROTOCOL: u32 = 1;

/// The one role.
const ROLE: &str = "host";

/// `host.json`. Optional fields may be missing without the owner looking dead; unknown fields are
/// kept out of the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostRecord {
    /// `host`; anything else is another program's.
    pub role: String,
    /// The home that launched the host; none means the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<PathBuf>,
    /// The server's process id.
    pub pid: u32,
    /// When that process started: milliseconds since boot (Linux) or since 1970 (macOS).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create_time: Option<u64>,
    /// The boot it was started in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot_id: Option<String>,
    /// Its herdr session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Its API socket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<PathBuf>,
    /// The overlay it was started on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<PathBuf>,
    /// [`PROTOCOL`].
    #[serde(default = "unknown_protocol")]
    pub protocol_version: u32,
    /// The profiles it serves.
    #[serde(default)]
    pub profiles: Vec<ProfileName>,
    /// When it was written, UTC, for people.
    #[serde(default)]
    pub updated_at: String,
}

fn unknown_protocol() -> u32 {
    // A record that does not say is one of the first.
    PROTOCOL
}

impl HostRecord {
    /// A record of `pid` that serves nobody yet.
    pub fn new(pid: u32) -> Self {
        Self {
            role: ROLE.to_owned(),
            home: None,
            pid,
            create_time: None,
            boot_id: None,
            session: None,
            socket: None,
            overlay: None,
            protocol_version: PROTOCOL,
            profiles: Vec::new(),
            updated_at: String::new(),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Why it is none: bad JSON, another role, an impossible pid. Such a record is as good as missing.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let record: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if record.role != ROLE {
            return Err(format!("its role is `{}`, not `{ROLE}`", record.role));
        }
        // 1 is init; no host is.
        if record.pid <= 1 || i32::try_from(record.pid).is_err() {
            return Err(format!("{} is no process id of a host", record.pid));
        }
        Ok(record)
    }
}

/// What the kernel says about the pid of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// When the process with that pid started; `None` when there is none.
    pub started: Option<u64>,
    /// The present boot; `None` when the platform does not say.
    pub boot: Option<String>,
    /// The pid that holds the host lock.
    pub lock_holder: Option<u32>,
    /// The pid at the other end of the API socket.
    pub socket_peer: Option<u32>,
}

/// What a record is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its process is gone, or never was this one.
    Stale(Staleness),
    /// The process is the one that was recorded, and it holds the lock or answers on the socket.
    Proven,
    /// Neither. It is not dialled, not killed, not replaced.
    CannotTell,
}

/// Why a record is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// Written by a version that keeps other records.
    OtherProtocol,
    /// No process has its pid.
    Dead,
    /// The process with its pid started at another time.
    OtherStart,
    /// The machine was booted since.
    OtherBoot,
}

/// Weighs a record against the facts.
pub fn standing(record: &HostRecord, facts: &Facts) -> Standing {
    if record.protocol_version != PROTOCOL {
        return Standing::Stale(Staleness::OtherProtocol);
    }
    if let (Some(then), Some(now)) = (&record.boot_id, &facts.boot)
        && then != now
    {
        return Standing::Stale(Staleness::OtherBoot);
    }
    let Some(started) = facts.started else { return Standing::Stale(Staleness::Dead) };
    let is_same_start = match record.create_time {
        Some(then) if then != started => return Standing::Stale(Staleness::OtherStart),
        Some(_) => true,
        None => false,
    };
    let is_same_boot = record.boot_id.is_some() && record.boot_id == facts.boot;
    let is_witnessed = [facts.lock_holder, facts.socket_peer].contains(&Some(record.pid));
    if is_same_start && is_same_boot && is_witnessed { Standing::Proven } else { Standing::CannotTell }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> HostRecord {
        HostRecord { create_time: Some(77), boot_id: Some("b".into()), ..HostRecord::new(50) }
    }

    fn facts() -> Facts {
        Facts { started: Some(77), boot: Some("b".into()), lock_holder: Some(50), socket_peer: None }
    }

    #[test]
    fn only_a_process_that_matches_and_is_witnessed_is_proven() {
        use Standing::{CannotTell, Proven, Stale};
        let rows: Vec<(HostRecord, Facts, Standing)> = vec![
            (record(), facts(), Proven),
            (record(), Facts { lock_holder: None, socket_peer: Some(50), ..facts() }, Proven),
            (record(), Facts { lock_holder: None, ..facts() }, CannotTell),
            (record(), Facts { lock_holder: Some(51), socket_peer: Some(51), ..facts() }, CannotTell),
            (record(), Facts { started: None, ..facts() }, Stale(Staleness::Dead)),
            (record(), Facts { started: Some(78), ..facts() }, Stale(Staleness::OtherStart)),
            (record(), Facts { boot: Some("c".into()), ..facts() }, Stale(Staleness::OtherBoot)),
            (record(), Facts { boot: None, ..facts() }, CannotTell),
            (HostRecord { protocol_version: 2, ..record() }, facts(), Stale(Staleness::OtherProtocol)),
            // What is missing never makes a live owner look dead.
            (HostRecord { create_time: None, ..record() }, facts(), CannotTell),
            (HostRecord { boot_id: None, ..record() }, facts(), CannotTell),
        ];
        for (record, facts, expected) in rows {
            assert_eq!(standing(&record, &facts), expected, "{record:?}\n{facts:?}");
        }
    }

    #[test]
    fn records_are_read_leniently_and_nonsense_is_none() {
        let bare = HostRecord::parse(br#"{"role":"host","pid":4711,"some":"new field"}"#).unwrap();
        assert_eq!((bare.pid, bare.home, bare.protocol_version), (4711, None, PROTOCOL));
        let full = br#"{"role":"host","home":"/r","pid":4711,"createTime":1,"bootId":"b","session":"mam","socket":"/s","overlay":"/o","protocolVersion":1,"profiles":["default","ops"],"updatedAt":"2026-12-01T00:00:00Z"}"#;
        let record = HostRecord::parse(full).unwrap();
        assert_eq!(record.profiles.len(), 2);
        let text = serde_json::to_vec(&record).unwrap();
        assert_eq!(HostRecord::parse(&text).unwrap(), record);
        let broken: [&[u8]; 7] = [
            b"",
            b"{",
            b"[]",
            b"{\"role\":\"gateway\",\"pid\":4711}",
            b"{\"role\":\"host\",\"pid\":1}",
            b"{\"role\":\"host\",\"pid\":-4}",
            b"{\"role\":\"host\",\"pid\":4294967295}",
        ];
        for bytes in broken {
            assert!(HostRecord::parse(bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
        }
    }
}
