//! A recording that is read while it is written, such as what another process sends through a pipe.

use std::io::Read;

use super::{Recording, unreadable};
use crate::diagnostic::Diagnostic;
use crate::input::block::{Decoder, Limits};
use crate::input::bytes::Bytes;
use crate::input::formats::{self, InputFormat};
use crate::input::head::Head;
use crate::input::store::{Store, some};
use crate::input::unpack;

/// How much may have come before it has to be clear what it is.
const HEAD: usize = 64 << 10;

impl Recording {
    /// Takes a recording as it comes: each block has the lines that are there, and is waited for no longer than for one
    /// whole line. Its format is recognised as soon as that can be done. What is compressed, or is one document, is read
    /// to its end first.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no recording.
    pub fn live(
        name: &str,
        from: impl Read + Send + 'static,
        file: u32,
        limits: Limits,
        format: Option<InputFormat>,
    ) -> Result<Recording, Diagnostic> {
        let failed = |error| unreadable(name, &error);
        let (packing, from) = unpack::peek(from).map_err(failed)?;
        if packing.is_some() {
            let bytes = Bytes::copied(name, from, limits)?;
            return Recording::of(name.to_owned(), bytes, file, limits, format);
        }
        let (store, mut reader) = Store::live(Box::new(from)).map_err(failed)?;
        let mut begun = Vec::new();
        loop {
            let whole = some(&mut reader, &mut begun).map_err(failed)? == 0;
            let late = whole || begun.len() >= HEAD;
            if !late && !begun.contains(&b'\n') {
                continue;
            }
            let head = Head::of(begun.clone(), whole);
            let known = match format {
                Some(format) => formats::forced(name, &head, format),
                None => formats::recognise(name, &head).map(|format| (format, None)),
            };
            // More lines may tell what a few do not.
            match known {
                Err(_) if !late => {}
                Err(fault) => return Err(fault),
                Ok((format, unfit)) => {
                    return Ok(Recording {
                        name: name.to_owned(),
                        file,
                        decoder: Decoder { format, limits },
                        store,
                        reader,
                        carry: begun,
                        live: true,
                        offset: 0,
                        line: 1,
                        done: false,
                        unpacked: false,
                        damage: None,
                        unfit,
                    });
                }
            }
        }
    }
}
