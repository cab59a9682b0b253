//! Program + model → findings.

mod eval;
pub mod finding;
mod fold;
mod judge;
mod regroup;
pub mod run;
mod world;

pub use world::HistoryLimits;
