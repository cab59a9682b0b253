//! What a bundled rule lacks.

use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::source::Span;

/// A rule without something that bundled rules have.
pub fn lacks(rule: &Name, what: &str, help: &str) -> Diagnostic {
    Diagnostic::error(
        "incomplete-rule",
        format!("the bundled rule `{}` has no {what}", rule.node),
    )
    .at(rule.span)
    .help(help)
}

/// An item without `///`.
pub fn undocumented(what: &str, name: &Name) -> Diagnostic {
    Diagnostic::error(
        "undocumented",
        format!("the bundled {what} `{}` is not documented", name.node),
    )
    .at(name.span)
    .help("say what it is in lines with `///` above it")
}

/// An example that does not say what it shows.
pub fn untitled(span: Span) -> Diagnostic {
    Diagnostic::error(
        "untitled-example",
        "this example of a bundled rule does not say what it shows",
    )
    .at(span)
}
