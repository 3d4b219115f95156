//! The environment of the host: built from a list, never inherited.
//!
//! Everything in the server's environment reaches every pane, agent and plugin command. So the host
//! gets a small allow-list of the caller's variables, the names that the root's config adds, and the
//! root's own `.env`; never another profile's secrets, and never a variable that would make an agent
//! believe it runs inside another agent or multiplexer.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// Names that pass: identity, locale, search paths, proxies and certificates, desktop and agents of
/// the session. A `*` at the end stands for any rest.
const ALLOWED: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PATH",
    "MANPATH",
    "TMPDIR",
    "TZ",
    "TZDIR",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TERM",
    "COLORTERM",
    "TERMINFO",
    "TERMINFO_DIRS",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "XDG_*",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "GPG_AGENT_INFO",
    "GNUPGHOME",
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "all_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "FTP_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CURL_CA_BUNDLE",
    "REQUESTS_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "NIX_SSL_CERT_FILE",
    "NIX_PATH",
    "NIX_PROFILES",
    "LOCALE_ARCHIVE",
    "__CF_USER_TEXT_ENCODING",
    "SECURITYSESSIONID",
    "MAM_HOME",
    "MAM_STATE_DIR",
];

/// Names that never pass, whoever asks: herdr's own (they name another server), other multiplexers',
/// and the markers by which an agent knows that it runs inside an agent.
const NEVER: &[&str] = &[
    "HERDR_*",
    "TMUX",
    "TMUX_*",
    "STY",
    "ZELLIJ",
    "ZELLIJ_*",
    "CLAUDECODE",
    "CLAUDE_CODE_*",
    "CODEX_THREAD_ID",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_*",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "AGENT_SESSION_ID",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "NOTIFY_SOCKET",
    "LISTEN_FDS",
    "LISTEN_PID",
    "LISTEN_FDNAMES",
    "XPC_SERVICE_NAME",
    "MAM_LAUNCH",
    "MAM_SUPERVISED",
    "MAM_HOST",
    "MAM_PROFILE",
];

/// Why a variable is, or is not, in the host's environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// On the allow-list.
    Allowed,
    /// Named by `[env] pass` of the root's config.
    Named,
    /// From the root's `.env`.
    DotEnv,
    /// Set by mam itself.
    Ours,
    /// Not on any list.
    Dropped,
    /// Never passed: it would name another server, or make an agent think that it is nested.
    Never,
}

/// One variable and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Its value in the host's environment; for what is left out, the caller's.
    pub value: OsString,
    /// Why.
    pub why: Why,
}

impl Decided {
    /// Whether it is in the host's environment.
    pub fn is_in(&self) -> bool {
        match self.why {
            Why::Allowed | Why::Named | Why::DotEnv | Why::Ours => true,
            Why::Dropped | Why::Never => false,
        }
    }
}

/// Everything the host's environment is made from.
#[derive(Clone, Debug, Default)]
pub struct Sources<'a> {
    /// The caller's variables, without what a named profile's `.env` put there.
    pub caller: Vec<(&'a OsStr, &'a OsStr)>,
    /// `[env] pass` of the root's config.
    pub named: Vec<String>,
    /// The root's `.env`.
    pub dot_env: Vec<(String, String)>,
    /// What mam sets: the overlay, the marker of the host.
    pub ours: Vec<(&'a str, OsString)>,
}

/// Decides about each variable; later sources are stronger.
pub fn decide(sources: &Sources<'_>) -> BTreeMap<OsString, Decided> {
    let mut decided = BTreeMap::new();
    for (name, value) in &sources.caller {
        let why = match name.to_str() {
            Some(text) if matches(NEVER, text) => Why::Never,
            Some(text) if matches(ALLOWED, text) => Why::Allowed,
            Some(text) if sources.named.iter().any(|named| named == text) => Why::Named,
            Some(_) | None => Why::Dropped,
        };
        decided.insert((*name).to_owned(), Decided { value: (*value).to_owned(), why });
    }
    for (name, value) in &sources.dot_env {
        let why = if matches(NEVER, name) { Why::Never } else { Why::DotEnv };
        decided.insert(name.into(), Decided { value: value.into(), why });
    }
    for (name, value) in &sources.ours {
        decided.insert((*name).into(), Decided { value: value.clone(), why: Why::Ours });
    }
    decided
}

fn matches(patterns: &[&str], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => *pattern == name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(caller: &[(&str, &str)], named: &[&str], dot_env: &[(&str, &str)]) -> BTreeMap<OsString, Decided> {
        decide(&Sources {
            caller: caller.iter().map(|(name, value)| (OsStr::new(*name), OsStr::new(*value))).collect(),
            named: named.iter().map(|name| (*name).to_owned()).collect(),
            dot_env: dot_env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ours: vec![("HERDR_CONFIG_PATH", "/o".into()), ("MAM_HOST", "mam".into())],
        })
    }

    #[test]
    fn what_is_on_no_list_is_dropped() {
        let rows = [
            ("PATH", Why::Allowed),
            ("LC_TIME", Why::Allowed),
            ("XDG_RUNTIME_DIR", Why::Allowed),
            ("HTTPS_PROXY", Why::Allowed),
            ("SSH_AUTH_SOCK", Why::Allowed),
            ("OPENAI_API_KEY", Why::Dropped),
            ("PATHOLOGY", Why::Dropped),
            ("MY_OWN", Why::Named),
            ("HERDR_SESSION", Why::Never),
            ("HERDR_SOCKET_PATH", Why::Never),
            ("TMUX", Why::Never),
            ("TMUX_PANE", Why::Never),
            ("STY", Why::Never),
            ("ZELLIJ_SESSION_NAME", Why::Never),
            ("CLAUDECODE", Why::Never),
            ("CLAUDE_CODE_ENTRYPOINT", Why::Never),
            ("CODEX_THREAD_ID", Why::Never),
            ("INVOCATION_ID", Why::Never),
        ];
        for (name, why) in rows {
            let decided = run(&[(name, "v")], &["MY_OWN", "CLAUDECODE", "TMUX"], &[]);
            assert_eq!(decided[OsStr::new(name)].why, why, "{name}");
        }
    }

    #[test]
    fn the_roots_own_secrets_come_last_but_cannot_bring_a_marker() {
        let decided = run(
            &[("PATH", "/caller"), ("TOKEN", "caller")],
            &[],
            &[("TOKEN", "root"), ("PATH", "/root"), ("TMUX", "x")],
        );
        let value = |name: &str| decided[OsStr::new(name)].value.clone();
        assert_eq!((value("TOKEN"), value("PATH")), ("root".into(), "/root".into()));
        assert!(!decided[OsStr::new("TMUX")].is_in());
        assert_eq!(value("HERDR_CONFIG_PATH"), "/o");
        assert!(decided[OsStr::new("HERDR_CONFIG_PATH")].is_in());
    }
}
