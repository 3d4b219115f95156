//! `mam-render-config --reload`: running servers read the overlay again.

use std::time::Duration;

use mam_share::exit::Exit;
use mam_share::herdr::places;
use mam_share::herdr::socket::{self, NoAnswer};
use mam_share::message::{Warning, harmless};
use mam_share::settings::Settings;
use serde_json::{Value, json};

use super::Context;

/// How long a server may take. It answers within 5 s or gives up.
const LIMIT: Duration = Duration::from_secs(6);

/// Asks the server of each of mam's sessions, and says what came of it.
pub fn run(context: &Context<'_>, settings: &Settings) -> Exit {
    let mut exit = Exit::Done;
    let mut running = 0;
    for session in settings.sessions() {
        let path = places::socket(context.environment, Some(session));
        match socket::ask(&path, "server.reload_config", &json!({}), LIMIT) {
            Err(NoAnswer::NotRunning) => continue,
            Ok(answer) if answer.get("status").and_then(Value::as_str) == Some("failed") => {
                let text =
                    format!("the server of session `{session}` keeps its old config: {}", remarks(&answer));
                context.messages.warn(&Warning::new(text));
                exit = Exit::No;
            }
            Ok(answer) => {
                let remarks = remarks(&answer);
                let tail = if remarks.is_empty() { String::new() } else { format!(": {remarks}") };
                context
                    .messages
                    .say(&format!("the server of session `{session}` has read its config again{tail}"));
            }
            Err(error) => {
                let text =
                    format!("the server of session `{session}` did not read its config again: {error}");
                context.messages.warn(
                    &Warning::new(text).hint(format!("try `herdr --session {session} server reload-config`")),
                );
                exit = Exit::No;
            }
        }
        running += 1;
    }
    if running == 0 {
        let names = settings.sessions().map(|session| format!("`{session}`")).collect::<Vec<_>>().join(", ");
        context
            .messages
            .say(&format!("no server is running in {names}; the next one starts with the overlay"));
    }
    exit
}

fn remarks(answer: &Value) -> String {
    let all = answer.get("diagnostics").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(Value::as_str).map(harmless).collect::<Vec<_>>().join("; ")
}
