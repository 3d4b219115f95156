//! What the exit code of every mam binary means.

use std::process::ExitCode;

/// How a command ended. The numbers are `sysexits.h`'s where it has a name for the case; service
/// units depend on 75 and 78.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Done; a check that says yes.
    Done = 0,
    /// A check that says no; an effect that did not come about for no reason named below.
    No = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The input cannot be used as it stands (`EX_DATAERR`).
    BadInput = 65,
    /// herdr is not there (`EX_UNAVAILABLE`).
    NoHerdr = 69,
    /// A file cannot be written (`EX_CANTCREAT`).
    CannotWrite = 73,
    /// A passing state: try again (`EX_TEMPFAIL`).
    TryAgain = 75,
    /// Not allowed to this user (`EX_NOPERM`).
    NotPermitted = 77,
    /// Will not work until someone changes something (`EX_CONFIG`).
    NeedsChange = 78,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_documented_ones() {
        let codes = [
            (Exit::Done, 0),
            (Exit::No, 1),
            (Exit::Usage, 2),
            (Exit::BadInput, 65),
            (Exit::NoHerdr, 69),
            (Exit::CannotWrite, 73),
            (Exit::TryAgain, 75),
            (Exit::NotPermitted, 77),
            (Exit::NeedsChange, 78),
        ];
        for (exit, code) in codes {
            assert_eq!(exit as u8, code);
        }
    }
}
