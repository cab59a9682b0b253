//! Header lines, in the forms in which recorders keep them.

use std::borrow::Cow;
use std::sync::Arc;

use super::event::{Header, Headers, Recorded};
use super::exchanges::Line;
use super::sink::Sink;
use super::{fields, scan};
use crate::json::{escape, is_redaction};
use crate::place::{Place, RecordId};

/// Reads headers at `outer`: a list of pairs, a list of objects with `name` and `value`, an object, or a text holding
/// one of these.
pub(super) fn read(sink: &mut Sink, record: RecordId, outer: &str, raw: &str) -> Headers {
    let text;
    let mut way = Way {
        record,
        outer: outer.to_owned(),
        inner: None,
    };
    let raw = if raw.starts_with('"') {
        way.inner = Some(String::new());
        text = scan::unescape(raw);
        text.trim()
    } else {
        raw
    };
    let bytes = raw.as_bytes();
    let (mut list, recorded) = (Vec::new(), how(bytes));
    if sink
        .wanted
        .headers
        .as_ref()
        .is_some_and(|wanted| wanted.is_empty())
    {
        return Headers { list, recorded };
    }
    for (index, item) in scan::elements(bytes, 0).enumerate() {
        let (name, value, step, hidden) = match bytes[item.start] {
            b'[' => {
                let mut pair = scan::elements(bytes, item.start);
                (pair.next(), pair.next(), "1", false)
            }
            _ => {
                let get = |name| scan::member(bytes, item.start, name).map(|member| member.value);
                let hidden = get("redacted").is_some_and(|hidden| &raw[hidden] == "true");
                (get("name"), get("value"), "value", hidden)
            }
        };
        let (Some(name), Some(value)) = (name, value) else {
            continue;
        };
        let name = scan::unescape(&raw[name]);
        if is_wanted(sink, &name) {
            let value = &raw[value];
            way.index(index, |way| {
                way.step(step, |way| add(sink, way, &name, value, hidden, &mut list))
            });
        }
    }
    for member in scan::members(bytes, 0) {
        let name = scan::unescape(&raw[member.name]);
        if !is_wanted(sink, &name) {
            continue;
        }
        way.step(&escape(&name), |way| {
            if bytes.get(member.value.start) == Some(&b'[') {
                for (index, value) in scan::elements(bytes, member.value.start).enumerate() {
                    way.index(index, |way| add(sink, way, &name, &raw[value], false, &mut list));
                }
            } else {
                add(sink, way, &name, &raw[member.value], false, &mut list);
            }
        });
    }
    Headers { list, recorded }
}

/// The name of each line, and its value as it is written, of a list of objects with `name` and `value` or of an object.
pub(super) fn pairs(raw: &str) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    let bytes = raw.as_bytes();
    let listed = scan::elements(bytes, 0).filter_map(move |item| {
        let get = |name| scan::member(bytes, item.start, name).map(|member| &raw[member.value]);
        Some((scan::unescape(get("name")?), get("value")?))
    });
    let members = scan::members(bytes, 0);
    listed.chain(members.map(move |member| (scan::unescape(&raw[member.name]), &raw[member.value])))
}

/// Header lines as they were sent.
pub(super) fn sent(sink: &mut Sink, lines: &[Line]) -> Headers {
    let mut list = Vec::with_capacity(lines.len());
    for line in lines {
        if !is_wanted(sink, &line.name) {
            continue;
        }
        list.push(Header {
            name: sink.share(&line.name),
            raw: sink.share(&line.value),
            redacted: is_redacted(sink, &line.value),
            place: Place {
                record: line.record,
                outer: sink.share(&line.outer),
                range: Some(line.range),
                ..Place::default()
            },
        });
    }
    let recorded = Recorded::Exact;
    Headers { list, recorded }
}

fn how(bytes: &[u8]) -> Recorded {
    match bytes.first() {
        Some(b'[') => Recorded::Exact,
        Some(b'{') => Recorded::Folded,
        _ => Recorded::Nothing,
    }
}

/// The pointer to where the reader is.
struct Way {
    record: RecordId,
    outer: String,
    inner: Option<String>,
}

impl Way {
    fn index(&mut self, index: usize, then: impl FnOnce(&mut Way)) {
        self.step(&index.to_string(), then);
    }

    fn step(&mut self, step: &str, then: impl FnOnce(&mut Way)) {
        let pointer = self.inner.as_mut().unwrap_or(&mut self.outer);
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(step);
        then(self);
        self.inner.as_mut().unwrap_or(&mut self.outer).truncate(length);
    }
}

fn add(sink: &mut Sink, way: &Way, name: &str, value: &str, hidden: bool, list: &mut Vec<Header>) {
    let Some(value) = fields::word(value) else {
        return;
    };
    list.push(Header {
        name: sink.share(name),
        raw: sink.share(&value),
        redacted: hidden || is_redacted(sink, &value),
        place: Place {
            record: way.record,
            outer: sink.share(&way.outer),
            inner: way.inner.as_deref().map(Arc::from),
            ..Place::default()
        },
    });
}

fn is_wanted(sink: &Sink, name: &str) -> bool {
    let wanted = sink.wanted.headers.as_ref();
    wanted.is_none_or(|wanted| wanted.contains(&*lower(name)))
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        name.to_ascii_lowercase().into()
    } else {
        name.into()
    }
}

/// Whether a recorder wrote a mark instead of the value: `REDACTED`, `Bearer [redacted]`, `***`.
fn is_redacted(sink: &Sink, value: &str) -> bool {
    if sink.wanted.redactions.iter().any(|mark| mark == value.trim()) {
        return true;
    }
    // Seen at the end of most values: it is no such mark.
    if !value.ends_with(['d', 'D', '*', ' ', ']', '>', ')', '}', '[', '<', '(', '{']) {
        return false;
    }
    let last = value.rsplit(' ').find(|word| !word.is_empty()).unwrap_or("");
    is_redaction(last)
}

#[cfg(test)]
mod tests {
    use super::super::event::Wanted;
    use super::*;

    fn said(raw: &str) -> Vec<String> {
        let wanted = Wanted::default();
        let mut sink = Sink::new(&wanted);
        read(&mut sink, RecordId::default(), "/h", raw)
            .list
            .iter()
            .map(|h| {
                let inner = h.place.inner.as_deref().unwrap_or("-");
                format!("{}: {} {} {}", h.name, h.raw, h.place.outer, inner)
            })
            .collect()
    }

    #[test]
    fn reads_every_form() {
        assert_eq!(
            said(r#"[["A","1"],["B"],7,["C"," x "]]"#),
            ["A: 1 /h/0/1 -", "C:  x  /h/3/1 -"]
        );
        assert_eq!(said(r#"[{"name":"A","value":"1"}]"#), ["A: 1 /h/0/value -"]);
        assert_eq!(
            said(r#"{"a/b":"1","c":["2",3]}"#),
            ["a/b: 1 /h/a~1b -", "c: 2 /h/c/0 -", "c: 3 /h/c/1 -"]
        );
        assert_eq!(said(r#""{\"a\": \"1\"}""#), ["a: 1 /h /a"]);
    }

    #[test]
    fn knows_marks_of_redaction() {
        let wanted = Wanted {
            redactions: vec!["<hidden by us>".to_owned()],
            ..Wanted::default()
        };
        let sink = Sink::new(&wanted);
        assert!(is_redacted(&sink, " <hidden by us> "));
        for value in ["REDACTED", "Bearer [redacted]", "***", "<REDACTED>"] {
            assert!(is_redacted(&sink, value), "{value}");
        }
        for value in ["", "redacted-server", "*", "Bearer abc"] {
            assert!(!is_redacted(&sink, value), "{value}");
        }
    }
}
