//! Types as written, types that are joined, and values against types.

use super::Run;
use crate::lang::ast::{TypeExpr, TypeKind};
use crate::lang::builtins::Accepts;
use crate::lang::error::types as error;
use crate::lang::program::TypeTest;
use crate::lang::suggest::suggest;
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::model::value::Value;

/// The words for types that are no subject.
pub const WORDS: [(&str, Type); 13] = [
    ("boolean", Type::Boolean),
    ("integer", Type::Integer),
    ("number", Type::Number),
    ("string", Type::String),
    ("time", Type::Time),
    ("duration", Type::Duration),
    ("pattern", Type::Pattern),
    ("path", Type::Path),
    ("json", Type::Json),
    ("null", Type::Null),
    ("bytes", Type::Bytes),
    ("headers", Type::Headers),
    ("shape", Type::Shape),
];

/// What other languages call them, and how they are called here.
pub const FOREIGN: [(&str, &str); 14] = [
    ("text", "string"),
    ("str", "string"),
    ("bool", "boolean"),
    ("int", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("regex", "pattern"),
    ("regexp", "pattern"),
    ("any", "json"),
    ("value", "json"),
    ("map", "object of json"),
    ("array", "[json]"),
    ("list", "[json]"),
    ("datetime", "time"),
];

impl Run<'_> {
    /// The type that is written.
    pub fn type_of(&mut self, ty: &TypeExpr) -> Type {
        match &ty.kind {
            TypeKind::Name(word) => self.named(word, ty),
            TypeKind::List(of) => Type::list(self.type_of(of)),
            TypeKind::Of(head, of) => {
                let of = self.type_of(of);
                match head.node.as_str() {
                    "object" => Type::Object(of.into()),
                    _ => {
                        self.report(error::type_of_type(head, ty.span, &of));
                        Type::Any
                    }
                }
            }
            TypeKind::Text(_) | TypeKind::Range(..) | TypeKind::Or(_) => {
                self.report(error::type_of_shapes(ty.span));
                Type::Any
            }
        }
    }

    fn named(&mut self, word: &str, ty: &TypeExpr) -> Type {
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            self.report(error::shape_as_type(ty.span, word));
            return Type::Any;
        }
        if word == "object" {
            return Type::Object(Type::Json.into());
        }
        if let Some((_, known)) = WORDS.iter().find(|(w, _)| *w == word) {
            return known.clone();
        }
        if let Some(subject) = Subject::from_word(word) {
            return Type::Subject(subject);
        }
        let foreign = FOREIGN.iter().find(|(w, _)| *w == word).map(|(_, ours)| *ours);
        let words = WORDS
            .iter()
            .map(|(w, _)| *w)
            .chain(Subject::ALL.map(Subject::word));
        let near = foreign.or_else(|| suggest(word, words.chain(["object"])));
        self.report(error::unknown_type(ty.span, word, near));
        Type::Any
    }
}

/// What `is` asks, by its word.
pub fn type_test(word: &str) -> Option<TypeTest> {
    Some(match word {
        "null" => TypeTest::Null,
        "boolean" => TypeTest::Boolean,
        "integer" => TypeTest::Integer,
        "number" => TypeTest::Number,
        "string" => TypeTest::Text,
        "list" => TypeTest::List,
        "object" => TypeTest::Object,
        _ => return None,
    })
}

/// The words behind `is`.
pub const TESTS: [&str; 7] = ["null", "boolean", "integer", "number", "string", "list", "object"];

/// Whether a value of a type may pass a test.
pub fn may_pass(ty: &Type, test: TypeTest) -> bool {
    match ty {
        Type::Json | Type::Any => true,
        Type::Boolean => test == TypeTest::Boolean,
        Type::Integer | Type::Number => matches!(test, TypeTest::Integer | TypeTest::Number),
        Type::String => test == TypeTest::Text,
        Type::Null => test == TypeTest::Null,
        Type::List(_) => test == TypeTest::List,
        Type::Object(_) | Type::Record(_) => test == TypeTest::Object,
        _ => false,
    }
}

/// Whether an argument of a type may be what a builtin takes.
pub fn accepts(accepts: Accepts, ty: &Type) -> bool {
    let may = |other: Type| ty.may_be(&other);
    match accepts {
        Accepts::Any => true,
        Accepts::Text => may(Type::String),
        Accepts::Number => may(Type::Number),
        Accepts::Boolean => may(Type::Boolean),
        Accepts::List => matches!(ty, Type::List(_) | Type::Json | Type::Any),
        Accepts::Texts => may(Type::list(Type::String)),
        Accepts::Object => matches!(ty, Type::Object(_) | Type::Record(_) | Type::Json | Type::Any),
        Accepts::Json => may(Type::Json),
        Accepts::Bytes => may(Type::Bytes),
        Accepts::Time => may(Type::Time),
        Accepts::Duration => may(Type::Duration),
        Accepts::Path => may(Type::Path),
        Accepts::Pattern => may(Type::Pattern),
        Accepts::Shape => may(Type::Shape),
        Accepts::Revision => true,
    }
}

/// For messages.
pub fn accepted(accepts: Accepts) -> &'static str {
    match accepts {
        Accepts::Any => "anything",
        Accepts::Text => "a string",
        Accepts::Number => "a number",
        Accepts::Boolean => "a boolean",
        Accepts::List => "a list",
        Accepts::Texts => "a list of strings",
        Accepts::Object => "an object",
        Accepts::Json => "JSON",
        Accepts::Bytes => "bytes",
        Accepts::Time => "a time",
        Accepts::Duration => "a duration",
        Accepts::Path => "a path",
        Accepts::Pattern => "a regular expression",
        Accepts::Shape => "a shape",
        Accepts::Revision => "a revision",
    }
}

/// The type of what may be of either type; `None` if they have nothing in common.
pub fn join(a: &Type, b: &Type) -> Option<Type> {
    use Type as T;
    Some(match (a, b) {
        (T::Any, other) | (other, T::Any) => other.clone(),
        (a, b) if a == b => a.clone(),
        (T::Integer | T::Number, T::Integer | T::Number) => T::Number,
        (T::List(a), T::List(b)) => T::list(join(a, b)?),
        (T::Object(a), T::Object(b)) => T::Object(join(a, b)?.into()),
        (T::Subject(a), T::Subject(b)) if a.is_message() && b.is_message() => T::Subject(Subject::Message),
        (a, b) if a.stands_in_json() && b.stands_in_json() => T::Json,
        _ => return None,
    })
}

/// The type of what may be any of several; with nothing in common it is any.
pub fn join_all<'t>(types: impl IntoIterator<Item = &'t Type>) -> Type {
    let mut all = Type::Any;
    for ty in types {
        match join(&all, ty) {
            Some(joined) => all = joined,
            None => return Type::Any,
        }
    }
    all
}

/// Whether a value that is written down is of a type, to the last element.
pub fn is_of(value: &Value, ty: &Type) -> bool {
    use Type as T;
    match (value, ty) {
        (_, T::Any)
        | (Value::Missing | Value::Unknown(_), _)
        | (Value::Null, T::Null | T::Json)
        | (Value::Boolean(_), T::Boolean | T::Json)
        | (Value::Number(_), T::Number | T::Json)
        | (Value::Text(_), T::String | T::Json)
        | (Value::Bytes(_), T::Bytes)
        | (Value::Time(_), T::Time)
        | (Value::Duration(_), T::Duration)
        | (Value::Pattern(_), T::Pattern)
        | (Value::PathPattern(_) | Value::Path(_), T::Path)
        | (Value::Shape(_), T::Shape)
        | (Value::Json(_), T::Json) => true,
        (Value::Number(n), T::Integer) => n.is_integral(),
        (Value::List(list), T::List(of)) => list.items.iter().all(|item| is_of(&item.value, of)),
        (Value::List(list), T::Json) => list.items.iter().all(|item| is_of(&item.value, ty)),
        (Value::Object(members), T::Object(of)) => members.iter().all(|(_, value)| is_of(value, of)),
        (Value::Object(members), T::Json) => members.iter().all(|(_, value)| is_of(value, ty)),
        _ => false,
    }
}
