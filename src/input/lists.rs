//! Where the lists of tools, prompts and resources are in a document, which may be cut off.

use std::ops::Range;

use super::event::EntryKind;
use super::head::{says, value};
use super::scan;
use crate::json::escape;

/// In what form entries are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As a server lists them.
    Listed,
    /// As a client hands them to a model.
    Function,
    /// In a manifest: names and descriptions only.
    Manifest,
}

/// One list of entries in a document.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) server: Option<String>,
    pub(super) kind: EntryKind,
    pub(super) form: Form,
    /// The list.
    pub(super) list: Range<usize>,
    /// The way to the list.
    pub(super) pointer: String,
    /// Another page follows.
    pub(super) more: bool,
}

/// The lists of entries in a document.
pub(super) fn parts(bytes: &[u8]) -> Vec<Part> {
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
    ((named || objects) && kinds.len() >= enough).then(|| kinds[0])
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
