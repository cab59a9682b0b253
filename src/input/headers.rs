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
    let (mut list, mut recorded) = (Vec::new(), how(bytes));
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
        let Some(name) = name.and_then(|name| fields::text(&raw[name])) else {
            // A line was sent, and its name is not known.
            recorded = Recorded::Some;
            continue;
        };
        if is_wanted(sink, &name) {
            let value = value.map_or("", |value| &raw[value]);
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
    let recorded = match lines.len() {
        // No HTTP message has no header at all.
        0 => Recorded::Nothing,
        // Of members of one name, rewriters of JSON keep the last.
        1 => Recorded::Some,
        _ => Recorded::Exact,
    };
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

/// Adds a line. One whose value was not kept, or not as a text or a number, was sent all the same.
fn add(sink: &mut Sink, way: &Way, name: &str, value: &str, hidden: bool, list: &mut Vec<Header>) {
    let known = fields::word(value);
    let value = known.as_deref().unwrap_or("");
    list.push(Header {
        name: sink.share(name),
        raw: sink.share(value),
        redacted: hidden || known.is_none() || is_redacted(sink, value),
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
        let headers = read(&mut sink, RecordId::default(), "/h", raw);
        let lines = headers.list.iter().map(|h| {
            let inner = h.place.inner.as_deref().unwrap_or("-");
            let value = if h.redacted { "…" } else { &*h.raw };
            format!("{}: {value} {} {inner}", h.name, h.place.outer)
        });
        let some = (headers.recorded == Recorded::Some).then(|| "(some)".to_owned());
        lines.chain(some).collect()
    }

    #[test]
    fn reads_every_form() {
        assert_eq!(
            said(r#"[["A","1"],["B"],7,["C"," x "]]"#),
            ["A: 1 /h/0/1 -", "B: … /h/1/1 -", "C:  x  /h/3/1 -", "(some)"]
        );
        assert_eq!(said(r#"[{"name":"A","value":"1"}]"#), ["A: 1 /h/0/value -"]);
        assert_eq!(
            said(r#"{"a/b":"1","c":["2",3]}"#),
            ["a/b: 1 /h/a~1b -", "c: 2 /h/c/0 -", "c: 3 /h/c/1 -"]
        );
        // What was sent and not kept as a text is there all the same.
        assert_eq!(
            said(r#"{"a":null,"b":["1",null],"c":{}}"#),
            ["a: … /h/a -", "b: 1 /h/b/0 -", "b: … /h/b/1 -", "c: … /h/c -"]
        );
        assert_eq!(
            said(r#"["a: 1",{"name":null,"value":"1"},{"name":"B"}]"#),
            ["B: … /h/2/value -", "(some)"]
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
