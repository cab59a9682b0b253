//! What can be wrong with a rule file, one function per kind of problem, grouped by the stage that finds it.
//!
//! Only here do problems get their words. Codes are kebab-case, stable, and never used for anything else again.

pub mod access;
pub mod audit;
pub mod conditions;
pub mod names;
pub mod operators;
pub mod rules;
pub mod settings;
pub mod shapes;
pub mod syntax;
pub mod types;
pub mod words;
