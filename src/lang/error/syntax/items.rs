//! Limits, names, files and items.

use super::{shortened, with_opening};
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::source::Span;

/// A file of more bytes than are read.
pub fn file_too_large(start: Span, limit: usize) -> Diagnostic {
    let limit = limit / (1024 * 1024);
    Diagnostic::error(
        "file-too-large",
        format!("this rule file is larger than {limit} MiB"),
    )
    .at(start)
    .help("split it into several files of one pack")
}

/// So many errors that more of them help nobody.
pub fn too_many_errors(last: Span, limit: usize) -> Diagnostic {
    let message = format!("more than {limit} errors in this file, the rest is not shown");
    Diagnostic::error("too-many-errors", message).at(last)
}

/// Parentheses, lists, forms, texts or types in each other.
pub fn nested_too_deeply(span: Span, limit: usize) -> Diagnostic {
    let message = format!("more than {limit} things stand inside each other");
    Diagnostic::error("nested-too-deeply", message)
        .label(span, "too deep here")
        .help("name a part of it with `let`, `const` or `fn`")
}

/// A tree that nesting and operators make too high.
pub fn too_many_operators(span: Span, limit: usize) -> Diagnostic {
    let message = format!("more than {limit} operators in one expression depend on each other");
    Diagnostic::error("too-many-operators", message)
        .at(span)
        .help("name a part of it with `let`, or ask with `in` for one of many values")
}

/// Something that the grammar let pass and lowering lost. It shows a fault of this program.
pub fn lost(span: Span) -> Diagnostic {
    Diagnostic::error("not-understood", "this could not be understood")
        .at(span)
        .help("please report this as a bug of wirelint")
}

/// `what` is a plural: "functions".
pub fn not_snake_case(what: &str, name: &Name) -> Diagnostic {
    let (word, ours) = (&name.node, words_of(&name.node).join("_"));
    Diagnostic::error("not-snake-case", format!("`{word}` is not in snake_case"))
        .at(name.span)
        .help(format!("{what} are written in snake_case: `{ours}`"))
}

/// The name of a shape.
pub fn not_camel_case(name: &Name) -> Diagnostic {
    let word = &name.node;
    let ours: String = words_of(word)
        .iter()
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + letters.as_str()
            })
        })
        .collect();
    Diagnostic::error("not-camel-case", format!("`{word}` is not in CamelCase"))
        .at(name.span)
        .help(format!("shapes are written in CamelCase: `{ours}`"))
}

/// `what` is a plural: "rules".
pub fn not_kebab_case(what: &str, name: &Name) -> Diagnostic {
    let word = &name.node;
    let folders: Vec<String> = word.split('/').map(|part| words_of(part).join("-")).collect();
    let ours = folders.join("/");
    let diagnostic =
        Diagnostic::error("not-kebab-case", format!("`{word}` is not in kebab-case")).at(name.span);
    if ours.starts_with(|c: char| c.is_ascii_lowercase()) && ours != *word {
        diagnostic.help(format!("{what} are named in kebab-case: `{ours}`"))
    } else {
        diagnostic.help(format!(
            "{what} are named in kebab-case: lower-case words with `-` between, the first with a letter in front"
        ))
    }
}

/// A name that stands twice where each may stand once; `what` is a singular.
pub fn repeated_name(what: &str, name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error(
        "repeated-name",
        format!("the {what} `{}` stands here twice", name.node),
    )
    .label(name.span, "again here")
    .label(first, "first here")
}

/// The words that a name in any style consists of, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = '_';
    for c in name.chars() {
        let begins = (c.is_ascii_uppercase() && !last.is_ascii_uppercase()) || "_-".contains(last);
        if !"_-".contains(c) {
            match words.last_mut() {
                Some(word) if !begins => word.push(c.to_ascii_lowercase()),
                _ => words.push(c.to_ascii_lowercase().to_string()),
            }
        }
        last = c;
    }
    words
}

/// A word that is none of the few that may stand there.
pub fn not_one_of(what: &str, word: &Name, words: &[&str], near: Option<&str>) -> Diagnostic {
    let code = match what {
        "level" => "unknown-level",
        "party" => "unknown-party",
        "side" => "unknown-side",
        _ => "unknown-transport",
    };
    let diagnostic = Diagnostic::error(code, format!("`{}` is no {what}", word.node)).at(word.span);
    let all: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`? There are {}", all.join(", "))),
        None => diagnostic.help(format!("there are {}", all.join(", "))),
    }
}

/// An item behind blanks or behind another item.
pub fn not_in_column_1(span: Span, word: &str) -> Diagnostic {
    let span = head(span, word);
    Diagnostic::error("not-in-column-1", format!("`{word}` does not begin its line"))
        .at(span)
        .help("items begin in column 1")
}

/// A second `pack`.
pub fn pack_twice(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error("pack-twice", "a file belongs to one pack")
        .label(name.span, "again here")
        .label(first, "first here")
        .help("put rules of another pack into a file of its own")
}

/// `pack` behind other items.
pub fn pack_not_first(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "pack-not-first",
        format!("`pack {}` is not the first item", name.node),
    )
    .at(name.span)
    .help("move it to the top of the file")
}

/// `use` behind other items.
pub fn use_too_late(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "use-too-late",
        format!("`use {}` stands behind other items", name.node),
    )
    .at(name.span)
    .help("move it to the top of the file, behind `pack`")
}

/// The first `word.len()` bytes of a span.
fn head(span: Span, word: &str) -> Span {
    let length = u32::try_from(word.len()).unwrap_or(0);
    Span {
        end: span.end.min(span.start + length),
        ..span
    }
}

/// A word in column 1 that begins no item.
pub fn unknown_item(span: Span, word: &str, near: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("unknown-item", format!("`{}` begins no item", shortened(word))).at(span);
    match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help("a file consists of `pack`, `use`, `param`, `const`, `fn`, `attribute`, `shape`, `profile` and `rule`"),
    }
}

/// `}` behind an item.
pub fn brace_too_many(span: Span) -> Diagnostic {
    Diagnostic::error("brace-too-many", "this `}` closes nothing")
        .at(span)
        .help("remove it, or look for a `}` above that closes too early")
}

/// A block that goes on to the end.
pub fn brace_missing(end: Span, open: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("brace-missing", "a `}` is missing").label(end, "expected behind this");
    with_opening(diagnostic, open)
}

/// `///` before nothing.
pub fn documentation_of_nothing(span: Span) -> Diagnostic {
    Diagnostic::error("documentation-of-nothing", "`///` is followed by no item")
        .at(span)
        .help("a comment begins with `//`")
}

/// `use std.encoding`
pub fn dot_in_slug(span: Span, before: &str) -> Diagnostic {
    Diagnostic::error("dot-in-name", "the parts of a name are not joined by `.`")
        .at(span)
        .help(format!("write `{before}/…`"))
}

/// A text where the name of a pack or rule is due.
pub fn quoted_name(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("quoted-name", "a name stands without quotes")
        .at(span)
        .help(format!("write `{}`", shortened(text.trim_matches('"'))))
}

/// Something that is no name behind a word that needs one.
pub fn name_missing(span: Span, before: &str, found: &str) -> Diagnostic {
    let message = format!("expected a name behind `{}`, found {found}", shortened(before));
    Diagnostic::error("name-missing", message).at(span)
}

/// `let in = …`
pub fn reserved_word(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error(
        "reserved-word",
        format!("`{word}` is a word of the language and cannot be a name"),
    )
    .at(span)
    .help("choose another name; behind a dot and as a key of an object every word is free")
}

/// `attribute client: …`
pub fn attribute_without_subject(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        "attribute-without-subject",
        format!("the attribute `{name}` has no subject"),
    )
    .at(span)
    .help(format!("write what it belongs to: `attribute request.{name}: …`"))
}

/// `fn f(x: T) = …`
pub fn result_missing(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error(
        "result-missing",
        format!("expected the type of the result, found {found}"),
    )
    .at(span)
    .help("a function says what it gives: `fn name(x: json) -> string = …`")
}

/// A parameter without its type.
pub fn type_missing(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("type-missing", format!("`{}` has no type", shortened(name)))
        .at(span)
        .help(format!(
            "write `{}: json`, or a type that says more",
            shortened(name)
        ))
}

/// `list<T>`
pub fn angle_brackets(span: Span, before: &str) -> Diagnostic {
    Diagnostic::error(
        "angle-brackets",
        format!("`{before}` takes nothing in angle brackets"),
    )
    .at(span)
    .help("a list is written `[string]`, an object with members of one type `object of string`")
}

/// `"x" | "y"`
pub fn types_joined_with_bar(span: Span) -> Diagnostic {
    Diagnostic::error("types-joined-with-bar", "types are not joined by `|`")
        .at(span)
        .help("write `or`")
}

/// `level x: error`
pub fn colon_for_equals(span: Span) -> Diagnostic {
    Diagnostic::error("colon-for-equals", "expected `=`, found `:`")
        .at(span)
        .help("a value is given with `=`")
}

/// A block of a function without its end.
pub fn return_missing(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("return-missing", format!("expected `return`, found {found}"))
        .at(span)
        .help("a block is any number of `let NAME = …`, then `return EXPRESSION`; there is no `let … in`")
}
