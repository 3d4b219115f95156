//! Linux: `/proc`, and the device file of a terminal.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{FileType, Mode, OFlags, Timespec, Timestamps, UTIME_OMIT};
use rustix::termios::LocalModes;

use super::{Details, Kernel, Process, ProcessTable, StartEnvironment, State, Terminal, Tty};

/// The running Linux kernel.
pub(super) struct Proc;

impl Kernel for Proc {
    fn table(&self) -> io::Result<ProcessTable> {
        let ticks = ticks_per_second();
        let mut processes = Vec::new();
        for entry in fs_err::read_dir("/proc")? {
            let entry = entry?;
            let name = entry.file_name();
            if !name.as_bytes().iter().all(u8::is_ascii_digit) {
                continue;
            }
            // A process that ends while we read is no process.
            let Ok(line) = fs_err::read(entry.path().join("stat")) else { continue };
            if line.is_empty() || is_released(&line) {
                continue;
            }
            processes.push(parse_stat(&line, ticks).ok_or_else(|| odd(&entry.path().join("stat")))?);
        }
        let (now, wall) = (uptime()?, wall_clock());
        Ok(ProcessTable::new(now, wall, processes))
    }

    fn details(&self, pid: u32) -> Details {
        let directory = PathBuf::from(format!("/proc/{pid}"));
        let link = |name: &str| fs_err::read_link(directory.join(name)).ok();
        let read = |name: &str| fs_err::read(directory.join(name)).ok();
        Details {
            directory: link("cwd"),
            executable: link("exe"),
            bytes_read: read("io").and_then(|bytes| parse_bytes_read(&bytes)),
        }
    }

    fn environment(&self, pid: u32) -> Option<StartEnvironment> {
        let bytes = fs_err::read(format!("/proc/{pid}/environ")).ok()?;
        Some(StartEnvironment(parse_environment(&bytes)))
    }

    fn arguments(&self, pid: u32) -> Option<Vec<OsString>> {
        let bytes = fs_err::read(format!("/proc/{pid}/cmdline")).ok()?;
        Some(parse_arguments(&bytes)).filter(|arguments| !arguments.is_empty())
    }

    fn terminal(&self, tty: &Tty) -> Terminal {
        let Ok(file) = open(tty) else { return Terminal::default() };
        let modes = rustix::termios::tcgetattr(&file).ok();
        let last_input = rustix::fs::fstat(&file).ok().and_then(|stat| {
            let nanoseconds = u32::try_from(stat.st_atime_nsec).ok()?;
            Some(Duration::new(u64::try_from(stat.st_atime).ok()?, nanoseconds))
        });
        Terminal {
            last_input,
            is_canonical: modes.map(|modes| modes.local_modes.contains(LocalModes::ICANON)),
        }
    }

    fn set_last_input(&self, tty: &Tty, moment: Duration) -> io::Result<()> {
        let file = open(tty)?;
        let stat = rustix::fs::fstat(&file)?;
        let is_terminal = FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice;
        // The superuser could, and shall not.
        if stat.st_uid != rustix::process::geteuid().as_raw() || !is_terminal {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let last_access = Timespec::try_from(moment).map_err(|_| io::ErrorKind::InvalidInput)?;
        let last_modification = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        rustix::fs::futimens(&file, &Timestamps { last_access, last_modification })?;
        Ok(())
    }

    fn peer(&self, stream: &UnixStream) -> Option<u32> {
        let credentials = rustix::net::sockopt::socket_peercred(stream).ok()?;
        u32::try_from(credentials.pid.as_raw_nonzero().get()).ok()
    }

    fn boot(&self) -> Option<String> {
        let bytes = fs_err::read("/proc/sys/kernel/random/boot_id").ok()?;
        let text = String::from_utf8(bytes).ok()?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn process(&self, pid: u32) -> Option<Process> {
        let line = fs_err::read(format!("/proc/{pid}/stat")).ok()?;
        parse_stat(&line, ticks_per_second())
    }
}

fn open(tty: &Tty) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::open(tty.path(), flags, Mode::empty())
}

fn odd(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("`{}` has an unknown form", path.display()))
}

fn ticks_per_second() -> u64 {
    rustix::param::clock_ticks_per_second().max(1)
}

#[expect(clippy::disallowed_methods, reason = "the edge of the process table reads the clock")]
fn wall_clock() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

fn uptime() -> io::Result<Duration> {
    let path = Path::new("/proc/uptime");
    let bytes = fs_err::read(path)?;
    parse_uptime(&bytes).ok_or_else(|| odd(path))
}

/// Arguments of `/proc/PID/cmdline`: each ends with a NUL, but for the last one of a title.
fn parse_arguments(bytes: &[u8]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> =
        bytes.split(|&byte| byte == 0).map(|argument| OsString::from_vec(argument.to_vec())).collect();
    if arguments.last().is_some_and(|last| last.is_empty()) {
        arguments.pop();
    }
    arguments
}

/// The first number of `/proc/uptime`, in seconds since boot.
fn parse_uptime(bytes: &[u8]) -> Option<Duration> {
    let first = std::str::from_utf8(bytes).ok()?.split_whitespace().next()?;
    Duration::try_from_secs_f64(first.parse().ok()?).ok()
}

/// One `/proc/PID/stat`. The name stands in parentheses and may hold anything, parentheses, spaces
/// and line ends included, so everything else is counted from the last `)`.
/// Whether a line of `/proc/PID/stat` is of a process that the kernel is taking away at this moment: it has
/// left its group and its session, and the kernel writes -1 for both.
fn is_released(line: &[u8]) -> bool {
    let behind_name = line.iter().rposition(|&byte| byte == b')').and_then(|close| line.get(close + 1..));
    let mut fields = behind_name.unwrap_or_default().split(u8::is_ascii_whitespace).skip(3);
    fields.next() == Some(b"-1") && fields.next() == Some(b"-1")
}

fn parse_stat(line: &[u8], ticks: u64) -> Option<Process> {
    let open = line.iter().position(|&byte| byte == b'(')?;
    let close = line.iter().rposition(|&byte| byte == b')')?;
    let pid = std::str::from_utf8(line.get(..open)?).ok()?.trim().parse().ok()?;
    let name = String::from_utf8_lossy(line.get(open + 1..close)?).into_owned();
    let rest: Vec<&str> = std::str::from_utf8(line.get(close + 1..)?).ok()?.split_whitespace().collect();
    let number = |index: usize| rest.get(index)?.parse::<i64>().ok();
    let id = |index: usize| number(index).and_then(|number| u32::try_from(number).ok());
    let started = u64::try_from(number(19)?).ok()?;
    Some(Process {
        pid,
        parent: id(1)?,
        state: State::from_letter(rest.first()?.chars().next()?),
        group: id(2)?,
        session: id(3)?,
        tty: parse_tty(number(4)?),
        foreground: id(5),
        started: Duration::from_millis(started.checked_mul(1000)? / ticks),
        name,
    })
}

/// The terminal of a device number as `/proc/PID/stat` shows it: major in bits 8 to 15, minor in
/// 0 to 7 and 20 to 31. Majors 136 to 143 are the pseudo terminals.
fn parse_tty(device: i64) -> Option<Tty> {
    let device = u32::try_from(device & 0xffff_ffff).ok().filter(|&device| device != 0)?;
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00));
    Some(match major {
        136..=143 => Tty::new(format!("pts/{}", (major - 136) * 256 + minor)),
        4 if minor < 64 => Tty::new(format!("tty{minor}")),
        _ => Tty::new(format!("char/{major}:{minor}")),
    })
}

fn parse_environment(bytes: &[u8]) -> Vec<(OsString, OsString)> {
    let owned = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    bytes
        .split(|&byte| byte == 0)
        .filter_map(|entry| {
            let equals = entry.iter().position(|&byte| byte == b'=')?;
            Some((owned(entry.get(..equals)?), OsStr::from_bytes(entry.get(equals + 1..)?).to_owned()))
        })
        .collect()
}

fn parse_bytes_read(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes).ok()?;
    text.lines().find_map(|line| line.strip_prefix("rchar:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: &str = "S 7498 7504 7504 34818 7504 4194304 410 0 0 0 0 0 0 0 20 0 1 0 298799 4304896 883";

    #[test]
    fn arguments_come_whole_and_a_title_is_what_it_is() {
        let rows: &[(&[u8], &[&str])] = &[
            (b"claude\0--model\0m x\0\0it's\0", &["claude", "--model", "m x", "", "it's"]),
            (b"claude\0\0", &["claude", ""]),
            (b"a title", &["a title"]),
            (b"", &[]),
        ];
        for (bytes, expected) in rows {
            assert_eq!(parse_arguments(bytes), *expected);
        }
        let own = Proc.arguments(std::process::id()).unwrap();
        assert_eq!(own, std::env::args_os().collect::<Vec<_>>());
        assert_eq!(Proc.arguments(u32::MAX), None);
    }

    #[test]
    fn a_name_may_hold_anything() {
        for name in ["bash", "a) S 1 2", "((", "", "x\ny", "Web Content"] {
            let line = format!("7504 ({name}) {REST}\n");
            let process = parse_stat(line.as_bytes(), 100).unwrap();
            assert_eq!((process.pid, process.name.as_str()), (7504, name));
            assert_eq!((process.parent, process.group, process.session), (7498, 7504, 7504));
            assert_eq!(process.state, State::Sleeping);
            assert_eq!(process.tty, Some(Tty::new("pts/2")));
            assert_eq!(process.foreground, Some(7504));
            assert_eq!(process.started, Duration::from_millis(2_987_990));
        }
    }

    #[test]
    fn half_a_line_is_no_process() {
        let line = format!("7504 (bash) {REST}");
        for end in [0, 4, 6, 11, 20, 60] {
            assert_eq!(parse_stat(&line.as_bytes()[..end], 100), None, "{end}");
        }
        assert_eq!(parse_stat(b"x (y) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 5", 100), None);
        for (line, is_gone) in [
            ("7 (a) b) X 0 -1 -1 0 -1 4228108 1 0 0 0 0 0 0 0 20 0 1 0 5 0", true),
            ("7 (a) Z 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 5", false),
            ("7 (-1 -1) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 5", false),
            ("7 (a) S 1 7 -1 0 -1", false),
            ("", false),
        ] {
            assert_eq!(is_released(line.as_bytes()), is_gone, "{line}");
        }
        let daemon = parse_stat(b"9 (y) S 1 9 9 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 5 1", 100).unwrap();
        assert_eq!((daemon.tty, daemon.foreground), (None, None));
    }

    #[test]
    fn terminals_are_named_from_their_device_number() {
        let rows = [
            (0, None),
            (34816, Some("pts/0")),
            (34818, Some("pts/2")),
            (34816 + 255, Some("pts/255")),
            (137 << 8, Some("pts/256")),
            // Minor 300 of major 136: its high bits stand above the major.
            (0x8800 | 0x2c | 0x10_0000, Some("pts/300")),
            (4 << 8 | 1, Some("tty1")),
            (5 << 8 | 1, Some("char/5:1")),
        ];
        for (device, name) in rows {
            assert_eq!(parse_tty(device), name.map(Tty::new), "{device}");
        }
    }

    #[test]
    fn small_files_are_read_or_unknown() {
        assert_eq!(parse_uptime(b"3321.47 6512.01\n"), Some(Duration::from_millis(3_321_470)));
        assert_eq!(parse_uptime(b""), None);
        assert_eq!(parse_bytes_read(b"rchar: 21572\nwchar: 3\n"), Some(21572));
        assert_eq!(parse_bytes_read(b"wchar: 3\n"), None);
        let environment = parse_environment(b"A=1\0B=x=y\0nonsense\0C=\0");
        let expected = [("A", "1"), ("B", "x=y"), ("C", "")].map(|(k, v)| (k.into(), v.into()));
        assert_eq!(environment, expected);
    }

    #[test]
    fn the_first_read_after_a_mark_moves_it_however_soon_it_comes() {
        use rustix::pty::OpenptFlags;
        let controller = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        rustix::pty::grantpt(&controller).unwrap();
        rustix::pty::unlockpt(&controller).unwrap();
        let name = rustix::pty::ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
        let tty = Tty::new(name.strip_prefix("/dev/").unwrap());
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let terminal = rustix::fs::open(tty.path(), flags, Mode::empty()).unwrap();
        let made = Proc.terminal(&tty).last_input.unwrap();
        let mark = made.saturating_sub(Duration::from_secs(16));
        Proc.set_last_input(&tty, mark).unwrap();
        assert_eq!(Proc.terminal(&tty).last_input, Some(mark));
        rustix::io::write(&controller, b"x\n").unwrap();
        assert_eq!(Proc.terminal(&tty).last_input, Some(mark), "nobody has read it");
        rustix::io::read(&terminal, &mut [0; 8]).unwrap();
        let read = Proc.terminal(&tty).last_input.unwrap();
        assert!(read + Duration::from_secs(1) > made, "{read:?} {made:?}");
        assert!(Proc.set_last_input(&Tty::new("pts/none"), mark).is_err());
    }

    #[test]
    fn this_process_is_in_the_table_with_what_belongs_to_it() {
        let pid = std::process::id();
        let table = Proc.table().unwrap();
        let us = table.get(pid).unwrap();
        assert_eq!(Proc.started(pid), Some(us.started));
        assert_eq!(Proc.process(pid).map(|process| process.name), Some(us.name.clone()));
        assert_eq!(Proc.process(u32::MAX), None);
        assert!(table.age(us) < Duration::from_secs(3600));
        let details = Proc.details(pid);
        assert_eq!(details.directory, std::env::current_dir().ok());
        assert!(details.bytes_read.is_some() && details.executable.is_some());
        assert!(Proc.environment(pid).is_some_and(|environment| environment.get("PATH").is_some()));
        assert_eq!(Proc.environment(u32::MAX), None);
        assert!(Proc.boot().is_some());
        let (one, _other) = UnixStream::pair().unwrap();
        assert_eq!(Proc.peer(&one), Some(pid));
        assert_eq!(Proc.details(u32::MAX), Details::default());
    }
}
