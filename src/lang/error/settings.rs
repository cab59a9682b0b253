//! Parameters, constants, profiles and levels.

use super::names::did_you_mean;
use super::words::{a, or};
use crate::diagnostic::Diagnostic;
use crate::lang::ast::{Expr, Name};
use crate::lang::suggest::suggest;
use crate::model::types::Type;
use crate::source::Span;

/// So many names are listed.
const LISTED: usize = 8;

/// A value that is not known before a recording is read.
pub fn not_constant(span: Span) -> Diagnostic {
    Diagnostic::error("not-constant", "this is not known before a recording is read")
        .at(span)
        .help("constants and parameters are made of literals, other constants and builtin functions")
}

/// A constant of another type than it declares.
pub fn wrong_constant(value: &Expr, actual: &Type, declared: &Type, place: Span) -> Diagnostic {
    let message = format!(
        "this constant is declared as {}, and this is {}",
        a(declared),
        but(actual, declared)
    );
    Diagnostic::error("wrong-constant", message)
        .label(value.span, format!("this is {}", but(actual, declared)))
        .label(place, "declared here")
}

/// A setting of another type than its parameter.
pub fn wrong_setting(name: &str, span: Span, actual: &Type, declared: &Type, place: Span) -> Diagnostic {
    let message = format!(
        "the parameter `{name}` is {}, and this is {}",
        a(declared),
        but(actual, declared)
    );
    Diagnostic::error("wrong-setting", message)
        .label(span, format!("this is {}", but(actual, declared)))
        .label(place, "declared here")
}

/// The type of a value that is not of the declared one, though both may have the same name.
fn but(actual: &Type, declared: &Type) -> String {
    if a(actual) == a(declared) {
        "of another type inside".to_owned()
    } else {
        a(actual)
    }
}

/// A constant that stands in its own value.
pub fn value_of_itself(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "circle",
        format!("the value of `{}` depends on itself", name.node),
    )
    .at(name.span)
}

/// Constants of constants of constants.
pub fn values_too_deep(name: &Name, limit: usize) -> Diagnostic {
    let message = format!(
        "`{}` is the end of a chain of more than {limit} constants",
        name.node
    );
    Diagnostic::error("nested-too-deeply", message).at(name.span)
}

/// A setting of a parameter that is not there.
/// `short` is its name without the pack, `words` are those that there are, of that pack if it was said.
pub fn unknown_parameter(name: &str, short: &str, span: Span, words: &[&str], constant: bool) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("unknown-parameter", format!("there is no parameter `{name}`")).at(span);
    if constant {
        return diagnostic.help(format!("`{name}` is a constant; make it a `param` to set it"));
    }
    let help = match suggest(short, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if words.is_empty() => "there are none to be set".to_owned(),
        None if words.len() == 1 => format!("there is only {}", or(words)),
        None if words.len() <= LISTED => format!("it is one of {}", or(words)),
        None => "`wirelint explain RULE` shows the parameters of a rule".to_owned(),
    };
    diagnostic.help(help)
}

/// A setting of a name that parameters of several packs have.
pub fn ambiguous_parameter(name: &str, span: Span, full: &[String]) -> Diagnostic {
    let full: Vec<&str> = full.iter().map(String::as_str).collect();
    let message = format!("more than one pack has a parameter `{name}`");
    Diagnostic::error("ambiguous-parameter", message)
        .at(span)
        .help(format!("write {}", or(&full)))
}

/// A profile that is not there.
pub fn unknown_profile(name: &str, near: Option<&str>) -> Diagnostic {
    did_you_mean(
        Diagnostic::error("unknown-profile", format!("there is no profile `{name}`")),
        near,
    )
}

/// A level for rules that are not there.
pub fn level_of_nothing(pattern: &str, near: Option<&str>) -> Diagnostic {
    let message = if pattern.contains('*') {
        format!("no rule matches `{pattern}`")
    } else {
        format!("there is no rule `{pattern}`")
    };
    did_you_mean(Diagnostic::error("unknown-rule", message), near)
}
