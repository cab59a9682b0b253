//! Examples.

use super::{shortened, with_opening};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

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
    let (takes, help) = match word {
        "wait" => ("takes a duration", "a pause is written `wait 30s`"),
        "gap" => ("takes nothing", "`gap` stands alone on its line"),
        "session" => (
            "takes a name in quotes",
            "a change of session is written `session \"b\"`",
        ),
        "tool" | "prompt" | "resource" | "template" => (
            "takes one JSON object",
            "an entry of a catalogue is one JSON object behind its word: `tool {\"name\": …}`",
        ),
        _ => {
            let help = "lines of the client begin with `>`, those of the server with `<`, comments with `//`";
            return Diagnostic::error("unmarked-line", "this line of an example has no mark")
                .at(span)
                .help(help);
        }
    };
    Diagnostic::error("bad-step", format!("`{word}` {takes}"))
        .at(span)
        .help(help)
}

/// `wait 30`
pub fn wait_without_unit(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("wait-without-unit", format!("`{text}` is no duration"))
        .at(span)
        .help("write the unit behind the number: `ms`, `s`, `m`, `h` or `d`")
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

/// Where JSON stands in an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonIn {
    /// A body, or a line on stdio.
    Body,
    /// The `data:` lines of an event.
    Event,
    /// Behind `tool` and its kin.
    Entry,
}

/// Something that should be JSON and is not.
pub fn bad_json(span: Span, fault: &serde_json::Error, place: JsonIn) -> Diagnostic {
    let reason = fault.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    let ours = match reason {
        "EOF while parsing an object" => "the object ends too early",
        "EOF while parsing a list" => "the array ends too early",
        "EOF while parsing a string" => "the string is not closed",
        "EOF while parsing a value" => "a value is missing",
        "key must be a string" => "expected the name of a member in double quotes",
        "expected ident" => "expected `true`, `false` or `null`",
        "expected value" => "expected a value",
        "trailing characters" => "the value has ended before this",
        "trailing comma" => "the comma before this is too many",
        _ => reason,
    };
    let diagnostic = Diagnostic::error("bad-json", "this is not valid JSON").label(span, ours);
    diagnostic.help(match reason {
        _ if place == JsonIn::Entry => "an entry of a catalogue is one JSON object behind its word",
        "trailing characters" if place == JsonIn::Event => {
            "`data:` lines belong to one event until an empty line ends it"
        }
        "trailing characters" => "the `}` of an example stands alone on its line, and so does each message",
        _ => "text that is meant to be no JSON stands behind `raw`",
    })
}

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
