//! Agent sessions: panes that run recorded agents, and what becomes of them.

mod place;
