//! The README, as the documentation of this package.
#![doc = include_str!("../README.md")]
