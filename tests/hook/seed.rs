//! The two promises that mam began with: a server on the overlay relaunches nothing, and of the
//! restored shells exactly the resumed conversation's goes.

use std::time::Duration;

use serde_json::Value;

use super::rig::{HOOK, Rig};

on_each_herdr!(
    an_overlay_relaunches_nothing_and_a_plain_server_does,
    only_the_resumed_conversations_shell_is_closed,
    the_default_session_is_never_called,
);

/// H4, H8 and the positive control.
fn an_overlay_relaunches_nothing_and_a_plain_server_does(rig: &mut Rig) {
    let config = rig.read(".config/herdr/config.toml");
    for own_section in ["", "[session]\nresume_agents_on_restore = true\n"] {
        rig.write(".config/herdr/config.toml", &format!("{config}{own_section}"));
        rig.has_overlay = true;
        rig.restore(&["A"]);
        std::thread::sleep(Duration::from_secs(2));
        assert_eq!(rig.read("argv.log"), "", "with {own_section:?}");
        let pane = rig.restored("A").unwrap();
        assert!(rig.is_idle(&pane));
        rig.crash();

        rig.has_overlay = false;
        rig.restore(&["A"]);
        rig.until("a plain server relaunches", || rig.read("argv.log").contains("--resume A"));
        rig.crash();
        fs_err::remove_file(rig.path("argv.log")).unwrap();
    }
}

/// H2, H3, H4, H20.
fn only_the_resumed_conversations_shell_is_closed(rig: &mut Rig) {
    rig.start();
    for name in ["X", "Y", "Z", "X2"] {
        let pane = rig.new_pane(&rig.dir(&format!("ws{name}")));
        rig.run_agent(&pane, name, true);
    }
    rig.new_pane(&rig.dir("wsU"));
    let saved = rig.session_dir().join("session.json");
    rig.until("the layout is saved", || {
        let text = fs_err::read_to_string(&saved).unwrap_or_default();
        ["X", "Y", "Z", "X2"].iter().all(|name| text.contains(&format!("\"{name}\""))) && text.contains("wsU")
    });
    rig.crash();
    fs_err::remove_dir_all(rig.path("wsY")).unwrap();
    rig.start();
    rig.until("all panes are back", || rig.panes().len() == 5);
    for name in ["X", "Y", "Z", "X2"] {
        rig.until("the shell is idle", || rig.restored(name).is_some_and(|pane| rig.is_idle(&pane)));
    }
    let z = rig.restored("Z").unwrap();
    rig.run_agent(&z, "Z", true);
    rig.type_line(&rig.restored("X2").unwrap(), "sleep 60");
    rig.until("Z is seen", || rig.restored("Z").is_none());

    for name in ["Z", "X2", ""] {
        let said = rig.close(name);
        assert!(!said.stderr.contains("closed"), "{name}: {}", said.stderr);
    }
    assert_eq!(rig.panes().len(), 5);
    let x = rig.restored("X").unwrap();
    let said = rig.close("X");
    assert!(said.stderr.contains(&format!("closed restored pane {x}")), "{}", said.stderr);
    assert_eq!((rig.restored("X"), rig.panes().len()), (None, 4));
    let said = rig.close("Y");
    assert!(said.stderr.contains("closed restored pane"), "{}", said.stderr);
    let left = rig.panes();
    assert_eq!(left.len(), 3);
    let plain = rig.path("wsU");
    assert!(left.iter().any(|pane: &Value| pane["cwd"] == plain.to_str().unwrap()));
    assert!(rig.restored("X2").is_some());
}

/// H5.
fn the_default_session_is_never_called(rig: &mut Rig) {
    let socket = rig.path(".config/herdr/herdr.sock");
    fs_err::create_dir_all(socket.parent().unwrap()).unwrap();
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    listener.set_nonblocking(true).unwrap();
    let socket = socket.to_str().unwrap();
    let rows: [&[(&str, &str)]; 4] = [
        &[("HERDR_SESSION_NAME", "default")],
        &[],
        &[("HERDR_SOCKET_PATH", socket)],
        &[("HERDR_SESSION", "t"), ("HERDR_SESSION_NAME", "default"), ("HERDR_SOCKET_PATH", socket)],
    ];
    for variables in rows {
        for arguments in [&["close", "--session-id", "some-id"][..], &["list"], &["startup"], &["event"]] {
            let said = rig.run_with(HOOK, arguments, variables);
            assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""), "{variables:?}");
        }
    }
    assert!(listener.accept().is_err(), "somebody called");
}
