//! Table tests over whole scenes.

mod command_line;
mod kernel;
mod panes;
mod scene;
mod schedules;
