//! Shapes, and what is asked of them.

use super::names::did_you_mean;
use super::words::a;
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::lang::program::Expr;
use crate::source::Span;

/// A CamelCase word that is no shape.
pub fn unknown_shape(span: Span, word: &str, near: Option<&str>, pack: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-shape", format!("there is no shape `{word}`")).at(span);
    match (near, pack) {
        (_, Some(pack)) => diagnostic.help(format!("say `use {pack}`, where it is declared")),
        (near, None) => did_you_mean(diagnostic, near),
    }
}

/// Two forms of one name that hold for one revision.
pub fn two_forms(name: &Name, first: Span) -> Diagnostic {
    let message = format!("the shape `{}` has two forms for one revision", name.node);
    Diagnostic::error("two-forms", message)
        .label(name.span, "another form")
        .label(first, "the first one")
        .help("gate both with `revision`, so that each revision has one")
}

/// A shape that is itself, with nothing between.
pub fn made_of_itself(name: &Name) -> Diagnostic {
    let message = format!("the shape `{}` is made of itself", name.node);
    Diagnostic::error("made-of-itself", message)
        .at(name.span)
        .help("a member, a list or an object must stand between")
}

/// `closed shape A = B`, `shape A extends B = C`
pub fn alias_with_members(name: &Name) -> Diagnostic {
    let message = format!("the shape `{}` has no members of its own", name.node);
    Diagnostic::error("alias-with-members", message)
        .at(name.span)
        .help("`closed` and `extends` belong to a shape with members in braces")
}

/// `list of T`
pub fn of_no_object(head: &Name, span: Span) -> Diagnostic {
    let help = match head.node.as_str() {
        "list" | "array" | "set" => "a list is written `[T]`",
        _ => "only `object of T` has a meaning",
    };
    Diagnostic::error("unknown-type", format!("`{} of` is no type", head.node))
        .at(span)
        .help(help)
}

/// `9..1`
pub fn empty_range(span: Span) -> Diagnostic {
    Diagnostic::error("empty-range", "no number lies in this range")
        .at(span)
        .help("the smaller end stands first")
}

/// `time` within a shape.
pub fn not_in_json(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error("not-in-json", format!("no value in JSON is of the type `{word}`"))
        .at(span)
        .help("shapes say what JSON looks like")
}

/// `fits` with something else behind it.
pub fn fits_no_shape(right: &Expr) -> Diagnostic {
    let message = format!("`fits` is followed by a shape, and this is {}", a(&right.ty));
    Diagnostic::error("fits-no-shape", message).at(right.span)
}

/// `fits`, `misfits`, `parts` of what cannot stand in JSON.
pub fn shape_of_no_json(left: &Expr) -> Diagnostic {
    let message = format!("a shape says what JSON looks like, and this is {}", a(&left.ty));
    Diagnostic::error("shape-of-no-json", message).at(left.span)
}

/// A shape that differs between revisions, where no record is.
pub fn no_revision(span: Span, shape: &str) -> Diagnostic {
    let message = format!("which revision of `{shape}` is meant is not known here");
    Diagnostic::error("no-revision", message)
        .at(span)
        .help("ask in a rule or an attribute: the revision is that of its record")
}
