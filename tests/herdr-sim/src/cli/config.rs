//! `config check`, and the verbs that write the config file.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Exit, complain, say, usage};
use crate::config::{self, edit};
use crate::{env, paths};

/// `herdr config …`.
pub(super) fn run(args: &[&str]) -> Exit {
    match args {
        ["check"] => check(),
        ["check", ..] => usage("config check"),
        ["reset-keys"] => reset_keys(),
        _ => usage("config <check|reset-keys>"),
    }
}

/// `herdr channel …`.
pub(super) fn channel(args: &[&str]) -> Exit {
    match args {
        ["show"] => {
            let channel = config::load().config.update.channel;
            say(&format!("{:?}", channel.unwrap_or(config::UpdateChannel::Stable)).to_lowercase());
            Ok(0)
        }
        ["set", name @ ("stable" | "preview")] => {
            edit::rewrite(&paths::config_file(), |text| {
                edit::set(text, "update", "channel", &format!("\"{name}\""))
            })
            .map_err(|error| error.to_string())?;
            say(&format!("update channel: {name}"));
            Ok(0)
        }
        _ => usage("channel <show|set <stable|preview>>"),
    }
}

fn check() -> Exit {
    match env::switch("CONFIG_CHECK").as_deref() {
        Some("hang") => loop {
            std::thread::sleep(Duration::from_secs(3600));
        },
        Some("unknown") => {
            complain("error: unrecognized subcommand 'check'");
            return usage("config reset-keys");
        }
        _ => {}
    }
    let diagnostics = config::load().diagnostics;
    if diagnostics.is_empty() {
        say("config: ok");
        return Ok(0);
    }
    say("config: issues found");
    for line in diagnostics {
        say(&line);
    }
    Ok(1)
}

fn reset_keys() -> Exit {
    let path = paths::config_file();
    let shown = path.display();
    if !path.exists() {
        say(&format!("no config file at {shown}"));
        return Ok(0);
    }
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let table: toml::Table =
        text.parse().map_err(|error| format!("config file at {shown} is invalid TOML: {error}"))?;
    if !table.contains_key("keys") {
        say(&format!("no [keys] in {shown}"));
        return Ok(0);
    }
    let edited = edit::without_keys(&text);
    if edited == text || edited.parse::<toml::Table>().is_err() {
        return Err(format!("cannot take [keys] out of {shown}"));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let backup = path.with_file_name(format!("{name}.bak-keybind-v2-{now}"));
    std::fs::copy(&path, &backup).map_err(|error| error.to_string())?;
    std::fs::write(&path, edited).map_err(|error| error.to_string())?;
    say(&format!("backup: {}", backup.display()));
    say(&format!("removed [keys] from {shown}"));
    Ok(0)
}
