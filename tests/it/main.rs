//! All integration tests, in one binary.

mod input;
mod syntax;
