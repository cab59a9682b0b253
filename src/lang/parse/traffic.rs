//! Lines of traffic → messages.
//!
//! A message begins with a start line, a status, a header or a body and ends with its body: at the next such beginning,
//! at a line of the other side, or at the end of the example.

use super::lower::Lowering;
use crate::lang::ast::{ExampleEvent, ExampleHttp, ExampleMessage};
use crate::lang::error::syntax as error;
use crate::source::{Span, Spanned};

/// A line of traffic.
pub struct Line<'t> {
    /// `>`
    pub from_client: bool,
    /// With its mark.
    pub whole: Span,
    /// What stands behind the mark and one blank.
    pub text: &'t str,
    /// Where that begins in the file.
    pub start: usize,
}

impl Line<'_> {
    /// The text without blanks around it.
    fn content(&self, lowering: &Lowering<'_>) -> Span {
        let start = self.start + self.text.len() - self.text.trim_start().len();
        Span::new(lowering.source, start, start + self.text.trim().len())
    }
}

/// What a line is, seen by itself.
enum Form<'t> {
    Empty,
    Raw(&'t str),
    Start(&'t str, &'t str),
    Status(Option<u16>),
    Header(&'t str, &'t str),
    Other,
}

/// Messages in the making.
pub struct Traffic<'t> {
    frames: bool,
    open: Option<Draft<'t>>,
}

/// A message whose lines are still coming in.
struct Draft<'t> {
    message: ExampleMessage,
    /// Whether headers may follow.
    head: bool,
    /// Whether its content type makes it a stream of events.
    stream: bool,
    body: Vec<(usize, &'t str)>,
    shape: Shape,
    event: ExampleEvent,
    /// The `data:` lines of that event.
    data: Vec<(usize, &'t str)>,
    event_raw: bool,
}

impl<'t> Traffic<'t> {
    /// Nothing yet; `frames`: bodies are texts, not JSON.
    pub fn new(frames: bool) -> Self {
        Traffic { frames, open: None }
    }

    /// Takes in a line; gives the message that it ends.
    pub fn line(&mut self, l: &mut Lowering<'t>, line: Line<'t>) -> Option<ExampleMessage> {
        let same_side = self
            .open
            .as_ref()
            .is_some_and(|draft| draft.message.from_client == line.from_client);
        let stream = same_side && self.open.as_ref().is_some_and(|draft| draft.stream);
        let form = self.form(l, &line, same_side, stream);
        let begins = !same_side
            || match &form {
                Form::Empty => false,
                Form::Start(..) | Form::Status(_) => true,
                Form::Header(..) => !self.open.as_ref().is_some_and(|draft| draft.head),
                Form::Raw(_) | Form::Other => self
                    .open
                    .as_ref()
                    .is_some_and(|draft| draft.is_whole(self.frames)),
            };
        if begins && matches!(form, Form::Empty) {
            l.report(error::empty_line(line.whole));
            return None;
        }
        let ended = if begins { self.finish(l) } else { None };
        let draft = self.open.get_or_insert_with(|| Draft::new(&line));
        draft.message.span = draft.message.span.to(line.whole);
        match form {
            Form::Start(method, target) => {
                draft.http().start = Some((method.to_owned(), target.to_owned()));
            }
            Form::Status(status) => draft.http().status = status,
            Form::Header(name, value) => draft.header(name, value),
            Form::Empty if draft.stream => draft.end_event(l, self.frames),
            Form::Empty if draft.head => draft.head = false,
            Form::Empty => draft.add(line.start, line.text),
            Form::Raw(text) => {
                let start = line.start + line.text.len() - text.len();
                draft.message.raw = true;
                draft.head = false;
                if draft.stream {
                    draft.event_raw = true;
                    draft.field(l, &line, start, text);
                } else {
                    draft.add(start, text);
                }
            }
            Form::Other if draft.stream => {
                draft.head = false;
                draft.field(l, &line, line.start, line.text);
            }
            Form::Other if draft.body.is_empty() && !self.frames && !begins_json(line.text) => {
                l.report(error::neither_header_nor_json(line.content(l), line.text.trim()));
            }
            Form::Other => {
                draft.head = false;
                draft.add(line.start, line.text);
            }
        }
        ended
    }

    /// Ends the open message.
    pub fn finish(&mut self, l: &mut Lowering<'t>) -> Option<ExampleMessage> {
        Some(self.open.take()?.finish(l, self.frames))
    }

    /// What a line is, where it stands.
    fn form(&self, l: &mut Lowering<'t>, line: &Line<'t>, same_side: bool, stream: bool) -> Form<'t> {
        let text = line.text.trim();
        if text.is_empty() {
            return Form::Empty;
        }
        if let Some(raw) = raw(line.text) {
            return Form::Raw(raw);
        }
        if let Some((method, target)) = start_line(text) {
            if !line.from_client {
                l.report(error::start_line_from_server(line.content(l), text));
            }
            return Form::Start(method, target);
        }
        // Within JSON that is not at its end, a line of digits is an element of an array.
        let inside = same_side && self.open.as_ref().is_some_and(|draft| draft.shape.is_open());
        if let Some(status) = status_line(text)
            && !inside
        {
            if line.from_client {
                l.report(error::status_from_client(line.content(l), text));
            } else if status.is_none() {
                l.report(error::bad_status(line.content(l), text));
            }
            return Form::Status(status);
        }
        let head = same_side && self.open.as_ref().is_some_and(|draft| draft.head);
        if inside || (self.frames && !head) || (stream && is_event_field(text)) {
            return Form::Other;
        }
        match header(line.text) {
            Some((name, value)) => Form::Header(name, value),
            None => Form::Other,
        }
    }
}

impl<'t> Draft<'t> {
    fn new(line: &Line<'t>) -> Self {
        Draft {
            message: ExampleMessage {
                span: line.whole,
                from_client: line.from_client,
                http: None,
                body: None,
                raw: false,
                events: Vec::new(),
            },
            head: true,
            stream: false,
            body: Vec::new(),
            shape: Shape::default(),
            event: ExampleEvent::default(),
            data: Vec::new(),
            event_raw: false,
        }
    }

    fn http(&mut self) -> &mut ExampleHttp {
        self.message.http.get_or_insert_default()
    }

    fn header(&mut self, name: &str, value: &str) {
        let essence = value.split(';').next().unwrap_or_default().trim();
        if name.eq_ignore_ascii_case("content-type") && essence.eq_ignore_ascii_case("text/event-stream") {
            self.stream = true;
        }
        self.http().headers.push((name.to_owned(), value.to_owned()));
    }

    /// Whether the next line that is neither a header nor a start belongs to another message.
    fn is_whole(&self, frames: bool) -> bool {
        if self.stream || self.body.is_empty() {
            return false;
        }
        if self.message.raw || frames {
            return self.message.http.is_none();
        }
        !self.shape.is_open()
    }

    /// A line of the body.
    fn add(&mut self, start: usize, text: &'t str) {
        self.shape.feed(text);
        self.body.push((start, text));
    }

    /// A line of a stream of events.
    fn field(&mut self, l: &mut Lowering<'t>, line: &Line<'t>, start: usize, text: &'t str) {
        let (name, value) = text.split_once(':').unwrap_or((text.trim_end(), ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        let slot = match name {
            "" => return,
            "event" => &mut self.event.event,
            "id" => &mut self.event.id,
            "retry" => &mut self.event.retry,
            "data" => {
                self.data.push((start + text.len() - value.len(), value));
                return;
            }
            _ => {
                l.report(error::not_an_event_line(line.content(l), text.trim()));
                return;
            }
        };
        *slot = Some(value.to_owned());
    }

    /// An empty line: the event is complete.
    fn end_event(&mut self, l: &mut Lowering<'t>, frames: bool) {
        let mut event = std::mem::take(&mut self.event);
        let data = std::mem::take(&mut self.data);
        let raw = std::mem::take(&mut self.event_raw) || frames;
        if !data.is_empty() {
            let text = join(&data);
            let message = event.event.as_deref().is_none_or(|event| event == "message");
            if message && !raw && !text.is_empty() {
                check_json(l, &data, &text, error::JsonIn::Event);
            }
            event.data = Some(text);
        }
        if event.event.is_some() || event.id.is_some() || event.retry.is_some() || event.data.is_some() {
            self.message.events.push(event);
        }
    }

    fn finish(mut self, l: &mut Lowering<'t>, frames: bool) -> ExampleMessage {
        if self.stream {
            self.end_event(l, frames);
            return self.message;
        }
        while self.body.last().is_some_and(|(_, text)| text.trim().is_empty()) && !self.message.raw {
            self.body.pop();
        }
        if let (Some((first, _)), Some((last, tail))) = (self.body.first(), self.body.last()) {
            let span = Span::new(l.source, *first, *last + tail.len());
            let text = join(&self.body);
            self.message.raw |= frames;
            if !self.message.raw {
                check_json(l, &self.body, &text, error::JsonIn::Body);
            }
            self.message.body = Some(Spanned::new(text, span));
        }
        self.message
    }
}

/// Reports what is wrong with lines that should be one JSON value.
fn check_json(l: &mut Lowering<'_>, lines: &[(usize, &str)], text: &str, place: error::JsonIn) {
    let Err(fault) = serde_json::from_str::<serde::de::IgnoredAny>(text) else {
        return;
    };
    let line = fault.line().saturating_sub(1).min(lines.len().saturating_sub(1));
    if let Some((start, text)) = lines.get(line) {
        let column = fault.column().saturating_sub(1).min(text.trim_end().len());
        let token = l.token_at(start + column);
        l.report(error::bad_json(token, &fault, place));
    }
}

/// The offset in `text` of an error of the JSON reader.
pub fn offset_of(fault: &serde_json::Error, text: &str) -> usize {
    let before = text.split_inclusive('\n').take(fault.line().saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    (start + fault.column().saturating_sub(1)).min(text.len())
}

fn join(lines: &[(usize, &str)]) -> String {
    let lines: Vec<&str> = lines.iter().map(|(_, text)| *text).collect();
    lines.join("\n")
}

/// What stands behind `raw` and one blank.
fn raw(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix("raw")?;
    match rest.strip_prefix([' ', '\t']) {
        Some(text) => Some(text),
        None if rest.is_empty() => Some(rest),
        None => None,
    }
}

/// `POST /mcp`, `GET https://host/mcp HTTP/1.1`
fn start_line(text: &str) -> Option<(&str, &str)> {
    let mut words = text.split_ascii_whitespace();
    let (method, target) = (words.next()?, words.next()?);
    let version = words.next().is_none_or(|version| version.starts_with("HTTP/"));
    let is_target = target.starts_with('/')
        || target.starts_with("http://")
        || target.starts_with("https://")
        || target == "*";
    let is_method = method.chars().all(|c| c.is_ascii_uppercase() || c == '-');
    (is_method && is_target && version && words.next().is_none()).then_some((method, target))
}

/// `200`, `200 OK`, `HTTP/1.1 200 OK`; the inner `None` is a status that is none.
fn status_line(text: &str) -> Option<Option<u16>> {
    let mut words = text.split_ascii_whitespace();
    let mut first = words.next()?;
    let versioned = first.starts_with("HTTP/");
    if versioned {
        first = words.next().unwrap_or_default();
    } else if !first.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let status = first
        .parse()
        .ok()
        .filter(|status| (100..=599).contains(status) && first.len() == 3);
    Some(status)
}

/// `Name: value`; the value is what stands behind the colon and one blank.
fn header(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.trim_start().split_once(':')?;
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(is_token) {
        return None;
    }
    Some((name, value.strip_prefix(' ').unwrap_or(value)))
}

fn is_event_field(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or_default();
    matches!(name, "" | "event" | "id" | "data" | "retry")
}

fn begins_json(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(|c: char| "{[\"-".contains(c) || c.is_ascii_digit())
        || ["true", "false", "null"].contains(&text.trim_end())
}

/// How far a JSON value has come, seen by its brackets.
#[derive(Default)]
struct Shape {
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl Shape {
    fn is_open(&self) -> bool {
        self.depth > 0 || self.in_text
    }

    fn feed(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                _ if self.escaped => self.escaped = false,
                '\\' if self.in_text => self.escaped = true,
                '"' => self.in_text = !self.in_text,
                _ if self.in_text => {}
                '{' | '[' => self.depth += 1,
                '}' | ']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        // A text never goes on over a line.
        self.in_text = false;
        self.escaped = false;
    }
}
