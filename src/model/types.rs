//! The static types of the language. Missing and unknown belong to every type and are not written.

use std::fmt;
use std::sync::Arc;

use super::subject::Subject;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// What stands in JSON: any of the scalars, a list, an object.
    Json,
    /// `true`, `false`
    Boolean,
    /// A number without a fraction.
    Integer,
    /// A number.
    Number,
    /// A text.
    String,
    /// `null`
    Null,
    /// An instant.
    Time,
    /// A length of time.
    Duration,
    /// Bytes that are no text yet.
    Bytes,
    /// A regular expression.
    Pattern,
    /// A path in a value, or a pattern for paths.
    Path,
    /// A shape.
    Shape,
    /// A list.
    List(Arc<Type>),
    /// An object whose members are not known one by one.
    Object(Arc<Type>),
    /// An object of known members, such as `{path, value}` of `subschemas`.
    Record(Arc<[(&'static str, Type)]>),
    /// A record of the model.
    Subject(Subject),
    /// HTTP headers: `headers["name"]`, `headers.list`.
    Headers,
    /// `earlier`, `later`.
    History,
    /// Of something that was reported as wrong, or of the literal `missing`: agrees with everything.
    Any,
}

impl Type {
    /// A list of something.
    pub fn list(of: Type) -> Type {
        Type::List(Arc::new(of))
    }

    /// An object of known members.
    pub fn record(members: &[(&'static str, Type)]) -> Type {
        Type::Record(members.into())
    }

    /// The fields of a server-sent event.
    pub fn stream_event() -> Type {
        Type::record(&[
            ("type", Type::String),
            ("id", Type::String),
            ("retry", Type::String),
            ("data", Type::String),
        ])
    }

    /// Whether a value of this type may be a value of `other` at run time: `json` may be anything that stands in JSON.
    pub fn may_be(&self, other: &Type) -> bool {
        use Type as T;
        match (self, other) {
            (T::Any, _) | (_, T::Any) => true,
            (a, b) if a == b => true,
            (T::Integer, T::Number) | (T::Number, T::Integer) => true,
            (T::Json, o) | (o, T::Json) => o.stands_in_json(),
            (T::List(a), T::List(b)) | (T::Object(a), T::Object(b)) => a.may_be(b),
            (T::Record(_), T::Object(_)) | (T::Object(_), T::Record(_)) => true,
            (T::Subject(a), T::Subject(b)) => a.is_a(*b) || b.is_a(*a),
            _ => false,
        }
    }

    /// Whether values of it can stand in JSON.
    pub fn stands_in_json(&self) -> bool {
        match self {
            Type::Json
            | Type::Boolean
            | Type::Integer
            | Type::Number
            | Type::String
            | Type::Null
            | Type::Any => true,
            Type::List(of) | Type::Object(of) => of.stands_in_json(),
            Type::Record(members) => members.iter().all(|(_, t)| t.stands_in_json()),
            _ => false,
        }
    }

    /// Whether it is a scalar that can be compared without looking below it.
    pub fn is_scalar(&self) -> bool {
        matches!(
            self,
            Type::Boolean
                | Type::Integer
                | Type::Number
                | Type::String
                | Type::Null
                | Type::Time
                | Type::Duration
        )
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Json => f.write_str("json"),
            Type::Boolean => f.write_str("boolean"),
            Type::Integer => f.write_str("integer"),
            Type::Number => f.write_str("number"),
            Type::String => f.write_str("string"),
            Type::Null => f.write_str("null"),
            Type::Time => f.write_str("time"),
            Type::Duration => f.write_str("duration"),
            Type::Bytes => f.write_str("bytes"),
            Type::Pattern => f.write_str("pattern"),
            Type::Path => f.write_str("path"),
            Type::Shape => f.write_str("shape"),
            Type::List(of) => write!(f, "[{of}]"),
            Type::Object(of) => write!(f, "object of {of}"),
            Type::Record(members) => {
                f.write_str("{")?;
                for (i, (name, ty)) in members.iter().enumerate() {
                    write!(f, "{}{name}: {ty}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
            Type::Subject(subject) => f.write_str(subject.word()),
            Type::Headers => f.write_str("headers"),
            Type::History => f.write_str("history"),
            Type::Any => f.write_str("any"),
        }
    }
}
