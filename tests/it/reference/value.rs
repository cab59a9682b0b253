//! The values of the plain evaluator.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value as Plain;
use wirelint::input::event::Headers;
use wirelint::json::{Json, JsonKind, Number, escape};
use wirelint::model::record::Seen;
use wirelint::model::unknown::Reason;
use wirelint::model::value::{HeadersRef, Item as EngineItem, List as EngineList, Value};

/// True, false, or (`None`) unknown. Reasons are not followed.
pub type Truth = Option<bool>;

/// A value, missing, or unknown (S1).
#[derive(Debug, Clone)]
pub enum V {
    Missing,
    Unknown,
    /// A JSON value, wherever it comes from.
    Json(Node),
    /// A list that was computed.
    List(List),
    /// An object that was computed.
    Object(Vec<(String, V)>),
    Time(i64),
    Duration(i64),
    Record(Seen),
    Headers(Arc<Headers>),
    /// Patterns, paths and bytes, which only builtins make and read.
    Other(Value),
}

/// A JSON value in a whole one.
#[derive(Debug, Clone)]
pub struct Node {
    whole: Rc<Whole>,
    pointer: String,
}

#[derive(Debug)]
struct Whole {
    value: Plain,
    /// What it was read from, for the builtins.
    origin: Option<Json>,
}

/// A list (S3).
#[derive(Debug, Clone, Default)]
pub struct List {
    pub items: Vec<Item>,
    /// Elements may be missing before the first, after the last, anywhere.
    pub front: bool,
    pub back: bool,
    pub inside: bool,
    /// Elements may be missing where one stands that is unknown and only perhaps there.
    pub holes: bool,
    /// The order is not known.
    pub unordered: bool,
}

#[derive(Debug, Clone)]
pub struct Item {
    pub value: V,
    /// It is not certain that it is in the list.
    pub perhaps: bool,
}

impl Item {
    pub fn sure(value: V) -> Item {
        Item {
            value,
            perhaps: false,
        }
    }
}

impl List {
    pub fn complete(values: impl IntoIterator<Item = V>) -> List {
        List {
            items: values.into_iter().map(Item::sure).collect(),
            ..List::default()
        }
    }

    pub fn is_incomplete(&self) -> bool {
        self.front || self.back || self.inside || self.holes
    }

    /// The recorded elements without the marks of being incomplete (S2).
    pub fn known(&self) -> List {
        let hole = |item: &Item| self.holes && item.value.is_unknown() && item.perhaps;
        List {
            items: self.items.iter().filter(|item| !hole(item)).cloned().collect(),
            unordered: self.unordered,
            ..List::default()
        }
    }
}

/// A document of the program as a value of serde_json.
fn plain(json: &Json) -> Plain {
    match json.kind() {
        JsonKind::Null => Plain::Null,
        JsonKind::Boolean => Plain::Bool(json.as_bool().unwrap()),
        JsonKind::Number => number(&json.as_number().unwrap().written()),
        JsonKind::Text => Plain::String(json.as_str().unwrap().to_owned()),
        JsonKind::List => json.children().map(|child| plain(&child)).collect(),
        JsonKind::Object => {
            let members = json.members().into_iter();
            Plain::Object(members.map(|(name, value)| (name, plain(&value))).collect())
        }
    }
}

pub fn number(written: &str) -> Plain {
    Plain::Number(serde_json::from_str(written).unwrap())
}

impl Node {
    pub fn of(json: &Json) -> Node {
        Node {
            whole: Rc::new(Whole {
                value: plain(json),
                origin: Some(json.clone()),
            }),
            pointer: String::new(),
        }
    }

    pub fn get(&self) -> &Plain {
        self.whole.value.pointer(&self.pointer).unwrap()
    }

    /// Whether it is an object of which not all members were recorded.
    pub fn is_partial(&self) -> bool {
        let origin = self.whole.origin.as_ref();
        origin.is_some_and(|json| json.document().is_partial()) && self.get().is_object()
    }

    pub fn member(&self, name: &str) -> Option<Node> {
        self.get().as_object()?.get(name)?;
        Some(self.step(&escape(name)))
    }

    pub fn element(&self, index: usize) -> Option<Node> {
        self.get().as_array()?.get(index)?;
        Some(self.step(&index.to_string()))
    }

    fn step(&self, step: &str) -> Node {
        Node {
            whole: Rc::clone(&self.whole),
            pointer: format!("{}/{step}", self.pointer),
        }
    }

    fn engine(&self) -> Value {
        if let Some(origin) = &self.whole.origin {
            return Value::Json(find(origin, &self.pointer));
        }
        match self.get() {
            Plain::Null => Value::Null,
            Plain::Bool(b) => Value::Boolean(*b),
            Plain::Number(n) => Value::Number(Number::parse(&n.to_string()).unwrap()),
            Plain::String(text) => Value::text(text.as_str()),
            Plain::Array(all) => Value::list(
                (0..all.len())
                    .map(|i| self.element(i).unwrap().engine())
                    .collect::<Vec<_>>(),
            ),
            Plain::Object(members) => Value::object(
                members
                    .keys()
                    .map(|name| (name.as_str(), self.member(name).unwrap().engine())),
            ),
        }
    }
}

/// The place of a pointer in a document.
fn find(json: &Json, pointer: &str) -> Json {
    pointer.split('/').skip(1).fold(json.clone(), |at, step| {
        let step = step.replace("~1", "/").replace("~0", "~");
        match at.kind() {
            JsonKind::Object => at.member(&step).unwrap(),
            _ => at.element(step.parse().unwrap()).unwrap(),
        }
    })
}

impl From<Plain> for V {
    fn from(value: Plain) -> V {
        V::Json(Node {
            whole: Rc::new(Whole { value, origin: None }),
            pointer: String::new(),
        })
    }
}

impl From<Truth> for V {
    fn from(truth: Truth) -> V {
        truth.map_or(V::Unknown, |b| Plain::Bool(b).into())
    }
}

impl V {
    /// A value in a document; a text that a recorder left in the place of a value says nothing.
    pub fn json(node: Node) -> V {
        // What was made up for a message of which only parts were recorded says nothing either.
        if node
            .whole
            .origin
            .as_ref()
            .is_some_and(|json| json.document().is_partial())
            && ["/id", "/jsonrpc"].contains(&node.pointer.as_str())
        {
            return V::Unknown;
        }
        let recorded = node
            .whole
            .origin
            .as_ref()
            .is_some_and(|json| json.view().stands());
        let mark = |text: &str| {
            let word = text.trim_matches(['[', ']', '<', '>', '(', ')', '{', '}']);
            let stars = word.len() >= 3 && word.chars().all(|c| c == '*');
            text.len() <= 64 && (word.to_lowercase() == "redacted" || stars)
        };
        if recorded && node.get().as_str().is_some_and(mark) {
            V::Unknown
        } else {
            V::Json(node)
        }
    }

    pub fn text(text: &str) -> V {
        Plain::String(text.to_owned()).into()
    }

    pub fn integer(n: impl Into<serde_json::Number>) -> V {
        Plain::Number(n.into()).into()
    }

    pub fn or_missing(value: Option<V>) -> V {
        value.unwrap_or(V::Missing)
    }

    pub fn is_missing(&self) -> bool {
        matches!(self, V::Missing)
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, V::Unknown)
    }

    /// Where a condition is due, missing and every value but `true` are false (S1).
    pub fn truth(&self) -> Truth {
        match self {
            V::Unknown => None,
            V::Json(node) => Some(node.get() == &Plain::Bool(true)),
            _ => Some(false),
        }
    }

    pub fn plain(&self) -> Option<&Plain> {
        match self {
            V::Json(node) => Some(node.get()),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        self.plain()?.as_str()
    }

    /// The digits of a number.
    pub fn as_number(&self) -> Option<String> {
        match self.plain()? {
            Plain::Number(n) => Some(n.to_string()),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<List> {
        match self {
            V::List(list) => Some(list.clone()),
            V::Json(node) => {
                let length = node.get().as_array()?.len();
                Some(List::complete(
                    (0..length).map(|i| V::json(node.element(i).unwrap())),
                ))
            }
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<Vec<(String, V)>> {
        match self {
            V::Object(members) => Some(members.clone()),
            V::Json(node) => {
                let names = node.get().as_object()?.keys();
                Some(
                    names
                        .map(|name| (name.clone(), V::json(node.member(name).unwrap())))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    /// For the builtins, which have tests of their own.
    pub fn engine(&self) -> Value {
        let mark = |incomplete: bool| incomplete.then(|| Reason::Middle.into());
        match self {
            V::Missing => Value::Missing,
            V::Unknown => Value::unknown(Reason::Middle),
            V::Json(node) => node.engine(),
            V::List(list) => Value::List(Arc::new(EngineList {
                items: list
                    .items
                    .iter()
                    .map(|item| EngineItem {
                        value: item.value.engine(),
                        perhaps: mark(item.perhaps),
                    })
                    .collect(),
                front: mark(list.front),
                back: mark(list.back),
                inside: mark(list.inside),
                holes: mark(list.holes),
                unordered: mark(list.unordered),
            })),
            V::Object(members) => {
                Value::object(members.iter().map(|(name, value)| (&**name, value.engine())))
            }
            V::Time(t) => Value::Time(*t),
            V::Duration(d) => Value::Duration(*d),
            V::Record(seen) => Value::Record(seen.clone()),
            V::Headers(headers) => Value::Headers(HeadersRef {
                headers: Arc::clone(headers),
                of: wirelint::model::value::HeadersOf::Nothing,
            }),
            V::Other(value) => value.clone(),
        }
    }

    /// From constants and the builtins.
    pub fn of(value: &Value) -> V {
        match value {
            Value::Missing => V::Missing,
            Value::Unknown(_) => V::Unknown,
            Value::Null => Plain::Null.into(),
            Value::Boolean(b) => Plain::Bool(*b).into(),
            Value::Number(n) => number(&n.written()).into(),
            Value::Text(text) => V::text(&text.text),
            Value::Json(json) => V::Json(Node::of(json)),
            Value::List(list) => V::List(List {
                items: list
                    .items
                    .iter()
                    .map(|item| Item {
                        value: V::of(&item.value),
                        perhaps: item.perhaps.is_some(),
                    })
                    .collect(),
                front: list.front.is_some(),
                back: list.back.is_some(),
                inside: list.inside.is_some(),
                holes: list.holes.is_some(),
                unordered: list.unordered.is_some(),
            }),
            Value::Object(members) => V::Object(
                members
                    .iter()
                    .map(|(name, value)| (name.to_string(), V::of(value)))
                    .collect(),
            ),
            Value::Time(t) => V::Time(*t),
            Value::Duration(d) => V::Duration(*d),
            Value::Record(seen) => V::Record(seen.clone()),
            Value::Headers(headers) => V::Headers(Arc::clone(&headers.headers)),
            other => V::Other(other.clone()),
        }
    }
}
