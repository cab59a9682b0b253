//! Compressed recordings: gzip and Zstandard, recognised by their first bytes.
//!
//! An [`Unpacker`] reads like the text inside. Where the compressed file is damaged the text ends, and
//! [`Unpacker::damage`] says why: what came before is read nevertheless.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// Of a file that begins like this.
    pub(super) fn of(start: &[u8]) -> Option<Packing> {
        match start {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            // A frame, or one to be skipped, with which some tools begin.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }
}

/// Whether a file that begins like this is compressed.
pub(crate) fn is_packed(start: &[u8]) -> bool {
    Packing::of(start).is_some()
}

/// What is wrong with a compressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damage {
    /// As a sentence about it.
    pub(super) what: &'static str,
    /// What to do.
    pub(super) help: &'static str,
    /// What to do if nothing could be unpacked.
    pub(super) alone: &'static str,
}

const CUT_OFF: Damage = Damage {
    what: "the compressed file is cut off",
    help: "it was not written or copied to its end; what could be unpacked is read",
    alone: "it was not written or copied to its end, and nothing of it can be unpacked",
};
const CORRUPT: Damage = Damage {
    what: "the compressed file is damaged",
    help: "it is no longer what was written; what could be unpacked is read",
    alone: "it is not what was written, and nothing of it can be unpacked",
};
const WINDOW: Damage = Damage {
    what: "the compressed file takes more than 128 MiB of memory to be unpacked",
    help: BIG,
    alone: BIG,
};
const DICTIONARY: Damage = Damage {
    what: "the compressed file needs a dictionary to be unpacked",
    help: DICT,
    alone: DICT,
};

const BIG: &str =
    "unpack it and give it on standard input, as in `zstd -dc --long=31 FILE | wirelint check -`";
const DICT: &str =
    "unpack it and give it on standard input, as in `zstd -dc -D DICTIONARY FILE | wirelint check -`";

/// What was read to know how a file begins, and all that follows.
pub(super) type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

/// Looks at how a file begins.
pub(super) fn peek<R: Read>(mut from: R) -> io::Result<(Option<Packing>, Peeked<R>)> {
    let mut start = Vec::new();
    (&mut from).take(4).read_to_end(&mut start)?;
    Ok((Packing::of(&start), Cursor::new(start).chain(from)))
}

/// Reads what a compressed file holds.
pub(super) struct Unpacker<R: Read> {
    kind: Kind<R>,
    damage: Option<Damage>,
}

enum Kind<R: Read> {
    Gzip(MultiGzDecoder<Source<R>>),
    Zstd(Box<Frames<R>>),
}

impl<R: Read> Unpacker<R> {
    pub(super) fn new(packing: Packing, from: R) -> Unpacker<R> {
        let source = Source {
            inner: BufReader::with_capacity(1 << 16, from),
            failed: None,
        };
        let kind = match packing {
            Packing::Gzip => Kind::Gzip(MultiGzDecoder::new(source)),
            Packing::Zstd => Kind::Zstd(Box::new(Frames {
                source,
                decoder: FrameDecoder::new(),
                open: false,
            })),
        };
        Unpacker { kind, damage: None }
    }

    /// Why it ended, if not because all was read.
    pub(super) fn damage(&self) -> Option<Damage> {
        self.damage
    }
}

impl<R: Read> Read for Unpacker<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        if self.damage.is_none() {
            let (read, failed) = match &mut self.kind {
                Kind::Gzip(gzip) => {
                    let read = gzip.read(into).map_err(|error| match error.kind() {
                        io::ErrorKind::UnexpectedEof => CUT_OFF,
                        _ => CORRUPT,
                    });
                    (read, gzip.get_mut().failed.take())
                }
                Kind::Zstd(frames) => (frames.read(into), frames.source.failed.take()),
            };
            match (read, failed) {
                // That the file cannot be read is not its own fault.
                (_, Some(error)) => return Err(error),
                (Ok(read), None) => return Ok(read),
                (Err(damage), None) => self.damage = Some(damage),
            }
        }
        match &mut self.kind {
            Kind::Gzip(_) => Ok(0),
            Kind::Zstd(frames) => frames.rest(into),
        }
    }
}

/// The compressed bytes; remembers why they could not be read, which decoders wrap in errors of their own.
struct Source<R> {
    inner: BufReader<R>,
    failed: Option<io::Error>,
}

impl<R: Read> Source<R> {
    fn watch<T>(&mut self, read: io::Result<T>) -> io::Result<T> {
        read.map_err(|error| {
            let kind = error.kind();
            // What was interrupted is tried again.
            if kind != io::ErrorKind::Interrupted {
                self.failed = Some(error);
            }
            kind.into()
        })
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into);
        self.watch(read)
    }
}

impl<R: Read> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let filled = self.inner.fill_buf().map(|_| ());
        self.watch(filled)?;
        Ok(self.inner.buffer())
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
    }
}

/// The frames of a Zstandard file, one after the other.
struct Frames<R: Read> {
    source: Source<R>,
    decoder: FrameDecoder,
    /// A frame has begun and is not yet given out to its end.
    open: bool,
}

impl<R: Read> Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize, Damage> {
        loop {
            if !self.open {
                match self.source.fill_buf() {
                    Ok([]) => return Ok(0),
                    Ok(_) => self.begin()?,
                    Err(_) => return Err(CUT_OFF),
                }
            } else if self.decoder.can_collect() > 0 {
                return self.decoder.read(into).map_err(|_| CORRUPT);
            } else if self.decoder.is_finished() {
                let said = self.decoder.get_checksum_from_data();
                if said.is_some() && said != self.decoder.get_calculated_checksum() {
                    return Err(CORRUPT);
                }
                self.open = false;
            } else {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| damage(&error))?;
            }
        }
    }

    fn begin(&mut self) -> Result<(), Damage> {
        match self.decoder.init(&mut self.source) {
            Ok(()) => self.open = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut (&mut self.source).take(length), &mut io::sink());
                if skipped.ok() != Some(length) {
                    return Err(CUT_OFF);
                }
            }
            Err(error) => return Err(damage(&error)),
        }
        Ok(())
    }

    /// What was unpacked before the damage: the decoder holds it back, since what follows could repeat it.
    fn rest(&mut self, into: &mut [u8]) -> io::Result<usize> {
        /// A last block without content, and room for a checksum.
        const END: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
        if !self.open {
            return Ok(0);
        }
        if !self.decoder.is_finished() {
            // Whatever comes of it, no more can be had.
            let _ = self
                .decoder
                .decode_blocks(END, BlockDecodingStrategy::UptoBlocks(1));
        }
        match self.decoder.is_finished() {
            true => self.decoder.read(into),
            false => Ok(0),
        }
    }
}

fn damage(error: &FrameDecoderError) -> Damage {
    match error {
        FrameDecoderError::WindowSizeTooBig { .. } => WINDOW,
        FrameDecoderError::DictNotProvided { .. } => DICTIONARY,
        _ if is_cut(error) => CUT_OFF,
        _ => CORRUPT,
    }
}

/// Whether an error comes of bytes that are not there.
fn is_cut(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return error.kind() == io::ErrorKind::UnexpectedEof;
        }
        next = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(vec![], Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    fn unpack(bytes: &[u8]) -> (Vec<u8>, Option<Damage>) {
        let (packing, peeked) = peek(bytes).unwrap();
        let mut unpacker = Unpacker::new(packing.unwrap(), peeked);
        let mut out = vec![];
        unpacker.read_to_end(&mut out).unwrap();
        (out, unpacker.damage())
    }

    /// A text that does not become much shorter.
    fn text() -> Vec<u8> {
        let mut seed = 7_u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b'a' + u8::try_from(seed >> 28).unwrap()
        };
        (0..300_000).map(|_| next()).collect()
    }

    #[test]
    fn several_in_a_row_are_one_text() {
        let text = text();
        let skipped = [&b"\x5a\x2a\x4d\x18\x03\0\0\0abc"[..], &zstd(b"!")].concat();
        for pack in [gzip, zstd] {
            let mut both = [pack(&text), pack(b"end")].concat();
            if pack(b"") == zstd(b"") {
                both.extend(&skipped);
            }
            let (out, damage) = unpack(&both);
            assert_eq!(damage, None);
            assert!(out.starts_with(&text) && out[text.len()..].starts_with(b"end"));
        }
        assert_eq!(unpack(&skipped), (b"!".to_vec(), None));
    }

    #[test]
    fn what_stands_before_the_damage_is_read() {
        let text = text();
        for pack in [gzip, zstd] {
            let packed = pack(&text);
            for end in [packed.len() - 1, packed.len() - 9, packed.len() / 2] {
                let (out, damage) = unpack(&packed[..end]);
                assert_eq!(damage, Some(CUT_OFF));
                assert!(text.starts_with(&out));
                assert!(out.len() > end / 4, "{} of {end}", out.len());
            }
            let (out, damage) = unpack(&[&packed[..], b"some other text"].concat());
            assert_eq!((out.len(), damage), (text.len(), Some(CORRUPT)));
        }
    }

    #[test]
    fn what_is_no_archive_ends_at_once() {
        for bytes in [
            &b"\x1f\x8b"[..],
            b"\x1f\x8b\x08\0",
            b"\x1f\x8b\x07\0\0\0\0\0\0\0\0\0",
            b"\x28\xb5\x2f\xfd",
            b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x50\x2a\x4d\x18\xff\xff\xff\xff",
        ] {
            let (out, damage) = unpack(bytes);
            assert!(out.is_empty() && damage.is_some(), "{bytes:?}");
        }
        assert_eq!(unpack(b"\x28\xb5\x2f\xfd\0\xa0\x01\0\0").1, Some(WINDOW));
    }

    #[test]
    fn a_changed_byte_is_noticed() {
        let text = text();
        for pack in [gzip, zstd] {
            let packed = pack(&text);
            for at in (12..packed.len()).step_by(packed.len() / 40) {
                let mut packed = packed.clone();
                packed[at] ^= 0x10;
                let (out, damage) = unpack(&packed);
                assert!(damage.is_some() || out == text, "{at}");
            }
        }
    }

    #[test]
    fn whatever_the_bytes_are_it_ends() {
        let mut seed = 1_u32;
        let mut next = |limit: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as usize % limit
        };
        let text = [&text()[..2000], &b"again and ".repeat(300)].concat();
        for pack in [gzip, zstd] {
            let packed = pack(&text);
            for _ in 0..500 {
                let mut packed = packed.clone();
                for _ in 0..=next(4) {
                    let at = next(packed.len());
                    packed[at] = u8::try_from(next(256)).unwrap();
                }
                let (packing, peeked) = peek(&packed[..]).unwrap();
                if let Some(packing) = packing {
                    let mut unpacker = Unpacker::new(packing, peeked).take(1 << 24);
                    unpacker.read_to_end(&mut vec![]).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_reader_that_fails_is_no_damage() {
        struct Fails;
        impl Read for Fails {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::PermissionDenied.into())
            }
        }
        for pack in [gzip, zstd] {
            let packed = pack(&text());
            let half = &packed[..packed.len() / 2];
            let (packing, peeked) = peek(half.chain(Fails)).unwrap();
            let mut unpacker = Unpacker::new(packing.unwrap(), peeked);
            let error = unpacker.read_to_end(&mut vec![]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        }
    }
}
