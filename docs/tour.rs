//! `cargo run --example tour`: a session is created, its server is killed, the session comes back. All of
//! it happens in a throw-away home, on the small herdr of the tests, with a script for an agent.
//!
//! This one program is all the programs of the story: each is a copy of it under its own name.

use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use mam_share::child::{self, Run};
use mam_share::files::write_atomic;

/// The programs of the story that are Rust.
const PROGRAMS: [&str; 4] = ["mam", "mam-render-config", "mam-restore-hook", "herdr"];

/// The name under which this program waits for the end of the tour, and tidies up.
const SWEEPER: &str = "mam-tour-sweeper";

/// The shell of the panes. One with a line editor: what is half typed in another nobody can see, so that its
/// pane would stay.
const SHELL: &str = "/bin/bash";

/// How long one step may take. The slowest is herdr's save of its layout, some 5 s after a change.
const PATIENCE: Duration = Duration::from_secs(15);

/// A stand-in for claude: it writes down its arguments and its directory, and tells herdr its conversation
/// as the integration of the real one does.
const AGENT: &str = r#"#!/bin/sh
printf '%s\n' "claude $*" > "$HOME/launched"
printf '%s\n' "in $(pwd), with SHOP=$SHOP" >> "$HOME/launched"
for word in "$@"; do
    case $previous in --session-id | --resume) conversation=$word ;; esac
    previous=$word
done
echo 'Welcome to Claude Code (a stand-in)'
sleep 3 # It says so only when it is ready.
while :; do
    herdr pane report-agent-session "$HERDR_PANE_ID" --source herdr:claude --agent claude \
        --agent-session-id "$conversation" 2> /dev/null
    sleep 1
done
"#;

fn main() -> ExitCode {
    let name = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
    match name.file_name().and_then(OsStr::to_str) {
        Some("mam") => mam_host::run(),
        Some("mam-render-config") => mam_render::run(),
        Some("mam-restore-hook") => mam_hook::run(),
        Some("herdr") => herdr_sim::run(),
        Some(SWEEPER) => sweep(),
        _ => tour(),
    }
}

fn tour() -> ExitCode {
    match tell() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(io::stderr(), "tour: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// The story.
fn tell() -> io::Result<()> {
    let stage = Stage::set()?;
    say(&format!("The home of this tour is {}; it is removed at the end.\n", stage.home.display()))?;
    say("\nAn agent is launched with flags, a directory and a variable of its own.\n")?;
    stage
        .show("mam -q create review --agent claude --cwd ~/shop --env SHOP=test -- --model opus --verbose")?;
    stage.wait("the agent runs", || stage.home.join("launched").exists())?;
    stage.show("cat ~/launched")?;
    let record = stage.ask("mam show review --json")?;
    let conversation =
        after(&record, "\"value\": \"").and_then(|rest| rest.split('"').next()).unwrap_or_default();
    let layout = stage.home.join(".config/herdr/sessions/mam/session.json");
    let is_saved = || fs_err::read_to_string(&layout).is_ok_and(|text| text.contains(conversation));
    say("\nherdr saves its layout (some seconds), and then its server is killed.\n")?;
    stage.wait("herdr saves its layout", is_saved)?;
    fs_err::remove_file(stage.home.join("launched"))?;
    let status = stage.ask("mam -q status --json")?;
    let pid = after(&status, "\"pid\": ").and_then(|rest| rest.split(',').next()).unwrap_or_default();
    stage.show(&format!("kill -9 {pid}"))?;
    stage.wait("the server is gone", || stage.ask("mam list").is_ok_and(|list| !list.contains("running")))?;
    say(
        "\nIt starts again on the overlay: the pane is back, as an empty shell, and no agent was relaunched.\n",
    )?;
    stage.show("mam -q start")?;
    stage.show("mam list")?;
    stage.show("mam-restore-hook list --session mam")?;
    say("\nThe agent comes back as it was launched, in the same place, and the empty shell is closed.\n")?;
    stage.show("mam resume review")?;
    stage.wait("the agent runs", || stage.home.join("launched").exists())?;
    stage.show("cat ~/launched")?;
    stage.show("mam list")?;
    stage.show("mam-restore-hook list --session mam")?;
    say("\nAll of it is gone now. To do the same with your herdr: mam setup\n")
}

/// The throw-away home, and who tidies it up.
struct Stage {
    home: PathBuf,
    sweeper: Child,
}

impl Stage {
    fn set() -> io::Result<Self> {
        // Not `TMPDIR`: the path of a socket has to be short.
        let directory = tempfile::Builder::new().prefix("mam-tour-").tempdir_in("/tmp")?.keep();
        let home = fs_err::canonicalize(directory)?;
        let bin = home.join("bin");
        fs_err::create_dir_all(&bin)?;
        fs_err::create_dir(home.join("shop"))?;
        let this = std::env::current_exe()?;
        let first = bin.join(SWEEPER);
        fs_err::copy(&this, &first)?;
        for program in PROGRAMS {
            fs_err::hard_link(&first, bin.join(program))?;
        }
        write_atomic(&bin.join("claude"), AGENT.as_bytes(), 0o755)?;
        // In a group of its own: ctrl-c ends the tour, and then this tidies up.
        let mut sweeper = command(&home, &first);
        let sweeper = sweeper.arg(&home).process_group(0).stdin(Stdio::piped()).spawn()?;
        Ok(Self { home, sweeper })
    }

    /// Shows a command and what it says.
    fn show(&self, line: &str) -> io::Result<()> {
        say(&format!("$ {line}\n"))?;
        say(&self.ask(line)?)
    }

    /// What a command says.
    fn ask(&self, line: &str) -> io::Result<String> {
        let mut shell = command(&self.home, Path::new("/bin/sh"));
        shell.args(["-c", &format!("{{ {line}; }} 2>&1")]);
        let run = child::run(shell, PATIENCE);
        if let Run::Ended(answer) = &run
            && answer.status.success()
        {
            return Ok(String::from_utf8_lossy(&answer.stdout).into_owned());
        }
        Err(io::Error::other(format!("`{line}` failed: {run:?}")))
    }

    fn wait(&self, what: &str, is_so: impl Fn() -> bool) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while !is_so() {
            if Instant::now() > deadline {
                let log = self.ask("cat ~/.config/mam/logs/mam.log").unwrap_or_default();
                return Err(io::Error::other(format!("it did not come about that {what}\n{log}")));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Its input ends: it tidies up, and that is waited for.
        drop(self.sweeper.stdin.take());
        drop(self.sweeper.wait());
    }
}

/// A program with the throw-away home, and nothing else, in its environment.
fn command(home: &Path, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", home).current_dir(home).env("SHELL", SHELL).env("TERM", "xterm");
    command.env("LC_ALL", "C.UTF-8");
    command.env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", home.join("bin").display()));
    command
}

/// Waits until the tour has ended, however it did; then stops its server and removes its home.
fn sweep() -> ExitCode {
    // An error is an end, too.
    drop(io::stdin().read_to_end(&mut Vec::new()));
    let Some(home) = std::env::args_os().nth(1).map(PathBuf::from) else { return ExitCode::FAILURE };
    let mut stop = command(&home, &home.join("bin/mam"));
    stop.args(["-q", "stop"]);
    let stopped = child::run(stop, PATIENCE);
    // Agents that have just been stopped may still write.
    let removed = (0..20).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        fs_err::remove_dir_all(&home).is_ok()
    });
    if matches!(stopped, Run::Ended(_)) && removed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// What follows a label.
fn after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    text.split_once(label).map(|(_, rest)| rest)
}
