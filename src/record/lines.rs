//! Bytes as they come → lines.

/// The longest line that is kept whole, in bytes. Of a longer one the beginning is kept.
const LONGEST: usize = 16 << 20;

/// Bytes of a stream that are no whole line yet.
#[derive(Debug, Default)]
pub(super) struct Lines {
    begun: Vec<u8>,
    /// The line is longer than what is kept of it.
    cut: bool,
}

/// A line of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'b> {
    /// Without its end.
    pub(super) bytes: &'b [u8],
    /// It ended with a line feed.
    pub(super) ended: bool,
    /// It is only the beginning of a line.
    pub(super) cut: bool,
}

impl Lines {
    /// Takes the next bytes and hands out the lines that they complete.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut line: impl FnMut(Line)) {
        while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
            let (this, rest) = bytes.split_at(end);
            bytes = &rest[1..];
            if self.begun.is_empty() && this.len() <= LONGEST {
                line(Line {
                    bytes: this,
                    ended: true,
                    cut: false,
                });
                continue;
            }
            self.keep(this);
            line(Line {
                bytes: &self.begun,
                ended: true,
                cut: self.cut,
            });
            self.begun.clear();
            self.cut = false;
        }
        self.keep(bytes);
    }

    /// The stream is over: what is left is a line without an end.
    pub(super) fn finish(&mut self, mut line: impl FnMut(Line)) {
        if !self.begun.is_empty() {
            line(Line {
                bytes: &self.begun,
                ended: false,
                cut: self.cut,
            });
        }
        self.begun = Vec::new();
        self.cut = false;
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST.saturating_sub(self.begun.len());
        self.cut |= bytes.len() > room;
        self.begun.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<(String, bool, bool)> {
        let mut found = vec![];
        let mut keep = |line: Line| {
            let text = String::from_utf8_lossy(line.bytes).into_owned();
            found.push((text, line.ended, line.cut));
        };
        let mut lines = Lines::default();
        for piece in pieces {
            lines.push(piece, &mut keep);
        }
        lines.finish(&mut keep);
        found
    }

    #[test]
    fn lines_are_what_stands_between_line_feeds() {
        let whole = |text: &str| (text.to_owned(), true, false);
        assert_eq!(
            lines(&[b"a\nb\r\n\nc", b"d\n"]),
            ["a", "b\r", "", "cd"].map(whole)
        );
        assert_eq!(lines(&[b"a", b"b"]), [("ab".to_owned(), false, false)]);
        assert_eq!(lines(&[b"", b"\n"]), [whole("")]);
        assert!(lines(&[]).is_empty());
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept() {
        let long = vec![b'x'; LONGEST + 5];
        for pieces in [
            vec![&long[..], b"\nnext\n"],
            vec![&long[..9], &long[9..], b"\n", b"next\n"],
        ] {
            let found = lines(&pieces);
            assert_eq!((found[0].0.len(), found[0].1, found[0].2), (LONGEST, true, true));
            assert_eq!(found[1], ("next".to_owned(), true, false));
        }
    }
}
