//! Diagnostics of rule files and configuration, for people.

use std::collections::BTreeMap;
use std::ops::Range;

use super::human::{footer, heading};
use super::human_labels::Spot;
use super::human_snippet::{Block, Row, draw, line_width};
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::report::Style;
use crate::report::excerpt::window;
use crate::report::location::Position;
use crate::source::{Source, SourceId, SourceMap};

/// Columns of a tab.
const TAB: usize = 4;

/// Writes one diagnostic with the lines of the text that it is about.
pub fn render_diagnostic(diagnostic: &Diagnostic, sources: &SourceMap, style: &Style) -> String {
    let (severity, level) = match diagnostic.severity {
        Severity::Error => (miette::Severity::Error, "error"),
        Severity::Warning => (miette::Severity::Warning, "warning"),
        Severity::Note => (miette::Severity::Advice, "note"),
    };
    let mut out = heading(severity, level, diagnostic.code, style);
    let blocks = blocks(&diagnostic.labels, sources, style);
    out.push_str(&draw(&diagnostic.message, severity, blocks, style));
    if let Some(help) = &diagnostic.help {
        footer(&mut out, "help", help, style);
    }
    out
}

/// A label with its bytes in the text; never empty unless the text is.
struct Place<'a> {
    label: &'a Label,
    range: Range<usize>,
    primary: bool,
    start: Position,
}

fn blocks(labels: &[Label], sources: &SourceMap, style: &Style) -> Vec<Block> {
    let mut by_source: BTreeMap<SourceId, BTreeMap<usize, Vec<Place<'_>>>> = BTreeMap::new();
    let mut largest = 0;
    for (i, label) in labels.iter().enumerate() {
        let Some(source) = sources.get(label.span.source) else {
            continue;
        };
        let range = tidy(&source.text, label.span.start as usize, label.span.end as usize);
        let (line, column) = source.line_column(range.start);
        let start = Position {
            line: line as u64,
            column: column as u64,
        };
        largest = largest.max(start.line);
        let before = source.text.get(..range.start).unwrap_or("");
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let lines = by_source.entry(label.span.source).or_default();
        lines.entry(begin).or_default().push(Place {
            label,
            range,
            primary: i == 0,
            start,
        });
    }
    let room = line_width(style, largest);
    let main = labels.first().map(|l| l.span.source);
    let mut order: Vec<_> = by_source.into_iter().collect();
    order.sort_by_key(|(id, _)| Some(*id) != main);
    let block = |(id, lines): (SourceId, BTreeMap<usize, Vec<Place<'_>>>)| {
        let source = sources.get(id)?;
        Some(Block {
            name: source.name.clone(),
            rows: lines
                .iter()
                .map(|(begin, places)| row(source, *begin, places, room))
                .collect(),
        })
    };
    order.into_iter().filter_map(block).collect()
}

/// A range of whole characters that shows something: a place between two characters becomes the one behind it, or, at
/// the end of a line, the one before.
fn tidy(text: &str, start: usize, end: usize) -> Range<usize> {
    let start = text.floor_char_boundary(start.min(text.len()));
    let end = text.ceil_char_boundary(end.clamp(start, text.len()));
    let line_end = text
        .get(start..)
        .is_none_or(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
    if !line_end {
        return start..end.max(text.ceil_char_boundary(start + 1));
    }
    let before = text.get(..start).unwrap_or("").trim_end_matches('\r');
    // Behind the last line end of the text, what stands before it is meant.
    let before = if start == text.len() {
        before.trim_end()
    } else {
        before
    };
    match before.chars().next_back() {
        Some(c) if c != '\n' => before.len() - c.len_utf8()..end.max(before.len()),
        _ => start..end,
    }
}

fn row(source: &Source, begin: usize, places: &[Place<'_>], room: usize) -> Row {
    let rest = source.text.get(begin..).unwrap_or("");
    let line = rest.lines().next().unwrap_or("");
    let tabs = expand(line);
    let foci: Vec<_> = places
        .iter()
        .map(|p| tabs.map(p.range.start - begin)..tabs.map(p.range.end - begin))
        .collect();
    let short = window(tabs.text.as_bytes(), &foci, room);
    let spots = places.iter().zip(short.focus).map(|(place, range)| Spot {
        range,
        text: place.label.text.clone(),
        primary: place.primary,
        start: place.start,
    });
    Row {
        line: places.first().map_or(1, |p| p.start.line),
        spots: spots.collect(),
        text: short.text,
    }
}

/// A line whose tabs are blanks.
struct Expanded {
    text: String,
    /// Offset behind each tab: in the line, in the text.
    tabs: Vec<(usize, usize)>,
}

fn expand(line: &str) -> Expanded {
    let mut text = String::with_capacity(line.len());
    let mut tabs = Vec::new();
    let mut column = 0;
    for (at, c) in line.char_indices() {
        if c == '\t' {
            let blanks = TAB - column % TAB;
            text.extend(std::iter::repeat_n(' ', blanks));
            tabs.push((at + 1, text.len()));
            column += blanks;
        } else {
            text.push(c);
            column += crate::report::visible::columns(c);
        }
    }
    Expanded { text, tabs }
}

impl Expanded {
    fn map(&self, offset: usize) -> usize {
        let next = self.tabs.partition_point(|(at, _)| *at <= offset);
        let before = next.checked_sub(1).and_then(|i| self.tabs.get(i));
        let (at, to) = before.copied().unwrap_or((0, 0));
        (to + offset - at).min(self.text.len())
    }
}
