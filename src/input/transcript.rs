//! An example of a rule → events: a recording in memory.
//!
//! Its records are the steps of the example: a [`RecordId`] holds the bytes of the rule file in which a body stands (of
//! the head of an HTTP message: all its lines), so that a place in it leads back to where the author wrote it.
//!
//! A message with an HTTP part opens an exchange if the client sends it, else it answers one: that of the request whose
//! id it names, else the latest that is open. An answer of the server without any HTTP part does so too while an exchange
//! is open. Nothing is sent that is not written.

use std::sync::Arc;

use super::event::{
    Ended, EntryKind, Event, EventKind, Header, Headers, Payload, Recorded, Side, StreamFields, Transport,
    Wanted,
};
use super::sink::{Sink, Stamp, place};
use crate::json::{self, JsonKind, Origin};
use crate::lang::ast::{Example, ExampleEvent, ExampleHttp, ExampleMessage, Step};
use crate::place::{Place, RecordId};
use crate::source::{Span, Spanned};

/// When an example begins: 2026-01-01, in nanoseconds.
const BEGIN: i64 = 1_767_225_600_000_000_000;
/// How far its steps are apart.
const STEP: i64 = 1_000_000;

/// Whether an example begins where its sessions begin: not if its first step is a gap.
pub fn begins(example: &Example) -> bool {
    let mut steps = example.steps.iter();
    let first = steps.find(|step| !matches!(step, Step::Wait(_) | Step::Session(_)));
    !matches!(first, Some(Step::Gap(_)))
}

/// The events of an example.
pub fn events(example: &Example, wanted: &Wanted) -> Vec<Event> {
    let mut writer = Writer {
        sink: Sink::new(wanted),
        stamp: Stamp {
            time: Some(BEGIN),
            session: None,
        },
        step: 0,
        // Of a recording that begins in the middle, no process start is seen.
        process: !begins(example),
        shown: false,
        exchanges: 0,
        open: vec![],
        entries: vec![],
    };
    for step in &example.steps {
        writer.step(step);
    }
    writer.catalogues();
    writer.sink.finish().events
}

/// An exchange that waits for its answer, and the ids of the requests in it.
struct Open {
    number: u64,
    ids: Vec<String>,
}

struct Writer<'w> {
    sink: Sink<'w>,
    stamp: Stamp,
    /// Number of the step.
    step: u32,
    /// A process was started.
    process: bool,
    /// Something was recorded.
    shown: bool,
    exchanges: u64,
    open: Vec<Open>,
    /// Entries that stand together: one catalogue of each kind.
    entries: Vec<(EntryKind, Vec<json::Json>, RecordId)>,
}

impl Writer<'_> {
    fn step(&mut self, step: &Step) {
        self.step += 1;
        if let Step::Entry { kind, json } = step {
            self.shown = true;
            return self.entry(&kind.node, json);
        }
        self.catalogues();
        match step {
            Step::Message(message) => {
                self.shown = true;
                self.message(message);
                self.pass(STEP);
            }
            Step::Wait(long) => self.pass(*long),
            Step::Session(name) => self.stamp.session = Some(self.sink.share(&name.node)),
            // What came before the first step is no part of the recording.
            Step::Gap(span) if self.shown => {
                let record = self.record(*span);
                self.event(record, EventKind::Gap);
            }
            Step::Gap(_) | Step::Entry { .. } => {}
        }
    }

    fn pass(&mut self, long: i64) {
        self.stamp.time = self.stamp.time.map(|time| time.saturating_add(long));
    }

    fn record(&self, span: Span) -> RecordId {
        RecordId {
            file: 0,
            offset: u64::from(span.start),
            length: span.end.saturating_sub(span.start),
            line: self.step,
        }
    }

    fn event(&mut self, record: RecordId, kind: EventKind) {
        let stamp = self.stamp.clone();
        self.sink.event(record, &stamp, kind);
    }

    fn entry(&mut self, word: &str, text: &Spanned<String>) {
        let kind = match word {
            "prompt" => EntryKind::Prompt,
            "resource" => EntryKind::Resource,
            "template" => EntryKind::Template,
            _ => EntryKind::Tool,
        };
        let record = self.record(text.span);
        let origin = Origin {
            record,
            outer: "".into(),
        };
        let document = json::decode(&text.node, &self.sink.wanted.entry, Some(origin));
        let entry = document.ok().and_then(|document| Arc::new(document).root());
        let Some(entry) = entry else { return };
        match self.entries.iter_mut().find(|(of, _, _)| *of == kind) {
            Some((_, entries, _)) => entries.push(entry),
            None => self.entries.push((kind, vec![entry], record)),
        }
    }

    fn catalogues(&mut self) {
        for (kind, entries, record) in std::mem::take(&mut self.entries) {
            let catalogue = EventKind::Catalogue {
                server: None,
                kind,
                entries,
                complete: true,
                partial: false,
            };
            self.event(record, catalogue);
            self.pass(STEP);
        }
    }

    fn message(&mut self, message: &ExampleMessage) {
        let answers = !message.from_client && !self.open.is_empty();
        match &message.http {
            Some(http) if message.from_client => self.request(message, http),
            Some(http) => self.response(message, http),
            None if answers => self.response(message, &ExampleHttp::default()),
            None => self.line(message),
        }
    }

    fn line(&mut self, message: &ExampleMessage) {
        if !self.process {
            self.process = true;
            let record = self.record(message.span);
            self.event(record, EventKind::ProcessStart { command: vec![] });
        }
        let Some(body) = &message.body else { return };
        let record = self.record(body.span);
        let payload = self.payload(record, &body.node);
        let sender = if message.from_client {
            Side::Client
        } else {
            Side::Server
        };
        let line = EventKind::Line {
            sender: Some(sender),
            transport: Some(Transport::Stdio),
            payload,
        };
        self.event(record, line);
    }

    fn request(&mut self, message: &ExampleMessage, http: &ExampleHttp) {
        let (method, target) = match &http.start {
            Some((method, target)) => (method.as_str(), target.as_str()),
            None => ("POST", "/mcp"),
        };
        let headers = self.headers(message.span, http);
        let payload = message.body.as_ref().map(|body| {
            let record = self.record(body.span);
            self.payload(record, &body.node)
        });
        let ids = message.body.iter().flat_map(|body| ids(&body.node)).collect();
        self.open(message.span, (method, target), headers, payload, ids);
    }

    fn open(
        &mut self,
        span: Span,
        (method, target): (&str, &str),
        headers: Headers,
        payload: Option<Payload>,
        ids: Vec<String>,
    ) {
        self.exchanges += 1;
        let number = self.exchanges;
        let request = EventKind::HttpRequest {
            exchange: number,
            method: self.sink.share(method),
            url: Some(self.sink.share(target)),
            headers,
            payload,
        };
        let record = self.record(span);
        self.event(record, request);
        self.open.push(Open { number, ids });
    }

    fn response(&mut self, message: &ExampleMessage, http: &ExampleHttp) {
        if self.open.is_empty() {
            // The example begins with an answer: of what was asked, nothing is known.
            self.open(message.span, ("POST", "/mcp"), Headers::default(), None, vec![]);
        }
        let data = message.events.iter().filter_map(|event| event.data.as_deref());
        let body = message.body.as_ref().map(|body| body.node.as_str());
        let named: Vec<String> = data.chain(body).flat_map(ids).collect();
        let meant = self
            .open
            .iter()
            .rposition(|open| open.ids.iter().any(|id| named.contains(id)))
            .or_else(|| self.open.len().checked_sub(1));
        let Some(meant) = meant else { return };
        let exchange = self.open.remove(meant).number;
        let head = EventKind::HttpResponse {
            exchange,
            status: Some(http.status.unwrap_or(200)),
            headers: self.headers(message.span, http),
        };
        let record = self.record(message.span);
        self.event(record, head);
        if let Some(body) = &message.body {
            let record = self.record(body.span);
            let payload = self.payload(record, &body.node);
            self.event(record, EventKind::HttpBody { exchange, payload });
        }
        for event in &message.events {
            self.stream_event(record, exchange, event);
        }
        let end = EventKind::HttpEnd {
            exchange,
            how: Ended::Complete,
        };
        self.event(record, end);
    }

    fn stream_event(&mut self, record: RecordId, exchange: u64, event: &ExampleEvent) {
        let mut share = |text: &Option<String>| text.as_ref().map(|text| self.sink.share(text));
        let fields = StreamFields {
            event: share(&event.event),
            id: share(&event.id),
            retry: share(&event.retry),
        };
        let data = event.data.as_deref().filter(|data| !data.is_empty());
        let payload = data.map(|data| self.payload(record, data));
        let event = EventKind::StreamEvent {
            exchange,
            event: fields,
            payload,
        };
        self.event(record, event);
    }

    fn payload(&mut self, record: RecordId, text: &str) -> Payload {
        self.sink.payload(record, "", text, true).0
    }

    fn headers(&mut self, span: Span, http: &ExampleHttp) -> Headers {
        let record = self.record(span);
        let mut list = vec![];
        for (index, (name, value)) in http.headers.iter().enumerate() {
            let wanted = self.sink.wanted.headers.as_ref();
            if wanted.is_none_or(|wanted| wanted.contains(&name.to_ascii_lowercase())) {
                list.push(Header {
                    name: self.sink.share(name),
                    raw: value.as_str().into(),
                    redacted: false,
                    place: Place {
                        outer: format!("/headers/{index}/1").into(),
                        ..place(record, "".into())
                    },
                });
            }
        }
        Headers {
            list,
            recorded: Recorded::Exact,
        }
    }
}

/// The ids that the messages of a body name, with their types.
fn ids(body: &str) -> Vec<String> {
    let root = json::decode_all(body, None)
        .ok()
        .and_then(|document| Arc::new(document).root());
    let Some(root) = root else { return vec![] };
    let messages = if root.kind() == JsonKind::List {
        root.children().collect()
    } else {
        vec![root]
    };
    let ids = messages.iter().filter_map(|message| message.member("id"));
    ids.map(|id| id.to_text()).collect()
}
