//! A config that changes while the host runs: noticed, and brought in force.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::herdr::{Herdr, on_each};
use crate::support::home::{Home, run};

/// A server of session `mam` that was started through `exec`, ended with the value.
struct Server(Child);

impl Server {
    fn start(home: &Home) -> Self {
        let mut command = home.mam(&["exec", "--", "herdr", "--session", "mam", "server"]);
        let server = Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let socket = home.path(".config/herdr/sessions/mam/herdr.sock");
        let deadline = Instant::now() + Duration::from_secs(30);
        while std::os::unix::net::UnixStream::connect(&socket).is_err() {
            assert!(Instant::now() < deadline, "the server does not come up");
            std::thread::sleep(Duration::from_millis(10));
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn a_changed_config_is_stale_until_it_is_rendered_and_reloaded() {
    on_each(|home| {
        home.write_config(
            "[update]\nversion_check = false\nmanifest_check = false\n[ui]\nsidebar_width = 30\n",
        );
        home.render(&["--reload"])
            .says("no server is running in `mam`; the next one starts with the overlay");
        let server = Server::start(home);
        let environment = fs_err::read(format!("/proc/{}/environ", server.0.id())).unwrap();
        let wanted = format!("HERDR_CONFIG_PATH={}", home.overlay().display());
        assert!(
            environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes()),
            "the overlay is not in force"
        );

        home.write_config(
            "[update]\nversion_check = false\nmanifest_check = false\n[ui]\nsidebar_width = 31\n",
        );
        run(&mut home.mam(&["check"])).expect(1);
        let reloaded = home.render(&["--reload"]);
        reloaded.says("the server of session `mam` has read its config again");
        assert!(!reloaded.stderr.contains("no server is running"), "{reloaded}");
        home.render(&["check"]);
    });
}

#[test]
fn a_server_that_is_gone_is_no_server() {
    let home = Home::new();
    home.link_program("herdr", &Herdr::sim().path);
    drop(Server::start(&home));
    home.render(&["--reload"]).says("no server is running in `mam`");
}
