//! Conditions that are none, or that are decided beforehand.

use super::words::a;
use crate::diagnostic::Diagnostic;
use crate::model::types::Type;
use crate::source::Span;

/// A form for lists whose body took more than was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swallowed {
    /// `count x in xs: p > 3`
    Comparison,
    /// `first x in xs: p exists`
    Test,
    /// Neither.
    Nothing,
}

/// Something else than true or false where a condition is due.
pub fn no_condition(span: Span, ty: &Type, swallowed: Swallowed) -> Diagnostic {
    let message = format!("a condition is due here, and this is {}", a(ty));
    let diagnostic = Diagnostic::error("no-condition", message).at(span);
    match (swallowed, ty) {
        (Swallowed::Comparison, _) => diagnostic.help(
            "the comparison belongs to the condition of `count`; write `(count … : …) > …` with parentheses",
        ),
        (Swallowed::Test, _) => diagnostic.help(
            "the test belongs to the condition of the form; write `(first … : …) exists`, or `any … : …`",
        ),
        (_, Type::Integer | Type::Number | Type::Duration | Type::Time) => {
            diagnostic.help("compare it with something: `… > 0`")
        }
        (_, Type::List(_)) => diagnostic.help("ask about its elements: `any x in …: …`"),
        _ => diagnostic.help("ask whether it is there: `… exists`"),
    }
}

/// `when` that is never true.
pub fn never_holds(span: Span, parts: Option<(Span, Span)>) -> Diagnostic {
    let diagnostic = Diagnostic::error("never-holds", "this condition can never hold");
    match parts {
        Some((one, other)) => diagnostic
            .label(one, "if this holds")
            .label(other, "this does not")
            .help("a rule with a condition that never holds judges nothing"),
        None => diagnostic
            .at(span)
            .help("a rule with a condition that never holds judges nothing; its level can be set to `off`"),
    }
}

/// `when` that is always true.
pub fn always_holds(span: Span) -> Diagnostic {
    Diagnostic::warning("always-holds", "this condition always holds")
        .at(span)
        .help("leave it out")
}

/// `undecided when` that is always true.
pub fn always_undecided(span: Span) -> Diagnostic {
    Diagnostic::error("always-undecided", "this rule never decides anything").label(span, "always true")
}

/// A verdict that never fails.
pub fn always_passes(span: Span, require: bool) -> Diagnostic {
    let label = if require { "always true" } else { "never true" };
    Diagnostic::error("always-passes", "this verdict can never fail").label(span, label)
}

/// `not (a < b)` where an operand may be missing.
pub fn negated_order(span: Span, operand: &str, written: &str) -> Diagnostic {
    let message = format!("this also holds if `{operand}` is missing");
    Diagnostic::warning("negated-order", message)
        .at(span)
        .help(format!(
            "write `{written}` if it must be there, or ask with `exists` or `missing` as well"
        ))
}
