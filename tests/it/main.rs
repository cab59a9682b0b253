//! All integration tests, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod check;
mod clauses;
mod cli;
mod conformance;
mod coverage;
mod golden;
mod hostile;
mod input;
mod layering;
mod live;
mod pages;
mod published;
mod record;
mod record_http;
mod reference;
mod report;
mod syntax;
mod traps;
mod tree;
