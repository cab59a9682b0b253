//! The one integration test binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod report;
