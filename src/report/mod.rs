//! Findings and diagnostics → output.

pub mod excerpt;
pub mod visible;
