//! Expressions and literals.

use super::{shortened, with_opening};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// An operator of another language.
pub fn foreign_operator(span: Span, theirs: &str, ours: &str) -> Diagnostic {
    Diagnostic::error("foreign-operator", format!("`{theirs}` is no operator here"))
        .at(span)
        .help(format!("write `{ours}`"))
}

/// An operator that this language has no use for.
pub fn no_such_operator(span: Span, theirs: &str) -> Diagnostic {
    Diagnostic::error("foreign-operator", format!("`{theirs}` is no operator here"))
        .at(span)
        .help("numbers are only added and subtracted; for a missing value there is `otherwise(x, default)`")
}

/// `a == b == c`
pub fn chained_comparison(first: Span, second: Span, a: &str, b: &str) -> Diagnostic {
    Diagnostic::error("chained-comparison", format!("`{b}` cannot follow on `{a}`"))
        .label(second, "this would ask about the answer")
        .label(first, "of this")
        .help("join two questions with `and`, or set parentheses")
}

/// `a == not b`
pub fn misplaced_not(span: Span) -> Diagnostic {
    Diagnostic::error(
        "misplaced-not",
        "`not` stands behind an operator that binds tighter",
    )
    .at(span)
    .help("set parentheses: `x == (not y)`, or put `not` before the whole comparison")
}

/// `absent`
pub fn absent(span: Span) -> Diagnostic {
    Diagnostic::error("absent", "`absent` is called `missing` here")
        .at(span)
        .help("write `missing`")
}

/// `(a)(b)`
pub fn not_callable(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("not-callable", format!("`{}` is no function", shortened(text)))
        .at(span)
        .help("only names are called: `f(x)` or `x.f()`")
}

/// `30sec`, `0x1f`
pub fn bad_number(span: Span, text: &str) -> Diagnostic {
    let unit: String = text
        .chars()
        .skip_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let amount = text.strip_suffix(unit.as_str()).unwrap_or_default();
    let ours = super::unit(&unit);
    let diagnostic = Diagnostic::error(
        "bad-number",
        format!("`{text}` is neither a number nor a duration"),
    )
    .at(span);
    match ours {
        Some(ours) if amount.matches('.').count() < 2 => {
            diagnostic.help(format!("write `{amount}{ours}`; the units are `ms`, `s`, `m`, `h` and `d`"))
        }
        _ => diagnostic.help(
            "numbers are written `12`, `1.5` or `2e6`, durations with one of the units `ms`, `s`, `m`, `h`, `d`",
        ),
    }
}

/// `007`
pub fn leading_zero(span: Span, text: &str) -> Diagnostic {
    let ours = text.trim_start_matches('0');
    let zero = if ours.starts_with(|c: char| c.is_ascii_digit()) {
        ""
    } else {
        "0"
    };
    Diagnostic::error("leading-zero", format!("`{text}` begins with a zero"))
        .at(span)
        .help(format!("write `{zero}{ours}`"))
}

/// A duration beyond 292 years.
pub fn duration_too_long(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(
        "duration-too-long",
        format!("`{text}` is longer than a duration can be"),
    )
    .at(span)
    .help("the longest is about `106751d`")
}

/// `\q`
pub fn bad_escape(span: Span, text: &str) -> Diagnostic {
    let help = match text {
        "\\}" => "`}` needs no mark: write `}`",
        "\\{" => "braces stand for themselves in this text: write `{`",
        "\\/" => "a slash stands for itself in a text: write `/`",
        _ => "there are `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t` and `\\u{…}` with up to six hexadecimal digits",
    };
    Diagnostic::error("bad-escape", format!("`{text}` is no escape"))
        .at(span)
        .help(help)
}

/// `\u{D800}`
pub fn no_such_character(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("no-such-character", format!("`{text}` is no character"))
        .at(span)
        .help("code points go up to `\\u{10FFFF}`, without those from `\\u{D800}` to `\\u{DFFF}`")
}

/// A text without its closing quote.
pub fn unclosed_text(span: Span) -> Diagnostic {
    Diagnostic::error("unclosed-text", "this text is not closed on its line")
        .label(span, "opened here")
        .help("close it with `\"`; a line end inside is written `\\n`")
}

/// `{x["name} …"`: the quote that closes the text around the hole closes the one inside it.
pub fn unclosed_text_in_hole(quote: Span) -> Diagnostic {
    Diagnostic::error("unclosed-text", "a text inside this hole is not closed")
        .label(quote, "opened here")
        .help("close it with `\"` before the `}` of the hole")
}

/// `'text'`
pub fn wrong_quotes(span: Span, text: &str) -> Diagnostic {
    let mut inner = text.chars();
    inner.next();
    inner.next_back();
    let ours = inner.as_str().replace('"', "\\\"");
    Diagnostic::error("wrong-quotes", "a text stands in double quotes")
        .at(span)
        .help(format!("write `\"{}\"`", shortened(&ours)))
}

/// `.a*`
pub fn loose_repeat(span: Span, mark: &str) -> Diagnostic {
    Diagnostic::error("loose-repetition", format!("`{mark}` repeats only a group"))
        .at(span)
        .help(format!("set parentheses around what repeats: `$(.name){mark}`"))
}

/// `[99999999999999999999]` in a path pattern
pub fn index_too_large(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("index-too-large", format!("no list has an element `{text}`")).at(span)
}

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

/// `message.`
pub fn member_missing(dot: Span) -> Diagnostic {
    Diagnostic::error("member-missing", "nothing stands behind this `.`")
        .at(dot)
        .help("the name of an attribute, member or function belongs there: `request.method`")
}

/// `a."b"`, `a.$ref`
pub fn member_is_no_word(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(
        "member-is-no-word",
        format!("expected a word behind `.`, found `{}`", shortened(text)),
    )
    .at(span)
    .help(if text.starts_with(|c: char| c.is_ascii_digit()) {
        "an element of a list is written in brackets: `x[0]`"
    } else {
        "a member that is no plain word is written in brackets: `x[\"a-b\"]`"
    })
}

/// `{ a = 1 }`
pub fn member_with_equals(span: Span) -> Diagnostic {
    Diagnostic::error("member-with-equals", "expected `:`, found `=`")
        .at(span)
        .help("members of an object are written `name: value`")
}
