//! Generated texts that are committed, compared with what the programs say.
