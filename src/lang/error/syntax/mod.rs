//! Problems that the parser finds.

mod characters;
mod clauses;
mod examples;
mod expressions;
mod items;

pub use characters::*;
pub use clauses::*;
pub use examples::*;
pub use expressions::*;
pub use items::*;

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A text short enough for a message.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 40 && line.len() == text.len() {
        return line.to_owned();
    }
    line.chars().take(37).chain(['…']).collect()
}

/// Adds where something was opened.
fn with_opening(diagnostic: Diagnostic, open: Option<Span>) -> Diagnostic {
    match open {
        Some(open) => diagnostic.label(open, "opened here"),
        None => diagnostic,
    }
}
