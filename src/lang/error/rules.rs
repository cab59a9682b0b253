//! Rules as a whole, and the texts in them.

use super::words::a;
use crate::diagnostic::Diagnostic;
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::source::Span;

/// Bounds between which nothing lies.
pub fn no_such_revision(low: Span, high: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error("no-such-revision", "no revision is both");
    if low == high {
        return diagnostic.at(low);
    }
    diagnostic
        .label(low, "with this bound")
        .label(high, "and this one")
}

/// `on tool of "…"`
pub fn of_without_method(span: Span, subject: Subject) -> Diagnostic {
    let message = format!(
        "{} has no method that `of` could choose by",
        a(&Type::Subject(subject))
    );
    let diagnostic = Diagnostic::error("of-without-method", message).at(span);
    match subject {
        Subject::Exchange => diagnostic.help("write `where exchange.method == …` for that of HTTP"),
        _ => diagnostic,
    }
}

/// A method that is nearly one that others write.
pub fn misspelt_method(method: &str, span: Span, near: &str) -> Diagnostic {
    Diagnostic::warning("misspelt-method", format!("no pack knows a method `{method}`"))
        .at(span)
        .help(format!("did you mean `{near}`?"))
}

/// `on tool from server`
pub fn from_without_sender(span: Span, subject: Subject) -> Diagnostic {
    let message = format!(
        "{} has no sender that `from` could choose by",
        a(&Type::Subject(subject))
    );
    Diagnostic::error("from-without-sender", message).at(span)
}

/// Things that use each other in a circle.
pub fn circle(what: &str, steps: &[(String, Span)]) -> Diagnostic {
    let mut diagnostic = Diagnostic::error("circle", format!("{what} depends on itself"));
    for (how, place) in steps {
        diagnostic = diagnostic.label(*place, how.clone());
    }
    diagnostic
}

/// A rule that keeps all of its subjects.
pub fn keeps_all(span: Span, subject: Subject) -> Diagnostic {
    let message = format!("this rule keeps every {} until its scope ends", subject.word());
    let note = Diagnostic::warning("keeps-all", message)
        .label(span, "all of this must be seen first")
        .help("bound it with `later.until(…)`, or turn the rule around with `earlier`");
    Diagnostic {
        severity: crate::diagnostic::Severity::Note,
        ..note
    }
}

/// A label that can stand nowhere.
pub fn label_without_place(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` is computed and stands nowhere in a recording");
    Diagnostic::warning("label-without-place", message)
        .at(span)
        .help("name the value that is meant, or its record")
}

/// `{name}` in a text without holes.
pub fn hole_in_plain_text(span: Span, inside: &str) -> Diagnostic {
    let message = format!("`{{{inside}}}` is not filled in here");
    Diagnostic::warning("hole-in-plain-text", message)
        .at(span)
        .help("only the texts of `report`, `at`, `help` and `undecided` have holes; elsewhere join with `+`")
}
