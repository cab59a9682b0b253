//! Making documents.

use std::fmt::Write as _;

use super::{Document, Json, JsonKind, NONE, Node, Origin};

/// Makes documents, value by value, containers before their content.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    text: String,
    /// Open containers with their last child.
    open: Vec<(u32, u32)>,
    key: Option<(u32, u32)>,
    index: u32,
}

impl Builder {
    /// Nothing yet.
    pub fn new() -> Self {
        Builder::default()
    }

    /// The finished document. It is at most 4 GiB: longer texts are refused before decoding.
    pub fn finish(self, origin: Option<Origin>) -> Document {
        Document {
            nodes: self.nodes,
            text: self.text,
            origin,
        }
    }

    /// The name of the member that comes next.
    pub fn key(&mut self, name: &str) {
        self.key = Some(self.push_text(name));
    }

    /// The index of the element that comes next, in the list as written.
    pub fn index(&mut self, index: usize) {
        self.index = u32::try_from(index).unwrap_or(NONE);
    }

    /// `null`
    pub fn null(&mut self) {
        self.push(JsonKind::Null, 0, 0);
    }

    /// A boolean.
    pub fn boolean(&mut self, value: bool) {
        self.push(JsonKind::Boolean, u32::from(value), 0);
    }

    /// A number, as written.
    pub fn number(&mut self, written: &str) {
        let key = self.key;
        let (start, length) = self.push_text(written);
        self.key = key;
        self.push(JsonKind::Number, start, length);
    }

    /// A whole number.
    pub fn whole(&mut self, value: impl std::fmt::Display) {
        let key = self.key.take();
        let start = self.text.len();
        let _ = write!(self.text, "{value}");
        let length = self.text.len() - start;
        self.key = key;
        let small = |n: usize| u32::try_from(n).unwrap_or(NONE);
        self.push(JsonKind::Number, small(start), small(length));
    }

    /// A text.
    pub fn text(&mut self, value: &str) {
        let (start, length) = self.push_text(value);
        self.push(JsonKind::Text, start, length);
    }

    /// Opens a list; [`close`](Self::close) ends it.
    pub fn list(&mut self) {
        let node = self.push(JsonKind::List, NONE, 0);
        self.open.push((node, NONE));
    }

    /// Opens an object; [`close`](Self::close) ends it.
    pub fn object(&mut self) {
        let node = self.push(JsonKind::Object, NONE, 0);
        self.open.push((node, NONE));
    }

    /// Ends the innermost open list or object.
    pub fn close(&mut self) {
        self.open.pop();
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

    fn push_text(&mut self, text: &str) -> (u32, u32) {
        let start = self.text.len();
        self.text.push_str(text);
        (
            u32::try_from(start).unwrap_or(NONE),
            u32::try_from(text.len()).unwrap_or(0),
        )
    }

    fn push(&mut self, kind: JsonKind, a: u32, b: u32) -> u32 {
        let node = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let parent = self.open.last().map_or(NONE, |(parent, _)| *parent);
        let key = self.key.take().unwrap_or((self.index, 0));
        self.nodes.push(Node {
            kind,
            parent,
            next: NONE,
            a,
            b,
            key,
        });
        if let Some((parent, last)) = self.open.last_mut() {
            if *last == NONE {
                self.nodes[*parent as usize].a = node;
            } else {
                self.nodes[*last as usize].next = node;
            }
            self.nodes[*parent as usize].b += 1;
            *last = node;
        }
        node
    }
}
