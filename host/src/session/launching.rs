//! Whether a recorded agent may be started now, and how its end is said.

use mam_share::exit::Exit;
use nix::sys::signal::Signal;

use super::foreground::decision::End;
use super::name::RecordName;
use super::record::{Ended, ProcessId, SessionRecord, Status};
use crate::lock::Holder;
use crate::profile::ProfileName;
use crate::words::{self, Trouble};

/// Nothing is started, because somebody else runs the agent of this record.
pub fn held(name: &RecordName, holder: Holder) -> Trouble {
    let who = match holder {
        Holder::Pid(pid) => format!("pid {pid}"),
        Holder::Hidden => "a process that cannot be named".to_owned(),
    };
    let text = format!("session `{name}` is run by another `mam launch` ({who}); nothing was started");
    Trouble::new("held", Exit::TryAgain, text).hint("mam list")
}

/// Whether the agent of a record may be started by somebody who holds its lease. Only a launch that was
/// just asked for is carried out, and once: the verb that asked for it has looked at everything else.
///
/// # Errors
/// Why not. Nothing is started then.
pub fn permit(
    record: &SessionRecord,
    profile: &ProfileName,
    is_alive: impl Fn(&ProcessId) -> bool,
) -> Result<(), Trouble> {
    let name = &record.name;
    match &record.status {
        Status::Launching { .. } => Ok(()),
        Status::Running { process } if is_alive(process) => {
            let pid = process.pid;
            let text = format!(
                "the agent of session `{name}` (pid {pid}) still runs, without its `mam launch`; nothing was started"
            );
            Err(Trouble::new("running", Exit::TryAgain, text)
                .hint(format!("end it, then resume it: kill {pid}")))
        }
        Status::Running { .. } | Status::Ended { .. } | Status::Failed { .. } => {
            let text = format!("no launch of session `{name}` was asked for; nothing was started");
            let resume = format!("{} resume {name}", words::mam(profile));
            Err(Trouble::new("not-asked", Exit::NeedsChange, text).hint(resume))
        }
    }
}

/// How an agent ended, for its record.
pub fn recorded(end: End) -> Ended {
    match end {
        End::Code(code) => Ended::Code(code),
        End::Signal(signal) => Ended::Signal(signal),
        End::Unseen => Ended::Unseen(()),
    }
}

/// How an agent ended, and what to type, in one line.
pub fn farewell(record: &SessionRecord, profile: &ProfileName, end: End) -> String {
    let (agent, name) = (&record.agent, &record.name);
    let how = match end {
        End::Code(0) => "has ended".to_owned(),
        End::Code(code) => format!("ended with exit code {code}"),
        End::Signal(signal) => format!("was ended by {}", signal_name(signal)),
        End::Unseen => "is gone, and nobody saw how it ended".to_owned(),
    };
    format!("{agent} {how}; `{} resume {name}` brings it back", words::mam(profile))
}

fn signal_name(signal: i32) -> String {
    Signal::try_from(signal).map_or_else(|_| format!("signal {signal}"), |signal| signal.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(status: Status) -> SessionRecord {
        let name = "review".parse().unwrap();
        let argv = vec!["claude".into()];
        SessionRecord { status, ..SessionRecord::new(name, "claude", argv, "/w".into(), "mam", "") }
    }

    #[test]
    fn only_a_launch_that_was_asked_for_is_carried_out() {
        let process = ProcessId { pid: 77, start: Some(1), boot: Some("b".into()) };
        let (ops, at) = ("ops".parse().unwrap(), String::new());
        let rows = [
            (Status::Launching { at: at.clone() }, true, None),
            (Status::Launching { at: at.clone() }, false, None),
            (Status::Running { process: process.clone() }, true, Some((Exit::TryAgain, "kill 77"))),
            (Status::Running { process }, false, Some((Exit::NeedsChange, "mam -p ops resume review"))),
            (
                Status::Ended { how: Ended::Code(0), at: at.clone() },
                false,
                Some((Exit::NeedsChange, "mam -p ops resume review")),
            ),
            (
                Status::Failed { reason: "x".into(), at },
                false,
                Some((Exit::NeedsChange, "mam -p ops resume review")),
            ),
        ];
        for (status, alive, refusal) in rows {
            let permitted = permit(&record(status.clone()), &ops, |_| alive);
            match (permitted, refusal) {
                (Ok(()), None) => {}
                (Err(trouble), Some((exit, hint))) => {
                    assert_eq!(trouble.failure.exit, exit, "{status:?}");
                    assert!(trouble.failure.hints.iter().any(|said| said.contains(hint)), "{trouble:?}");
                    assert!(trouble.failure.message.contains("nothing was started"));
                }
                (permitted, _) => panic!("{status:?}: {permitted:?}"),
            }
        }
    }

    #[test]
    fn an_end_is_said_with_what_to_type() {
        let record = record(Status::Launching { at: String::new() });
        for (end, words) in [
            (End::Code(0), "claude has ended; `mam resume review` brings it back"),
            (End::Code(3), "claude ended with exit code 3; `mam resume review` brings it back"),
            (End::Signal(11), "claude was ended by SIGSEGV; `mam resume review` brings it back"),
            (End::Signal(40), "claude was ended by signal 40; `mam resume review` brings it back"),
        ] {
            assert_eq!(farewell(&record, &ProfileName::root(), end), words);
        }
    }
}
