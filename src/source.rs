//! Texts that people wrote (rule files, configuration) and places in them.
//!
//! A [`Span`] is a byte range in one source of a [`SourceMap`]. Lines and columns are computed only when something is
//! reported; recordings are not kept here, their places are [`Place`](crate::place::Place)s.

/// Handle of a text in a [`SourceMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SourceId(pub u32);

/// A byte range in one source: `start` included, `end` not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The text in which it lies.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A range of bytes in a source. Offsets beyond 4 GiB are cut; rule files are limited far below that.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        let cut = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            source,
            start: cut(start),
            end: cut(end),
        }
    }

    /// From the beginning of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A thing and where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The thing.
    pub node: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Ties a thing to its place.
    pub fn new(node: T, span: Span) -> Self {
        Spanned { node, span }
    }
}

/// One text with its name and the starts of its lines.
#[derive(Debug)]
pub struct Source {
    /// As the user knows it: a path, or `<command line>`.
    pub name: String,
    /// The text.
    pub text: String,
    lines: Vec<usize>,
}

impl Source {
    /// Line and column of a byte offset, both from 1; the column counts characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        let end = self.text.floor_char_boundary(offset);
        let column = self.text.get(start..end).map_or(0, |s| s.chars().count()) + 1;
        (line, column)
    }
}

/// All texts of one run.
#[derive(Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// Takes a text in and gives its handle.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let text = text.into();
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        self.sources.push(Source {
            name: name.into(),
            text,
            lines,
        });
        SourceId(u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX))
    }

    /// The source of a handle; `None` for a handle of another map.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0 as usize)
    }

    /// The text under a span; empty if the span is not of this map.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.source)
            .and_then(|s| s.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }
}
