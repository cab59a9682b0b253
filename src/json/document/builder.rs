//! Making documents.

use crate::json::is_redaction;

use super::{Document, Json, JsonKind, NONE, Node, Origin};

/// Where a value stands: its container, and its name there or its index.
#[derive(Debug, Clone, Copy)]
pub(in crate::json) struct Spot {
    parent: u32,
    key: (u32, u32),
}

impl Spot {
    /// Of the outermost value.
    pub(in crate::json) const ROOT: Spot = Spot {
        parent: NONE,
        key: (0, 0),
    };
}

/// A container that is being filled.
#[derive(Debug)]
pub(in crate::json) struct Row {
    node: u32,
    last: u32,
    count: u32,
}

impl Row {
    #[inline]
    fn new(node: u32) -> Self {
        Row {
            node,
            last: NONE,
            count: 0,
        }
    }

    /// Of a child, given the place of its name in the texts, or its index and 0.
    #[inline]
    pub(in crate::json) fn spot(&self, key: (u32, u32)) -> Spot {
        Spot {
            parent: self.node,
            key,
        }
    }
}

/// Makes documents, value by value, containers before their content.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    text: String,
    between: usize,
    /// Open containers.
    open: Vec<Row>,
    key: Option<(u32, u32)>,
    index: u32,
}

impl Builder {
    /// Nothing yet.
    pub fn new() -> Self {
        Builder::default()
    }

    /// The finished document. It is at most 4 GiB: longer texts are refused before decoding.
    pub fn finish(mut self, origin: Option<Origin>) -> Document {
        while !self.open.is_empty() {
            self.close();
        }
        // Documents live on; what is left of the room would live on with them.
        self.nodes.shrink_to_fit();
        let mut document = Document {
            nodes: self.nodes,
            text: self.text.into(),
            between: self.between,
            origin,
            hidden: Box::default(),
            partial: false,
        };
        document.hidden = document.marks(is_redaction);
        document
    }

    /// The name of the member that comes next.
    pub fn key(&mut self, name: &str) {
        self.key = Some(self.append(|text| text.push_str(name)));
    }

    /// The index of the element that comes next, in the list as written.
    pub fn index(&mut self, index: usize) {
        self.index = small(index);
    }

    /// `null`
    pub fn null(&mut self) {
        self.push(JsonKind::Null, (0, 0));
    }

    /// A boolean.
    pub fn boolean(&mut self, value: bool) {
        self.push(JsonKind::Boolean, (u32::from(value), 0));
    }

    /// A number, as written.
    pub fn number(&mut self, written: &str) {
        let digits = self.append(|text| text.push_str(written));
        self.push(JsonKind::Number, digits);
    }

    /// A text.
    pub fn text(&mut self, value: &str) {
        let text = self.append(|text| text.push_str(value));
        self.push(JsonKind::Text, text);
    }

    /// Opens a list; [`close`](Self::close) ends it.
    pub fn list(&mut self) {
        self.open(JsonKind::List);
    }

    /// Opens an object; [`close`](Self::close) ends it.
    pub fn object(&mut self) {
        self.open(JsonKind::Object);
    }

    /// Ends the innermost open list or object.
    pub fn close(&mut self) {
        if let Some(row) = self.open.pop() {
            self.end(row);
        }
    }

    /// Copies a value of another document.
    pub fn copy(&mut self, value: &Json) {
        match value.kind() {
            JsonKind::Null => self.null(),
            JsonKind::Boolean => self.boolean(value.as_bool().unwrap_or(false)),
            JsonKind::Number => self.number(&value.to_text()),
            JsonKind::Text => self.text(value.as_str().unwrap_or("")),
            JsonKind::List => {
                self.list();
                for (i, child) in value.children().enumerate() {
                    self.index(i);
                    self.copy(&child);
                }
                self.close();
            }
            JsonKind::Object => {
                self.object();
                for child in value.children() {
                    self.key(child.name().unwrap_or(""));
                    self.copy(&child);
                }
                self.close();
            }
        }
    }

    fn open(&mut self, kind: JsonKind) {
        let node = self.push(kind, (NONE, 0));
        self.open.push(Row::new(node));
    }

    fn push(&mut self, kind: JsonKind, content: (u32, u32)) -> u32 {
        let key = self.key.take().unwrap_or((self.index, 0));
        let Some(mut row) = self.open.pop() else {
            return self.put(kind, content, Spot { key, ..Spot::ROOT });
        };
        let node = self.put(kind, content, row.spot(key));
        self.add(&mut row, node);
        self.open.push(row);
        node
    }
}

/// For those who keep the open containers themselves.
impl Builder {
    /// Nothing yet, with room for so many values and so many bytes of texts.
    pub(in crate::json) fn with_capacity(nodes: usize, bytes: usize) -> Self {
        Builder {
            nodes: Vec::with_capacity(nodes),
            text: String::with_capacity(bytes),
            ..Builder::default()
        }
    }

    /// The place of a piece of a text that will be appended next.
    #[inline]
    pub(in crate::json) fn coming(&self, start: usize, length: usize) -> (u32, u32) {
        (small(self.text.len() + start), small(length))
    }

    /// Of what is appended next, so many bytes are no part of a name or value.
    #[inline]
    pub(in crate::json) fn between(&mut self, bytes: usize) {
        self.between += bytes;
    }

    /// Appends to the texts, and says where.
    #[inline]
    pub(in crate::json) fn append(&mut self, append: impl FnOnce(&mut String)) -> (u32, u32) {
        let start = self.text.len();
        append(&mut self.text);
        (small(start), small(self.text.len() - start))
    }

    /// A value: what it holds is where it stands in the texts, or 1 for `true`.
    #[inline]
    pub(in crate::json) fn put(&mut self, kind: JsonKind, content: (u32, u32), spot: Spot) -> u32 {
        let node = small(self.nodes.len());
        self.nodes.push(Node {
            kind,
            parent: spot.parent,
            next: NONE,
            a: content.0,
            b: content.1,
            key: spot.key,
        });
        node
    }

    /// An empty container.
    #[inline]
    pub(in crate::json) fn row(&mut self, kind: JsonKind, spot: Spot) -> Row {
        Row::new(self.put(kind, (NONE, 0), spot))
    }

    /// The next child of a container.
    #[inline]
    pub(in crate::json) fn add(&mut self, row: &mut Row, child: u32) {
        if row.last == NONE {
            self.nodes[row.node as usize].a = child;
        } else {
            self.nodes[row.last as usize].next = child;
        }
        row.last = child;
        row.count += 1;
    }

    /// Ends a container, and says which node it is.
    #[inline]
    pub(in crate::json) fn end(&mut self, row: Row) -> u32 {
        self.nodes[row.node as usize].b = row.count;
        row.node
    }
}

#[inline]
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(NONE)
}
