//! What the verbs ask of the recorded agents, and in which order.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use mam_share::environment::Environment;
use mam_share::exit::Exit;
use mam_share::failure::Failure;
use mam_share::message::Messages;

use crate::agents::{Agents, Session, State};
use crate::arguments::Profile;
use crate::command::{profile, stop};
use crate::context::{Context, Voice};
use crate::profile::ProfileName;

/// Agents that write down what they were asked, and whether the profile was parked then.
struct Recorded {
    home: PathBuf,
    asked: Rc<RefCell<Vec<(String, bool)>>>,
    state: State,
}

impl Recorded {
    fn note(&self, what: &str, profile: &ProfileName) {
        let is_parked = self.home.join("profiles").join(profile.as_str()).join("parked").exists();
        self.asked.borrow_mut().push((format!("{what} {profile}"), is_parked));
    }
}

impl Agents for Recorded {
    fn sessions(&self, _profile: &ProfileName) -> Vec<Session> {
        vec![Session { name: "one".to_owned(), state: self.state }]
    }

    fn stop(&self, profile: &ProfileName) -> Result<usize, Failure> {
        self.note("stop", profile);
        Ok(1)
    }

    fn resume(&self, profile: &ProfileName) -> Result<usize, Failure> {
        self.note("resume", profile);
        Ok(1)
    }

    fn leftovers(&self) -> Option<usize> {
        Some(0)
    }
}

fn context(home: &Path, profile: &str, state: State) -> (Context, Rc<RefCell<Vec<(String, bool)>>>) {
    let root = home.join(".config/mam");
    fs_err::create_dir_all(root.join("profiles/ops")).unwrap();
    let environment = Environment::new([("HOME", home)], home, "/tmp");
    let messages = Messages::new("mam", &environment);
    let mut context =
        Context::new(environment, messages, Some(&profile.parse().unwrap()), Voice::Quiet).unwrap();
    let asked = Rc::default();
    context.agents = Box::new(Recorded { home: root, asked: Rc::clone(&asked), state });
    (context, asked)
}

#[test]
fn a_profile_is_parked_before_its_agents_are_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let (context, asked) = context(dir.path(), "ops", State::Running);
    assert_eq!(stop::run(&context, false, true).unwrap(), Exit::Done);
    assert_eq!(*asked.borrow(), [("stop ops".to_owned(), true)]);
    assert!(context.membership(&context.profile).is_parked);
}

#[test]
fn stopping_the_host_does_not_ask_the_agents() {
    let dir = tempfile::tempdir().unwrap();
    for (profile, all) in [("default", false), ("ops", true)] {
        let (context, asked) = context(dir.path(), profile, State::Running);
        assert_eq!(stop::run(&context, all, true).unwrap(), Exit::Done);
        assert!(asked.borrow().is_empty() && !context.membership(&context.profile).is_parked);
    }
}

#[test]
fn a_profile_with_running_agents_is_not_removed() {
    let dir = tempfile::tempdir().unwrap();
    let remove = Profile::Remove { name: "ops".parse().unwrap(), yes: true };
    let (running, _) = context(dir.path(), "default", State::Running);
    assert_eq!(profile::run(&running, &remove, false).unwrap_err().reason, "running");
    let (lost, _) = context(dir.path(), "default", State::Lost);
    assert_eq!(profile::run(&lost, &remove, false).unwrap(), Exit::Done);
    assert!(!dir.path().join(".config/mam/profiles/ops").exists());
}
