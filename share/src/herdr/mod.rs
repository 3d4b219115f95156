//! What mam knows of herdr from outside: where its files are, how its sessions are named, which
//! session a command line is for, how its socket is spoken to. The rules are herdr's own, measured
//! on 0.8.2; they hold whether or not they are the ones we would have chosen.

pub mod binary;
pub mod form;
pub mod invocation;
pub mod pane;
pub mod parallel;
pub mod places;
pub mod session_name;
pub mod socket;
pub mod version;
