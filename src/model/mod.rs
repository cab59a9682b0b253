//! Events → what rules talk about: messages, exchanges, sessions, catalogues, and values with four kinds of nothing.

pub mod ops;
pub mod record;
pub mod subject;
pub mod types;
pub mod unknown;
pub mod value;
