//! Why a text is refused.

use super::Scanner;

/// Why a text is not JSON, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Byte in the text.
    pub offset: usize,
    /// In words, lower case, without a place.
    pub message: String,
    /// The text ends too early: it was cut off.
    pub cut_off: bool,
    /// Values are nested deeper than 127 levels, the limit of the reader.
    pub too_deep: bool,
}

/// A walk came to its end too early; its [`Scanner`] knows why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop;

/// What is wrong where a scanner stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    EndInList,
    EndInObject,
    EndInString,
    EndInValue,
    Colon,
    Comma,
    Control,
    Depth,
    Escape,
    ListEnd,
    Name,
    Number,
    ObjectEnd,
    Trailing,
    Value,
    Word,
}

impl What {
    /// The words that serde_json has for it, as people know them.
    fn words(self) -> &'static str {
        match self {
            What::EndInList => "EOF while parsing a list",
            What::EndInObject => "EOF while parsing an object",
            What::EndInString => "EOF while parsing a string",
            What::EndInValue => "EOF while parsing a value",
            What::Colon => "expected `:`",
            What::Comma => "trailing comma",
            What::Control => "control character (\\u0000-\\u001F) found while parsing a string",
            What::Depth => "recursion limit exceeded",
            What::Escape => "invalid escape",
            What::ListEnd => "expected `,` or `]`",
            What::Name => "key must be a string",
            What::Number => "invalid number",
            What::ObjectEnd => "expected `,` or `}`",
            What::Trailing => "trailing characters",
            What::Value => "expected value",
            What::Word => "expected ident",
        }
    }

    fn is_end(self) -> bool {
        use What::*;
        matches!(self, EndInList | EndInObject | EndInString | EndInValue)
    }
}

impl Scanner<'_> {
    /// Stops at the byte that does not fit.
    #[cold]
    pub(super) fn refuse<T>(&mut self, what: What) -> Result<T, Stop> {
        self.what = Some(what);
        Err(Stop)
    }

    /// Stops before a value that is nested too deep.
    #[cold]
    pub(crate) fn refuse_depth<T>(&mut self) -> Result<T, Stop> {
        self.refuse(What::Depth)
    }

    /// Why the walk was stopped, and where: at the last byte that was looked at, or behind it if it ends a line.
    #[cold]
    pub(crate) fn fault(&self) -> Fault {
        let what = self.what.unwrap_or(What::Value);
        let looked = (self.at + 1).min(self.text.len());
        let offset = match self.text.as_bytes()[..looked].last() {
            Some(b'\n') => looked,
            _ => looked.saturating_sub(1),
        };
        Fault {
            offset: self.text.floor_char_boundary(offset),
            message: what.words().to_owned(),
            cut_off: what.is_end(),
            too_deep: what == What::Depth,
        }
    }
}
