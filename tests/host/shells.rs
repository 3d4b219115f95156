//! `herdr` typed in a shell that has the integration: what would start the host, or be its client, goes
//! through `mam`.

use std::process::{Command, Stdio};

use super::rig::{Rig, environment_of, is_alive, log_of, on_each, until};
use crate::shell::session::{Kind, Session, integrate};
use crate::support::herdr::Herdr;
use crate::support::home::{read, run, write};
use crate::support::pty::Pty;

/// A herdr's client on a terminal.
struct Client {
    /// What it has written once it reads keys.
    ready: &'static str,
    /// The keys that end it and leave its server alone.
    keys: &'static str,
    /// Whether it ends by itself on them, with exit code 0.
    ends_well: bool,
}

/// herdr-sim shows nothing and reads no keys; it ends as anything does.
fn client(rig: &Rig) -> Client {
    let herdr = fs_err::read_link(rig.home.path("bin/herdr")).unwrap();
    if herdr.ends_with("herdr-sim") {
        Client { ready: "attached to session", keys: "\u{3}", ends_well: false }
    } else {
        Client { ready: "\u{1b}[?1049h", keys: "\u{2}q", ends_well: true }
    }
}

/// Ends the client on a terminal, by its keys.
fn leave(rig: &Rig, terminal: &mut Pty, session: &str) {
    let client = client(rig);
    terminal.wait_for(client.ready);
    // It has to be looking at its keyboard.
    std::thread::sleep(std::time::Duration::from_millis(500));
    terminal.send(client.keys);
    until("the client is gone", || clients(rig, session).is_empty());
}

/// The clients of a session with this home that run on the overlay, and are no pane's.
fn clients(rig: &Rig, session: &str) -> Vec<u32> {
    let overlay = rig.home.overlay().display().to_string();
    let is_client = |pid: &u32| {
        let line = fs_err::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line == format!("herdr\0--session\0{session}\0").into_bytes()
            && environment_of(*pid).get("HERDR_CONFIG_PATH") == Some(&overlay)
    };
    rig.processes().into_iter().filter(is_client).collect()
}

fn in_each_shell(test: impl Fn(&Rig, &mut Session<'_>)) {
    for herdr in Herdr::all() {
        for kind in Kind::ALL {
            let rig = Rig::new(&herdr);
            integrate(&rig.home);
            let secret = [("SECRET", "of-the-shell")];
            let Some(mut shell) = Session::start(kind, &rig.home, &secret) else { continue };
            eprintln!("{kind:?} on {}", herdr.name);
            shell.source("hosts");
            test(&rig, &mut shell);
        }
    }
}

#[test]
fn a_client_of_the_hosts_session_is_one_of_an_owned_host() {
    in_each_shell(|rig, shell| {
        let line = format!("TERM=xterm herdr --session mam; printf 'status=%s.' {}\n", shell.kind.status());
        shell.send(&line);
        until("the host runs", || rig.record().is_some() && rig.status()["owner"] == "host");
        until("a client of it runs", || clients(rig, "mam").len() == 1);
        let host = rig.pid();
        let environment = environment_of(host);
        assert!(!environment.contains_key("SECRET"), "{:?}: {environment:?}", shell.kind);
        assert_eq!(environment.get("MAM_HOST"), Some(&rig.state().display().to_string()));
        let client = client(rig);
        shell.wait_for(client.ready);
        std::thread::sleep(std::time::Duration::from_millis(500));
        shell.send(client.keys);
        until("the client is gone", || clients(rig, "mam").is_empty());
        if client.ends_well {
            shell.wait_for("status=0.");
        }
        assert!(is_alive(host));
        // Others only talk to it, as ever.
        let listed = shell.run("herdr --session mam pane list");
        assert!(listed.contains("\"panes\""), "{:?}: {listed}", shell.kind);
        assert_eq!(rig.servers(), [host]);
    });
}

#[test]
fn a_host_that_does_not_start_says_why_and_what_to_type() {
    in_each_shell(|rig, shell| {
        rig.home.write(".config/mam/config.toml", "[host\n");
        let line = format!("herdr --session mam; printf 'status=%s.' {}", shell.kind.status());
        let said = shell.run(&line);
        assert!(said.contains("status=78.") && said.contains("config.toml:1:"), "{:?}: {said}", shell.kind);
        assert!(said.contains("hint: mend it; then: mam start"), "{:?}: {said}", shell.kind);
        assert_eq!(rig.servers(), [0_u32; 0]);
    });
}

/// `mam-render-config exec -- herdr ARGUMENTS`.
fn exec(rig: &Rig, arguments: &[&str]) -> Command {
    let mut command = rig.home.mam(&["exec", "--", "herdr"]);
    command.args(arguments);
    command
}

#[test]
fn a_server_typed_by_hand_is_the_host_and_there_is_one() {
    on_each(|rig| {
        let mut server = exec(rig, &["--session", "mam", "server"]);
        let mut server = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until("it is the host", || rig.record().is_some() && rig.status()["owner"] == "host");
        assert_eq!(rig.pid(), server.id());
        run(&mut exec(rig, &["--session=mam", "server"])).expect(0).says("the host runs already");
        run(exec(rig, &["server"]).env("HERDR_SESSION", "mam").env("MAM_SUPERVISED", "1")).expect(75);
        assert!(rig.ok(&["start"]).stdout.starts_with("already running"));
        assert_eq!(rig.servers(), [server.id()]);
        assert!(log_of(&rig.root()).matches("\trun\tstarted\t").count() == 1);
        rig.ok(&["stop"]);
        server.wait().unwrap();
    });
}

#[test]
fn a_standalone_profiles_session_is_its_own_servers() {
    on_each(|rig| {
        let alone = rig.profile("alone");
        write(&alone.join("config.toml"), "[host]\nstandalone = true\n");
        rig.ok(&["start"]);
        let mut terminal = Pty::start(exec(rig, &["--session", "mam-alone"]));
        until("a client of its own server runs", || clients(rig, "mam-alone").len() == 1);
        assert!(log_of(&alone).contains("\trun\tstarted-beside\t"));
        leave(rig, &mut terminal, "mam-alone");
        // Who lives there can look at the host all the same.
        let mut other = exec(rig, &["session", "attach", "mam"]);
        other.env("MAM_PROFILE", "alone");
        let mut terminal = Pty::start(other);
        until("a client of the host runs", || clients(rig, "mam").len() == 1);
        leave(rig, &mut terminal, "mam");
    });
}

#[test]
fn what_mam_could_not_heed_is_herdrs() {
    let rig = Rig::sim();
    let script = "#!/bin/sh\n[ \"$1 $2\" = 'config check' ] && { echo 'config: ok'; exit 0; }\n\
        printf '%s\\n' \"$HERDR_CONFIG_PATH\" \"$@\" > \"$HOME/called\"\n";
    fs_err::remove_file(rig.home.path("bin/herdr")).unwrap();
    rig.home.program("herdr", script);
    let other = rig.home.program("other-herdr", script);
    let overlay = rig.home.overlay().display().to_string();
    for words in [
        &["exec", "--set", "ui.sidebar_width=30", "--", "herdr", "--session", "mam"][..],
        &["exec", "--", other.to_str().unwrap(), "--session", "mam"],
        &["exec", "--", "herdr", "--session", "mam", "--no-session"],
    ] {
        drop(fs_err::remove_file(rig.home.path("called")));
        rig.home.render(words);
        assert!(
            read(&rig.home.path("called")).starts_with(&format!("{overlay}\n--session\nmam\n")),
            "{words:?}"
        );
    }
    assert!(rig.record().is_none() && log_of(&rig.root()).is_empty());
}
