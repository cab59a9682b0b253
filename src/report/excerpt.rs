//! A long record → one short line, with what is in focus kept.
//!
//! [`excerpt`] tries, from much to little, what fits the width: the line as it stands; the way to each focus with as many
//! of its short neighbours as fit, first those that tell the message (`id`, `method`, `type`, `name`), then those next to
//! the focus; the bare way; the last two steps of it; the last step; and in the end a window around each focus. What is
//! left out becomes `…`. The message in a recording is often a JSON text inside a string: the part of it that is in focus
//! is shown unescaped, without quotes.
//!
//! Any bytes are taken, and the result always fits.

mod layer;
mod lines;
mod scan;
mod unescape;
mod writer;

use std::ops::Range;

use layer::{Item, Kind, Layer, Node, Rank};
pub use lines::{SourceLine, lines};
use scan::scan;
use writer::Writer;

/// One line that stands for a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, safe to print.
    pub text: String,
    /// For each focus asked for, in that order, its bytes in the line; never empty.
    pub focus: Vec<Range<usize>>,
    /// Something was left out or is shown unescaped.
    pub elided: bool,
}

/// Neighbours that are shown at most.
const NEIGHBOURS: usize = 24;

/// Characters of a string in focus that are shown at least, as long as it is not a mere window.
const TEXT: usize = 12;

/// What is shown at one of the tries.
#[derive(Debug, Clone, Copy)]
struct Detail {
    /// So many of the neighbours are shown.
    keep: usize,
    /// Values up to this many bytes are shown as they are.
    short: usize,
    /// Characters on both sides of a focus inside a string.
    side: usize,
    /// Characters of a string that is in focus itself.
    text: usize,
    /// Only this many last steps of each way; 0: all.
    last: usize,
}

/// Shortens a line to a number of columns, around byte ranges in it.
pub fn excerpt(line: &[u8], focus: &[Range<usize>], width: usize) -> Excerpt {
    shorten(line, focus, width, true)
}

/// Shortens a line that is no JSON: what lies around the byte ranges is kept as far as it fits.
pub fn window(line: &[u8], focus: &[Range<usize>], width: usize) -> Excerpt {
    shorten(line, focus, width, false)
}

fn shorten(line: &[u8], focus: &[Range<usize>], width: usize, json: bool) -> Excerpt {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let width = width.max(1);
    if line.is_empty() {
        return Excerpt {
            text: " ".to_owned(),
            focus: focus.iter().map(|_| 0..1).collect(),
            elided: false,
        };
    }
    let foci: Vec<_> = focus.iter().map(|f| Some(tidy(line, f))).collect();
    if line.len() <= width * 8 {
        let mut whole = Writer::new(width, foci.len());
        whole.source(line, &foci, 0..line.len());
        if let Some((text, focus)) = whole.finish() {
            return Excerpt {
                text,
                focus,
                elided: false,
            };
        }
    }
    let structured = if json {
        structured(line, &foci, width)
    } else {
        None
    };
    let (text, focus) = structured
        .or_else(|| around(line, &foci, width))
        .unwrap_or_else(|| beginning(line, &foci, width));
    Excerpt {
        text,
        focus,
        elided: true,
    }
}

/// A range inside the line that is not empty: nothing becomes the byte that follows, or the last one.
fn tidy(line: &[u8], range: &Range<usize>) -> Range<usize> {
    let start = range.start.min(line.len());
    let end = range.end.min(line.len());
    if start < end {
        return start..end;
    }
    let mut at = start.min(line.len() - 1);
    // The whole of a character, so that the mark has its width.
    while at > 0 && start - at < 3 && line.get(at).is_some_and(|b| b & 0xc0 == 0x80) {
        at -= 1;
    }
    at..at + 1
}

fn structured(
    line: &[u8],
    foci: &[Option<Range<usize>>],
    width: usize,
) -> Option<(String, Vec<Range<usize>>)> {
    let mut layer = scan(line.to_vec(), foci.to_vec(), 0)?;
    let neighbours = layer.order().min(NEIGHBOURS);
    let detail = Detail {
        keep: 0,
        short: 40,
        side: 24,
        text: (width / 2 / foci.len().max(1)).max(TEXT),
        last: 0,
    };
    let keeping = |detail: Detail| (0..=neighbours).rev().map(move |keep| Detail { keep, ..detail });
    let fewer = |detail: Detail, short| Detail { short, ..detail };
    let smaller = |detail: Detail| Detail {
        short: 12,
        side: detail.side / 2,
        text: (detail.text / 2).max(TEXT),
        ..detail
    };
    let last = |last| Detail { last, ..detail };
    let tries = keeping(detail)
        .chain([fewer(detail, 24), fewer(detail, 12)])
        .chain(keeping(last(2)))
        .chain([fewer(last(2), 24), last(1), smaller(last(2))])
        .chain([smaller(last(1)), smaller(smaller(last(1)))]);
    tries.into_iter().find_map(|detail| {
        let mut out = Writer::new(width, foci.len());
        if detail.last == 0 {
            sequence(&mut out, &layer, &layer.items, layer.more, detail);
        } else if tails(&mut out, &layer, &layer.items, false, detail) {
            out.literal(" …");
        }
        out.finish()
    })
}

/// Writes items between commas, what is left out as `…`.
fn sequence(out: &mut Writer, layer: &Layer, items: &[Item], more: bool, detail: Detail) {
    let mut first = true;
    let mut gap = false;
    let mut separate = |out: &mut Writer| {
        if !std::mem::take(&mut first) {
            out.literal(", ");
        }
    };
    for shown in items {
        gap |= shown.skipped;
        if shown.rank != Rank::OnTheWay && shown.place >= detail.keep || out.is_full() {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) {
            separate(out);
            out.literal("…");
        }
        separate(out);
        item(out, layer, shown, detail);
    }
    if gap || more {
        separate(out);
        out.literal("…");
    }
}

fn item(out: &mut Writer, layer: &Layer, item: &Item, detail: Detail) {
    if let Some(name) = &item.name {
        out.cut(
            &layer.bytes,
            &layer.foci,
            name.clone(),
            detail.side,
            detail.text.max(24),
            true,
        );
        out.literal(": ");
    }
    node(out, layer, &item.value, detail);
}

fn node(out: &mut Writer, layer: &Layer, node: &Node, detail: Detail) {
    let (bytes, foci) = (&layer.bytes, &layer.foci);
    let inside = |range: Range<usize>| range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
    let container = matches!(bytes.get(node.span.start), Some(b'{' | b'['));
    match &node.kind {
        Kind::Embedded(inner) if inner.bytes.len() <= detail.short => {
            out.source(&inner.bytes, &inner.foci, 0..inner.bytes.len());
        }
        Kind::Embedded(inner) => sequence(out, inner, &inner.items, inner.more, detail),
        _ if node.span.len() <= detail.short => out.source(bytes, foci, node.span.clone()),
        Kind::Container { items, more } => {
            brackets(out, layer, node, |out| sequence(out, layer, items, *more, detail));
        }
        Kind::Plain if container && !node.own => brackets(out, layer, node, |out| out.literal("…")),
        Kind::Text => {
            let content = inside(node.span.clone());
            let closed = node.span.len() > 1 && bytes.get(node.span.end - 1) == Some(&b'"');
            let content = content.start..if closed { content.end } else { node.span.end };
            out.source(bytes, foci, node.span.start..content.start);
            out.cut(bytes, foci, content.clone(), detail.side, detail.text, true);
            out.source(bytes, foci, content.end..node.span.end);
        }
        Kind::Plain => {
            let text = if node.own { detail.text } else { TEXT };
            out.cut(bytes, foci, node.span.clone(), detail.side, text, false);
        }
    }
}

fn brackets(out: &mut Writer, layer: &Layer, node: &Node, content: impl FnOnce(&mut Writer)) {
    let span = &node.span;
    out.source(&layer.bytes, &layer.foci, span.start..span.start + 1);
    out.literal(" ");
    content(out);
    let last = span.end - 1;
    if last > span.start && matches!(layer.bytes.get(last), Some(b'}' | b']')) {
        out.literal(" ");
        out.source(&layer.bytes, &layer.foci, last..span.end);
    }
}

/// Writes the last steps of each way, what lies between them as `…`. `hidden`: something was left out before; the
/// answer: something was left out at the end.
fn tails(out: &mut Writer, layer: &Layer, items: &[Item], mut hidden: bool, detail: Detail) -> bool {
    for shown in items {
        hidden |= shown.skipped;
        if shown.rank != Rank::OnTheWay {
            hidden = true;
            continue;
        }
        let named = |name: &Range<usize>| {
            layer
                .foci
                .iter()
                .flatten()
                .any(|f| f.start < name.end && name.start < f.end)
        };
        let here = shown.value.own || shown.name.as_ref().is_some_and(named);
        let below = match &shown.value.kind {
            Kind::Container { items, .. } => Some((layer, items)),
            Kind::Embedded(inner) => Some((&**inner, &inner.items)),
            Kind::Plain | Kind::Text => None,
        };
        match below {
            Some((layer, items)) if !here && shown.value.height >= detail.last => {
                tails(out, layer, items, true, detail);
                hidden = true;
            }
            _ => {
                match (out.is_empty(), hidden) {
                    (true, true) => out.literal("… "),
                    (false, true) => out.literal(" … "),
                    (true, false) => {}
                    (false, false) => out.literal(", "),
                }
                item(out, layer, shown, detail);
                hidden = false;
            }
        }
    }
    hidden
}

/// A window around each focus, as wide as fits.
fn around(line: &[u8], foci: &[Option<Range<usize>>], width: usize) -> Option<(String, Vec<Range<usize>>)> {
    let share = width / foci.len().max(1);
    let texts = [
        width,
        width * 2 / 3,
        width / 2,
        share,
        share / 2,
        share / 3,
        4,
        2,
        1,
    ];
    texts.iter().find_map(|&text| {
        let attempt = |side| {
            let mut out = Writer::new(width, foci.len());
            out.cut(line, foci, 0..line.len(), side, text.max(1), false);
            out.finish()
        };
        let mut best = attempt(0)?;
        let mut fits = 0;
        let mut too_wide = width + 1;
        while fits + 1 < too_wide {
            let side = (fits + too_wide) / 2;
            match attempt(side) {
                Some(done) => (best, fits) = (done, side),
                None => too_wide = side,
            }
        }
        Some(best)
    })
}

/// When not even one character of each focus fits: the first characters, then `…` for every focus behind them.
fn beginning(line: &[u8], foci: &[Option<Range<usize>>], width: usize) -> (String, Vec<Range<usize>>) {
    let mut out = Writer::new(width - 1, foci.len());
    let start = foci.iter().flatten().map(|f| f.start).min().unwrap_or(0);
    let end = (start + width).min(line.len());
    out.prefix(line, foci, start..end);
    out.rest()
}

#[cfg(test)]
mod tests;
