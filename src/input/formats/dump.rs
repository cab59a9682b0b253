//! Catalogues without the messages that carried them: what `tools/list` answered, kept as a file.
//!
//! Read are one result or response, several as lines or in a list (pages are joined), a bare list of entries, several
//! servers by name, what scanners write, the function forms of model providers, and the tools of an MCPB manifest.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::super::event::{EntryKind, EventKind, Problem};
use super::super::head::{Head, says, value};
use super::super::scan;
use super::super::sink::{Sink, Stamp, place, problem};
use super::bare::values;
use super::{Confidence, Evidence, Format, Unit};
use crate::json::{self, Demand, Json, Origin, escape};
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
                Ok(document) => self.entries.extend(Arc::new(document).root()),
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

/// In what form entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As a server lists them.
    Listed,
    /// As a client hands them to a model.
    Function,
    /// In a manifest: names and descriptions only.
    Manifest,
}

/// One list of entries in a document.
#[derive(Debug, Clone)]
struct Part {
    server: Option<String>,
    kind: EntryKind,
    form: Form,
    /// The list.
    list: Range<usize>,
    /// The way to the list.
    pointer: String,
    /// Another page follows.
    more: bool,
}

/// The lists of entries in a document, which may be cut off.
fn parts(bytes: &[u8]) -> Vec<Part> {
    let mut found = Vec::new();
    let at = scan::skip_space(bytes, 0);
    walk(bytes, at, "", None, 0, &mut found);
    found
}

const LISTS: [(&str, EntryKind); 5] = [
    ("tools", EntryKind::Tool),
    ("prompts", EntryKind::Prompt),
    ("resources", EntryKind::Resource),
    ("resourceTemplates", EntryKind::Template),
    ("resource_templates", EntryKind::Template),
];

/// How deep lists may lie: path of a configuration, its servers, a server, its signature.
const DEPTH: usize = 5;

fn walk(bytes: &[u8], at: usize, pointer: &str, server: Option<&str>, depth: usize, found: &mut Vec<Part>) {
    if depth > DEPTH {
        return;
    }
    let below = |name: &str| format!("{pointer}/{}", escape(name));
    match bytes.get(at) {
        Some(b'[') => {
            if let Some((kind, form)) = entries(bytes, at, false) {
                let list = at..scan::skip_value(bytes, at).0;
                found.push(Part {
                    server: server.map(str::to_owned),
                    kind,
                    form,
                    list,
                    pointer: pointer.to_owned(),
                    more: false,
                });
                return;
            }
            // Pages, or servers with their names. Of pages, all must be such, lest a list of messages be taken for a
            // dump; a server may have had nothing to list.
            let before = found.len();
            for (index, element) in scan::elements(bytes, at).enumerate() {
                let start = found.len();
                let name = value(&bytes[element.clone()], "name").and_then(word);
                let server = name.as_deref().or(server);
                walk(
                    bytes,
                    element.start,
                    &format!("{pointer}/{index}"),
                    server,
                    depth + 1,
                    found,
                );
                if found.len() == start && !pointer.ends_with("/servers") {
                    found.truncate(before);
                    return;
                }
            }
        }
        Some(b'{') => {
            let before = found.len();
            if !lists(bytes, at, pointer, server, found) {
                for name in ["result", "servers", "signature"] {
                    if let Some(member) = scan::member(bytes, at, name) {
                        walk(bytes, member.value.start, &below(name), server, depth + 1, found);
                    }
                }
            }
            if found.len() == before && depth < 2 && scan::member(bytes, at, "jsonrpc").is_none() {
                // Servers by name. Every member must hold entries, lest any JSON be taken for a dump.
                for member in scan::members(bytes, at) {
                    let start = found.len();
                    let name =
                        String::from_utf8_lossy(&bytes[scan::inside(bytes, &member.name)]).into_owned();
                    walk(
                        bytes,
                        member.value.start,
                        &below(&name),
                        Some(&name),
                        depth + 1,
                        found,
                    );
                    if found.len() == start {
                        found.truncate(before);
                        return;
                    }
                }
            }
        }
        _ => {}
    }
}

/// The lists of one result; whether it is one.
fn lists(bytes: &[u8], at: usize, pointer: &str, server: Option<&str>, found: &mut Vec<Part>) -> bool {
    let object = &bytes[at..];
    let more = value(object, "nextCursor").is_some_and(|cursor| cursor.starts_with(b"\""));
    let manifest = value(object, "manifest_version").is_some();
    let before = found.len();
    for (name, kind) in LISTS {
        let Some(member) = scan::member(bytes, at, name) else {
            continue;
        };
        let Some((guess, form)) = entries(bytes, member.value.start, true) else {
            continue;
        };
        // A list of that name whose entries look like something else is none of ours.
        if guess != kind
            && !(guess == EntryKind::Tool && kind == EntryKind::Prompt)
            && !is_blank(bytes, &member.value)
        {
            continue;
        }
        found.push(Part {
            server: server.map(str::to_owned),
            kind,
            form: if manifest { Form::Manifest } else { form },
            list: member.value,
            pointer: format!("{pointer}/{name}"),
            more,
        });
    }
    found.len() > before
}

fn is_blank(bytes: &[u8], list: &Range<usize>) -> bool {
    scan::elements(bytes, list.start).next().is_none()
}

/// Of what kind and form the entries of the list at `at` are, by its first ones. `named`: it has the name of a list of
/// entries, so that one of them that is sound is enough.
fn entries(bytes: &[u8], at: usize, named: bool) -> Option<(EntryKind, Form)> {
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let first: Vec<_> = scan::elements(bytes, at)
        .take(5)
        .map(|entry| &bytes[entry])
        .collect();
    if first.is_empty() {
        return named.then_some((EntryKind::Tool, Form::Listed));
    }
    let kinds: Vec<_> = first
        .iter()
        .filter_map(|entry| entry_kind(entry, named))
        .collect();
    let enough = if named { 1 } else { first.len().div_ceil(2) };
    let objects = first.iter().all(|entry| entry.starts_with(b"{"));
    (objects && kinds.len() >= enough).then(|| kinds[0])
}

fn entry_kind(entry: &[u8], named: bool) -> Option<(EntryKind, Form)> {
    let cut = !scan::skip_value(entry, 0).1;
    let has = |name| value(entry, name).is_some();
    let text = |name| value(entry, name).is_some_and(|text| text.starts_with(b"\""));
    if entry.first() != Some(&b'{') {
        None
    } else if says(value(entry, "type"), "function") && (has("function") || has("parameters"))
        || has("input_schema")
    {
        Some((EntryKind::Tool, Form::Function))
    } else if text("uriTemplate") {
        Some((EntryKind::Template, Form::Listed))
    } else if text("uri") {
        Some((EntryKind::Resource, Form::Listed))
    } else if has("inputSchema") {
        Some((EntryKind::Tool, Form::Listed))
    } else if text("name") && value(entry, "arguments").is_some_and(|list| list.starts_with(b"[")) {
        Some((EntryKind::Prompt, Form::Listed))
    } else if text("name") && (named || text("description") || text("title") || cut) {
        Some((EntryKind::Tool, Form::Listed))
    } else {
        None
    }
}

fn word(raw: &[u8]) -> Option<String> {
    let inside = scan::inside(raw, &(0..raw.len()));
    raw.starts_with(b"\"")
        .then(|| String::from_utf8_lossy(&raw[inside]).into_owned())
}
