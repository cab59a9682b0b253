//! Records → what rules talk about.
pub mod place;
