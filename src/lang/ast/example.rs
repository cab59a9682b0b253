//! Examples of rules: traffic in lines, as `curl -v` prints it.

use super::{Name, Setting};
use crate::source::{Span, Spanned};

/// An example of a rule: its test and its documentation.
#[derive(Debug, Clone)]
pub struct Example {
    /// From its word to its brace.
    pub span: Span,
    /// What must come out.
    pub outcome: Outcome,
    /// What it shows.
    pub title: Option<Spanned<String>>,
    /// `with PARAM = EXPR, …`
    pub with: Vec<Setting>,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// What a (rule, subject) pair can end as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// `pass`: judged and right.
    Passed,
    /// `fail`: judged and wrong.
    Failed,
    /// `skip`: not concerned.
    NotApplicable,
    /// `undecided`: the recording cannot show it.
    Undecided,
}

impl Outcome {
    /// Its word in the language.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Passed => "pass",
            Outcome::Failed => "fail",
            Outcome::NotApplicable => "skip",
            Outcome::Undecided => "undecided",
        }
    }
}

/// A step of an example.
#[derive(Debug, Clone)]
pub enum Step {
    /// A message over HTTP or a stdio line.
    Message(ExampleMessage),
    /// `tool {…}` and its kin: an entry of a catalogue that was listed before.
    Entry {
        /// `tool`, `prompt`, `resource`, `template`.
        kind: Name,
        /// Valid JSON.
        json: Spanned<String>,
    },
    /// `wait 30s`, in nanoseconds.
    Wait(i64),
    /// `session "b"`: the steps that follow are of that session.
    Session(Spanned<String>),
    /// `gap`: records are lost here; before all others: the recording begins in the middle.
    Gap(Span),
}

/// A message of an example, assembled from its lines.
#[derive(Debug, Clone)]
pub struct ExampleMessage {
    /// All its lines.
    pub span: Span,
    /// `>`: the client sends it.
    pub from_client: bool,
    /// HTTP if there was a start line, a status or a header; else stdio.
    pub http: Option<ExampleHttp>,
    /// The body or line, without the marks; lines joined with LF. `None`: no body (a 202, a GET).
    pub body: Option<Spanned<String>>,
    /// After `raw`: text as it stands, not checked to be JSON.
    pub raw: bool,
    /// Events, when the content type is `text/event-stream`; then `body` is `None`.
    pub events: Vec<ExampleEvent>,
}

/// The HTTP side of an example message.
#[derive(Debug, Clone, Default)]
pub struct ExampleHttp {
    /// Method and target of `POST /mcp`; default `POST /mcp`.
    pub start: Option<(String, String)>,
    /// The status of an answer; default 200.
    pub status: Option<u16>,
    /// Names and values in the order and spelling written; the value is what stands behind the colon and one blank.
    pub headers: Vec<(String, String)>,
}

/// An event of an example's stream.
#[derive(Debug, Clone, Default)]
pub struct ExampleEvent {
    /// `event:`
    pub event: Option<String>,
    /// `id:`
    pub id: Option<String>,
    /// `retry:`
    pub retry: Option<String>,
    /// `data:` lines joined with LF.
    pub data: Option<String>,
}
