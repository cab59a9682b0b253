//! Bytes → events. The only module, besides `cli`, that opens files.

pub mod event;
