//! Attributes, members, elements and calls.

use super::names::did_you_mean;
use super::words::{a, or};
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::lang::program::Expr;
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::source::Span;

// ---- behind a dot ---------------------------------------------------------------------------------------------------

/// An attribute that a record does not have. `others` have one of that name.
pub fn unknown_attribute(
    name: &Name,
    subject: Subject,
    near: Option<&str>,
    others: &[Subject],
    callable: bool,
) -> Diagnostic {
    let word = &name.node;
    let message = format!("{} has no attribute `{word}`", a(&Type::Subject(subject)));
    let diagnostic = Diagnostic::error("unknown-attribute", message).at(name.span);
    if callable {
        return diagnostic.help(format!("`{word}` is a function: write `.{word}(…)`"));
    }
    if !others.is_empty() {
        let words: Vec<&str> = others.iter().map(|other| other.word()).collect();
        return diagnostic.help(format!("`{word}` is an attribute of {}", or(&words)));
    }
    if let Some(near) = near {
        return diagnostic.help(format!("did you mean `{near}`?"));
    }
    if subject.has_members() {
        return diagnostic.help(format!("a JSON member of that name is written `[\"{word}\"]`"));
    }
    diagnostic
}

/// A member that is nearly an attribute, or a member that is known.
pub fn misspelt_member(name: &Name, subject: Subject, near: &str) -> Diagnostic {
    let word = &name.node;
    let message = format!("no {} is known to have a member `{word}`", subject.word());
    Diagnostic::warning("misspelt-member", message)
        .at(name.span)
        .help(format!(
            "did you mean `{near}`? a member of exactly that name is written `[\"{word}\"]`"
        ))
}

/// A member that a computed object does not have.
pub fn unknown_member(name: &Name, words: &[&str], near: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("unknown-member", format!("there is no `{}` here", name.node)).at(name.span);
    match near {
        Some(_) => did_you_mean(diagnostic, near),
        None => diagnostic.help(format!("it is one of {}", or(words))),
    }
}

/// `headers.host`
pub fn header_as_member(name: &Name) -> Diagnostic {
    Diagnostic::error("header-as-member", "a header is no member")
        .at(name.span)
        .help(format!("write `[\"{}\"]`", name.node.replace('_', "-")))
}

/// `headers.content-type`
pub fn hyphen_in_member(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` reads as a difference");
    Diagnostic::error("hyphen-in-member", message)
        .at(span)
        .help(format!(
            "a member that is no plain word is written `[\"{text}\"]`"
        ))
}

/// A dot behind something that has no members.
pub fn no_members(of: Span, ty: &Type, name: &Name, callable: bool) -> Diagnostic {
    let word = &name.node;
    let diagnostic = Diagnostic::error("no-members", format!("{} has no members", a(ty)))
        .label(name.span, "no such member")
        .label(of, format!("this is {}", a(ty)));
    match ty {
        _ if callable => diagnostic.help(format!("`{word}` is a function: write `.{word}()`")),
        Type::List(_) => diagnostic.help(format!("`each x in …: x.{word}` gives that of every element")),
        _ => diagnostic,
    }
}

/// A list that a history does not have.
pub fn unknown_collection(name: &Name, later: bool, near: Option<&str>) -> Diagnostic {
    let word = if later { "later" } else { "earlier" };
    let message = format!("`{word}` has no list `{}`", name.node);
    let diagnostic = Diagnostic::error("unknown-attribute", message).at(name.span);
    match (name.node.as_str(), near) {
        ("open", _) => diagnostic.help("only the past has open requests: `earlier.open`"),
        (_, Some(near)) => diagnostic.help(format!("did you mean `{near}`?")),
        _ => diagnostic.help(format!("it has the lists of records, such as `{word}.requests`")),
    }
}

// ---- in brackets ----------------------------------------------------------------------------------------------------

/// Brackets with a name that a computed object does not have.
pub fn unknown_index(span: Span, literal: Option<&str>, words: &[&str]) -> Diagnostic {
    let message = match literal {
        Some(text) => format!("there is no `{text}` here"),
        None => "the members of this object are known one by one".to_owned(),
    };
    Diagnostic::error("unknown-member", message)
        .at(span)
        .help(format!("it is one of {}", or(words)))
}

/// Brackets that cannot find anything.
pub fn bad_index(of: &Expr, ty: &Type, by: &Expr) -> Diagnostic {
    let message = match ty {
        Type::List(_) => format!(
            "an element of a list is found by its number, not by {}",
            a(&by.ty)
        ),
        Type::Object(_) | Type::Json | Type::Headers => {
            format!("a member is found by its name, not by {}", a(&by.ty))
        }
        Type::Subject(subject) if subject.has_members() => {
            format!("a member is found by its name, not by {}", a(&by.ty))
        }
        _ => format!("{} has neither members nor elements", a(ty)),
    };
    Diagnostic::error("bad-index", message)
        .label(by.span, format!("this is {}", a(&by.ty)))
        .label(of.span, format!("this is {}", a(ty)))
}

// ---- calls ----------------------------------------------------------------------------------------------------------

/// A function that is not there.
pub fn unknown_function(name: &Name, near: Option<&str>, pack: Option<&str>) -> Diagnostic {
    let word = &name.node;
    let diagnostic =
        Diagnostic::error("unknown-function", format!("there is no function `{word}`")).at(name.span);
    match pack {
        Some(pack) => diagnostic.help(format!(
            "`{word}` stands in the pack `{pack}`: write `use {pack}` below `pack`"
        )),
        None => did_you_mean(diagnostic, near),
    }
}

/// `count(xs)`, `xs.any()`, `map(xs, …)`
pub fn form_as_function(name: &Name, form: &str, list: &str) -> Diagnostic {
    let word = &name.node;
    let list = match list.chars().count() {
        1..=40 => list,
        _ => "xs",
    };
    let message = if word == form {
        format!("`{word}` is a form for lists and no function")
    } else {
        format!("there is no function `{word}`")
    };
    let help = match form {
        "count" | "first" | "last" => format!("write `({form} x in {list}: …)`, with a condition or `true`"),
        "duplicates" => format!("write `({form} x in {list}: …)`, with what must not occur twice"),
        "each" => format!("write `({form} x in {list}: …)`, with the value for each"),
        _ => format!("write `({form} x in {list}: …)`, with a condition"),
    };
    Diagnostic::error("form-as-function", message)
        .at(name.span)
        .help(help)
}

/// `request.client()`
pub fn attribute_called(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "attribute-called",
        format!("`{}` is an attribute and no function", name.node),
    )
    .at(name.span)
    .help(format!("write `.{}` without parentheses", name.node))
}

/// Too few or too many arguments.
pub fn wrong_number_of_arguments(
    name: &Name,
    given: usize,
    least: usize,
    most: usize,
    declared: Option<Span>,
) -> Diagnostic {
    let takes = match (least, most) {
        (1, 1) => "1 argument".to_owned(),
        (least, most) if least == most => format!("{most} arguments"),
        (least, most) => format!("{least} to {most} arguments"),
    };
    let message = format!(
        "`{}` takes {takes}, and {given} {} given",
        name.node,
        if given == 1 { "is" } else { "are" }
    );
    let mut diagnostic = Diagnostic::error("wrong-number-of-arguments", message).at(name.span);
    if let Some(declared) = declared {
        diagnostic = diagnostic.label(declared, "declared here");
    }
    diagnostic.help("what stands before the dot is the first argument")
}

/// An argument of another type than is taken.
pub fn wrong_argument(function: &Name, argument: &Expr, takes: &str, parameter: Option<&Name>) -> Diagnostic {
    let message = format!(
        "`{}` takes {takes} here, and this is {}",
        function.node,
        a(&argument.ty)
    );
    let diagnostic = Diagnostic::error("wrong-argument", message)
        .label(argument.span, format!("this is {}", a(&argument.ty)));
    match parameter {
        Some(parameter) => diagnostic.label(parameter.span, "for this parameter"),
        None => diagnostic,
    }
}

/// A function behind `earlier` or `later`.
pub fn history_function(name: &Name, later: bool) -> Diagnostic {
    let (word, cut) = if later {
        ("later", "until")
    } else {
        ("earlier", "since")
    };
    let message = format!("`{}` cannot stand behind `{word}`", name.node);
    Diagnostic::error("history-function", message)
        .at(name.span)
        .help(format!(
            "`{word}.{cut}(x)` cuts it at a record or a duration; its lists are such as `{word}.requests`"
        ))
}

/// `earlier.since("1m")`
pub fn bad_bound(function: &Name, bound: &Expr) -> Diagnostic {
    let message = format!(
        "`{}` takes a record or a duration, and this is {}",
        function.node,
        a(&bound.ty)
    );
    Diagnostic::error("wrong-argument", message)
        .label(bound.span, format!("this is {}", a(&bound.ty)))
        .help("a duration is written `30s`")
}
