//! `--format human`: findings with excerpts of the records in which they stand, then a summary.

use std::collections::BTreeMap;
use std::io;

use miette::Severity;

use super::human_labels::Spot;
use super::human_snippet::{Block, Row, columns, draw, line_width};
use super::human_summary::{Paint, count, summary};
use crate::engine::finding::Finding;
use crate::lang::ast::{Level, Party};
use crate::place::Place;
use crate::report::excerpt::{excerpt, lines};
use crate::report::location::{Located, Locator};
use crate::report::visible::{visible, wrap};
use crate::report::{Format, Options, Reporter, Run, Style};

pub(super) const FORMAT: Format = Format {
    name: "human",
    about: "text for people, with excerpts of the recordings",
    reporter: |options| Box::new(Human { options: *options }),
};

/// Labels of one finding that are drawn.
const LABELS: usize = 8;

struct Human {
    options: Options,
}

impl Reporter for Human {
    fn report(&self, run: &Run<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let style = &self.options.style;
        let mut locator = Locator::new(run.records);
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in run.findings {
            let before = seen.entry(&finding.rule).or_default();
            *before += 1;
            if *before <= self.options.per_rule {
                out.write_all(render(finding, &mut locator, style).as_bytes())?;
                out.write_all(b"\n")?;
            }
        }
        let mut left_out = false;
        for (rule, found) in seen {
            let more = found.saturating_sub(self.options.per_rule);
            if more > 0 {
                left_out = true;
                let dots = if style.unicode { "…" } else { "..." };
                writeln!(out, "{dots} and {} more of {}", count(more as u64), visible(rule))?;
            }
        }
        if left_out {
            out.write_all(b"\n")?;
        }
        if self.options.summary {
            out.write_all(summary(run, self.options.inputs, style).as_bytes())?;
        }
        Ok(())
    }
}

/// Writes one finding.
fn render(finding: &Finding, locator: &mut Locator<'_>, style: &Style) -> String {
    let (severity, level) = match finding.level {
        Level::Error => (Severity::Error, "error"),
        Level::Warning => (Severity::Warning, "warning"),
        Level::Note | Level::Off => (Severity::Advice, "note"),
    };
    let shown = finding.labels.get(..LABELS).unwrap_or(&finding.labels);
    let labels = locator.locate(shown);
    let (blocks, elided) = blocks(&labels, locator, style);
    let mut out = heading(severity, level, &finding.rule, style);
    out.push_str(&draw(&finding.message, severity, blocks, style));
    let primary = finding.labels.first().map(|m| &m.place);
    if let Some(way) = primary.filter(|_| elided).and_then(way) {
        footer(&mut out, "place", &way, style);
    }
    match finding.labels.len() - shown.len() {
        0 => {}
        1 => out.push_str("  and one more place\n"),
        n => out.push_str(&format!("  and {} more places\n", count(n as u64))),
    }
    if let Some(party) = finding.fault {
        footer(&mut out, "fault", at_fault(party), style);
    }
    if let Some(help) = &finding.help {
        footer(&mut out, "help", help, style);
    }
    match finding.repeats {
        0 => {}
        1 => out.push_str("  and once more\n"),
        n => out.push_str(&format!("  and {} times more\n", count(u64::from(n)))),
    }
    out
}

/// `error[pack/rule]`
pub(super) fn heading(severity: Severity, level: &str, code: &str, style: &Style) -> String {
    let paint = Paint::new(style);
    let level = match severity {
        Severity::Error => paint.red(level),
        Severity::Warning => paint.yellow(level),
        Severity::Advice => paint.cyan(level),
    };
    format!("{level}[{}]\n", visible(code))
}

/// Writes a note below a picture.
pub(super) fn footer(out: &mut String, name: &str, text: &str, style: &Style) {
    let indent = name.len() + 4;
    let lines = wrap(&visible(text), columns(style) - indent);
    out.push_str("  ");
    out.push_str(&Paint::new(style).cyan(&format!("{name}:")));
    out.push(' ');
    out.push_str(&lines.join(&format!("\n{:indent$}", "")));
    out.push('\n');
}

fn at_fault(party: Party) -> &'static str {
    match party {
        Party::Client => "the client",
        Party::Server => "the server",
        Party::Intermediary => "an intermediary",
        Party::Recorder => "the recorder",
        Party::Sender => "the sender",
        Party::Receiver => "the receiver",
    }
}

/// The way to a place, for people; none if it is the record itself.
fn way(place: &Place) -> Option<String> {
    match place.inner.as_deref() {
        None | Some("") if place.outer.is_empty() => None,
        None | Some("") => Some(place.outer.to_string()),
        Some(inner) if place.outer.is_empty() => Some(inner.to_owned()),
        Some(inner) => Some(format!("{inner} in {}", place.outer)),
    }
}

/// The excerpts of all records that are labelled, a box for each file, that of the primary label first. Says whether
/// something of them was left out.
fn blocks(labels: &[Located<'_>], locator: &Locator<'_>, style: &Style) -> (Vec<Block>, bool) {
    let largest = labels.iter().map(|l| l.start.line).max().unwrap_or(0);
    let room = line_width(style, largest);
    let mut by_record: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (i, label) in labels.iter().enumerate() {
        by_record.entry(label.mark.place.record).or_default().push(i);
    }
    let mut elided = false;
    let mut files: BTreeMap<u32, Vec<Row>> = BTreeMap::new();
    for (record, members) in by_record {
        let members: Vec<_> = members
            .iter()
            .filter_map(|i| labels.get(*i).map(|l| (*i, l)))
            .collect();
        let rows = files.entry(record.file).or_default();
        let read = members.first().and_then(|(_, l)| l.record.as_ref());
        let bytes = read.map_or(&b"(this record cannot be read)"[..], |known| known.bytes());
        let whole = || 0..bytes.len();
        let range = |label: &Located<'_>| {
            if read.is_some() {
                label.range.clone()
            } else {
                whole()
            }
        };
        let ranges: Vec<_> = members.iter().map(|(_, l)| range(l)).collect();
        let shown = lines(bytes, &ranges);
        for line in shown {
            elided |= line.bytes.len() != bytes.len();
            let foci: Vec<_> = line.foci.iter().map(|(_, range)| range.clone()).collect();
            let short = excerpt(&line.bytes, &foci, room);
            elided |= short.elided;
            let first = line.foci.first().and_then(|(i, _)| members.get(*i));
            let spots = line.foci.iter().zip(short.focus).filter_map(|((i, _), range)| {
                let (i, label) = members.get(*i)?;
                Some(Spot {
                    range,
                    text: label.mark.text.clone(),
                    primary: *i == 0,
                    start: label.start,
                })
            });
            rows.push(Row {
                line: first.map_or(u64::from(record.line), |(_, l)| l.start.line),
                spots: spots.collect(),
                text: short.text,
            });
        }
    }
    let main = labels.first().map_or(0, |l| l.mark.place.record.file);
    let mut blocks: Vec<_> = files.into_iter().collect();
    blocks.sort_by_key(|(file, _)| *file != main);
    let named = blocks.into_iter().map(|(file, rows)| Block {
        name: locator.name(file),
        rows,
    });
    (named.collect(), elided)
}
