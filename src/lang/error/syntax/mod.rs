//! Problems that the parser finds.

mod clauses;
mod examples;
mod expressions;
mod items;
mod stuck;

pub use clauses::*;
pub use examples::*;
pub use expressions::*;
pub use items::*;
pub use stuck::*;

/// A text short enough for a message.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 40 && line.len() == text.len() {
        return line.to_owned();
    }
    line.chars().take(37).chain(['…']).collect()
}
