//! Program + model → findings.

pub mod finding;
