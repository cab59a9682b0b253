//! What pest could not read, in words.

use super::grammar::Failure;
use super::lower::Lowering;
use crate::diagnostic::Diagnostic;

impl<'t> Lowering<'t> {
    /// What is wrong with a piece of text where pest gave up.
    pub fn explain(&mut self, piece: &'t str, failure: &Failure) -> Diagnostic {
        let at = match failure.location {
            pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
        };
        let place = self.token_at(self.offset + at);
        Diagnostic::error("syntax", format!("{failure} {}", piece.len())).at(place)
    }
}
