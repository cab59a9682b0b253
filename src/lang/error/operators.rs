//! Operators and tests that cannot mean what they say.

use super::words::{a, a_is, or, plural};
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::lang::program::Expr;
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::source::Span;

/// Two operands with their types.
fn two(code: &'static str, message: impl Into<String>, left: &Expr, right: &Expr) -> Diagnostic {
    Diagnostic::error(code, message)
        .label(left.span, format!("this is {}", a(&left.ty)))
        .label(right.span, format!("this is {}", a(&right.ty)))
}

/// One operand with its type.
fn one(code: &'static str, message: impl Into<String>, operand: &Expr) -> Diagnostic {
    Diagnostic::error(code, message).label(operand.span, format!("this is {}", a(&operand.ty)))
}

// ---- comparisons ----------------------------------------------------------------------------------------------------

/// `status == "200"`
pub fn never_equal(left: &Expr, right: &Expr) -> Diagnostic {
    let message = format!("{} never equal to {}", a_is(&left.ty), a(&right.ty));
    let diagnostic = two("never-equal", message, left, right);
    match (&left.ty, &right.ty) {
        (_, Type::Null) | (Type::Null, _) => {
            diagnostic.help("`missing` behind a value asks whether it is not there")
        }
        (Type::Path, Type::String) | (Type::String, Type::Path) => {
            diagnostic.help("paths are compared with `matches` and a path pattern, such as `$.name`")
        }
        (Type::Pattern, _) | (_, Type::Pattern) => diagnostic.help("write `matches`"),
        _ => diagnostic,
    }
}

/// `sender == "cilent"`
pub fn never_that_word(attribute: Span, text: &str, place: Span, word: &str, words: &[&str]) -> Diagnostic {
    Diagnostic::error("never-that-word", format!("`{text}` is never `{word}`"))
        .label(place, "never this")
        .label(attribute, "one of few words")
        .help(format!("it is {}", or(words)))
}

/// `<` of something that has no order.
pub fn no_order(operand: &Expr) -> Diagnostic {
    one("no-order", format!("{} has no order", a(&operand.ty)), operand)
        .help("numbers, strings, times and durations can be ordered")
}

/// `<` of two things of unlike kinds.
pub fn never_ordered(left: &Expr, right: &Expr) -> Diagnostic {
    let message = format!("{} and {} have no order between them", a(&left.ty), a(&right.ty));
    two("no-order", message, left, right)
}

/// A revision that is no date.
pub fn bad_revision(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("bad-revision", format!("`{text}` is no protocol revision"))
        .at(span)
        .help("a revision is a date, such as `2025-06-18`")
}

// ---- in, has, matches -----------------------------------------------------------------------------------------------

/// `x in xs` with elements of another kind.
pub fn never_in(left: &Expr, right: &Expr, element: &Type) -> Diagnostic {
    let message = format!("{} never in a list of {}", a_is(&left.ty), plural(element));
    Diagnostic::error("never-in", message)
        .label(left.span, format!("this is {}", a(&left.ty)))
        .label(right.span, format!("each element is {}", a(element)))
}

/// `x in y` where `y` is no list.
pub fn in_no_list(left: &Expr, right: &Expr) -> Diagnostic {
    let diagnostic = one(
        "in-no-list",
        format!("`in` asks a list, and this is {}", a(&right.ty)),
        right,
    );
    match (&right.ty, &left.ty) {
        (Type::Object(_) | Type::Record(_), _) => {
            diagnostic.help("write `has` to ask for a member, the object first")
        }
        (Type::String, _) => diagnostic.help("write `.contains(…)` to look into a string"),
        (Type::Headers, _) => diagnostic.help("write `headers[name] exists`"),
        _ => diagnostic,
    }
}

/// `x has y` where `x` has nothing.
pub fn has_nothing(left: &Expr) -> Diagnostic {
    let message = format!("`has` asks an object or a list, and this is {}", a(&left.ty));
    one("has-nothing", message, left)
}

/// `x has y` where `y` cannot be in `x`.
pub fn never_has(left: &Expr, right: &Expr) -> Diagnostic {
    let message = format!("{} never has {}", a(&left.ty), a(&right.ty));
    two("never-has", message, left, right)
}

/// A regular expression for something that is no text.
pub fn matches_no_text(left: &Expr, right: &Expr) -> Diagnostic {
    let message = format!("a regular expression never matches {}", a(&left.ty));
    let diagnostic = two("never-matches", message, left, right);
    match left.ty {
        Type::Path => diagnostic.help("a path is matched by a path pattern, such as `$.name`"),
        _ => diagnostic,
    }
}

/// A path pattern for something that is no path.
pub fn matches_no_path(left: &Expr, right: &Expr) -> Diagnostic {
    two(
        "never-matches",
        format!("a path pattern never matches {}", a(&left.ty)),
        left,
        right,
    )
}

/// `matches` with something that is no pattern.
pub fn no_pattern(right: &Expr, text: Option<&str>) -> Diagnostic {
    let message = format!("`matches` takes a pattern, and this is {}", a(&right.ty));
    let diagnostic = one("no-pattern", message, right);
    match text {
        Some(text) => diagnostic.help(format!(
            "a regular expression is written `/{}/`; for a plain comparison write `==`",
            text.replace('/', "\\/")
        )),
        None => diagnostic.help("a regular expression is written `/…/`, a path pattern `$…`"),
    }
}

// ---- sums -----------------------------------------------------------------------------------------------------------

/// `+` or `-` of things that cannot be added or subtracted.
pub fn no_sum(span: Span, add: bool, left: &Expr, right: &Expr) -> Diagnostic {
    let message = if add {
        format!("{} and {} cannot be added", a(&left.ty), a(&right.ty))
    } else {
        format!("{} cannot be subtracted from {}", a(&right.ty), a(&left.ty))
    };
    let mut diagnostic = two("no-sum", message, left, right);
    if diagnostic.labels.is_empty() {
        diagnostic = diagnostic.at(span);
    }
    match (&left.ty, &right.ty) {
        (Type::String, Type::Integer | Type::Number) | (Type::Integer | Type::Number, Type::String)
            if add =>
        {
            diagnostic.help("in `report`, `at` and `help`, `{…}` inserts a value into a text")
        }
        _ => diagnostic,
    }
}

/// `-x` of something that is no number.
pub fn no_negative(of: &Expr) -> Diagnostic {
    one("no-sum", format!("{} has no negative", a(&of.ty)), of)
}

// ---- tests ----------------------------------------------------------------------------------------------------------

/// `exists` behind something that is always there.
pub fn always_exists(span: Span, exists: bool, form: bool) -> Diagnostic {
    let word = if exists { "exists" } else { "missing" };
    let outcome = if exists { "true" } else { "false" };
    let diagnostic = Diagnostic::error("always-exists", format!("`{word}` is always {outcome} here"))
        .label(span, "this is always there");
    if form {
        return diagnostic.help("such a form says by itself what is there");
    }
    diagnostic
}

/// `is` with a word that is no kind of JSON.
pub fn unknown_test(span: Span, word: &str, near: Option<&str>, ty: &Type) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-test", format!("`is` cannot ask for `{word}`")).at(span);
    let ours = match word {
        "text" | "str" => Some("string"),
        "bool" => Some("boolean"),
        "int" => Some("integer"),
        "array" => Some("list"),
        "map" | "dict" => Some("object"),
        _ => near,
    };
    match (word, ours) {
        ("missing" | "absent" | "undefined", _) => diagnostic.help("write `… missing` without `is`"),
        ("true" | "false", _) => diagnostic.help(format!("write `== {word}`")),
        (_, Some(ours)) => diagnostic.help(format!("did you mean `{ours}`?")),
        _ if Subject::from_word(word).is_some_and(|s| s.is_message()) && matches!(ty, Type::Subject(_)) => {
            diagnostic.help(format!("write `.kind == \"{word}\"`"))
        }
        _ => diagnostic
            .help("it asks for `null`, `boolean`, `integer`, `number`, `string`, `list` or `object`"),
    }
}

/// `x is [string]`
pub fn is_no_word(span: Span, text: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-test", format!("`is` cannot ask for `{text}`")).at(span);
    if !text.starts_with('[') {
        return diagnostic;
    }
    diagnostic.help("ask whether it is a list with `is list`, and then about its elements")
}

/// `is` that is never true.
pub fn never_is(value: &Expr, place: Span, word: &str) -> Diagnostic {
    Diagnostic::error("never-is", format!("{} never `{word}`", a_is(&value.ty)))
        .label(place, "never true")
        .label(value.span, format!("this is {}", a(&value.ty)))
}

// ---- fails ----------------------------------------------------------------------------------------------------------

/// `fails` behind something that no rule judges.
pub fn fails_no_record(record: &Expr) -> Diagnostic {
    let message = format!("rules judge records, and this is {}", a(&record.ty));
    one("fails-no-record", message, record)
}

/// `fails` behind a record of another kind than the rule judges.
pub fn other_kind(rule: &Name, wanted: Subject, given: Subject, on: Span) -> Diagnostic {
    let message = format!(
        "`{}` judges {}, and this is {}",
        rule.node,
        a(&Type::Subject(wanted)),
        a(&Type::Subject(given))
    );
    Diagnostic::error("other-kind", message)
        .label(rule.span, format!("asked of {}", a(&Type::Subject(given))))
        .label(on, "judged here")
}

/// `fails tag` where no rule of the tag judges such a record.
pub fn tag_of_other_kind(span: Span, tag: &str, given: Subject) -> Diagnostic {
    let message = format!("no rule with the tag `{tag}` judges {}", a(&Type::Subject(given)));
    Diagnostic::error("other-kind", message).at(span)
}
