//! Program + model → findings.

pub mod answer;
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
pub mod sight;
mod told;
mod turns;
mod world;

pub use world::HistoryLimits;
