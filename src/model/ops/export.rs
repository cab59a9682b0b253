//! Values as JSON for other programs.

use super::show::{show_json, show_record};
use crate::json::quote;
use crate::model::record::Record;
use crate::model::value::{HeadersRef, Value};

/// A value as compact JSON that any program reads. What is JSON stays as it is. A record with JSON of its own is that;
/// an exchange is `{method, url, status}`, with what is known of it; headers are a list of `{name, value}`. Times, lengths
/// of time, paths and all else that has no form in JSON are the texts that the language shows. Missing and unknown
/// elements of lists are `null`.
pub fn export(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Missing | Value::Unknown(_) => out.push_str("null"),
        // What only stands for something that may be missing is no element.
        Value::List(list) => all(out, list.recorded().iter().map(|item| &item.value)),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (&**name, value));
            object(out, members);
        }
        Value::Record(seen) => record(seen, out),
        Value::Headers(headers) => lines(headers, out),
        Value::History(_) => out.push_str("null"),
        _ if value.json_kind().is_some() => out.push_str(&show_json(value)),
        _ => quote(&show_json(value), out),
    }
}

fn all<'v>(out: &mut String, values: impl Iterator<Item = &'v Value>) {
    out.push('[');
    for (i, value) in values.enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        write(value, out);
    }
    out.push(']');
}

fn object<'v>(out: &mut String, members: impl Iterator<Item = (&'v str, &'v Value)>) {
    out.push('{');
    for (i, (name, value)) in members.enumerate() {
        out.push_str(if i > 0 { "," } else { "" });
        quote(name, out);
        out.push(':');
        write(value, out);
    }
    out.push('}');
}

fn record(record: &Record, out: &mut String) {
    let text = |text: &str| Value::text(text);
    if let Record::Exchange(exchange) = record {
        let status = exchange.response.get().and_then(|head| head.status);
        let members = [
            ("method", text(&exchange.method)),
            ("url", Value::or_missing(exchange.url.as_deref(), text)),
            (
                "status",
                Value::or_missing(status, |code| Value::integer(i64::from(code))),
            ),
        ];
        let there = members
            .iter()
            .filter(|(_, value)| !matches!(value, Value::Missing));
        return object(out, there.map(|(name, value)| (*name, value)));
    }
    match record.json() {
        Some(json) => out.push_str(&json.to_text()),
        None => quote(&show_record(record), out),
    }
}

fn lines(headers: &HeadersRef, out: &mut String) {
    let lines = headers.headers.list.iter().map(|line| {
        let value = match line.redacted {
            true => Value::Missing,
            false => Value::text(line.raw.trim_matches([' ', '\t'])),
        };
        Value::object([("name", Value::text(&*line.name)), ("value", value)])
    });
    let lines: Vec<Value> = lines.collect();
    all(out, lines.iter());
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::model::value::{Item, List};

    #[test]
    fn json_stays_json() {
        for text in ["null", "true", "1.50", r#""a\nb""#, r#"[1,{"a":[]}]"#, "{}"] {
            assert_eq!(export(&json(text)), text);
        }
    }

    #[test]
    fn what_is_computed_becomes_json_too() {
        let list = Value::list([Value::text("a"), Value::Missing, dark(), Value::Boolean(true)]);
        assert_eq!(export(&list), r#"["a",null,null,true]"#);
        let object = Value::fields([("n", Value::integer(2i64)), ("t", Value::Time(0))]);
        assert_eq!(export(&object), r#"{"n":2,"t":"0ms"}"#);
        assert_eq!(export(&Value::Duration(1_500_000_000)), r#""1.5s""#);
    }

    #[test]
    fn an_element_that_is_only_perhaps_there_is_written() {
        let item = |value, perhaps| Item { value, perhaps };
        let list = List {
            items: vec![item(json("1"), Some(gone()))],
            ..List::default()
        };
        assert_eq!(export(&Value::List(std::sync::Arc::new(list))), "[1]");
    }
}
