//! Strings: where they end, and what they say.

use std::borrow::Cow;
use std::ops::Range;

use super::Scanner;
use super::fault::{Stop, What};
use super::plain::plain_until;

/// The name of a member, as it stands in its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    escaped: bool,
}

impl<'t> Name<'t> {
    /// What it says.
    #[inline]
    pub(crate) fn said(self) -> Cow<'t, str> {
        if self.escaped {
            Cow::Owned(unescaped(self.text, self.start, self.end))
        } else {
            Cow::Borrowed(self.text.get(self.start..self.end).unwrap_or(""))
        }
    }

    /// Where what it says stands in the text, without its quotes; `None` if it stands nowhere like that.
    #[inline]
    pub(crate) fn plain(self) -> Option<Range<usize>> {
        (!self.escaped).then_some(self.start..self.end)
    }
}

/// What a string says that was read before, given where its inside begins and ends.
#[cold]
fn unescaped(text: &str, start: usize, end: usize) -> String {
    let mut said = String::with_capacity(end - start);
    let mut scanner = Scanner::new(text);
    scanner.at = start;
    // It is not refused: it was not then.
    let _ = scanner.unescape(&mut said);
    said
}

impl<'t> Scanner<'t> {
    /// Moves over a name, from its first quote.
    #[inline]
    pub(super) fn name(&mut self) -> Result<Name<'t>, Stop> {
        let start = self.at + 1;
        let escaped = self.skip_string()?;
        Ok(Name {
            text: self.text,
            start,
            end: self.at - 1,
            escaped,
        })
    }

    /// Moves over a string, from its first quote, and says whether it has escapes.
    #[inline]
    pub(super) fn skip_string(&mut self) -> Result<bool, Stop> {
        if self.plain_string().is_some() {
            return Ok(false);
        }
        self.skip_escaped()?;
        Ok(true)
    }

    #[inline(never)]
    fn skip_escaped(&mut self) -> Result<(), Stop> {
        self.escaped(|_, _| ())
    }

    /// Moves over a string without escapes, from its first quote, and says where its inside stands. Any other string
    /// is entered, no more.
    #[inline]
    pub(crate) fn plain_string(&mut self) -> Option<Range<usize>> {
        let bytes = self.text.as_bytes();
        self.at += 1;
        let end = plain_until(bytes, self.at);
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        let inside = self.at..end;
        self.at = end + 1;
        Some(inside)
    }

    /// Moves to the end of a string that was entered, and appends what it says. A lone surrogate is U+FFFD.
    pub(crate) fn unescape(&mut self, out: &mut String) -> Result<(), Stop> {
        let text = self.text;
        self.escaped(|plain, end| {
            out.push_str(text.get(plain).unwrap_or(""));
            if let Some(end) = end {
                out.push(end);
            }
        })
    }

    /// Moves to the end of a string that was entered, and tells its stretches of what stands for itself, each with
    /// what the escape behind it says.
    #[inline]
    fn escaped(&mut self, mut tell: impl FnMut(Range<usize>, Option<char>)) -> Result<(), Stop> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            self.at = plain_until(bytes, start);
            let plain = start..self.at;
            match bytes.get(self.at) {
                Some(b'"') => {
                    tell(plain, None);
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => tell(plain, Some(self.escape()?)),
                Some(_) => return self.refuse(What::Control),
                None => return self.refuse(What::EndInString),
            }
        }
    }

    #[inline]
    fn escape(&mut self) -> Result<char, Stop> {
        self.at += 1;
        let said = match self.byte() {
            Some(itself @ (b'"' | b'\\' | b'/')) => char::from(itself),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            Some(_) => return self.refuse(What::Escape),
            None => return self.refuse(What::EndInString),
        };
        self.at += 1;
        Ok(said)
    }

    /// Moves over `u` and its digits, and over the escape behind it if both are a pair of surrogates.
    fn unicode(&mut self) -> Result<char, Stop> {
        let bytes = self.text.as_bytes();
        let Some(digits) = bytes.get(self.at + 1..).and_then(<[u8]>::first_chunk) else {
            self.at = bytes.len();
            return self.refuse(What::EndInString);
        };
        // The digits are refused together: the last of them is the place.
        self.at += 4;
        let Some(mut unit) = hexadecimal(digits) else {
            return self.refuse(What::Escape);
        };
        self.at += 1;
        if (0xD800..0xDC00).contains(&unit)
            && let Some([b'\\', b'u', digits @ ..]) = bytes.get(self.at..).and_then(<[u8]>::first_chunk::<6>)
            && let Some(second @ 0xDC00..0xE000) = hexadecimal(digits)
        {
            self.at += 6;
            unit = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

fn hexadecimal(digits: &[u8; 4]) -> Option<u32> {
    digits
        .iter()
        .try_fold(0, |sum, digit| Some(sum << 4 | char::from(*digit).to_digit(16)?))
}
