//! The clauses of rules.

use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::source::Span;

/// A clause that may stand once.
pub fn clause_twice(span: Span, word: &str, first: Span) -> Diagnostic {
    Diagnostic::error("clause-twice", format!("`{word}` stands here twice"))
        .label(span, "again here")
        .label(first, "first here")
}

/// A clause behind one that comes later.
pub fn clause_too_late(span: Span, word: &str, later: Span, other: &str, advice: &str) -> Diagnostic {
    Diagnostic::error("clause-too-late", format!("`{word}` stands behind `{other}`"))
        .label(span, "too late here")
        .label(later, "it comes before this")
        .help(advice)
}

/// A rule about nothing.
pub fn missing_on(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "missing-on",
        format!("`{}` does not say what it judges", name.node),
    )
    .at(name.span)
    .help("add `on` with a subject, such as `on request`")
}

/// A rule that cannot fail.
pub fn missing_verdict(name: &Name) -> Diagnostic {
    Diagnostic::error("missing-verdict", format!("`{}` has no verdict", name.node))
        .at(name.span)
        .help("add `require EXPRESSION report \"…\"` or `forbid EXPRESSION report \"…\"`")
}

/// `report` without condition, and other verdicts.
pub fn bare_report_beside_others(span: Span, other: Span, word: &str) -> Diagnostic {
    Diagnostic::error(
        "bare-report-beside-others",
        "a `report` without `require` or `forbid` stands alone in its rule",
    )
    .label(span, "this one always reports")
    .label(other, format!("`{word}` beside it"))
    .help("say with `require` or `forbid` when it reports")
}

/// `report` without condition for every subject.
pub fn bare_report_without_for(span: Span) -> Diagnostic {
    Diagnostic::error(
        "bare-report-without-for",
        "`report` without `require` or `forbid` needs a `for`",
    )
    .label(span, "this would report every subject")
    .help("put `require EXPRESSION` or `forbid EXPRESSION` before it")
}

/// `scope session, corpus`
pub fn corpus_not_first(span: Span) -> Diagnostic {
    Diagnostic::error("corpus-not-first", "`corpus` is not the first key of the scope")
        .at(span)
        .help("write `scope corpus, …`")
}

/// `;` or `,` where nothing separates.
pub fn separator(span: Span, mark: &str) -> Diagnostic {
    Diagnostic::error("separator", format!("no `{mark}` stands here"))
        .at(span)
        .help("nothing separates clauses and items but blanks and line ends")
}

/// `///` inside a rule.
pub fn stray_doc(span: Span) -> Diagnostic {
    Diagnostic::error("stray-documentation", "`///` documents no clause")
        .at(span)
        .help("`///` documents the item that follows it, a comment begins with `//`")
}
