//! What an expression is evaluated with and gives: local names and values, both borrowed wherever they stand already.

use std::cell::OnceCell;

use crate::json::JsonView;
use crate::lang::program::{Expr, Slot};
use crate::model::record::Seen;
use crate::model::unknown::Reason;
use crate::model::value::Value;

/// The value of an expression.
#[derive(Debug)]
pub(crate) enum Val<'a> {
    /// It stands somewhere: a constant, a local name, what was found out before.
    Ref(&'a Value),
    /// It stands in a document.
    Json(JsonView<'a>),
    /// It was made.
    Own(Value),
}

impl<'a> Val<'a> {
    /// A member of a value in a document.
    pub(crate) fn member(of: JsonView<'a>, name: &str) -> Val<'a> {
        match of.member(name) {
            None if of.is_partial() => Val::Own(Value::unknown(Reason::Body)),
            member => Val::json(member),
        }
    }

    /// A value in a document, or missing; unknown where a recorder left it out.
    pub(crate) fn json(value: Option<JsonView<'a>>) -> Val<'a> {
        match value {
            Some(view) if view.is_redacted() => Val::Own(Value::unknown(Reason::Redacted)),
            Some(view) => Val::Json(view),
            None => Val::Own(Value::Missing),
        }
    }

    /// The value itself.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Val::Ref(value) => value.clone(),
            Val::Json(view) => Value::Json(view.to_json()),
            Val::Own(value) => value,
        }
    }

    /// For what takes values only.
    pub(crate) fn fixed(self) -> Fixed<'a> {
        match self {
            Val::Ref(value) => Fixed::Ref(value),
            Val::Json(view) => Fixed::Own(Value::Json(view.to_json())),
            Val::Own(value) => Fixed::Own(value),
        }
    }

    /// The text, if it is one, from wherever.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Val::Ref(value) => value.as_str(),
            Val::Json(view) => view.as_str(),
            Val::Own(value) => value.as_str(),
        }
    }

    /// The value, unless it is borrowed from a document.
    pub(crate) fn as_value(&self) -> Option<&Value> {
        match self {
            Val::Ref(value) => Some(value),
            Val::Json(_) => None,
            Val::Own(value) => Some(value),
        }
    }
}

/// A value that was made or stands somewhere.
pub(crate) enum Fixed<'a> {
    Ref(&'a Value),
    Own(Value),
}

impl std::ops::Deref for Fixed<'_> {
    type Target = Value;

    fn deref(&self) -> &Value {
        match self {
            Fixed::Ref(value) => value,
            Fixed::Own(value) => value,
        }
    }
}

/// The local names of one rule, function or attribute: a chain, the innermost first.
#[derive(Debug)]
pub(crate) struct Env<'e, 'p> {
    outer: Option<&'e Env<'e, 'p>>,
    slot: Slot,
    local: Local<'e, 'p>,
}

#[derive(Debug)]
enum Local<'e, 'p> {
    Value(&'e Value),
    /// Arguments of a function, in slots one after the other.
    Values(&'e [Value]),
    /// A `let`, its value once it was used, and whether only its value counts.
    Let(&'p Expr, OnceCell<Value>, bool),
}

/// What a local name stands for.
pub(crate) enum Found<'e, 'p> {
    Value(&'e Value),
    /// A `let` with the names around it, and whether only its value counts.
    Let(&'p Expr, &'e OnceCell<Value>, &'e Env<'e, 'p>, bool),
}

impl<'e, 'p> Env<'e, 'p> {
    /// The subject of a rule, or the record of an attribute.
    pub(crate) fn of(subject: &'e Value) -> Self {
        Env {
            outer: None,
            slot: 0,
            local: Local::Value(subject),
        }
    }

    /// The arguments of a function.
    pub(crate) fn arguments(arguments: &'e [Value]) -> Self {
        Env {
            outer: None,
            slot: 0,
            local: Local::Values(arguments),
        }
    }

    /// These names and one more.
    pub(crate) fn with<'i>(&'i self, slot: Slot, value: &'i Value) -> Env<'i, 'p>
    where
        'e: 'i,
    {
        Env {
            outer: Some(self),
            slot,
            local: Local::Value(value),
        }
    }

    /// These names and a `let`.
    pub(crate) fn define<'i>(&'i self, slot: Slot, expr: &'p Expr) -> Env<'i, 'p>
    where
        'e: 'i,
    {
        self.bind(slot, expr, false)
    }

    /// The same; of a name that is `settled` only the value counts.
    pub(crate) fn bind<'i>(&'i self, slot: Slot, expr: &'p Expr, settled: bool) -> Env<'i, 'p>
    where
        'e: 'i,
    {
        Env {
            outer: Some(self),
            slot,
            local: Local::Let(expr, OnceCell::new(), settled),
        }
    }

    /// What a name stands for.
    pub(crate) fn find(&'e self, slot: Slot) -> Option<Found<'e, 'p>> {
        let mut env = self;
        loop {
            match &env.local {
                Local::Value(value) if env.slot == slot => return Some(Found::Value(value)),
                Local::Let(expr, value, settled) if env.slot == slot => {
                    return Some(Found::Let(expr, value, env.outer.unwrap_or(env), *settled));
                }
                Local::Values(values) if slot >= env.slot => {
                    if let Some(value) = values.get(slot - env.slot) {
                        return Some(Found::Value(value));
                    }
                }
                _ => {}
            }
            env = env.outer?;
        }
    }

    /// The record in slot 0: the subject.
    pub(crate) fn subject(&'e self) -> Option<&'e Seen> {
        match self.find(0) {
            Some(Found::Value(Value::Record(seen))) => Some(seen),
            _ => None,
        }
    }

    /// What a `let` was defined as, also after it was used, with the names around it.
    pub(crate) fn definition(&'e self, slot: Slot) -> Option<(&'p Expr, &'e Env<'e, 'p>)> {
        match self.find(slot) {
            Some(Found::Let(expr, _, outer, _)) => Some((expr, outer)),
            _ => None,
        }
    }

    /// The expression behind a `let` unless its value is known: of a count or of whether there is one, more may be known
    /// than the value says.
    pub(super) fn unsettled(&'e self, slot: Slot) -> Option<(&'p Expr, &'e Env<'e, 'p>)> {
        match self.find(slot) {
            Some(Found::Let(expr, value, outer, false)) => match value.get() {
                None | Some(Value::Unknown(_)) => Some((expr, outer)),
                Some(_) => None,
            },
            _ => None,
        }
    }
}
