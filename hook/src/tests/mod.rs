//! Table tests over whole scenes.

mod kernel;
mod panes;
mod scene;
mod schedules;
