//! Records → what rules talk about.
