//! macOS: `ps` and the device file of a terminal. What these do not say is unknown.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::{Details, Kernel, Process, ProcessTable, StartEnvironment, State, Terminal, Tty};
use crate::child::{self, Run};

/// The running macOS kernel, as `ps` shows it.
pub(super) struct Ps;

/// How long `ps` may take.
const LIMIT: Duration = Duration::from_secs(5);

/// The columns that [`parse_line`] reads.
const COLUMNS: &str = "pid=,ppid=,pgid=,sess=,tpgid=,stat=,tty=,lstart=,ucomm=";

impl Kernel for Ps {
    fn table(&self) -> io::Result<ProcessTable> {
        let wall = wall_clock();
        let text = ps(&["-A", "-o", COLUMNS])?;
        let read = |line: &str| parse_line(line).ok_or_else(|| odd(line));
        let processes: Vec<Process> = text.lines().map(read).collect::<io::Result<_>>()?;
        Ok(ProcessTable::new(wall, wall, processes))
    }

    fn details(&self, _pid: u32) -> Details {
        Details::default()
    }

    fn environment(&self, _pid: u32) -> Option<StartEnvironment> {
        None
    }

    /// `ps` puts spaces between them and says no more where they end.
    fn arguments(&self, _pid: u32) -> Option<Vec<OsString>> {
        None
    }

    fn terminal(&self, tty: &Tty) -> Terminal {
        let last_input = fs_err::metadata(tty.path()).ok().and_then(|metadata| {
            let seconds = u64::try_from(metadata.atime()).ok()?;
            Some(Duration::new(seconds, u32::try_from(metadata.atime_nsec()).ok()?))
        });
        Terminal { last_input, is_canonical: None }
    }

    /// Nobody has looked at what that time means here.
    fn set_last_input(&self, _tty: &Tty, _moment: Duration) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn peer(&self, _stream: &UnixStream) -> Option<u32> {
        None
    }

    fn boot(&self) -> Option<String> {
        let mut command = Command::new("/usr/sbin/sysctl");
        command.args(["-n", "kern.bootsessionuuid"]);
        let Run::Ended(answer) = child::run(command, LIMIT) else { return None };
        Some(String::from_utf8(answer.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn process(&self, pid: u32) -> Option<Process> {
        let text = ps(&["-p", &pid.to_string(), "-o", COLUMNS]).ok()?;
        parse_line(text.lines().next()?)
    }
}

fn ps(arguments: &[&str]) -> io::Result<String> {
    let mut command = Command::new("/bin/ps");
    command.args(arguments).env("LC_ALL", "C").env("TZ", "UTC");
    match child::run(command, LIMIT) {
        Run::Ended(answer) => Ok(String::from_utf8_lossy(&answer.stdout).into_owned()),
        Run::TimedOut => Err(io::ErrorKind::TimedOut.into()),
        Run::NotStarted(error) => Err(error),
    }
}

fn odd(line: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("`ps` wrote a line of an unknown form: {line}"))
}

#[expect(clippy::disallowed_methods, reason = "the edge of the process table reads the clock")]
fn wall_clock() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// One line of `ps -o` [`COLUMNS`] in UTC. `sess` is a kernel address there, so the session is unknown
/// and the group stands for it.
fn parse_line(line: &str) -> Option<Process> {
    let mut words = line.split_whitespace();
    let mut next = || words.next();
    let (pid, parent, group) = (next()?.parse().ok()?, next()?.parse().ok()?, next()?.parse().ok()?);
    let _session = next()?;
    let foreground = next()?.parse::<u32>().ok().filter(|&group| group != 0);
    let state = State::from_letter(next()?.chars().next()?);
    let tty = Some(next()?).filter(|name| !name.starts_with('?') && *name != "-").map(Tty::new);
    let started = parse_moment([next()?, next()?, next()?, next()?, next()?])?;
    let name = words.collect::<Vec<_>>().join(" ");
    Some(Process { pid, parent, state, group, session: group, tty, foreground, started, name })
}

/// `Mon Dec  1 01:43:29 2026`, in UTC, as time since 1970.
fn parse_moment([_weekday, month, day, clock, year]: [&str; 5]) -> Option<Duration> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = u64::try_from(MONTHS.iter().position(|name| *name == month)?).ok()?;
    let (day, year) = (day.parse::<u64>().ok()?, year.parse::<u64>().ok().filter(|&year| year >= 1970)?);
    // Years that begin in March put the leap day at their end.
    let shifted = if month < 2 { year - 1 } else { year };
    let in_year = (153 * ((month + 10) % 12) + 2) / 5 + day.checked_sub(1)?;
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + in_year;
    let mut seconds = days.checked_sub(719_468)?;
    for (part, unit) in clock.splitn(3, ':').zip([24, 60, 60]) {
        seconds = seconds * unit + part.parse::<u64>().ok()?;
    }
    (clock.matches(':').count() == 2).then(|| Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_counted_from_1970() {
        let rows = [
            ("Thu Jan 1 00:00:00 1970", Some(0)),
            ("Tue Feb 29 12:00:01 2000", Some(951_825_601)),
            ("Wed Mar 1 00:00:00 2000", Some(951_868_800)),
            ("Tue Dec 1 01:43:29 2026", Some(1_796_089_409)),
            ("Tue Foo 1 01:43:29 2026", None),
            ("Tue Dec 1 01:43 2026", None),
            ("Tue Dec 0 01:43:29 2026", None),
        ];
        for (text, seconds) in rows {
            let words: Vec<&str> = text.split(' ').collect();
            let moment = parse_moment(words.try_into().unwrap());
            assert_eq!(moment, seconds.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn a_line_is_a_process() {
        let line = "  512   400   512      0   512 Ss   ttys003   Thu Jan  1 00:15:00 1970 Some App";
        let process = parse_line(line).unwrap();
        assert_eq!((process.pid, process.parent, process.group), (512, 400, 512));
        assert_eq!(process.tty, Some(Tty::new("ttys003")));
        assert_eq!((process.started, process.name.as_str()), (Duration::from_secs(900), "Some App"));
        let daemon = parse_line("1 0 1 0 0 Ss ?? Thu Jan  1 00:15:00 1970 launchd").unwrap();
        assert_eq!((daemon.tty, daemon.foreground), (None, None));
        assert_eq!(parse_line("1 0 1"), None);
    }
}
