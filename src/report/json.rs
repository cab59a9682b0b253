//! `--format json`: one document with findings and summary.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;

use crate::engine::finding::{Finding, Summary};
use crate::lang::ast::{Level, Party};
use crate::report::location::{Located, Locator};
use crate::report::visible::shows;
use crate::report::{Format, Reporter, Run};

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "one JSON document: findings with their places, as what each file was read, and what was checked",
    reporter: |_| Box::new(Json),
};

struct Json;

impl Reporter for Json {
    fn report(&self, run: &Run<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        // Findings are written one by one: their records are read one by one, too.
        let mut locator = Locator::new(run.records);
        out.write_all(b"{\"findings\":[")?;
        for (i, finding) in run.findings.iter().enumerate() {
            out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
            write(out, &JsonFinding::new(finding, &mut locator))?;
        }
        out.write_all(if run.findings.is_empty() {
            b"],\n\"inputs\":"
        } else {
            b"\n],\n\"inputs\":"
        })?;
        let inputs = run.inputs.iter().map(|file| JsonInput {
            file: &file.name,
            format: file.format,
        });
        write(out, &inputs.collect::<Vec<_>>())?;
        out.write_all(b",\n\"passed_over\":")?;
        let passed_over = run.passed_over.iter().map(|file| JsonPassedOver {
            file: &file.name,
            why: &file.why,
        });
        write(out, &passed_over.collect::<Vec<_>>())?;
        out.write_all(b",\n\"summary\":")?;
        write(out, &JsonSummary::new(run.summary, run.findings))?;
        out.write_all(b"}\n")
    }
}

/// Writes a value so that it may be looked at on a terminal.
pub(super) fn write(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Visible);
    Ok(value.serialize(&mut serializer)?)
}

/// Compact JSON in which what hides or turns text is escaped; JSON itself only asks this for the first 32 characters.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut written = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| !shows(*c)) {
            out.write_all(fragment.get(written..at).unwrap_or("").as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            written = at + c.len_utf8();
        }
        out.write_all(fragment.get(written..).unwrap_or("").as_bytes())
    }
}

/// A finding as it is written.
#[derive(Serialize)]
pub(super) struct JsonFinding<'a> {
    rule: &'a str,
    level: &'static str,
    fault: Option<&'static str>,
    message: &'a str,
    help: Option<&'a str>,
    repeats: u32,
    locations: Vec<JsonLocation<'a>>,
}

impl<'a> JsonFinding<'a> {
    pub(super) fn new(finding: &'a Finding, locator: &mut Locator<'_>) -> Self {
        let labels = locator.locate(&finding.labels);
        JsonFinding {
            rule: &finding.rule,
            level: finding.level.word(),
            fault: finding.fault.map(Party::word),
            message: &finding.message,
            help: finding.help.as_deref(),
            repeats: finding.repeats,
            locations: labels.iter().map(|l| JsonLocation::new(l, locator)).collect(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct JsonLocation<'a> {
    file: String,
    line: u64,
    column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
    /// The way, in the record, to what holds the message; missing if `pointer` begins at the record itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    outer: Option<&'a str>,
    pointer: &'a str,
    label: Option<&'a str>,
}

impl<'a> JsonLocation<'a> {
    pub(super) fn new(located: &Located<'a>, locator: &Locator<'_>) -> Self {
        let place = &located.mark.place;
        let end_line = located.end.map(|e| e.line).filter(|l| *l != located.start.line);
        let (outer, pointer) = match place.inner.as_deref() {
            Some(inner) if place.outer.is_empty() => (None, inner),
            Some(inner) => (Some(&*place.outer), inner),
            None => (None, &*place.outer),
        };
        JsonLocation {
            file: locator.name(place.record.file),
            line: located.start.line,
            column: located.start.column,
            end_line,
            end_column: located.end.map(|e| e.column),
            outer,
            pointer,
            label: located.mark.text.as_deref(),
        }
    }
}

/// As what a recording was read.
#[derive(Serialize)]
struct JsonInput<'a> {
    file: &'a str,
    format: &'a str,
}

/// A file that is no recording.
#[derive(Serialize)]
struct JsonPassedOver<'a> {
    file: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct JsonSummary<'a> {
    recordings: u64,
    messages: u64,
    sessions: u64,
    exchanges: u64,
    tools: u64,
    findings: JsonLevels,
    rules: BTreeMap<&'a str, JsonTally<'a>>,
    undecided: &'a BTreeMap<String, u64>,
    limits: &'a BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct JsonLevels {
    error: usize,
    warning: usize,
    note: usize,
}

#[derive(Serialize)]
struct JsonTally<'a> {
    passed: u64,
    failed: u64,
    undecided: u64,
    not_applicable: u64,
    /// Why subjects were undecided, by the first reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<&'a BTreeMap<String, u64>>,
}

impl<'a> JsonSummary<'a> {
    fn new(summary: &'a Summary, findings: &[Finding]) -> Self {
        let count = |level| findings.iter().filter(|f| f.level == level).count();
        let tallies = summary.rules.iter().map(|(rule, t)| {
            let tally = JsonTally {
                passed: t.passed,
                failed: t.failed,
                undecided: t.undecided,
                not_applicable: t.not_applicable,
                reasons: summary.reasons.get(rule),
            };
            (&**rule, tally)
        });
        JsonSummary {
            recordings: summary.recordings,
            messages: summary.messages,
            sessions: summary.sessions,
            exchanges: summary.exchanges,
            tools: summary.tools,
            findings: JsonLevels {
                error: count(Level::Error),
                warning: count(Level::Warning),
                note: count(Level::Note),
            },
            rules: tallies.collect(),
            undecided: &summary.undecided,
            limits: &summary.limits,
        }
    }
}
