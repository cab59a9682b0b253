//! Limits, names, files and items.

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
