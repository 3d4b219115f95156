//! A table: one thing is wrong, and that is what is found.

use mam_share::herdr::version::Version;

use super::facts::{Exposed, Facts, Host, Integrated, Unit};
use super::findings::{CHECKS, Verdict, judge};
use super::integrations::{Integration, Standing};
use crate::setup::facts::{Herdr, Overlay, Plugin};

/// A machine on which all is well.
fn well() -> Facts {
    Facts {
        herdr: Some(Herdr { path: "/bin/herdr".into(), version: Some(Version(0, 8, 2)) }),
        host: Host::Runs {
            pid: 7,
            version: Some("0.8.2".into()),
            protocol: Some(20),
            is_overlay_in_force: Some(true),
        },
        settings: Vec::new(),
        overlay: Ok(Overlay {
            path: "/h/o".into(),
            config: "/h/c".into(),
            is_there: true,
            stale: Vec::new(),
            broken: None,
        }),
        plugin: Plugin::Current,
        integrations: Ok(vec![(integration("claude", Standing::Current), true)]),
        missing_programs: Vec::new(),
        shell: Ok(Integrated::Present { path: "/h/.bashrc".into(), stale: None }),
        unit: None,
        lost: Vec::new(),
        broken: Vec::new(),
        sessions: 2,
        leftovers: Some(0),
        exposed: Vec::new(),
    }
}

fn integration(name: &str, standing: Standing) -> Integration {
    Integration { name: name.into(), standing, said: "outdated (v1 < v7)".into() }
}

fn runs(version: &str, protocol: u64, is_overlay_in_force: Option<bool>) -> Host {
    Host::Runs { pid: 7, version: Some(version.into()), protocol: Some(protocol), is_overlay_in_force }
}

#[test]
fn every_check_says_something_where_all_is_well() {
    let found = judge(&well(), None);
    assert!(found.iter().all(|finding| finding.verdict == Verdict::Well), "{found:?}");
    let names: Vec<&str> = found.iter().map(|finding| finding.check).collect();
    assert_eq!(names, CHECKS);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_wrong_is_found_with_what_to_do() {
    use Verdict::{Bad, Note};
    type Change = fn(&mut Facts);
    let rows: &[(Change, &str, Verdict, &str, &str)] = &[
        (|facts| facts.herdr = None, "herdr", Bad, "not on PATH", "https://herdr.dev"),
        (
            |facts| facts.herdr.as_mut().unwrap().version = Some(Version(0, 7, 0)),
            "herdr",
            Bad,
            "0.7.5 or newer",
            "herdr update",
        ),
        (
            |facts| facts.herdr.as_mut().unwrap().version = Some(Version(0, 9, 0)),
            "herdr",
            Note,
            "tested on 0.8.0 to 0.8.2",
            "",
        ),
        (
            |facts| facts.herdr.as_mut().unwrap().version = None,
            "herdr",
            Note,
            "does not say",
            "herdr --version",
        ),
        (|facts| facts.host = Host::Nobody, "host", Note, "not running", "mam start"),
        (
            |facts| facts.host = Host::Odd { what: "a stranger".into(), remedy: "stop it".into() },
            "host",
            Bad,
            "a stranger",
            "stop it",
        ),
        (
            |facts| facts.host = runs("0.8.0", 20, Some(true)),
            "host",
            Note,
            "herdr 0.8.0, and 0.8.2 is installed",
            "restart --all",
        ),
        (
            |facts| facts.host = runs("0.8.2", 21, Some(true)),
            "protocol",
            Note,
            "21; mam was tested on 20",
            "",
        ),
        (
            |facts| facts.host = runs("0.8.2", 20, Some(false)),
            "in force",
            Bad,
            "relaunches agents",
            "mam restart --all",
        ),
        (|facts| facts.host = runs("0.8.2", 20, None), "in force", Note, "cannot be seen", ""),
        (|facts| facts.settings = vec!["`x` is not known".into()], "config", Bad, "`x`", "mend it"),
        (|facts| facts.overlay.as_mut().unwrap().is_there = false, "overlay", Bad, "not there", "mam setup"),
        (
            |facts| facts.overlay.as_mut().unwrap().stale = vec!["old".into()],
            "overlay",
            Bad,
            "stale: old",
            "mam reload",
        ),
        (
            |facts| facts.overlay.as_mut().unwrap().broken = Some("x".into()),
            "overlay",
            Bad,
            "/h/c cannot be read",
            "mam-render-config",
        ),
        (|facts| facts.overlay = Err("no path".into()), "overlay", Bad, "no path", "mam-render-config"),
        (|facts| facts.plugin = Plugin::NotLinked, "plugin", Bad, "not linked", "mam-restore-hook install"),
        (
            |facts| facts.plugin = Plugin::NotCurrent("linked, not current: x".into()),
            "plugin",
            Bad,
            "linked, not current",
            "mam-restore-hook install",
        ),
        (|facts| facts.plugin = Plugin::Off, "plugin", Note, "switched off", "plugin enable mam"),
        (|facts| facts.plugin = Plugin::NoInstaller, "plugin", Bad, "not installed", "install it"),
        (
            |facts| facts.integrations = Ok(vec![(integration("codex", Standing::Outdated), false)]),
            "agents",
            Bad,
            "codex: the integration is outdated (v1 < v7)",
            "herdr integration install codex",
        ),
        (
            |facts| facts.integrations = Ok(vec![(integration("cursor", Standing::Missing), true)]),
            "agents",
            Note,
            "`cursor-agent` is on PATH",
            "herdr integration install cursor",
        ),
        (
            |facts| facts.integrations = Ok(Vec::new()),
            "agents",
            Note,
            "no agent's",
            "herdr integration install",
        ),
        (|facts| facts.integrations = Err("x".into()), "agents", Note, "x", ""),
        (
            |facts| facts.missing_programs = vec!["mam-render-config"],
            "programs",
            Bad,
            "gives no overlay",
            "PATH",
        ),
        (|facts| facts.missing_programs = vec!["mam"], "programs", Note, "not on PATH: mam", "PATH"),
        (|facts| facts.shell = Err("no shell".into()), "shell", Note, "no shell", ""),
        (
            |facts| facts.shell = Ok(Integrated::Absent("/h/x".into())),
            "shell",
            Note,
            "/h/x has no integration",
            "mam setup",
        ),
        (|facts| facts.shell = Ok(Integrated::Odd("/h/x".into(), 3)), "shell", Bad, "/h/x:3:", "mam setup"),
        (
            |facts| facts.shell = Ok(Integrated::Present { path: "/h/x".into(), stale: Some("/h/i".into()) }),
            "shell",
            Bad,
            "sources /h/i",
            "mam setup",
        ),
        (
            |facts| {
                facts.unit = Some(Unit {
                    kind: "s6",
                    changed: Some(("/h/run".into(), 2)),
                    missing_program: None,
                    is_unsupervised: false,
                });
            },
            "unit",
            Note,
            "/h/run:2:",
            "mam start",
        ),
        (
            |facts| {
                facts.unit = Some(Unit {
                    kind: "s6",
                    changed: None,
                    missing_program: Some("/x/mam".into()),
                    is_unsupervised: false,
                });
            },
            "unit",
            Bad,
            "/x/mam",
            "mam unit install s6",
        ),
        (
            |facts| {
                facts.unit =
                    Some(Unit { kind: "s6", changed: None, missing_program: None, is_unsupervised: true });
            },
            "unit",
            Bad,
            "lost sight",
            "mam restart --all",
        ),
        (
            |facts| facts.lost = vec![("default".into(), "a".into())],
            "sessions",
            Bad,
            "a: nobody runs it",
            "mam resume a",
        ),
        (
            |facts| facts.lost = vec![("ops".into(), "a".into())],
            "sessions",
            Bad,
            "a: nobody runs it",
            "mam -p ops resume a",
        ),
        (
            |facts| facts.broken = vec![("ops".into(), "a".into(), "/x is gone".into())],
            "sessions",
            Bad,
            "/x is gone",
            "or: mam -p ops forget a",
        ),
        (|facts| facts.leftovers = Some(2), "leftovers", Note, "2 restored shells", "mam-restore-hook list"),
        (
            |facts| facts.exposed = vec![Exposed { path: "/h/a b".into(), mode: 0o644, owner: None }],
            "files",
            Bad,
            "mode 644",
            "chmod go= '/h/a b'",
        ),
        (
            |facts| facts.exposed = vec![Exposed { path: "/h/s".into(), mode: 0o600, owner: Some(9) }],
            "files",
            Bad,
            "uid 9",
            "chown",
        ),
    ];
    for (change, check, verdict, text, remedy) in rows {
        let mut facts = well();
        change(&mut facts);
        let found = judge(&facts, None);
        let others =
            found.iter().filter(|finding| finding.check != *check && finding.verdict != Verdict::Well);
        // Without herdr or a host, others cannot be told.
        assert!(
            others.into_iter().all(|finding| finding.verdict == Note && facts.herdr.is_some()),
            "{check}: {found:?}"
        );
        let ours = found.iter().find(|finding| finding.check == *check && finding.verdict == *verdict);
        let ours = ours.unwrap_or_else(|| panic!("no {verdict:?} {check}: {found:?}"));
        assert!(ours.text.contains(text), "{check}: {ours:?}");
        assert!(ours.remedy.as_deref().unwrap_or_default().contains(remedy), "{check}: {ours:?}");
        for check in CHECKS {
            assert!(found.iter().any(|finding| finding.check == *check), "{check} says nothing");
        }
    }
}

#[test]
fn a_unit_that_is_current_is_well() {
    let unit = Unit { kind: "systemd", changed: None, missing_program: None, is_unsupervised: false };
    let found = judge(&Facts { unit: Some(unit), ..well() }, None);
    assert!(found.iter().any(|finding| finding.check == "unit" && finding.text == "systemd, current"));
}
