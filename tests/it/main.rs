//! The tests of the whole: one binary.

#[cfg(test)]
mod input;
