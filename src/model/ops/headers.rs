//! `headers["name"]`, `headers has "name"`, `headers.list`

use std::sync::Arc;

use crate::input::event::{Header, Recorded};
use crate::model::unknown::Reason;
use crate::model::value::{HeadersRef, LinePart, List, Text, TextPlace, Truth, Value};

/// The header of a name, in any case: its trimmed value; of several lines the trimmed values joined with `, `, which
/// stand where the first of them stands.
pub(super) fn header(headers: &HeadersRef, name: &str) -> Value {
    let mut lines = lines(headers, name);
    let Some((first, line)) = lines.next() else {
        return absent(headers, name).map_or(Value::Missing, Value::unknown);
    };
    let rest: Vec<&Header> = lines.map(|(_, line)| line).collect();
    if line.redacted || rest.iter().any(|line| line.redacted) {
        return Value::unknown(Reason::Redacted);
    }
    let Text { text, place } = value(headers, first, line);
    let text = if rest.is_empty() {
        text
    } else {
        let all = std::iter::once(line).chain(rest);
        all.map(|line| trimmed(&line.raw))
            .collect::<Vec<_>>()
            .join(", ")
            .into()
    };
    Value::Text(Text { text, place })
}

/// Whether there is a header of this name, in any case.
pub(super) fn has(headers: &HeadersRef, name: &str) -> Truth {
    if lines(headers, name).next().is_none() {
        absent(headers, name).map_or(Truth::False, |reason| Truth::Unknown(reason.into()))
    } else {
        Truth::True
    }
}

/// `headers.list`: each line as `{name, value, raw}`, in wire order where that was recorded.
pub fn header_list(headers: &HeadersRef) -> Value {
    let gap = || Some(Reason::Header("".into()).into());
    let lines = headers.headers.list.iter().enumerate();
    let mut list = List::complete(lines.map(|(i, line)| entry(headers, i, line)));
    match headers.headers.recorded {
        Recorded::Nothing if list.items.is_empty() => return Value::unknown(Reason::Header("".into())),
        Recorded::Nothing | Recorded::Some => list.inside = gap(),
        Recorded::Folded => list.unordered = Some(Reason::Order.into()),
        Recorded::Exact => {}
    }
    Value::List(Arc::new(list))
}

fn entry(headers: &HeadersRef, i: usize, line: &Header) -> Value {
    let text = |text: &Arc<str>, part| Text {
        text: Arc::clone(text),
        place: at(headers, i, part),
    };
    let (value, raw) = if line.redacted {
        (Value::unknown(Reason::Redacted), Value::unknown(Reason::Redacted))
    } else {
        let raw = Value::Text(text(&line.raw, LinePart::Raw));
        (Value::Text(value(headers, i, line)), raw)
    };
    let name = Value::Text(text(&line.name, LinePart::Name));
    Value::fields([("name", name), ("value", value), ("raw", raw)])
}

fn at(headers: &HeadersRef, line: usize, part: LinePart) -> Option<TextPlace> {
    Some(TextPlace::Line {
        headers: Arc::clone(&headers.headers),
        line,
        part,
    })
}

/// The lines of a name, in any case, each with its number.
fn lines<'h>(headers: &'h HeadersRef, name: &str) -> impl Iterator<Item = (usize, &'h Header)> {
    let all = headers.headers.list.iter().enumerate();
    all.filter(move |(_, line)| line.name.eq_ignore_ascii_case(name))
}

/// Why it is not known whether a header that is not among those recorded was there.
fn absent(headers: &HeadersRef, name: &str) -> Option<Reason> {
    match headers.headers.recorded {
        Recorded::Exact | Recorded::Folded => None,
        Recorded::Some | Recorded::Nothing => Some(Reason::Header(name.to_ascii_lowercase().into())),
    }
}

/// The value of a line without the blanks around it, and where it stands.
fn value(headers: &HeadersRef, i: usize, line: &Header) -> Text {
    let text = trimmed(&line.raw);
    let whole = text.len() == line.raw.len();
    Text {
        text: if whole { Arc::clone(&line.raw) } else { text.into() },
        place: at(headers, i, LinePart::Trimmed),
    }
}

fn trimmed(raw: &str) -> &str {
    raw.trim_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::{has, index};
    use super::*;
    use crate::input::event::Headers;
    use crate::model::value::HeadersOf;
    use crate::place::Place;

    fn headers(recorded: Recorded, lines: &[(&str, &str)]) -> Value {
        let list = lines.iter().enumerate().map(|(i, (name, raw))| Header {
            name: (*name).into(),
            raw: (*raw).into(),
            redacted: raw.contains("***"),
            place: Place {
                outer: format!("/headers/{i}/1").into(),
                ..Place::default()
            },
        });
        Value::Headers(HeadersRef {
            headers: Arc::new(Headers {
                list: list.collect(),
                recorded,
            }),
            of: HeadersOf::Nothing,
        })
    }

    fn get(headers: &Value, name: &str) -> Value {
        index(headers, &Value::text(name))
    }

    #[test]
    fn case_is_ignored_and_blanks_are_trimmed() {
        let h = headers(Recorded::Exact, &[("Mcp-Method", " tools/list\t"), ("B", "b")]);
        let Value::Text(method) = get(&h, "mcp-METHOD") else {
            panic!()
        };
        assert_eq!(&*method.text, "tools/list");
        let place = method.place.unwrap().place().unwrap();
        assert_eq!((&*place.outer, place.range), ("/headers/0/1", Some((1, 11))));
        assert_eq!(get(&h, "b").place().unwrap().range, None);
        same(&get(&h, "c"), &Value::Missing);
        same(&index(&h, &json("1")), &Value::Missing);
    }

    #[test]
    fn several_lines_are_joined_and_stand_at_the_first() {
        let h = headers(Recorded::Exact, &[("a", "x "), ("b", ""), ("A", " y")]);
        same(&get(&h, "a"), &Value::text("x, y"));
        assert_eq!(&*get(&h, "a").place().unwrap().outer, "/headers/0/1");
    }

    #[test]
    fn what_was_not_recorded_is_unknown() {
        for recorded in [Recorded::Some, Recorded::Nothing] {
            let h = headers(recorded, &[]);
            let Value::Unknown(reasons) = get(&h, "Mcp-Name") else {
                panic!()
            };
            assert_eq!(reasons.first(), Some(&Reason::Header("mcp-name".into())));
            unsure(has(&h, &Value::text("Mcp-Name")));
        }
        no(has(&headers(Recorded::Folded, &[]), &Value::text("a")));
        same(
            &get(&headers(Recorded::Some, &[("a", "x")]), "A"),
            &Value::text("x"),
        );
        let h = headers(Recorded::Exact, &[("a", "***")]);
        assert!(matches!(get(&h, "a"), Value::Unknown(_)));
        yes(has(&h, &Value::text("A")));
    }

    #[test]
    fn the_list_keeps_spelling_and_says_what_is_lost() {
        let list = |h: &Value| match h {
            Value::Headers(h) => header_list(h),
            _ => panic!(),
        };
        let h = headers(Recorded::Exact, &[("A", " x"), ("a", "***")]);
        let all = list(&h).as_list().unwrap();
        same(
            &all.items[0].value,
            &json(r#"{"name":"A","value":"x","raw":" x"}"#),
        );
        assert!(all.gap().is_none());
        let name = super::super::member(&all.items[0].value, "name");
        assert!(name.place().unwrap().on_name);
        let value = super::super::member(&all.items[1].value, "value");
        assert!(matches!(value, Value::Unknown(_)));
        let some = list(&headers(Recorded::Some, &[("a", "x")])).as_list().unwrap();
        assert!(some.inside.is_some());
        assert!(matches!(
            list(&headers(Recorded::Nothing, &[])),
            Value::Unknown(_)
        ));
    }
}
