//! Catalogues without the messages that carried them: what `tools/list` answered, kept as a file.
//!
//! Read are one result or response, several as lines or in a list (pages are joined), a bare list of entries, several
//! servers by name, what scanners write, the function forms of model providers, and the tools of an MCPB manifest.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::event::{EventKind, Problem};
use super::super::head::Head;
use super::super::lists::{Form, Part, parts};
use super::super::scan;
use super::super::sink::{Sink, Stamp, place, problem};
use super::bare::values;
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand, Json, Origin};
use crate::place::RecordId;

pub(super) struct Dump;

impl Format for Dump {
    fn name(&self) -> &'static str {
        "dump"
    }

    fn title(&self) -> &'static str {
        "a dump of tools, prompts or resources"
    }

    fn evidence(&self) -> &'static [Evidence] {
        &[]
    }

    fn unit(&self) -> Unit {
        Unit::Document
    }

    fn recognise(&self, head: &Head) -> Option<Confidence> {
        let such = if head.is_one_value() || head.is_spread() {
            let (bytes, mut at) = (head.bytes(), head.start());
            let (mut such, mut first) = (true, true);
            while such && at < bytes.len() {
                let (end, closed) = scan::skip_value(bytes, at);
                // A last value that the head cuts says too little.
                such = !parts(&bytes[at..end]).is_empty() || !closed && !first;
                first = false;
                at = scan::skip_space(bytes, end);
            }
            such
        } else {
            let (such, all) = head.count(|line| !parts(line).is_empty());
            such > 0 && such == all
        };
        such.then_some(Confidence::Certain)
    }

    fn read(&self, text: &str, record: RecordId, sink: &mut Sink) {
        let mut open: Vec<Catalogue> = Vec::new();
        for (text, record) in values(text, record) {
            let fault = json::decode(text, &Demand::shallow(), None).err();
            let parts = parts(text.as_bytes());
            if parts.is_empty() && fault.is_none() {
                sink.lost(
                    record,
                    problem(
                        record,
                        "no-entries",
                        "this holds no list of tools, prompts or resources",
                    ),
                );
            }
            for part in parts {
                named(&part, record, sink);
                let joined = open.iter_mut().find(|known| {
                    known.part.kind == part.kind && known.part.server == part.server && known.part.more
                });
                let catalogue = match joined {
                    Some(known) => {
                        known.part.more = part.more;
                        known
                    }
                    None => {
                        open.push(Catalogue::new(record, &part));
                        let Some(new) = open.last_mut() else { continue };
                        new
                    }
                };
                catalogue.cut |= fault.is_some();
                catalogue.add(text, record, &part, sink);
            }
            if let Some(fault) = fault {
                let problem = sink.record_fault(record, &fault);
                sink.problem(problem);
            }
        }
        for catalogue in open {
            let kind = EventKind::Catalogue {
                server: catalogue.part.server.map(Arc::from),
                kind: catalogue.part.kind,
                entries: catalogue.entries,
                complete: !catalogue.part.more && !catalogue.cut,
                partial: catalogue.part.form != Form::Listed,
            };
            sink.event(catalogue.record, &Stamp::default(), kind);
        }
    }
}

/// Says of entries that are not as a server lists them what they are.
fn named(part: &Part, record: RecordId, sink: &mut Sink) {
    let (code, message, help) = match part.form {
        Form::Listed => return,
        Form::Function => (
            "function-form",
            "the tools are in the function form of a model provider, not as their server lists them",
            "`input_schema` or `parameters` is read as `inputSchema`; dump `tools/list` to check the rest",
        ),
        Form::Manifest => (
            "manifest",
            "an MCPB manifest names tools without their schemas",
            "dump what the server answers to `tools/list` to check these",
        ),
    };
    let problem = Problem {
        place: place(record, part.pointer.as_str().into()),
        help: Some(help.to_owned()),
        ..problem(record, code, message)
    };
    sink.problem(problem);
}

/// A catalogue whose pages are being joined.
struct Catalogue {
    record: RecordId,
    part: Part,
    entries: Vec<Json>,
    cut: bool,
}

impl Catalogue {
    fn new(record: RecordId, part: &Part) -> Self {
        Catalogue {
            record,
            part: part.clone(),
            entries: Vec::new(),
            cut: false,
        }
    }

    fn add(&mut self, text: &str, record: RecordId, part: &Part, sink: &mut Sink) {
        for (index, range) in scan::elements(text.as_bytes(), part.list.start).enumerate() {
            let mut outer = format!("{}/{index}", part.pointer);
            let mut entry = Cow::Borrowed(&text[range]);
            if part.form == Form::Function {
                entry = as_tool(entry, &mut outer);
            }
            let outer: Arc<str> = outer.into();
            let origin = Origin {
                record,
                outer: Arc::clone(&outer),
            };
            match json::decode(&entry, &sink.wanted.entry, Some(origin)) {
                Ok(document) => self.entries.extend(sink.marked(document).root()),
                // What breaks off is said of the whole document.
                Err(fault) if !fault.too_deep => self.cut = true,
                Err(fault) => {
                    self.cut = true;
                    let problem = Problem {
                        place: place(record, outer),
                        ..sink.record_fault(record, &fault)
                    };
                    sink.problem(problem);
                }
            }
        }
    }
}

/// A function of a model provider as the tool it was made from; its pointers are understood by `locate`.
fn as_tool<'a>(entry: Cow<'a, str>, outer: &mut String) -> Cow<'a, str> {
    let inner = scan::member(entry.as_bytes(), 0, "function").map(|member| member.value);
    let entry = match inner {
        Some(function) => {
            outer.push_str("/function");
            Cow::Owned(entry[function].to_owned())
        }
        None => entry,
    };
    for name in ["input_schema", "parameters"] {
        if let Some(member) = scan::member(entry.as_bytes(), 0, name) {
            let (before, after) = (&entry[..member.name.start], &entry[member.name.end..]);
            return Cow::Owned([before, "\"inputSchema\"", after].concat());
        }
    }
    entry
}
