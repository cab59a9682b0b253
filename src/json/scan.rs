//! One validating walk over a JSON text (RFC 8259).
//!
//! A [`Scanner`] stands somewhere in a text and moves over whole values: it skips them, or tells who calls it what
//! stands there. All of the text is held to the grammar, whoever wants it; only what is kept has a limit of depth.

mod fault;
mod plain;
mod skip;
mod string;

pub use self::fault::Fault;
pub(crate) use self::fault::Stop;
use self::fault::What;
pub(crate) use self::plain::plain_until;
pub(crate) use self::string::Name;

/// A place in a text, and what is wrong with the text once that is known.
#[derive(Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    what: Option<What>,
}

impl<'t> Scanner<'t> {
    /// Before a text.
    pub(crate) fn new(text: &'t str) -> Self {
        Scanner {
            text,
            at: 0,
            what: None,
        }
    }

    /// The whole text.
    #[inline]
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// The next byte is this one of the text.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Ends the walk: nothing but white space may follow.
    pub(crate) fn end(&mut self) -> Result<(), Stop> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.refuse(What::Trailing),
        }
    }

    /// The next byte that is no white space.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        match self.byte() {
            Some(byte) if byte > b' ' => Some(byte),
            _ => self.peek_behind_space(),
        }
    }

    #[inline(never)]
    fn peek_behind_space(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    /// The text of a value, which `pass` moves over.
    #[inline]
    pub(crate) fn raw(&mut self, pass: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<&'t str, Stop> {
        self.peek();
        let start = self.at;
        pass(self)?;
        Ok(self.since(start))
    }

    /// The text from `start` to here. Both are at ASCII, so the slice is never refused.
    #[inline]
    fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or("")
    }

    /// Moves over an object and calls `member` behind each name; it has to move over the value.
    #[inline]
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Name<'t>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match self.peek() {
            Some(b'{') => self.at += 1,
            _ => return self.no_value(),
        }
        if self.first_name()? {
            loop {
                let name = self.name()?;
                self.colon()?;
                member(self, name)?;
                if !self.next_name()? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Moves over a list and calls `element` before each value; it has to move over it.
    #[inline]
    pub(crate) fn list(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match self.peek() {
            Some(b'[') => self.at += 1,
            _ => return self.no_value(),
        }
        if self.first_element()? {
            loop {
                element(self)?;
                if !self.next_element()? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Moves over a number or a word, given the byte it begins with.
    #[inline]
    pub(crate) fn scalar(&mut self, first: u8) -> Result<(), Stop> {
        match first {
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.no_value(),
        }
    }

    #[inline]
    fn number(&mut self) -> Result<(), Stop> {
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        let zero = self.byte() == Some(b'0');
        let start = self.at;
        self.digits()?;
        if zero && self.at > start + 1 {
            self.at = start + 1;
            return self.refuse(What::Number);
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Moves over one digit or more.
    #[inline]
    fn digits(&mut self) -> Result<(), Stop> {
        let start = self.at;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start {
            return Ok(());
        }
        match self.byte() {
            Some(_) => self.refuse(What::Number),
            None => self.refuse(What::EndInValue),
        }
    }

    #[inline]
    fn word(&mut self, word: &'static [u8]) -> Result<(), Stop> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        let same = rest.iter().zip(word).take_while(|(a, b)| a == b).count();
        self.at += same;
        match rest.get(same) {
            Some(_) => self.refuse(What::Word),
            None => self.refuse(What::EndInValue),
        }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Behind the brace that opens an object: whether it has a member; it stands before its name then.
    #[inline]
    fn first_name(&mut self) -> Result<bool, Stop> {
        match self.peek() {
            Some(b'"') => Ok(true),
            Some(b'}') => {
                self.at += 1;
                Ok(false)
            }
            Some(_) => self.refuse(What::Name),
            None => self.refuse(What::EndInObject),
        }
    }

    /// Behind a member: whether another one follows; it stands before its name then.
    #[inline]
    fn next_name(&mut self) -> Result<bool, Stop> {
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(b'}') => {
                self.at += 1;
                return Ok(false);
            }
            Some(_) => return self.refuse(What::ObjectEnd),
            None => return self.refuse(What::EndInObject),
        }
        match self.peek() {
            Some(b'"') => Ok(true),
            Some(b'}') => self.refuse(What::Comma),
            Some(_) => self.refuse(What::Name),
            None => self.refuse(What::EndInValue),
        }
    }

    #[inline]
    fn skip_name(&mut self) -> Result<(), Stop> {
        self.skip_string()?;
        self.colon()
    }

    #[inline]
    fn colon(&mut self) -> Result<(), Stop> {
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => self.refuse(What::Colon),
            None => self.refuse(What::EndInObject),
        }
    }

    /// Behind the bracket that opens a list: whether it has an element.
    #[inline]
    fn first_element(&mut self) -> Result<bool, Stop> {
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                Ok(false)
            }
            Some(_) => Ok(true),
            None => self.refuse(What::EndInList),
        }
    }

    /// Behind an element: whether another one follows.
    #[inline]
    fn next_element(&mut self) -> Result<bool, Stop> {
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(b']') => {
                self.at += 1;
                return Ok(false);
            }
            Some(_) => return self.refuse(What::ListEnd),
            None => return self.refuse(What::EndInList),
        }
        match self.peek() {
            Some(b']') => self.refuse(What::Comma),
            Some(_) => Ok(true),
            None => self.refuse(What::EndInValue),
        }
    }

    /// What is to say where a value should begin and does not.
    #[cold]
    pub(crate) fn no_value<T>(&mut self) -> Result<T, Stop> {
        match self.byte() {
            Some(_) => self.refuse(What::Value),
            None => self.refuse(What::EndInValue),
        }
    }
}
