//! What a bundled rule lacks.

use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::source::Span;

/// A rule without something that bundled rules have.
pub fn lacks(rule: &Name, what: &str, help: &str) -> Diagnostic {
    Diagnostic::error(
        "incomplete-rule",
        format!("the bundled rule `{}` lacks {what}", rule.node),
    )
    .at(rule.span)
    .help(help)
}

/// A rule with the name of one in another bundled pack.
pub fn same_name(name: &Name, first: Span) -> Diagnostic {
    let message = format!("two bundled rules are called `{}`", name.node);
    Diagnostic::error("same-name", message)
        .label(name.span, "this one")
        .label(first, "and this one")
        .help("names of bundled rules are unique, so that the name alone says which is meant")
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
