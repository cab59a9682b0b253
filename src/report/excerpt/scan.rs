//! A tolerant look at a JSON text: the way to what is in focus, and little of what stands beside it.
//!
//! Nothing here fails: what is no JSON gives odd items, never a panic. Two passes over the bytes, both without
//! recursion over what is not on the way to a focus.

use std::collections::BTreeMap;
use std::ops::Range;

use super::layer::{Item, Kind, Layer, Node, Rank};
use super::unescape::unescape;

/// Steps that are followed; what lies deeper is shown as plain text.
const DEPTH: usize = 100;
/// Neighbours that are remembered per container.
const SHORT_ITEMS: usize = 12;
/// The longest neighbour, in bytes, that is remembered.
const SHORT: usize = 40;
/// Members that tell which message or entry this is.
const TELLING: [&[u8]; 4] = [b"id", b"method", b"type", b"name"];

/// Looks at a text. `None` if it does not look like JSON.
pub fn scan(bytes: Vec<u8>, foci: Vec<Option<Range<usize>>>, depth: usize) -> Option<Layer> {
    let first = bytes.iter().find(|b| !b.is_ascii_whitespace())?;
    if !matches!(first, b'{' | b'[' | b'"') {
        return None;
    }
    let scanner = Scanner {
        ends: enclosing(&bytes, &foci),
        bytes: &bytes,
        foci: &foci,
    };
    let (items, more) = scanner.items(0, bytes.len(), depth);
    Some(Layer {
        items,
        more,
        bytes,
        foci,
    })
}

pub(super) fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// One past the closing quote of the string that begins at `at`, or the end of the text.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while let Some(b) = bytes.get(i) {
        match b {
            b'"' => return i + 1,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// Start and end of all containers that contain a focus.
fn enclosing(bytes: &[u8], foci: &[Option<Range<usize>>]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    let mut open = Vec::new();
    let mut close = |start: usize, end: usize| {
        if foci.iter().flatten().any(|f| contains(&(start..end), f)) {
            found.insert(start, end);
        }
    };
    let mut i = 0;
    while let Some(b) = bytes.get(i) {
        match b {
            b'"' => {
                i = string_end(bytes, i);
                continue;
            }
            b'{' | b'[' => open.push(i),
            b'}' | b']' => {
                if let Some(start) = open.pop() {
                    close(start, i + 1);
                }
            }
            _ => {}
        }
        i += 1;
    }
    for start in open {
        close(start, bytes.len());
    }
    found
}

struct Scanner<'a> {
    bytes: &'a [u8],
    foci: &'a [Option<Range<usize>>],
    ends: BTreeMap<usize, usize>,
}

impl Scanner<'_> {
    fn skip(&self, mut at: usize, also: &[u8]) -> usize {
        while self
            .bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_whitespace() || also.contains(b))
        {
            at += 1;
        }
        at
    }

    /// One past the value that begins at `at`; always beyond `at`.
    fn value_end(&self, at: usize) -> usize {
        match self.bytes.get(at) {
            Some(b'"') => string_end(self.bytes, at),
            Some(b'{' | b'[') => self
                .ends
                .get(&at)
                .copied()
                .unwrap_or_else(|| self.container_end(at)),
            _ => {
                let stop = |b: &u8| b.is_ascii_whitespace() || b",:{}[]\"".contains(b);
                let rest = self.bytes.get(at + 1..).unwrap_or(&[]);
                at + 1 + rest.iter().position(stop).unwrap_or(rest.len())
            }
        }
    }

    fn container_end(&self, at: usize) -> usize {
        let mut depth = 0usize;
        let mut i = at;
        while let Some(b) = self.bytes.get(i) {
            match b {
                b'"' => {
                    i = string_end(self.bytes, i);
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            i += 1;
            if depth == 0 {
                return i;
            }
        }
        self.bytes.len()
    }

    /// The items between two offsets that matter, and whether there are others behind the last of them.
    fn items(&self, start: usize, end: usize, depth: usize) -> (Vec<Item>, bool) {
        let (items, mut more) = self.all_items(start, end, depth);
        let on_way = items.iter().filter(|i| i.rank == Rank::OnTheWay);
        let height = on_way.map(|i| i.value.height).max().unwrap_or(0);
        // Short neighbours explain what they stand beside, or, as members, its container; farther up they are noise.
        let matters =
            |item: &Item| item.rank > Rank::Short || height == 0 || height == 1 && item.name.is_some();
        let mut left_out = false;
        let mut kept = Vec::with_capacity(items.len());
        for mut item in items {
            left_out |= item.skipped;
            if matters(&item) {
                item.skipped = std::mem::take(&mut left_out);
                kept.push(item);
            } else {
                left_out = true;
            }
        }
        more |= left_out;
        (kept, more)
    }

    fn all_items(&self, start: usize, end: usize, depth: usize) -> (Vec<Item>, bool) {
        let mut items = Vec::new();
        let mut skipped = false;
        let mut short = 0;
        let mut at = start;
        loop {
            at = self.skip(at, b",:");
            if at >= end {
                return (items, skipped);
            }
            let begin = at;
            let mut name = None;
            if self.bytes.get(at) == Some(&b'"') {
                let after = self.skip(string_end(self.bytes, at), b"");
                if self.bytes.get(after) == Some(&b':') && after < end {
                    name = Some(at..string_end(self.bytes, at));
                    at = self.skip(after + 1, b"");
                }
            }
            let value = at.min(end)..self.value_end(at).min(end);
            at = value.end.max(begin + 1);
            let whole = begin..value.end.max(begin);
            match self.rank(&name, &value, &whole) {
                Some(Rank::Short) if short >= SHORT_ITEMS => skipped = true,
                Some(rank) => {
                    short += usize::from(rank < Rank::OnTheWay);
                    let value = self.node(value, depth);
                    items.push(Item {
                        name,
                        value,
                        skipped: std::mem::take(&mut skipped),
                        rank,
                        place: 0,
                    });
                }
                None => skipped = true,
            }
        }
    }

    fn rank(&self, name: &Option<Range<usize>>, value: &Range<usize>, whole: &Range<usize>) -> Option<Rank> {
        if self.foci.iter().flatten().any(|f| contains(whole, f)) {
            return Some(Rank::OnTheWay);
        }
        if whole.len() > SHORT {
            return None;
        }
        let plain = !matches!(self.bytes.get(value.start), Some(b'{' | b'['));
        let telling = name.as_ref().is_some_and(|n| {
            let inside = n.start + 1..n.end.saturating_sub(1);
            self.bytes.get(inside).is_some_and(|n| TELLING.contains(&n))
        });
        Some(if plain && telling {
            Rank::Telling
        } else {
            Rank::Short
        })
    }

    fn node(&self, span: Range<usize>, depth: usize) -> Node {
        let plain = |kind, own| Node {
            span: span.clone(),
            kind,
            height: 0,
            own,
        };
        if !self.foci.iter().flatten().any(|f| contains(&span, f)) {
            return plain(Kind::Plain, false);
        }
        if depth >= DEPTH {
            return plain(Kind::Plain, true);
        }
        match self.bytes.get(span.start) {
            Some(b'"') => match self.embedded(&span, depth) {
                Some(layer) => {
                    let height = layer.items.iter().map(|i| i.value.height).max().unwrap_or(0);
                    let own = !self.inside(&span, |f| layer.reaches(f));
                    Node {
                        kind: Kind::Embedded(Box::new(layer)),
                        height,
                        own,
                        span,
                    }
                }
                None => plain(Kind::Text, true),
            },
            Some(b'{' | b'[') => {
                let closed = matches!(self.bytes.get(span.end - 1), Some(b'}' | b']')) && span.len() > 1;
                let inner_end = span.end - usize::from(closed);
                let (items, more) = self.items(span.start + 1, inner_end, depth + 1);
                let on_way = || items.iter().filter(|i| i.rank == Rank::OnTheWay);
                let height = on_way().map(|i| 1 + i.value.height).max().unwrap_or(0);
                let own = self
                    .foci
                    .iter()
                    .flatten()
                    .filter(|f| contains(&span, f))
                    .any(|f| {
                        !on_way().any(|i| {
                            contains(&i.value.span, f) || i.name.as_ref().is_some_and(|n| contains(n, f))
                        })
                    });
                Node {
                    kind: Kind::Container { items, more },
                    height,
                    own,
                    span,
                }
            }
            _ => plain(Kind::Plain, true),
        }
    }

    /// Whether all foci in a span lie where `test` says.
    fn inside(&self, span: &Range<usize>, test: impl Fn(usize) -> bool) -> bool {
        let within = |f: &Option<Range<usize>>| f.as_ref().is_some_and(|f| contains(span, f));
        (0..self.foci.len()).all(|i| !self.foci.get(i).is_some_and(within) || test(i))
    }

    /// The JSON text that a string holds, if it looks like one.
    fn embedded(&self, span: &Range<usize>, depth: usize) -> Option<Layer> {
        let raw = self.bytes.get(span.clone())?;
        let first = raw.iter().skip(1).find(|b| !b.is_ascii_whitespace())?;
        if !matches!(first, b'{' | b'[') {
            return None;
        }
        let (bytes, runs) = unescape(raw);
        let inner = |f: &Range<usize>| {
            let from = f.start.checked_sub(span.start)?;
            (f.end <= span.end).then(|| runs.range(from..f.end - span.start))?
        };
        let foci = self.foci.iter().map(|f| f.as_ref().and_then(inner)).collect();
        scan(bytes, foci, depth + 1)
    }
}
