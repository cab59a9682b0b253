//! The clauses of rules.

use super::{shortened, with_opening};
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

/// A word that begins no clause.
pub fn unknown_clause(span: Span, word: &str, near: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "unknown-clause",
        format!("`{}` begins no clause", shortened(word)),
    )
    .at(span);
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help("behind `on` come `for`, `let`, `when`, `undecided when`, then `require` or `forbid` with their `report`, then examples"),
    }
}

/// A step of an example between clauses.
pub fn step_in_rule(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error("unknown-clause", format!("`{word}` begins no clause"))
        .at(span)
        .help(format!(
            "`{word}` stands in an example: in the braces of `pass {{ … }}` and its kin"
        ))
}

/// An item inside a rule.
pub fn item_in_rule(span: Span, word: &str, open: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error("item-in-rule", format!("`{word}` cannot stand inside a rule"))
        .at(span)
        .help("close the rule above with `}`");
    with_opening(diagnostic, open)
}

/// `at` or `help` without a verdict.
pub fn outside_verdict(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error("outside-verdict", format!("`{word}` belongs to no `report`"))
        .at(span)
        .help("a verdict is `require …`, its `report \"…\"`, then `at …` and `help \"…\"`")
}

/// `return` in a rule.
pub fn return_in_rule(span: Span) -> Diagnostic {
    Diagnostic::error("return-in-rule", "a rule returns nothing")
        .at(span)
        .help("say what must hold with `require EXPRESSION report \"…\"`")
}

/// `description "…"`
pub fn description_clause(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error("unknown-clause", format!("`{word}` begins no clause"))
        .at(span)
        .help("what a rule is about stands before it, in lines that begin with `///`")
}

/// A text or a line of traffic where a clause is due.
pub fn text_between_clauses(span: Span, traffic: bool) -> Diagnostic {
    let (what, help) = if traffic {
        (
            "a line of traffic",
            "traffic stands in `pass { … }`, `fail { … }`, `skip { … }` or `undecided { … }`",
        )
    } else {
        (
            "a text",
            "a text follows a word such as `report`, `at` or `help`; long texts are not split",
        )
    };
    Diagnostic::error("text-between-clauses", format!("{what} begins no clause"))
        .at(span)
        .help(help)
}

/// `report "a" + b`
pub fn joined_text(span: Span) -> Diagnostic {
    Diagnostic::error("joined-text", "nothing is joined to this text")
        .at(span)
        .help("put the value into the text: `\"… {value} …\"`")
}

/// A text directly behind a condition.
pub fn report_word_missing(span: Span) -> Diagnostic {
    Diagnostic::error("report-missing", "this text needs `report` before it")
        .at(span)
        .help("write `report \"…\"`")
}

/// A condition without words.
pub fn report_missing(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("report-missing", format!("expected `report`, found {found}"))
        .at(span)
        .help("every `require` and `forbid` says what is wrong: `report \"…\"`")
}

/// `report` or `undecided when …` without its text.
pub fn text_missing(span: Span, found: &str, reason: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "text-missing",
        format!("expected a text in double quotes, found {found}"),
    )
    .at(span);
    if reason {
        diagnostic.help("`undecided when EXPRESSION` is followed by the reason: `\"…\"`")
    } else {
        diagnostic.help("a value is shown from within the text: `\"… {value} …\"`")
    }
}

/// `source https://…`
pub fn quotes_missing(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(
        "quotes-missing",
        format!("`{}` stands without quotes", shortened(text)),
    )
    .at(span)
    .help(format!("write `\"{}\"`", shortened(text)))
}

/// `on "a/b"`, `attribute = …`
pub fn subject_missing(span: Span, before: &str, found: &str) -> Diagnostic {
    Diagnostic::error(
        "subject-missing",
        format!("expected a subject behind `{before}`, found {found}"),
    )
    .at(span)
    .help("subjects are words such as `request`, `response`, `tool` and `session`; methods stand behind `of`")
}

/// `revision "…"`
pub fn bound_missing(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("bound-missing", format!("expected a comparison, found {found}"))
        .at(span)
        .help("write `revision >= \"2025-06-18\"` or `revision >= \"…\" and < \"…\"`")
}
