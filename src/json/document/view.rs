//! Values of documents, borrowed.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Document, Json, JsonKind, NONE, Node};
use crate::json::Number;

/// A [`Json`] that borrows its document: free to copy.
#[derive(Debug, Clone, Copy)]
pub struct JsonView<'d> {
    pub(super) document: &'d Arc<Document>,
    pub(super) node: u32,
}

/// A step of a way in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crumb<'d> {
    /// To the member of this name.
    Member(&'d str),
    /// To the element of this index, from 0.
    Index(u64),
}

impl<'d> JsonView<'d> {
    fn get(self) -> &'d Node {
        &self.document.nodes[self.node as usize]
    }

    fn at(self, node: u32) -> JsonView<'d> {
        JsonView { node, ..self }
    }

    /// A handle that owns its document with others.
    pub fn to_json(self) -> Json {
        Json {
            document: Arc::clone(self.document),
            node: self.node,
        }
    }

    /// Its number in its document.
    pub fn number(self) -> u32 {
        self.node
    }

    /// The way to it from a value in which it stands, given by its [number](Self::number); from the outermost value if
    /// it does not stand in that one.
    pub fn way_from(self, root: u32) -> Vec<Crumb<'d>> {
        let mut way = vec![];
        let mut at = self;
        while at.node != root {
            let node = at.get();
            let Some(parent) = self.document.nodes.get(node.parent as usize) else {
                break;
            };
            way.push(match parent.kind {
                JsonKind::Object => Crumb::Member(self.document.slice(node.key.0, node.key.1)),
                // The key of an element is its index in the list as written.
                _ => Crumb::Index(u64::from(node.key.0)),
            });
            at = at.at(node.parent);
        }
        way.reverse();
        way
    }

    /// Whether it stands for a value that a recorder left out.
    pub fn is_redacted(self) -> bool {
        self.document.hidden.binary_search(&self.node).is_ok()
    }

    /// Whether it is an object that may have had members that were not recorded.
    pub fn is_partial(self) -> bool {
        self.document.partial && self.kind() == JsonKind::Object
    }

    /// Whether it, or something in it, is one of both.
    pub fn hides(self) -> bool {
        self.document.hides()
            && (self.is_redacted() || self.is_partial() || self.children().any(JsonView::hides))
    }

    /// Whether its document stands somewhere.
    pub fn stands(self) -> bool {
        self.document.origin.is_some()
    }

    /// What it is.
    pub fn kind(self) -> JsonKind {
        self.get().kind
    }

    /// Its content, if it is a text.
    pub fn as_str(self) -> Option<&'d str> {
        let node = self.get();
        (node.kind == JsonKind::Text).then(|| self.document.slice(node.a, node.b))
    }

    /// Its value, if it is a boolean.
    pub fn as_bool(self) -> Option<bool> {
        let node = self.get();
        (node.kind == JsonKind::Boolean).then_some(node.a == 1)
    }

    /// Its value, if it is a number.
    pub fn as_number(self) -> Option<Number> {
        let node = self.get();
        if node.kind == JsonKind::Number {
            Number::parse(self.document.slice(node.a, node.b))
        } else {
            None
        }
    }

    /// The member of an object; of a repeated name the last one.
    pub fn member(self, name: &str) -> Option<JsonView<'d>> {
        let node = self.get();
        if node.kind != JsonKind::Object {
            return None;
        }
        let document = &**self.document;
        let mut found = NONE;
        let mut child = node.a;
        while let Some(c) = document.nodes.get(child as usize) {
            if c.key.1 as usize == name.len() && document.slice(c.key.0, c.key.1) == name {
                found = child;
            }
            child = c.next;
        }
        (found != NONE).then(|| self.at(found))
    }

    /// Calls `visit` for each member of an object that counts (of a repeated name the last one) and that `wanted` asks
    /// for, in the order written.
    pub fn each_member(self, wanted: impl Fn(JsonView<'d>) -> bool, mut visit: impl FnMut(JsonView<'d>)) {
        // Few members are compared with each other; a table pays off only for many.
        const FEW: u32 = 24;
        if self.kind() != JsonKind::Object {
            return;
        }
        if self.get().b <= FEW {
            for member in self.children() {
                if wanted(member) && member.is_last_of_its_name() {
                    visit(member);
                }
            }
            return;
        }
        let last: HashMap<Option<&str>, u32> = self
            .children()
            .map(|member| (member.name(), member.node))
            .collect();
        for member in self.children() {
            if last.get(&member.name()) == Some(&member.node) && wanted(member) {
                visit(member);
            }
        }
    }

    fn is_last_of_its_name(self) -> bool {
        let node = self.get();
        let document = &**self.document;
        let name = document.slice(node.key.0, node.key.1);
        let mut next = node.next;
        while let Some(c) = document.nodes.get(next as usize) {
            if c.key.1 == node.key.1 && document.slice(c.key.0, c.key.1) == name {
                return false;
            }
            next = c.next;
        }
        true
    }

    /// All elements of a list or members of an object in the order written, repeated names included.
    pub fn children(self) -> impl Iterator<Item = JsonView<'d>> {
        let node = self.get();
        let mut next = if matches!(node.kind, JsonKind::List | JsonKind::Object) {
            node.a
        } else {
            NONE
        };
        std::iter::from_fn(move || {
            let here = next;
            next = self.document.nodes.get(here as usize)?.next;
            Some(self.at(here))
        })
    }

    /// The name under which it stands in an object.
    pub fn name(self) -> Option<&'d str> {
        let node = self.get();
        let parent = self.document.nodes.get(node.parent as usize)?;
        (parent.kind == JsonKind::Object).then(|| self.document.slice(node.key.0, node.key.1))
    }
}
