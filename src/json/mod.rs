//! JSON values as the rest of the program sees them.
//!
//! [`decode`] makes one validating pass over a text, guided by a [`Demand`]: what is demanded lands in a [`Document`],
//! the rest is skipped. A [`Json`] is a cheap handle on a value in a document and knows where it stands.

mod decode;
mod demand;
mod document;
mod number;
mod pointer;
mod redaction;
mod scan;

pub use decode::{decode, decode_all};
pub use demand::Demand;
pub use document::{Builder, Crumb, Document, Json, JsonKind, JsonView, Origin, quote};
pub use number::Number;
pub use pointer::{escape, steps, unescape};
pub use redaction::is_redaction;
pub use scan::Fault;
pub(crate) use scan::{Scanner, plain_until};
