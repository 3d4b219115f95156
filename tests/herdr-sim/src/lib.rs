//! herdr-sim: a small stand-in for the terminal multiplexer herdr 0.8.2, for tests of mam.
//!
//! It behaves as herdr was measured to behave and claims nothing more. What was not measured fails
//! loudly: the answer is `invalid_request`, and the server's log says `refused`. `--version` prints
//! `herdr 0.8.2`, so the binary can stand where herdr stands.
//!
//! # What it claims
//!
//! | subject | claimed |
//! |---|---|
//! | places | config directory and file, session directories, sockets (0600), plugin registry; `--session` over `HERDR_SOCKET_PATH` over `HERDR_SESSION`; bad names exit 2; too long socket paths |
//! | config | strict reading with `toml` 0.8, dropped whole for one wrong value; unknown keys and sections, theme names, sound files, sidebar widths as harmless issues. Keybindings are typed but not judged |
//! | writing | `channel set`, `config reset-keys`; `sim set-theme NAME` and `sim finish-onboarding` do what the settings screen and the onboarding do |
//! | server | foreground, one per session, clean stop on SIGTERM and `server.stop`, survivable SIGKILL, keeps locks taken before `exec` from its panes |
//! | socket | one request per connection, 1 MiB, 5 s, all waiting requests answered in one turn of 20 ms, `pane.close` takes 17 ms |
//! | panes | real shells on real terminals with job control, 120x40 without a client, splits, zoom, labels, focus; the last 64 KiB of output, not a screen |
//! | ids | `w1:p1`; numbers are written in base 32: `9`, `A`, then without I, L, O and U to `Z`, `0`, `11` |
//! | groups | `worktree.create` (runs git), `confirmation_required`, `ui.confirm_close = false` |
//! | agents | detected by the foreground process group, named by reports of official sources, gone with their process |
//! | restore | `session.json` some seconds after a change, agents relaunched bare unless the config says off, no events |
//! | plugins | registry, manifest read at link time, `[[startup]]`, `[[events]]`, `[[actions]]`, `[[panes]]` as split, tab or zoomed; 32 commands at a time, 64 KiB of output |
//! | handoff | `server.live_handoff`: new process, same environment, same shells, other terminal ids, no agents for a moment |
//! | client | without a verb it attaches, starts a server if there is none, and tells its size; it draws nothing |
//!
//! Not there: drawing, popups and overlays, `events.subscribe` and `events.wait`, `agent.start` and
//! its kin, moving panes and tabs, integrations, graphics, remote sessions, self-update.
//!
//! # Switches
//!
//! Environment of the command, or of the server:
//!
//! | variable | effect |
//! |---|---|
//! | `HERDR_SIM_VERSION` | the version it claims, instead of 0.8.2 |
//! | `HERDR_SIM_CONFIG_CHECK` | `hang`: `config check` never ends; `unknown`: it is no verb (usage, exit 2) |
//! | `HERDR_SIM_SAVE_MS` | how long after a change `session.json` is written, instead of 5000 |
//! | `HERDR_SIM_CLOSE_MS` | how long a `pane.close` takes, instead of 17 |
//! | `HERDR_SIM_HANDOFF_MS` | how long no agent is looked for after a handoff, instead of 1500 |
//! | `HERDR_SIM_HANDOFF` | `wrong`: meanwhile every pane with a conversation claims a live agent |
//! | `HERDR_SIM_PWD` | `inherit`: shells start with the server's `PWD`, not with that of their directory |
//!
//! While a server runs, `sim-faults.json` in the session's directory makes answers slow, late,
//! half, huge, missing or wrong, and can kill the server: `src/server/faults.rs` has the rules.

mod agents;
mod cli;
mod config;
mod env;
mod keys;
mod model;
mod paths;
mod plugins;
mod procs;
mod pty;
mod server;

/// Runs the program on the arguments of the process.
#[must_use]
pub fn run() -> std::process::ExitCode {
    cli::run()
}
