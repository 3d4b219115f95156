//! Table tests that need more than one file of the core.
