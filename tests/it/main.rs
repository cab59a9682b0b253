
#[cfg(test)]
//! All integration tests, in one binary.
//! The tests of the whole: one binary.
mod input;
mod syntax;
