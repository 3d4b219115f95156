//! The one error that reaches `main`: what went wrong, and what to type.

use std::fmt;

use crate::exit::Exit;

/// A command that could not do what it was asked. The kind of failure is its exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The exit code, and with it the kind of failure.
    pub exit: Exit,
    /// What could not be done, with which thing, and why. May have several lines.
    pub message: String,
    /// What to do about it, each a line of its own.
    pub hints: Vec<String>,
}

impl Failure {
    /// A failure without hints.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), hints: Vec::new() }
    }

    /// The same failure with one more hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
