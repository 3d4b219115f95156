//! Any moment of a server: what the verdict closes is what may be closed. And any environment: the default
//! session is never meant.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mam_fuzz::nevers;
use mam_fuzz::scene::{Bytes, Scene};
use mam_hook::target;
use mam_share::environment::Environment;
use mam_share::herdr::places;

fn never_the_default_session(bytes: &mut Bytes<'_>) {
    let names = ["mam", "default", "", "Default", ".", "..", "../..", "mam/..", "a b", "default\0"];
    let sockets = ["/h/.config/herdr/herdr.sock", "/h/.config/herdr/sessions/mam/herdr.sock", "", "x"];
    let mut variables = vec![("HOME", "/h")];
    for name in ["HERDR_SESSION", "HERDR_SESSION_NAME"] {
        variables.extend(bytes.one(&[true, false]).then(|| (name, bytes.one(&names))));
    }
    variables.extend(bytes.one(&[true, false]).then(|| ("HERDR_SOCKET_PATH", bytes.one(&sockets))));
    let environment = Environment::new(variables, "/h/.config/herdr", "/tmp");
    let explicit = bytes.one(&[false, true]).then(|| bytes.one(&names));
    let default = places::socket(&environment, None);
    let asked = target::named(explicit, &environment).ok().flatten();
    for target in [asked, target::of_caller(&environment)].into_iter().flatten() {
        assert_ne!(target.session.as_str(), "default");
        assert_ne!(target.socket, default);
        assert_eq!(target.socket, places::socket(&environment, Some(&target.session)));
    }
}

fuzz_target!(|input: &[u8]| {
    let bytes = &mut Bytes::new(input);
    let scene = Scene::of(bytes);
    nevers::hold(&scene.facts, &scene.question);
    nevers::hold(&scene.later, &scene.question);
    nevers::hold_between(&scene.facts, &scene.later);
    never_the_default_session(bytes);
});
