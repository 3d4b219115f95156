//! Agent sessions: panes that run recorded agents, and what becomes of them.

mod cases;
mod crowd;
mod kinds;
mod permissions;
mod place;
mod profiles;
mod rig;
mod story;
mod unattended;
