//! Types: as they are written, and of values that do not go together.

use super::names::did_you_mean;
use super::words::a;
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::lang::program::Expr;
use crate::model::types::Type;
use crate::source::Span;

/// A word that is no type.
pub fn unknown_type(span: Span, word: &str, near: Option<&str>) -> Diagnostic {
    did_you_mean(
        Diagnostic::error("unknown-type", format!("there is no type `{word}`")).at(span),
        near,
    )
}

/// `list of T`
pub fn type_of_type(head: &Name, span: Span, of: &Type) -> Diagnostic {
    let help = match head.node.as_str() {
        "list" | "array" | "set" => format!("a list is written `[{of}]`"),
        _ => format!("only `object of {of}` has a meaning"),
    };
    Diagnostic::error("unknown-type", format!("`{} of` is no type", head.node))
        .at(span)
        .help(help)
}

/// A shape where a value's type is due.
pub fn shape_as_type(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error(
        "shape-as-type",
        format!("a shape such as `{word}` is no type here"),
    )
    .at(span)
    .help("write `json`, and ask with `fits`")
}

/// A literal, a range or `or` where one type is due.
pub fn type_of_shapes(span: Span) -> Diagnostic {
    Diagnostic::error(
        "type-of-shapes",
        "a type is one word, `[T]` or `object of T` here",
    )
    .at(span)
    .help("write `json` for what may be of several types")
}

/// `earlier` where a list is due.
pub fn bare_history(span: Span, later: bool) -> Diagnostic {
    let word = if later { "later" } else { "earlier" };
    Diagnostic::error("bare-history", "a history is no list by itself")
        .at(span)
        .help(format!("say of what: `{word}.requests`, `{word}.messages`"))
}

/// A form for lists, or `for`, over something else.
pub fn not_a_list(span: Span, ty: &Type) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("not-a-list", format!("a list is due here, and this is {}", a(ty))).at(span);
    match ty {
        Type::Headers => diagnostic.help("`.list` gives the headers one by one"),
        Type::Object(_) => diagnostic.help("`keys` and `values` make lists of an object"),
        _ => diagnostic,
    }
}

/// `duplicates` with two names.
pub fn duplicates_of_two(second: Span) -> Diagnostic {
    Diagnostic::error("duplicates-of-two", "`duplicates` takes one name")
        .at(second)
        .help("make one list first, with `each`")
}

/// Branches of an `if` that have nothing in common.
pub fn branches_differ(then: &Expr, otherwise: &Expr) -> Diagnostic {
    Diagnostic::error("branches-differ", "the two branches have nothing in common")
        .label(then.span, format!("this is {}", a(&then.ty)))
        .label(otherwise.span, format!("this is {}", a(&otherwise.ty)))
}

/// A regular expression that does not compile.
pub fn bad_pattern(span: Span, fault: &str) -> Diagnostic {
    Diagnostic::error("bad-pattern", "this is no regular expression that can be used").label(span, fault)
}

/// A function or attribute whose value is of another type than declared.
pub fn wrong_result(name: &Name, result: &Expr, declared: &Type, place: Span) -> Diagnostic {
    let message = format!(
        "`{}` is declared as {} and gives {}",
        name.node,
        a(declared),
        a(&result.ty)
    );
    Diagnostic::error("wrong-result", message)
        .label(result.span, format!("this is {}", a(&result.ty)))
        .label(place, "declared here")
}
