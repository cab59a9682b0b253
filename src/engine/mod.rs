//! Program + model → findings.

mod circumstances;
mod env;
mod eval;
mod failure;
pub mod finding;
mod fold;
mod forms;
mod judge;
mod memo;
mod regroup;
pub mod run;
mod turns;
mod world;

pub use world::HistoryLimits;
