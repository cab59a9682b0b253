//! Problems that the parser finds.

use crate::diagnostic::Diagnostic;
use crate::lang::ast::Name;
use crate::source::Span;

// ---- limits ---------------------------------------------------------------------------------------------------------

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

// ---- names ----------------------------------------------------------------------------------------------------------

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

// ---- files and items ------------------------------------------------------------------------------------------------

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

// ---- clauses --------------------------------------------------------------------------------------------------------

/// A clause that may stand once.
pub fn clause_twice(span: Span, word: &str, first: Span) -> Diagnostic {
    Diagnostic::error("clause-twice", format!("`{word}` stands here twice"))
        .label(span, "again here")
        .label(first, "first here")
}

/// A clause behind one that comes later.
pub fn clause_too_late(span: Span, word: &str, later: Span, other: &str, advice: &str) -> Diagnostic {
    Diagnostic::error("clause-too-late", format!("`{word}` stands behind `{other}`"))
        .label(span, "too late here")
        .label(later, "it comes before this")
        .help(advice)
}

/// A rule about nothing.
pub fn missing_on(name: &Name) -> Diagnostic {
    Diagnostic::error(
        "missing-on",
        format!("`{}` does not say what it judges", name.node),
    )
    .at(name.span)
    .help("add `on` with a subject, such as `on request`")
}

/// A rule that cannot fail.
pub fn missing_verdict(name: &Name) -> Diagnostic {
    Diagnostic::error("missing-verdict", format!("`{}` has no verdict", name.node))
        .at(name.span)
        .help("add `require EXPRESSION report \"…\"` or `forbid EXPRESSION report \"…\"`")
}

/// `report` without condition, and other verdicts.
pub fn bare_report_beside_others(span: Span, other: Span, word: &str) -> Diagnostic {
    Diagnostic::error(
        "bare-report-beside-others",
        "a `report` without `require` or `forbid` stands alone in its rule",
    )
    .label(span, "this one always reports")
    .label(other, format!("`{word}` beside it"))
    .help("say with `require` or `forbid` when it reports")
}

/// `report` without condition for every subject.
pub fn bare_report_without_for(span: Span) -> Diagnostic {
    Diagnostic::error(
        "bare-report-without-for",
        "`report` without `require` or `forbid` needs a `for`",
    )
    .label(span, "this would report every subject")
    .help("put `require EXPRESSION` or `forbid EXPRESSION` before it")
}

/// `scope session, corpus`
pub fn corpus_not_first(span: Span) -> Diagnostic {
    Diagnostic::error("corpus-not-first", "`corpus` is not the first key of the scope")
        .at(span)
        .help("write `scope corpus, …`")
}

/// `;` or `,` where nothing separates.
pub fn separator(span: Span, mark: &str) -> Diagnostic {
    Diagnostic::error("separator", format!("no `{mark}` stands here"))
        .at(span)
        .help("nothing separates clauses and items but blanks and line ends")
}

/// `///` inside a rule.
pub fn stray_doc(span: Span) -> Diagnostic {
    Diagnostic::error("stray-documentation", "`///` documents no clause")
        .at(span)
        .help("`///` documents the item that follows it, a comment begins with `//`")
}

// ---- expressions ----------------------------------------------------------------------------------------------------

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

// ---- literals -------------------------------------------------------------------------------------------------------

/// `30sec`, `0x1f`
pub fn bad_number(span: Span, text: &str) -> Diagnostic {
    let unit: String = text
        .chars()
        .skip_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let amount = text.strip_suffix(unit.as_str()).unwrap_or_default();
    let ours = match unit.to_ascii_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" | "s" => Some("s"),
        "min" | "mins" | "minute" | "minutes" | "m" => Some("m"),
        "hr" | "hrs" | "hour" | "hours" | "h" => Some("h"),
        "day" | "days" | "d" => Some("d"),
        "msec" | "msecs" | "millis" | "milliseconds" | "ms" => Some("ms"),
        _ => None,
    };
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

// ---- examples -------------------------------------------------------------------------------------------------------

/// An example without traffic.
pub fn empty_example(span: Span) -> Diagnostic {
    Diagnostic::error("empty-example", "this example shows no traffic")
        .at(span)
        .help("add lines such as `> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}`")
}

/// An example that goes on behind its brace.
pub fn one_line_example(span: Span) -> Diagnostic {
    Diagnostic::error("one-line-example", "traffic stands on the line of the brace")
        .at(span)
        .help("an example has one line of traffic per line, and its `}` stands alone on the last")
}

/// Something behind the brace that ends an example.
pub fn brace_not_alone(span: Span) -> Diagnostic {
    Diagnostic::error(
        "brace-not-alone",
        "the `}` of an example stands alone on its line",
    )
    .label(span, "move this to the next line")
}

/// A line without `>` or `<`.
pub fn unmarked_line(span: Span, text: &str) -> Diagnostic {
    let word = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let diagnostic = Diagnostic::error("unmarked-line", "this line of an example has no mark").at(span);
    diagnostic.help(match word {
        "wait" => "a pause is written `wait 30s`",
        "session" => "a change of session is written `session \"b\"`",
        "tool" | "prompt" | "resource" | "template" => {
            "an entry of a catalogue is one JSON object behind its word: `tool {\"name\": …}`"
        }
        _ => "lines of the client begin with `>`, those of the server with `<`, comments with `//`",
    })
}

/// `>` alone at the beginning of a message.
pub fn empty_line(span: Span) -> Diagnostic {
    Diagnostic::error("empty-line", "nothing stands behind this mark")
        .at(span)
        .help("an empty line ends headers or an event; it begins no message")
}

/// A line that could be a header or a body and is neither.
pub fn neither_header_nor_json(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{}` is neither a header nor JSON", shortened(text));
    Diagnostic::error("neither-header-nor-json", message)
        .at(span)
        .help("a header is written `Name: value`; text that is meant to be no JSON stands behind `raw`")
}

/// `< POST /mcp`
pub fn start_line_from_server(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(
        "start-line-from-server",
        format!("`{}` is sent by the client", shortened(text)),
    )
    .at(span)
    .help("a start line stands behind `>`, an answer begins with its status")
}

/// `> 200`
pub fn status_from_client(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(
        "status-from-client",
        format!("the status `{}` is sent by the server", shortened(text)),
    )
    .at(span)
    .help("a status stands behind `<`")
}

/// `< 2000`
pub fn bad_status(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("bad-status", format!("`{}` is no HTTP status", shortened(text)))
        .at(span)
        .help("a status is written `200`, `200 OK` or `HTTP/1.1 200 OK`")
}

/// A line within a stream of events.
pub fn not_an_event_line(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{}` is no line of a stream of events", shortened(text));
    Diagnostic::error("not-an-event-line", message)
        .at(span)
        .help("behind `content-type: text/event-stream` stand `event:`, `id:`, `data:` and `retry:`")
}

/// A body, an entry or the data of an event that is no JSON; `joined`: data of several lines.
pub fn bad_json(span: Span, fault: &serde_json::Error, joined: bool) -> Diagnostic {
    let reason = fault.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    let diagnostic = Diagnostic::error("bad-json", "this is not valid JSON").label(span, reason);
    diagnostic.help(match reason {
        "trailing characters" if joined => "`data:` lines belong to one event until an empty line ends it",
        "trailing characters" => "the `}` of an example stands alone on its line, and so does each message",
        _ => "text that is meant to be no JSON stands behind `raw`",
    })
}

// ---- shared ---------------------------------------------------------------------------------------------------------

/// The first `word.len()` bytes of a span.
fn head(span: Span, word: &str) -> Span {
    let length = u32::try_from(word.len()).unwrap_or(0);
    Span {
        end: span.end.min(span.start + length),
        ..span
    }
}

/// A text short enough for a message.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 40 && line.len() == text.len() {
        return line.to_owned();
    }
    line.chars().take(37).chain(['…']).collect()
}
