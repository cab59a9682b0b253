//! Expressions and literals.

use super::shortened;
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

/// `x is "ping"`
pub fn is_with_a_value(span: Span, text: &str, negated: bool) -> Diagnostic {
    let operator = if negated { "!=" } else { "==" };
    let message = format!("`is` asks for a type, and `{}` is a value", shortened(text));
    Diagnostic::error("is-with-a-value", message)
        .at(span)
        .help(format!("write `{operator}`"))
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
