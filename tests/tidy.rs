//! Rules about the sources that nobody has to remember, because they are tests.
