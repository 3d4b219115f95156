//! The shell integration, in the real shells.
