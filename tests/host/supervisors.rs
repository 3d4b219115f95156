//! Real supervisors, and what they make of each end of `mam run`.

use std::path::PathBuf;
use std::process::{Child, Stdio};

use super::rig::{Rig, environment_of, is_alive, kill, log_of, signal, until};
use crate::support::herdr::Herdr;
use crate::support::home::run;
use crate::support::tools::needs;

/// One supervisor of one service directory.
struct Supervised {
    rig: Rig,
    kind: &'static str,
    directory: PathBuf,
    supervisor: Option<Child>,
}

impl Supervised {
    /// The unit is installed; nobody runs it yet.
    fn new(kind: &'static str, tools: &[&str], herdr: &Herdr) -> Option<Self> {
        if !tools.iter().all(|tool| needs(tool).is_some()) {
            return None;
        }
        let rig = Rig::new(herdr);
        let directory = rig.home.path("service");
        Some(Self { rig, kind, directory, supervisor: None })
    }

    fn install(&self) {
        self.rig.ok(&["unit", "install", self.kind, "--directory", self.directory.to_str().unwrap()]);
    }

    fn supervise(&mut self) {
        let program = if self.kind == "s6" { "s6-supervise" } else { "runsv" };
        let mut command = self.rig.home.command(program);
        command.arg(&self.directory).stdout(Stdio::null()).stderr(Stdio::null());
        self.supervisor = Some(command.spawn().unwrap());
    }

    fn state(&self) -> String {
        let mut ask = if self.kind == "s6" {
            self.rig.home.command("s6-svstat")
        } else {
            let mut sv = self.rig.home.command("sv");
            sv.arg("status");
            sv
        };
        run(ask.arg(&self.directory)).stdout
    }

    fn is_down(&self) -> bool {
        self.state().starts_with("down")
    }

    fn is_host(&self) -> bool {
        self.rig.record().is_some() && self.rig.status()["owner"] == "host"
    }

    fn entries(&self, what: &str) -> usize {
        log_of(&self.rig.root()).matches(what).count()
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        if let Some(mut supervisor) = self.supervisor.take() {
            drop(supervisor.kill());
            drop(supervisor.wait());
        }
    }
}

fn on_each(test: impl Fn(&mut Supervised)) {
    for herdr in Herdr::all() {
        for (kind, tools) in
            [("s6", &["s6-supervise", "s6-svc", "s6-svstat"][..]), ("runit", &["runsv", "sv"])]
        {
            let Some(mut supervised) = Supervised::new(kind, tools, &herdr) else { continue };
            eprintln!("{kind} on {}", herdr.name);
            test(&mut supervised);
        }
    }
}

#[test]
fn a_killed_host_comes_back_with_the_overlay_and_a_planned_end_stays() {
    on_each(|supervised| {
        supervised.install();
        supervised.supervise();
        until("the host runs", || supervised.is_host());
        let first = supervised.rig.pid();
        kill(first);
        until("another one runs", || supervised.is_host() && supervised.rig.pid() != first);
        let second = supervised.rig.pid();
        let overlay = supervised.rig.home.overlay().display().to_string();
        let environment = environment_of(second);
        assert_eq!(environment.get("HERDR_CONFIG_PATH"), Some(&overlay));
        assert!(!environment.contains_key("MAM_SUPERVISED"));
        // Exit code 0.
        signal(second, rustix::process::Signal::TERM);
        until("it stays down", || !is_alive(second) && supervised.is_down());
        assert_eq!(supervised.rig.servers(), [0_u32; 0]);
        // The verbs go through the unit.
        supervised.rig.ok(&["start"]).says(&format!("started through the {} unit", supervised.kind));
        let third = supervised.rig.pid();
        assert!(!supervised.is_down(), "{}", supervised.state());
        supervised.rig.ok(&["restart", "--all"]);
        let fourth = supervised.rig.pid();
        assert!(third != fourth && !is_alive(third) && !supervised.is_down());
        assert_eq!(supervised.rig.servers(), [fourth]);
        supervised.rig.ok(&["stop"]);
        until("it is down", || supervised.is_down());
        assert!(!is_alive(fourth));
    });
}

#[test]
fn what_passes_is_tried_again_and_then_works() {
    on_each(|supervised| {
        // 75: a host that runs already.
        supervised.rig.ok(&["start"]);
        let first = supervised.rig.pid();
        supervised.install();
        supervised.supervise();
        until("it is tried again", || supervised.entries("\trun\tattached\t") >= 2);
        assert_eq!(supervised.rig.servers(), [first]);
        kill(first);
        until("the unit has the host", || supervised.is_host() && supervised.rig.pid() != first);
    });
}

#[test]
fn what_needs_somebody_stays_down() {
    on_each(|supervised| {
        supervised.install();
        supervised.rig.home.write(".config/mam/config.toml", "[host\n");
        supervised.supervise();
        until("it was refused", || supervised.entries("\tWARNING\trun\tsettings\t") == 1);
        until("it stays down", || supervised.is_down());
        std::thread::sleep(std::time::Duration::from_millis(1500));
        assert_eq!(supervised.entries("\tWARNING\trun\tsettings\t"), 1);
        supervised.rig.home.write(".config/mam/config.toml", "");
        supervised.rig.ok(&["start"]);
        assert!(!supervised.is_down(), "{}", supervised.state());
    });
}

#[test]
fn what_fails_is_tried_again() {
    on_each(|supervised| {
        let rig = &supervised.rig;
        let real = fs_err::read_link(rig.home.path("bin/herdr")).unwrap();
        rig.home.link_program("real-herdr", &real);
        fs_err::remove_file(rig.home.path("bin/herdr")).unwrap();
        rig.home.program(
            "herdr",
            "#!/bin/sh\n[ \"$1\" = config ] && exec real-herdr \"$@\"\necho 'no server today' >&2\nexit 1\n",
        );
        let said = rig.mam(&["start"]);
        said.expect(1).says("no server today");
        supervised.install();
        supervised.supervise();
        until("it is tried again", || supervised.entries("\trun\tstarted\t") >= 4);
        let rig = &supervised.rig;
        rig.home.link_program("herdr", &real);
        until("it works at last", || supervised.is_host());
    });
}

#[test]
fn after_a_live_handoff_the_unit_waits() {
    on_each(|supervised| {
        supervised.install();
        supervised.supervise();
        until("the host runs", || supervised.is_host());
        let old = supervised.rig.pid();
        supervised.rig.ask("server.live_handoff", &serde_json::json!({}));
        until("the old process is gone", || !is_alive(old));
        until("the new one is the host", || supervised.is_host() && supervised.rig.pid() != old);
        let new = supervised.rig.pid();
        // The old process ended well, so the unit stays down; started again it waits for its turn.
        supervised.rig.ok(&["start"]);
        assert_eq!(supervised.rig.servers(), [new]);
        let status = supervised.rig.mam(&["status"]);
        assert!(status.stdout.contains("unsupervised since handoff"), "{status}");
        supervised.rig.ok(&["restart", "--all"]);
        let status = supervised.rig.mam(&["status"]);
        assert!(!status.stdout.contains("unsupervised"), "{status}");
        assert!(!supervised.is_down());
    });
}
