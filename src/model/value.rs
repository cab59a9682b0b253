//! Values at run time: a value, `null` (a value), missing, or unknown with reasons.

mod text;

use std::sync::Arc;

pub use self::text::{LinePart, Text, TextPlace};

use super::ops::{Path, PathMatcher};
use super::record::{Exchange, Seen};
use super::shape::Shape;
use super::unknown::{Reason, Reasons};
use crate::input::event::Headers;
use crate::json::{Json, JsonKind, Number};
use crate::place::Place;

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// The recording shows that it is not there.
    Missing,
    /// The recording cannot show it.
    Unknown(Reasons),
    /// `null` that was computed; one that stands in a recording is [`Value::Json`].
    Null,
    /// A boolean.
    Boolean(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(Text),
    /// Bytes that are no text yet.
    Bytes(Arc<[u8]>),
    /// An instant in nanoseconds.
    Time(i64),
    /// A length of time in nanoseconds.
    Duration(i64),
    /// A JSON value that stands in a document, scalars included.
    Json(Json),
    /// A list that was computed.
    List(Arc<List>),
    /// An object that was computed: members in order, none of them missing.
    Object(Arc<[(Arc<str>, Value)]>),
    /// A regular expression.
    Pattern(Arc<regex::Regex>),
    /// A pattern for paths.
    PathPattern(Arc<PathMatcher>),
    /// A path in a value.
    Path(Path),
    /// A shape.
    Shape(Shape),
    /// A record of the model.
    Record(Seen),
    /// HTTP headers.
    Headers(HeadersRef),
    /// The records before or after one.
    History(Box<History>),
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A member.
    Member(Arc<str>),
    /// An element, from 0.
    Index(u64),
}

/// A list: elements, some of them *perhaps* in it, and where elements may be missing.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// The elements that are known of.
    pub items: Vec<Item>,
    /// Why elements may be missing before the first; `None`: none are.
    pub front: Option<Reasons>,
    /// Why elements may be missing after the last.
    pub back: Option<Reasons>,
    /// Why elements may be missing anywhere.
    pub inside: Option<Reasons>,
    /// Why elements may be missing at certain places: in each stands an element that is unknown and only perhaps there.
    pub holes: Option<Reasons>,
    /// Why the order is not known; then `first`, `last` and an index are unknown.
    pub unordered: Option<Reasons>,
}

impl List {
    /// A list that is complete.
    pub fn complete(values: impl IntoIterator<Item = Value>) -> Self {
        List {
            items: values
                .into_iter()
                .map(|value| Item { value, perhaps: None })
                .collect(),
            ..List::default()
        }
    }

    /// The elements without those that only stand for what may be missing.
    pub fn recorded(&self) -> Vec<Item> {
        let hole = |item: &Item| matches!(item.value, Value::Unknown(_)) && item.perhaps.is_some();
        let items = self
            .items
            .iter()
            .filter(|item| self.holes.is_none() || !hole(item));
        items.cloned().collect()
    }

    /// Why it is incomplete; `None` if it is complete.
    pub fn gap(&self) -> Option<Reasons> {
        [&self.front, &self.inside, &self.holes, &self.back]
            .into_iter()
            .flatten()
            .cloned()
            .reduce(|a, b| a.and(&b))
    }
}

/// An element of a list.
#[derive(Debug, Clone)]
pub struct Item {
    /// The element.
    pub value: Value,
    /// Why it is not certain that it is in the list; `None`: it is.
    pub perhaps: Option<Reasons>,
}

/// The headers of one side of an exchange or of one message.
#[derive(Debug, Clone)]
pub struct HeadersRef {
    /// The headers.
    pub headers: Arc<Headers>,
    /// What they belong to: where a label stands when a header is missing.
    pub of: HeadersOf,
}

/// What headers belong to.
#[derive(Debug, Clone)]
pub enum HeadersOf {
    /// Nothing that stands somewhere.
    Nothing,
    /// A message of a format without exchanges.
    Message(Json),
    /// The request of an exchange.
    Request(Arc<Exchange>),
    /// Its response.
    Response(Arc<Exchange>),
}

impl HeadersRef {
    /// Where a label stands when a header is missing.
    pub fn place(&self) -> Option<Place> {
        match &self.of {
            HeadersOf::Nothing => None,
            HeadersOf::Message(json) => json.place(),
            HeadersOf::Request(exchange) => Some(exchange.place.clone()),
            HeadersOf::Response(exchange) => exchange.response.get().map(|head| head.place.clone()),
        }
    }
}

/// `earlier` or `later` of a record, perhaps cut.
#[derive(Debug, Clone)]
pub struct History {
    /// Of which record.
    pub of: Seen,
    /// `later`, not `earlier`.
    pub later: bool,
    /// `since(x)` or `until(x)`: a record, a duration, or missing.
    pub bound: Option<Value>,
}

/// True, false, or unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// True.
    True,
    /// False.
    False,
    /// Unknown.
    Unknown(Reasons),
}

impl From<bool> for Truth {
    fn from(b: bool) -> Self {
        if b { Truth::True } else { Truth::False }
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            unknown @ Truth::Unknown(_) => unknown,
        }
    }
}

impl From<Truth> for Value {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::True => Value::Boolean(true),
            Truth::False => Value::Boolean(false),
            Truth::Unknown(reasons) => Value::Unknown(reasons),
        }
    }
}

impl Value {
    /// A text that was computed.
    pub fn text(text: impl Into<Arc<str>>) -> Value {
        Value::Text(Text::new(text))
    }

    /// A value in a document; unknown where a recorder left it out.
    pub fn json(json: Json) -> Value {
        if json.view().is_redacted() {
            Value::unknown(Reason::Redacted)
        } else {
            Value::Json(json)
        }
    }

    /// A scalar of a document as a value of its own, which says no more where it stands; everything else as it is.
    #[must_use]
    pub fn detached(self) -> Value {
        let Value::Json(json) = &self else { return self };
        match json.kind() {
            JsonKind::Null => Value::Null,
            JsonKind::Boolean => json.as_bool().map_or(self, Value::Boolean),
            JsonKind::Number => json.as_number().map_or(self, Value::Number),
            JsonKind::Text => match json.as_str() {
                Some(text) => Value::text(text),
                None => self,
            },
            JsonKind::List | JsonKind::Object => self,
        }
    }

    /// A number.
    pub fn integer(n: impl Into<Number>) -> Value {
        Value::Number(n.into())
    }

    /// A complete list.
    pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Arc::new(List::complete(values)))
    }

    /// An object; members that are missing are dropped.
    pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        Value::Object(
            members
                .into_iter()
                .filter(|(_, v)| !matches!(v, Value::Missing))
                .map(|(k, v)| (k.into(), v))
                .collect(),
        )
    }

    /// An object with the members that a builtin gives; members that are missing are dropped.
    pub fn fields<const N: usize>(members: [(&'static str, Value); N]) -> Value {
        if members.iter().any(|(_, value)| matches!(value, Value::Missing)) {
            let there = members.into_iter().filter(|(_, v)| !matches!(v, Value::Missing));
            return Value::Object(there.map(|(name, v)| (shared_name(name), v)).collect());
        }
        Value::Object(Arc::new(members.map(|(name, value)| (shared_name(name), value))))
    }

    /// Unknown, for one reason.
    pub fn unknown(reason: Reason) -> Value {
        Value::Unknown(reason.into())
    }

    /// The value, or missing.
    pub fn or_missing<T>(value: Option<T>, wrap: impl FnOnce(T) -> Value) -> Value {
        value.map_or(Value::Missing, wrap)
    }

    /// As a condition: missing and every value but `true` are false.
    pub fn truth(&self) -> Truth {
        match self {
            Value::Boolean(b) => Truth::from(*b),
            Value::Json(json) => Truth::from(json.as_bool() == Some(true)),
            Value::Unknown(reasons) => Truth::Unknown(reasons.clone()),
            _ => Truth::False,
        }
    }

    /// The text, if it is one, from wherever.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(&text.text),
            Value::Json(json) => json.as_str(),
            _ => None,
        }
    }

    /// The number, if it is one, from wherever.
    pub fn as_number(&self) -> Option<Number> {
        match self {
            Value::Number(n) => Some(n.clone()),
            Value::Json(json) => json.as_number(),
            _ => None,
        }
    }

    /// The boolean, if it is one, from wherever.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Boolean(b) => Some(*b),
            Value::Json(json) => json.as_bool(),
            _ => None,
        }
    }

    /// The elements, if it is a list, from wherever. A JSON list is complete.
    pub fn as_list(&self) -> Option<Arc<List>> {
        match self {
            Value::List(list) => Some(Arc::clone(list)),
            Value::Json(json) if json.kind() == JsonKind::List => {
                Some(Arc::new(List::complete(json.children().map(Value::json))))
            }
            _ => None,
        }
    }

    /// The members, if it is an object, from wherever; of a repeated name the last one, in the order of first writing
    /// for computed objects and sorted by name for JSON.
    pub fn as_object(&self) -> Option<Vec<(Arc<str>, Value)>> {
        match self {
            Value::Object(members) => Some(members.to_vec()),
            Value::Json(json) if json.kind() == JsonKind::Object => Some(
                json.members()
                    .into_iter()
                    .map(|(name, value)| (name.into(), Value::json(value)))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// Whether a record of the model is in it.
    pub fn holds_records(&self) -> bool {
        match self {
            Value::Record(_) | Value::History(_) | Value::Headers(_) => true,
            Value::List(list) => list.items.iter().any(|item| item.value.holds_records()),
            Value::Object(members) => members.iter().any(|(_, value)| value.holds_records()),
            _ => false,
        }
    }

    /// The kind that JSON gives it, if it can stand in JSON.
    pub fn json_kind(&self) -> Option<JsonKind> {
        match self {
            Value::Null => Some(JsonKind::Null),
            Value::Boolean(_) => Some(JsonKind::Boolean),
            Value::Number(_) => Some(JsonKind::Number),
            Value::Text(_) => Some(JsonKind::Text),
            Value::List(_) => Some(JsonKind::List),
            Value::Object(_) => Some(JsonKind::Object),
            Value::Json(json) => Some(json.kind()),
            _ => None,
        }
    }

    /// Where it stands, if it stands somewhere.
    pub fn place(&self) -> Option<Place> {
        match self {
            Value::Text(text) => text.place.as_ref().and_then(TextPlace::place),
            Value::Json(json) => json.place(),
            Value::Record(record) => record.place(),
            Value::Headers(headers) => headers.place(),
            _ => None,
        }
    }
}

/// The names of members that builtins give, made once on each thread.
fn shared_name(name: &'static str) -> Arc<str> {
    thread_local! {
        static NAMES: std::cell::RefCell<Vec<(&'static str, Arc<str>)>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    NAMES.with_borrow_mut(|names| {
        // Equal names are mostly the same text; if not, they are made twice.
        let same = |known: &str| std::ptr::eq(known.as_ptr(), name.as_ptr()) && known.len() == name.len();
        if let Some((_, known)) = names.iter().find(|(known, _)| same(known)) {
            return Arc::clone(known);
        }
        let new: Arc<str> = name.into();
        names.push((name, Arc::clone(&new)));
        new
    })
}
