//! All integration tests, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "a test says what it leaves out")]

mod check;
mod cli;
mod golden;
mod hostile;
mod input;
mod layering;
mod reference;
mod report;
mod syntax;
mod tree;
