//! Whether a value is as a shape says.

use super::{Likeness, Question};
use crate::json::JsonKind;
use crate::lang::builtins::common::walk::{self, Children};
use crate::model::ops::member;
use crate::model::shape::{Form, Kind};
use crate::model::unknown::Reason;
use crate::model::value::{Truth, Value};

impl Question<'_> {
    /// `value fits SHAPE`
    pub fn fits(&self, value: &Value) -> Truth {
        self.is(value, &Kind::Shape(self.shape))
    }

    /// Whether a value is of a kind.
    pub(super) fn is(&self, value: &Value, kind: &Kind) -> Truth {
        if self.step().is_none() {
            return Truth::Unknown(Reason::Limit("depth").into());
        }
        if let Value::Unknown(reasons) = value {
            return match kind {
                Kind::Json => Truth::True,
                _ => Truth::Unknown(reasons.clone()),
            };
        }
        match kind {
            Kind::Or(kinds) => any(kinds.iter().map(|kind| self.is(value, kind))),
            Kind::Shape(id) => match self.form(*id) {
                None => Truth::False,
                Some(Form::Alias(kind)) => self.is(value, kind),
                Some(Form::Members { closed, fields, .. }) => {
                    if value.json_kind() != Some(JsonKind::Object) {
                        return Truth::False;
                    }
                    if Self::likeness(value, fields) == Likeness::Contradicted {
                        return Truth::False;
                    }
                    let members = all(fields.iter().map(|field| match member(value, &field.name) {
                        Value::Missing => field.optional.into(),
                        value => self.is(&value, &field.kind),
                    }));
                    let only = || {
                        let declared = |name: &str| fields.iter().any(|field| *field.name == *name);
                        let names = walk::members(value).unwrap_or_default();
                        Truth::from(names.iter().all(|(name, _)| declared(name)))
                    };
                    if *closed {
                        all([members, only()].into_iter())
                    } else {
                        members
                    }
                }
            },
            Kind::List(of) => match (value.json_kind(), walk::children(value)) {
                (Some(JsonKind::List), Children::List(elements)) => {
                    all(elements.iter().map(|element| self.is(element, of)))
                }
                _ => Truth::False,
            },
            Kind::Object(of) => {
                if value.json_kind() != Some(JsonKind::Object) {
                    return Truth::False;
                }
                if matches!(**of, Kind::Json) {
                    return Truth::True;
                }
                let members = walk::members(value).unwrap_or_default();
                all(members.iter().map(|(_, member)| self.is(member, of)))
            }
            kind => is_scalar(value, kind).into(),
        }
    }
}

/// Whether a value is of a kind that has nothing below.
pub(super) fn is_scalar(value: &Value, kind: &Kind) -> bool {
    match kind {
        Kind::Json => value.json_kind().is_some(),
        Kind::Null => value.json_kind() == Some(JsonKind::Null),
        Kind::Boolean => value.as_bool().is_some(),
        Kind::Integer => value.as_number().is_some_and(|n| n.is_integral()),
        Kind::Number => value.as_number().is_some(),
        Kind::String => value.as_str().is_some(),
        Kind::Text(text) => value.as_str() == Some(text),
        Kind::Truth(truth) => value.as_bool() == Some(*truth),
        Kind::Range { low, high, integer } => value.as_number().is_some_and(|n| {
            low.as_ref().is_none_or(|low| *low <= n)
                && high.as_ref().is_none_or(|high| n <= *high)
                && (!integer || n.is_integral())
        }),
        _ => false,
    }
}

/// Kleene's conjunction: false as soon as one is.
fn all(truths: impl Iterator<Item = Truth>) -> Truth {
    let mut met = Truth::True;
    for truth in truths {
        match (truth, &met) {
            (Truth::False, _) => return Truth::False,
            (unknown @ Truth::Unknown(_), Truth::True) => met = unknown,
            _ => {}
        }
    }
    met
}

/// Kleene's disjunction: true as soon as one is.
fn any(truths: impl Iterator<Item = Truth>) -> Truth {
    let mut met = Truth::False;
    for truth in truths {
        match (truth, &met) {
            (Truth::True, _) => return Truth::True,
            (unknown @ Truth::Unknown(_), Truth::False) => met = unknown,
            _ => {}
        }
    }
    met
}
