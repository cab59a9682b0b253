//! What several builtins share.

pub mod calendar;
pub mod characters;
pub mod fields;
pub mod order;
pub mod schemas;
pub mod set;
pub mod shapes;
pub mod text;
pub mod types;
pub mod walk;
