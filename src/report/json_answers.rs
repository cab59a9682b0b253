//! What an expression says of each record: one JSON object a line.

use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::engine::answer::{Answer, Said};
use crate::engine::finding::Mark;
use crate::place::Place;
use crate::report::Records;
use crate::report::json::{JsonLocation, write};
use crate::report::location::Locator;
use crate::report::visible::shows;

#[derive(Serialize)]
struct JsonAnswer<'a> {
    subject: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<&'a str>,
    locations: Vec<JsonLocation<'a>>,
}

/// Writes answers, each on a line of its own: `subject`, then `value`, `missing` or `unknown`, then `locations`; beside a
/// value that may not be all there is, `doubt` says why.
///
/// # Errors
///
/// Whatever `out` says.
pub fn write_answers(answers: &[Answer], records: &dyn Records, out: &mut dyn io::Write) -> io::Result<()> {
    let mut locator = Locator::new(records);
    for answer in answers {
        let marks: Vec<Mark> = answer.places.iter().map(mark).collect();
        let located = locator.locate(&marks);
        let (mut value, mut doubt, mut missing, mut unknown) = (None, None, None, None);
        match &answer.said {
            Said::Value(json, why) => {
                value = Some(RawValue::from_string(shown(json))?);
                doubt = why.as_deref();
            }
            Said::Missing => missing = Some(true),
            Said::Unknown(why) => unknown = Some(why.as_str()),
        }
        let line = JsonAnswer {
            subject: answer.subject,
            value,
            doubt,
            missing,
            unknown,
            locations: located.iter().map(|l| JsonLocation::new(l, &locator)).collect(),
        };
        write(out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// JSON in which what hides or turns text is escaped: that stands in texts only.
fn shown(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if shows(c) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

fn mark(place: &Place) -> Mark {
    Mark {
        place: place.clone(),
        text: None,
    }
}
