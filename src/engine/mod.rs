//! Program + model → findings.

mod eval;
pub mod finding;
mod fold;
mod forms;
mod judge;
mod regroup;
pub mod run;
mod world;

pub use world::HistoryLimits;
