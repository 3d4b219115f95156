//! `mam setup` and `mam doctor`, as a newcomer has them.

mod doctor;
mod rig;
mod take_back;
mod take_up;
mod unit;
