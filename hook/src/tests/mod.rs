//! Table tests over whole scenes.

mod closer;
mod command_line;
mod kernel;
mod panes;
mod scene;
mod schedules;
