//! Where a value stands in a recording.
//!
//! Places are small and are made without looking at the text again: the engine tracks no offsets. `input::locate` turns
//! a place into bytes, only when something is reported.

use std::sync::Arc;

/// A record of a recording: a line of a line-oriented file, or the whole of a document (a dump).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RecordId {
    /// Which recording of the run, from 0.
    pub file: u32,
    /// First byte of the record in the file.
    pub offset: u64,
    /// Its length in bytes, without the line end.
    pub length: u32,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// A place in a recording: a record, the way to the text of a message in it, and the way to a value in that message.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// The record.
    pub record: RecordId,
    /// RFC 6901 pointer, in the record's own JSON, to what holds the value: `/body`, `/headers/3/1`, or empty for the record itself. A last
    /// step into a text, which has no members, is the number of an event of the stream that the text says, from 0: its data
    /// are meant; or it is `base64` or `hex`: a text is meant that is encoded there.
    pub outer: Arc<str>,
    /// RFC 6901 pointer in the message that stands at `outer`. If `outer` holds a JSON text, the pointer is followed in what that text says.
    pub inner: Option<Arc<str>>,
    /// The member's name is meant, not its value.
    pub on_name: bool,
    /// Characters (Unicode scalar values, from 0, end excluded) of the text at the place; `None`: all of it.
    pub range: Option<(u32, u32)>,
}
