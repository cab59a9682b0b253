//! Bytes → events. The only module, besides `cli`, that opens files.
//!
//! A [`Recording`] recognises the format of a file by its content and gives [`Block`]s in order; its [`Decoder`] turns
//! each block, on whatever thread, into the [`Event`](event::Event)s that every format is brought into. Nothing in a
//! recording is an error of the run: what cannot be read costs one [`Problem`](event::Problem) with its place.

mod block;
mod bytes;
mod direction;
mod discover;
pub mod event;
mod exchanges;
mod fields;
mod formats;
mod head;
mod headers;
mod index;
mod lists;
pub mod locate;
mod recording;
pub(crate) mod scan;
mod sink;
mod store;
mod stream;
mod time;
pub mod transcript;
pub(crate) mod unpack;
mod written;

pub use block::{Block, Decoder, Limits};
pub use discover::{Discovery, PassedOver, discover, discover_as};
pub use formats::{Evidence, InputFormat};
pub use recording::{Input, Recording};
pub use sink::Decoded;
pub use store::Store;
