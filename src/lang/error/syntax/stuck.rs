//! What the grammar cannot read.

use super::shortened;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Nothing more is known than what could have stood there.
pub fn unexpected(span: Span, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::error("unexpected", format!("expected {expected}, found {found}")).at(span)
}

// ---- characters ---------------------------------------------------------------------------------------------------

/// `#`, `/*`
pub fn comment(span: Span, mark: &str) -> Diagnostic {
    Diagnostic::error("comment", format!("`{mark}` begins no comment"))
        .at(span)
        .help("write `//`; a comment goes to the end of its line")
}

/// A letter outside ASCII in a name.
pub fn foreign_letter(span: Span, letter: char) -> Diagnostic {
    Diagnostic::error("foreign-letter", format!("`{letter}` cannot stand in a name"))
        .at(span)
        .help("names consist of the letters a to z, digits and `_`; texts may hold any character")
}

/// A character that nobody sees.
pub fn invisible_character(span: Span, c: char) -> Diagnostic {
    let message = format!("an invisible character stands here, U+{:04X}", u32::from(c));
    Diagnostic::error("invisible-character", message)
        .at(span)
        .help("delete it; in a text it can be written as an escape, `\\u{…}`")
}

// ---- items ----------------------------------------------------------------------------------------------------------

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

// ---- clauses --------------------------------------------------------------------------------------------------------

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

/// `on "tools/call"`, `attribute = …`
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

// ---- expressions ----------------------------------------------------------------------------------------------------

/// A word behind a value that is nearly ours.
pub fn unknown_word(span: Span, word: &str, near: &str) -> Diagnostic {
    Diagnostic::error("unknown-operator", format!("`{word}` is no operator"))
        .at(span)
        .help(format!("did you mean `{near}`?"))
}

/// `exists x`
pub fn test_in_front(span: Span, word: &str) -> Diagnostic {
    Diagnostic::error(
        "test-in-front",
        format!("`{word}` stands behind the value that it asks about"),
    )
    .at(span)
    .help(format!("write `x {word}`"))
}

/// `a ? b : c`
pub fn ternary(span: Span) -> Diagnostic {
    Diagnostic::error("ternary", "`?` is no operator here")
        .at(span)
        .help("write `if … then … else …`")
}

/// `if a { b }`
pub fn braces_around_branch(span: Span) -> Diagnostic {
    Diagnostic::error(
        "braces-around-branch",
        "the branches of an `if` stand without braces",
    )
    .at(span)
    .help("write `if … then … else …`")
}

/// An `if` without all its words.
pub fn if_without(span: Span, word: &str, found: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error("if-incomplete", format!("expected `{word}`, found {found}")).at(span);
    match word {
        "else" => diagnostic.help("an `if` always has an `else`; `else missing` gives nothing"),
        _ => diagnostic.help("write `if … then … else …`"),
    }
}

/// `when x {`
pub fn no_blocks(span: Span) -> Diagnostic {
    Diagnostic::error("no-blocks", "no block can stand behind a value")
        .at(span)
        .help("clauses follow on each other without braces")
}

/// `all x in xs x.ok`
pub fn colon_missing(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error(
        "colon-missing",
        format!("expected `:` or an operator, found {found}"),
    )
    .at(span)
    .help("a form for lists is written `any x in xs: condition`")
}

/// `any x of xs: …`, `for x of xs`
pub fn in_missing(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("in-missing", format!("expected `in`, found {found}"))
        .at(span)
        .help("a name goes through a list with `in`: `x in xs`")
}

/// `any in xs: …`
pub fn quantifier_without_name(span: Span) -> Diagnostic {
    Diagnostic::error(
        "quantifier-without-name",
        "a form for lists needs a name for the element",
    )
    .at(span)
    .help("write `any x in xs: condition`")
}

/// `{` in a text, and no `}`
pub fn hole_unclosed(span: Span) -> Diagnostic {
    Diagnostic::error("hole-unclosed", "this `{` is not closed")
        .at(span)
        .help("`{` in this text inserts a value and needs a `}`; a brace alone is written `\\{`")
}

/// `{}` in a text
pub fn hole_empty(span: Span) -> Diagnostic {
    Diagnostic::error("hole-empty", "nothing stands between these braces")
        .at(span)
        .help("`{` in this text inserts a value; a brace alone is written `\\{`")
}

/// `{"a": 1}` in a text
pub fn hole_without_value(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("hole-without-value", format!("expected a value, found {found}"))
        .at(span)
        .help("`{` in this text inserts a value; a brace alone is written `\\{`")
}

/// `{x:?}`
pub fn hole_with_format(span: Span) -> Diagnostic {
    Diagnostic::error("hole-with-format", "a value is inserted without a format")
        .at(span)
        .help("write `{x}`; a brace that inserts nothing is written `\\{`")
}

/// `x[1:2]`
pub fn slice(span: Span) -> Diagnostic {
    Diagnostic::error("slice", "an index is one value")
        .at(span)
        .help("`those x in xs: …` gives a part of a list")
}

/// A bracket that is not closed.
pub fn bracket_missing(span: Span, due: &str, found: &str, open: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error("bracket-missing", format!("expected `{due}`, found {found}")).at(span);
    with_opening(diagnostic, open)
}

/// A bracket that nothing opened.
pub fn bracket_too_many(span: Span, mark: &str) -> Diagnostic {
    Diagnostic::error("bracket-too-many", format!("this `{mark}` closes nothing")).at(span)
}

/// `/a/b/`
pub fn slash_in_regex(span: Span) -> Diagnostic {
    Diagnostic::error("slash-in-regex", "the regular expression ends here already")
        .at(span)
        .help("a slash inside is written `\\/`; options stand in front: `(?i)`")
}

/// `/a`
pub fn regex_unclosed(span: Span) -> Diagnostic {
    Diagnostic::error(
        "regex-unclosed",
        "this regular expression is not closed on its line",
    )
    .at(span)
    .help("close it with `/`")
}

/// `.5`
pub fn no_digit_before_point(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("bad-number", format!("`{text}` has no digit before the point"))
        .at(span)
        .help(format!("write `0{text}`"))
}

/// `30 s`
pub fn unit_apart(span: Span, amount: &str, unit_: &str) -> Diagnostic {
    let ours = unit(unit_).unwrap_or(unit_);
    Diagnostic::error(
        "unit-apart",
        "the unit of a duration follows its number without a blank",
    )
    .at(span)
    .help(format!("write `{amount}{ours}`"))
}

/// How a unit of time is written here.
pub fn unit(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "ms" | "msec" | "msecs" | "millis" | "milliseconds" => Some("ms"),
        "s" | "sec" | "secs" | "second" | "seconds" => Some("s"),
        "m" | "min" | "mins" | "minute" | "minutes" => Some("m"),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some("h"),
        "d" | "day" | "days" => Some("d"),
        _ => None,
    }
}

/// `let` within an expression
pub fn let_in_expression(span: Span) -> Diagnostic {
    Diagnostic::error("let-in-expression", "`let` cannot stand inside an expression")
        .at(span)
        .help("a function with names of its own is a block: `{ let NAME = … return EXPRESSION }`")
}

/// Nothing behind something that needs a value.
pub fn value_missing(before: Option<Span>, word: &str, span: Span, found: &str) -> Diagnostic {
    let message = format!("expected a value behind `{}`, found {found}", shortened(word));
    let diagnostic = Diagnostic::error("value-missing", message).at(span);
    match before.filter(|before| *before != span) {
        Some(before) => diagnostic.label(before, "this needs a value"),
        None => diagnostic,
    }
}

/// `== a`
pub fn operand_missing(span: Span, operator: &str) -> Diagnostic {
    Diagnostic::error("value-missing", format!("`{operator}` needs a value before it")).at(span)
}

/// `a."b"`, `a.$ref`
pub fn member_is_no_word(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(
        "member-is-no-word",
        format!("expected a word behind `.`, found `{}`", shortened(text)),
    )
    .at(span)
    .help("a member that is no plain word is written in brackets: `x[\"a-b\"]`")
}

/// `{ a = 1 }`
pub fn member_with_equals(span: Span) -> Diagnostic {
    Diagnostic::error("member-with-equals", "expected `:`, found `=`")
        .at(span)
        .help("members of an object are written `name: value`")
}

// ---- examples -------------------------------------------------------------------------------------------------------

/// An example that goes on to the next one, or to the end.
pub fn example_unclosed(span: Span, open: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error("example-unclosed", "the example above is not closed")
        .label(span, "expected before this")
        .help("its `}` stands alone on its line");
    with_opening(diagnostic, open)
}

/// `pass "x"` without traffic.
pub fn example_without_brace(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error("example-without-brace", format!("expected `{{`, found {found}"))
        .at(span)
        .help("the lines of an example stand between `{` and `}`")
}

// ---- shared ---------------------------------------------------------------------------------------------------------

fn with_opening(diagnostic: Diagnostic, open: Option<Span>) -> Diagnostic {
    match open {
        Some(open) => diagnostic.label(open, "opened here"),
        None => diagnostic,
    }
}
