//! Program + model → findings.

mod eval;
pub mod finding;
mod fold;
mod judge;
pub mod run;
mod world;

pub use world::HistoryLimits;
