//! A tree of JSON values in two flat buffers, and handles on its values.

mod builder;
mod view;

use std::fmt::Write as _;
use std::sync::Arc;

pub use self::builder::Builder;
pub(super) use self::builder::Spot;
pub use self::view::{Crumb, JsonView};

use super::number::Number;
use super::pointer::escape;
use super::redaction::is_redaction;
use crate::place::{Place, RecordId};

const NONE: u32 = u32::MAX;

/// Where the text of a document stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The record.
    pub record: RecordId,
    /// The way, in the record, to the text; see [`Place::outer`].
    pub outer: Arc<str>,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    kind: JsonKind,
    parent: u32,
    next: u32,
    /// First child of a container; `true` is 1; else start of the text.
    a: u32,
    /// Number of children; length of the text.
    b: u32,
    key: (u32, u32),
}

/// One decoded JSON text. It holds what was demanded of it.
#[derive(Debug)]
pub struct Document {
    nodes: Vec<Node>,
    text: Box<str>,
    /// How many bytes of the text are no part of a name or value.
    between: usize,
    origin: Option<Origin>,
    /// The texts in it that stand for values that a recorder left out, in order.
    hidden: Box<[u32]>,
    /// Objects in it may have had members that were not recorded.
    partial: bool,
}

impl Document {
    /// Where the text stood; `None` for values that were computed.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// Whether something in it was left out by whoever recorded it.
    pub fn hides(&self) -> bool {
        self.partial || !self.hidden.is_empty()
    }

    /// Whether it was [put together](Self::put_together).
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// It was put together from what was recorded elsewhere: of objects only some members are known, and the outermost
    /// members of these names were never recorded.
    pub fn put_together(&mut self, made_up: &[&str]) {
        self.partial = true;
        let first = self.nodes.first().map_or(NONE, |root| root.a);
        let members = std::iter::successors(self.nodes.get(first as usize).map(|_| first), |at| {
            let next = self.nodes[*at as usize].next;
            (next != NONE).then_some(next)
        });
        let made_up = members.filter(|at| {
            let node = &self.nodes[*at as usize];
            made_up.contains(&self.slice(node.key.0, node.key.1))
        });
        let mut hidden: Vec<u32> = self.hidden.iter().copied().chain(made_up).collect();
        hidden.sort_unstable();
        hidden.dedup();
        self.hidden = hidden.into();
    }

    /// Also takes these texts for marks where a value was left out.
    pub fn hide(&mut self, marks: &[String]) {
        self.hidden = self.marks(|text| is_redaction(text) || marks.iter().any(|mark| mark == text));
    }

    /// A handle on the outermost value; `None` for a document without any.
    pub fn root(self: &Arc<Self>) -> Option<Json> {
        (!self.nodes.is_empty()).then(|| Json {
            document: Arc::clone(self),
            node: 0,
        })
    }

    /// The texts that are marks for values that were left out. What was computed was not recorded.
    fn marks(&self, is_mark: impl Fn(&str) -> bool) -> Box<[u32]> {
        if self.origin.is_none() {
            return Box::default();
        }
        let texts = (0..)
            .zip(&self.nodes)
            .filter(|(_, node)| node.kind == JsonKind::Text);
        let marks = texts.filter(|(_, node)| is_mark(self.slice(node.a, node.b)));
        marks.map(|(number, _)| number).collect()
    }

    /// About how many bytes it occupies. What stood between the values does not count: how much of a recording can be
    /// kept does not depend on its white space.
    pub fn size(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.text.len() - self.between + size_of::<Self>()
    }

    fn slice(&self, start: u32, length: u32) -> &str {
        self.text
            .get(start as usize..(start + length) as usize)
            .unwrap_or("")
    }
}

/// A value in a document: cheap to copy, and it knows where it stands.
#[derive(Debug, Clone)]
pub struct Json {
    document: Arc<Document>,
    node: u32,
}

impl Json {
    fn get(&self) -> Node {
        self.document.nodes[self.node as usize]
    }

    fn at(&self, node: u32) -> Json {
        Json {
            document: Arc::clone(&self.document),
            node,
        }
    }

    /// The document in which it stands.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Whether both are the same value at the same place.
    pub fn is_same(&self, other: &Json) -> bool {
        self.node == other.node && Arc::ptr_eq(&self.document, &other.document)
    }

    /// What it is.
    pub fn kind(&self) -> JsonKind {
        self.get().kind
    }

    /// Its content, if it is a text.
    pub fn as_str(&self) -> Option<&str> {
        let node = &self.document.nodes[self.node as usize];
        (node.kind == JsonKind::Text).then(|| self.document.slice(node.a, node.b))
    }

    /// Its value, if it is a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        let node = self.get();
        (node.kind == JsonKind::Boolean).then_some(node.a == 1)
    }

    /// Its value, if it is a number.
    pub fn as_number(&self) -> Option<Number> {
        let node = self.get();
        if node.kind == JsonKind::Number {
            Number::parse(self.document.slice(node.a, node.b))
        } else {
            None
        }
    }

    /// How many elements or members it has; 0 for scalars. A name that occurs twice counts twice.
    pub fn len(&self) -> usize {
        let node = self.get();
        if matches!(node.kind, JsonKind::List | JsonKind::Object) {
            node.b as usize
        } else {
            0
        }
    }

    /// Whether it has neither elements nor members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same value, borrowed: what is read of it costs no count of owners.
    pub fn view(&self) -> JsonView<'_> {
        JsonView {
            document: &self.document,
            node: self.node,
        }
    }

    /// The member of an object; of a repeated name the last one.
    pub fn member(&self, name: &str) -> Option<Json> {
        self.view().member(name).map(JsonView::to_json)
    }

    /// The element of a list, from 0.
    pub fn element(&self, index: usize) -> Option<Json> {
        if self.kind() == JsonKind::List {
            self.children().nth(index)
        } else {
            None
        }
    }

    /// All elements of a list or members of an object in the order written, repeated names included.
    pub fn children(&self) -> impl Iterator<Item = Json> + use<> {
        let node = self.get();
        let first = if matches!(node.kind, JsonKind::List | JsonKind::Object) {
            node.a
        } else {
            NONE
        };
        let document = Arc::clone(&self.document);
        let mut next = first;
        std::iter::from_fn(move || {
            let node = next;
            next = document.nodes.get(node as usize)?.next;
            Some(Json {
                document: Arc::clone(&document),
                node,
            })
        })
    }

    /// The name under which it stands in an object.
    pub fn name(&self) -> Option<&str> {
        let node = &self.document.nodes[self.node as usize];
        let parent = self.document.nodes.get(node.parent as usize)?;
        (parent.kind == JsonKind::Object).then(|| self.document.slice(node.key.0, node.key.1))
    }

    /// The object or list in which it stands.
    pub fn parent(&self) -> Option<Json> {
        let parent = self.get().parent;
        (parent != NONE).then(|| self.at(parent))
    }

    /// Its RFC 6901 pointer within the document.
    pub fn pointer(&self) -> String {
        let mut chain = vec![];
        let mut node = self.node;
        while self.document.nodes[node as usize].parent != NONE {
            chain.push(node);
            node = self.document.nodes[node as usize].parent;
        }
        let mut pointer = String::new();
        for node in chain.into_iter().rev() {
            let this = &self.document.nodes[node as usize];
            let parent = &self.document.nodes[this.parent as usize];
            if parent.kind == JsonKind::Object {
                let _ = write!(
                    pointer,
                    "/{}",
                    escape(self.document.slice(this.key.0, this.key.1))
                );
            } else {
                // The key of an element is its index in the list as written: skipped elements count.
                let _ = write!(pointer, "/{}", this.key.0);
            }
        }
        pointer
    }

    /// Where it stands; `None` for values that were computed.
    pub fn place(&self) -> Option<Place> {
        let origin = self.document.origin.as_ref()?;
        // What was put together stands nowhere in this form: all that is known is the record.
        let inner = (!self.document.partial).then(|| self.pointer().into());
        Some(Place {
            record: origin.record,
            outer: Arc::clone(&origin.outer),
            inner,
            on_name: false,
            range: None,
        })
    }

    /// Deep equality of JSON: numbers by exact value, texts by code points, objects without order.
    pub fn equals(&self, other: &Json) -> bool {
        if self.is_same(other) {
            return true;
        }
        if self.kind() != other.kind() {
            return false;
        }
        match self.kind() {
            JsonKind::Null => true,
            JsonKind::Boolean => self.as_bool() == other.as_bool(),
            JsonKind::Text => self.as_str() == other.as_str(),
            JsonKind::Number => {
                let (a, b) = (self.get(), other.get());
                self.document.slice(a.a, a.b) == other.document.slice(b.a, b.b)
                    || self.as_number() == other.as_number()
            }
            JsonKind::List => {
                self.len() == other.len() && self.children().zip(other.children()).all(|(a, b)| a.equals(&b))
            }
            JsonKind::Object => {
                let (a, b) = (self.members(), other.members());
                a.len() == b.len() && a.iter().zip(&b).all(|((n, x), (m, y))| n == m && x.equals(y))
            }
        }
    }

    /// The members of an object by name, sorted; of a repeated name the last one.
    pub fn members(&self) -> Vec<(String, Json)> {
        let mut members: Vec<(String, Json)> = self
            .children()
            .filter_map(|child| child.name().map(str::to_owned).map(|name| (name, child)))
            .collect();
        // Stable: of equal names the last one written comes last, and is the one that is kept.
        members.sort_by(|a, b| a.0.cmp(&b.0));
        members.reverse();
        members.dedup_by(|later, earlier| later.0 == earlier.0);
        members.reverse();
        members
    }

    /// Compact JSON text of it. Numbers as they were written.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self.kind() {
            JsonKind::Null => out.push_str("null"),
            JsonKind::Boolean => out.push_str(if self.as_bool() == Some(true) {
                "true"
            } else {
                "false"
            }),
            JsonKind::Number => {
                let node = self.get();
                out.push_str(self.document.slice(node.a, node.b));
            }
            JsonKind::Text => quote(self.as_str().unwrap_or(""), out),
            JsonKind::List => {
                out.push('[');
                for (i, child) in self.children().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    child.write(out);
                }
                out.push(']');
            }
            JsonKind::Object => {
                out.push('{');
                for (i, child) in self.children().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    quote(child.name().unwrap_or(""), out);
                    out.push(':');
                    child.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// Writes a text as a JSON string.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
