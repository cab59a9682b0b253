//! Excerpted lines with labels under them, drawn by miette.
//!
//! What miette cannot do is done around it: labels are made disjoint beforehand, since it draws others wrongly; lines
//! that are not neighbours stand in one box, since it is told a run of line numbers that is put right afterwards; long
//! lines never reach it.

use std::fmt;
use std::ops::Range;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    Severity, SourceCode, SourceSpan, SpanContents,
};

use super::human_labels::{Spot, disjoint, fold};
use crate::report::Style;
use crate::report::visible::{visible, wrap};

/// Columns that text for people takes: what is narrower is not readable, what is wider helps nobody.
pub(super) fn columns(style: &Style) -> usize {
    style.width.clamp(40, 400)
}

/// A box of lines of one file.
#[derive(Debug)]
pub(super) struct Block {
    /// The name of the file.
    pub name: String,
    /// In order; where one does not follow the one before, a gap is drawn.
    pub rows: Vec<Row>,
}

impl Block {
    /// Lines with the gaps between them.
    fn height(&self) -> usize {
        let gaps = self
            .rows
            .windows(2)
            .filter(|pair| matches!(pair, [a, b] if is_gap(a.line, b.line)));
        self.rows.len() + gaps.count()
    }
}

/// Whether lines are left out between two lines.
fn is_gap(before: u64, line: u64) -> bool {
    line > before + 1
}

/// A line.
#[derive(Debug)]
pub(super) struct Row {
    /// Its number in the file.
    pub line: u64,
    /// What is shown of it: short, visible, without line end.
    pub text: String,
    /// What is said about it.
    pub spots: Vec<Spot>,
}

/// How many columns lines may take beside their numbers.
pub(super) fn line_width(style: &Style, largest_line: u64) -> usize {
    columns(style) - largest_line.to_string().len().min(20) - 4
}

/// Draws a title and boxes below it.
pub(super) fn draw(title: &str, severity: Severity, blocks: Vec<Block>, style: &Style) -> String {
    let picture = Picture::new(title, severity, blocks, style);
    let mut theme = match (style.unicode, style.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    };
    let styles = &theme.styles;
    let (main, other) = match severity {
        Severity::Error => (styles.error, styles.help),
        Severity::Warning => (styles.warning, styles.help),
        Severity::Advice => (styles.advice, styles.warning),
    };
    let colors: Vec<_> = picture
        .spots
        .iter()
        .map(|s| if s.primary { main } else { other })
        .collect();
    if !colors.is_empty() {
        theme.styles.highlights = colors;
    }
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(columns(style))
        .with_wrap_lines(false)
        .with_links(false)
        .without_syntax_highlighting();
    let mut out = String::new();
    if handler.render_report(&mut out, &picture).is_err() {
        // It fails only if the source does, which holds everything that is labelled.
        out.clear();
        out.push_str(title);
        out.push('\n');
    }
    let out = out.strip_prefix('\n').unwrap_or(&out);
    renumber(out, &picture, style)
}

/// What is handed to miette: all boxes as one text.
#[derive(Debug)]
struct Picture {
    title: String,
    severity: Severity,
    text: String,
    /// The bytes of each box in the text, and its name.
    blocks: Vec<(Range<usize>, String)>,
    /// All labels in the order of the text, their ranges those in the text.
    spots: Vec<Spot>,
    /// For each line that miette numbers, its true number; `None` for a gap.
    numbers: Vec<Option<u64>>,
    /// The number of lines of each box.
    heights: Vec<usize>,
    /// Digits of a line number.
    digits: usize,
}

impl Picture {
    fn new(title: &str, severity: Severity, blocks: Vec<Block>, style: &Style) -> Self {
        let largest = blocks
            .iter()
            .flat_map(|b| &b.rows)
            .map(|r| r.line)
            .max()
            .unwrap_or(0);
        let most = blocks.iter().map(|b| b.height()).max().unwrap_or(0);
        let mut digits = largest.to_string().len();
        while 9 * power(digits) < most {
            digits += 1;
        }
        let mut picture = Picture {
            title: wrap(&visible(title), columns(style) - 6).join("\n"),
            severity,
            text: String::new(),
            blocks: Vec::new(),
            spots: Vec::new(),
            numbers: Vec::new(),
            heights: Vec::new(),
            digits,
        };
        let room = columns(style).saturating_sub(digits + 4);
        for block in blocks {
            picture.add(block, room);
        }
        picture
    }

    fn add(&mut self, block: Block, room: usize) {
        let start = self.text.len();
        let first = self.numbers.len();
        let mut last = None;
        for row in block.rows {
            if last.is_some_and(|last| is_gap(last, row.line)) {
                self.numbers.push(None);
                self.text.push('\n');
            }
            last = Some(row.line);
            self.numbers.push(Some(row.line));
            let offset = self.text.len();
            for mut spot in disjoint(&row.text, row.spots) {
                spot.text = spot.text.map(|t| fold(&t, &row.text, &spot.range, room));
                spot.range = spot.range.start + offset..spot.range.end + offset;
                self.spots.push(spot);
            }
            self.text.push_str(&row.text);
            self.text.push('\n');
        }
        self.text.truncate(self.text.len().saturating_sub(1).max(start));
        self.heights.push(self.numbers.len() - first);
        self.blocks.push((start..self.text.len(), visible(&block.name)));
        // Labels of different boxes do not touch.
        self.text.push('\n');
    }

    /// The number that miette is told for the first line of each box: it has as many digits as the largest one.
    fn base(&self) -> usize {
        power(self.digits)
    }
}

/// The least number of so many digits.
fn power(digits: usize) -> usize {
    10_usize.saturating_pow(u32::try_from(digits - 1).unwrap_or(0))
}

/// Puts the true line numbers in place of those that miette was told.
fn renumber(drawn: &str, picture: &Picture, style: &Style) -> String {
    let told = picture
        .heights
        .iter()
        .flat_map(|h| (0..*h).map(|i| picture.base() + i));
    let mut lines = told.zip(&picture.numbers).peekable();
    let digits = picture.digits;
    let mut out = String::with_capacity(drawn.len());
    for line in drawn.split_inclusive('\n') {
        let Some((told, number)) = lines.peek() else {
            out.push_str(line);
            continue;
        };
        let told = told.to_string();
        let gutter =
            skip_style(line).filter(|at| line.get(*at..).is_some_and(|rest| rest.starts_with(&told)));
        match (gutter, number) {
            (Some(at), Some(number)) => {
                out.push_str(line.get(..at).unwrap_or(""));
                out.push_str(&format!("{number:>digits$}"));
                out.push_str(line.get(at + told.len()..).unwrap_or(""));
            }
            (Some(_), None) if style.unicode => out.push_str(&format!(" {:digits$} ⋮\n", "")),
            (Some(_), None) => out.push_str(&format!(" {:digits$} ...\n", "")),
            (None, _) => {
                out.push_str(line);
                continue;
            }
        }
        lines.next();
    }
    out
}

/// Where a line begins after the blank and the escape sequence of its number.
fn skip_style(line: &str) -> Option<usize> {
    let rest = line.strip_prefix(' ')?;
    match rest.strip_prefix("\u{1b}[") {
        Some(rest) => rest.find('m').map(|end| 1 + 2 + end + 1),
        None => Some(1),
    }
}

impl SourceCode for Picture {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let wanted = span.offset()..span.offset() + span.len();
        let holds = |range: &Range<usize>| range.start <= wanted.start && wanted.end <= range.end;
        // Labels in two boxes are never brought together.
        let block = self.blocks.iter().find(|(range, _)| holds(range));
        let (range, name) = block.ok_or(MietteError::OutOfBounds)?;
        let spot = self.spots.iter().find(|s| s.range.start == wanted.start);
        let (range, line, column) = match spot {
            // Without context, miette asks for what it writes into the header.
            Some(spot) if before == 0 => (wanted, spot.start.line, spot.start.column),
            _ => (range.clone(), self.base() as u64, 1),
        };
        let bytes = self
            .text
            .as_bytes()
            .get(range.clone())
            .ok_or(MietteError::OutOfBounds)?;
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).saturating_sub(1);
        Ok(Box::new(MietteSpanContents::new_named(
            name.clone(),
            bytes,
            range.into(),
            number(line),
            number(column),
            0,
        )))
    }
}

impl Diagnostic for Picture {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.spots.is_empty()).then_some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.spots.iter().map(|spot| {
            let (text, span) = (spot.text.clone(), spot.range.clone());
            if spot.primary {
                LabeledSpan::new_primary_with_span(text, span)
            } else {
                LabeledSpan::new_with_span(text, span)
            }
        })))
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)
    }
}

impl std::error::Error for Picture {}

#[cfg(test)]
#[path = "human_snippet_tests.rs"]
mod tests;
