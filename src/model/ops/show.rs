//! Values in words: for the holes of texts, and as JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::path::show_path;
use crate::json::{JsonKind, quote};
use crate::model::record::Record;
use crate::model::value::Value;

/// The most characters that a hole shows.
const WIDTH: usize = 80;

/// A value as a hole shows it: texts bare, JSON as JSON, `missing` and `unknown` in words; shortened in the middle, and
/// with [control characters made visible](visible).
pub fn show(value: &Value) -> String {
    match value {
        Value::Missing => "missing".to_owned(),
        Value::Unknown(_) => "unknown".to_owned(),
        _ => match value.as_str() {
            Some(text) => visible(&shortened(text)).into_owned(),
            None => visible(&shortened(&show_json(value))).into_owned(),
        },
    }
}

/// A value as compact JSON, of any length. What cannot stand in JSON is written as a hole shows it, in quotes; missing
/// and unknown are the bare words.
pub fn show_json(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    if let Value::Json(json) = value {
        out.push_str(&json.to_text());
        return;
    }
    match value.json_kind() {
        Some(JsonKind::Null) => out.push_str("null"),
        Some(JsonKind::Boolean) => out.push_str(if value.as_bool() == Some(true) {
            "true"
        } else {
            "false"
        }),
        Some(JsonKind::Number) => {
            out.push_str(&value.as_number().map(|n| n.written()).unwrap_or_default());
        }
        Some(JsonKind::Text) => quote(value.as_str().unwrap_or(""), out),
        Some(JsonKind::List) => {
            out.push('[');
            for (i, item) in value.as_list().unwrap_or_default().items.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                write(&item.value, out);
            }
            out.push(']');
        }
        Some(JsonKind::Object) => {
            out.push('{');
            for (i, (name, value)) in value.as_object().unwrap_or_default().iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                quote(name, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        None => other(value, out),
    }
}

/// What is no JSON: alone it stands bare, within JSON in quotes.
fn other(value: &Value, out: &mut String) {
    let words = match value {
        Value::Unknown(_) => "unknown".to_owned(),
        Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        Value::Time(time) => show_time(*time),
        Value::Duration(duration) => show_duration(*duration),
        Value::Pattern(pattern) => format!("/{}/", pattern.as_str().replace('/', "\\/")),
        Value::PathPattern(pattern) => pattern.pattern.text.clone(),
        Value::Path(path) => show_path(&path.steps()),
        Value::Record(record) => show_record(record),
        Value::Headers(headers) => format!("{} headers", headers.headers.list.len()),
        Value::History(history) if history.later => "later".to_owned(),
        Value::History(_) => "earlier".to_owned(),
        Value::Shape(shape) => shape.name().to_owned(),
        _ => "missing".to_owned(),
    };
    let bare = out.is_empty() || matches!(value, Value::Missing | Value::Unknown(_));
    if bare {
        out.push_str(&words);
    } else {
        quote(&words, out);
    }
}

pub(super) fn show_record(record: &Record) -> String {
    match record {
        Record::Message(m) => format!("{} {}", m.message.kind.word(), m.message.common.index),
        Record::Exchange(e) => match &e.url {
            Some(url) => format!("{} {url}", e.method),
            None => e.method.to_string(),
        },
        Record::Session(s) => s.key.to_string(),
        Record::Listing(_) | Record::Entry(_) => {
            let word = record.subject().word();
            match record {
                Record::Entry(e) => format!("{word} {}", e.index),
                _ => word.to_owned(),
            }
        }
        Record::Frame(f) => f
            .text
            .known()
            .map_or_else(|| f.kind.to_owned(), |text| shortened(text).into_owned()),
    }
}

fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= WIDTH || text.chars().nth(WIDTH).is_none() {
        return Cow::Borrowed(text);
    }
    let half = WIDTH / 2;
    let front = text.char_indices().nth(half - 1).map_or(text.len(), |(i, _)| i);
    let back = text.char_indices().nth_back(half - 1).map_or(0, |(i, _)| i);
    Cow::Owned([&text[..front], "…", &text[back..]].concat())
}

/// A text in which nothing hides: control characters as pictures (`␛`), bidirectional and invisible ones as
/// `\u{202e}`. Joiners within emoji stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hides) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => out.push('\u{2421}'),
            c if hides(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn hides(c: char) -> bool {
    matches!(
        c,
        '\0'..='\x1f'
            | '\x7f'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// An instant in UTC; one before 1980 counts from the start of a recorder's own clock and is shown as a duration.
fn show_time(nanos: i64) -> String {
    const FIRST: i64 = 315_532_800; // 1980-01-01
    let (seconds, rest) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
    if seconds < FIRST {
        return show_duration(nanos);
    }
    let (days, clock) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let fraction = match format!("{rest:09}").trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    };
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{fraction}Z",
        clock / 3600,
        clock / 60 % 60,
        clock % 60
    )
}

/// Year, month and day of a day since 1970-01-01 (Howard Hinnant's `civil_from_days`).
fn date(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// A duration as the language writes it, in the largest unit that needs at most one digit behind the point: `1.5h`,
/// `100s`; seconds may have three, milliseconds six.
fn show_duration(nanos: i64) -> String {
    const UNITS: [(&str, u64, u64); 5] = [
        ("d", 86_400_000_000_000, 10),
        ("h", 3_600_000_000_000, 10),
        ("m", 60_000_000_000, 10),
        ("s", 1_000_000_000, 1000),
        ("ms", 1_000_000, 1_000_000),
    ];
    let sign = if nanos < 0 { "-" } else { "" };
    let size = nanos.unsigned_abs();
    for (unit, length, parts) in UNITS {
        if (size >= length && size.is_multiple_of(length / parts)) || unit == "ms" {
            let places = parts.ilog10() as usize;
            let fraction = format!("{:0places$}", size % length / (length / parts));
            let fraction = fraction.trim_end_matches('0');
            let dot = if fraction.is_empty() { "" } else { "." };
            return format!("{sign}{}{dot}{fraction}{unit}", size / length);
        }
    }
    format!("{sign}{size}ns")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::testing::*;
    use super::*;
    use crate::model::ops::Path;
    use crate::model::value::Step;

    #[test]
    fn holes_show_texts_bare_and_json_as_json() {
        assert_eq!(show(&json(r#""a\"b""#)), "a\"b");
        assert_eq!(show(&Value::text("a")), "a");
        assert_eq!(show(&json("1.50")), "1.50");
        assert_eq!(show(&json("null")), "null");
        assert_eq!(show(&json(r#"{ "b": [1, "x"] }"#)), r#"{"b":[1,"x"]}"#);
        let object = Value::fields([("b", Value::list([Value::text("x"), json("1.0")]))]);
        assert_eq!(show(&object), r#"{"b":["x",1.0]}"#);
        assert_eq!(show(&Value::Missing), "missing");
        assert_eq!(show(&dark()), "unknown");
    }

    #[test]
    fn long_values_are_cut_in_the_middle() {
        let long = format!("{}{}", "a".repeat(100), "ü".repeat(100));
        let shown = show(&Value::text(long.as_str()));
        assert_eq!(shown.chars().count(), 80);
        assert_eq!(shown, format!("{}…{}", "a".repeat(39), "ü".repeat(40)));
        let fits = "ü".repeat(80);
        assert_eq!(show(&Value::text(fits.as_str())), fits);
    }

    #[test]
    fn nothing_hides() {
        assert_eq!(
            show(&Value::text("\u{1b}[31m\r\n\u{202e}x\u{7f}\u{85}")),
            "␛[31m␍␊\\u{202e}x␡\\u{85}"
        );
        assert_eq!(show(&json(r#"["\u202e"]"#)), r#"["\u{202e}"]"#);
        assert_eq!(visible("plain 👩\u{200d}🔬"), "plain 👩\u{200d}🔬");
    }

    #[test]
    fn times_and_durations() {
        let at = |text| show(&Value::Time(text));
        assert_eq!(at(1_785_240_000_000_000_000), "2026-07-28T12:00:00Z");
        assert_eq!(at(951_782_400_120_000_000), "2000-02-29T00:00:00.12Z");
        assert_eq!(at(2_500_000_000), "2.5s");
        for (nanos, shown) in [
            (0, "0ms"),
            (250_000_000, "250ms"),
            (1_234_000_000, "1.234s"),
            (1_500, "0.0015ms"),
            (60_000_000_000, "1m"),
            (90_000_000_000, "1.5m"),
            (100_000_000_000, "100s"),
            (5_400_000_000_000, "1.5h"),
            (172_800_000_000_000, "2d"),
            (-30_000_000_000, "-30s"),
        ] {
            assert_eq!(show(&Value::Duration(nanos)), shown);
        }
    }

    #[test]
    fn as_json_what_cannot_stand_in_json_is_in_quotes() {
        let path: Arc<[Step]> = [Step::Member("a".into()), Step::Index(0)].into();
        assert_eq!(show(&Value::Path(Path::Steps(Arc::clone(&path)))), "$.a[0]");
        let value = Value::fields([("path", Value::Path(Path::Steps(path))), ("value", dark())]);
        assert_eq!(show_json(&value), r#"{"path":"$.a[0]","value":unknown}"#);
        assert_eq!(show_json(&Value::text("a\n")), r#""a\n""#);
    }
}
