//! Events → what rules talk about: messages, exchanges, sessions, catalogues, and values with four kinds of nothing.

pub mod attribute;
pub mod build;
pub mod facts;
pub mod ops;
pub mod protocol;
pub mod record;
pub mod shape;
pub mod subject;
pub mod types;
pub mod unknown;
pub mod value;
