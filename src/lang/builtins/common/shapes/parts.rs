//! Where in a value something of a shape stands.

use std::collections::HashSet;
use std::sync::Arc;

use super::fits::is_scalar;
use super::{Likeness, Question};
use crate::json::JsonKind;
use crate::lang::builtins::common::walk::{self, Children};
use crate::model::ops::member;
use crate::model::shape::{Field, Form, Kind, ShapeId};
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Item, List, Step, Value};

struct Parts {
    wanted: ShapeId,
    seen: HashSet<Vec<Step>>,
    items: Vec<Item>,
    /// Why something may have been overlooked.
    unsure: Option<Reasons>,
}

impl Question<'_> {
    /// `parts(value, SHAPE, PART)`
    pub fn parts(&self, value: &Value, wanted: ShapeId) -> Value {
        let mut parts = Parts {
            wanted,
            seen: HashSet::new(),
            items: vec![],
            unsure: None,
        };
        self.find(value, &Kind::Shape(self.shape), &mut vec![], &mut parts);
        Value::List(Arc::new(List {
            items: parts.items,
            inside: parts.unsure,
            ..List::default()
        }))
    }

    fn find(&self, value: &Value, kind: &Kind, path: &mut Vec<Step>, parts: &mut Parts) {
        if self.step().is_none() {
            parts.unsure = Some(Reason::Limit("depth").into());
            return;
        }
        if let Value::Unknown(reasons) = value {
            if !matches!(
                kind,
                Kind::Json | Kind::String | Kind::Number | Kind::Integer | Kind::Boolean
            ) {
                parts.unsure = Some(reasons.clone());
            }
            return;
        }
        match kind {
            Kind::Or(kinds) => {
                let likely: Vec<_> = kinds
                    .iter()
                    .map(|kind| (self.likely(value, kind), kind))
                    .collect();
                let best = likely.iter().filter_map(|(likely, _)| *likely).max();
                for (_, kind) in likely
                    .iter()
                    .filter(|(likely, _)| best.is_some() && *likely == best)
                {
                    self.find(value, kind, path, parts);
                }
            }
            Kind::Shape(id) => {
                let form = self.form(*id);
                let extends = match form {
                    Some(Form::Members { extends, .. }) => extends.as_slice(),
                    _ => &[],
                };
                if form.is_some()
                    && (*id == parts.wanted || extends.contains(&parts.wanted))
                    && parts.seen.insert(path.clone())
                {
                    let value = Value::fields([("path", walk::path_value(path)), ("value", value.clone())]);
                    parts.items.push(Item { value, perhaps: None });
                }
                match form {
                    Some(Form::Alias(kind)) => self.find(value, kind, path, parts),
                    Some(Form::Members { fields, .. }) => {
                        for field in fields {
                            let member = member(value, &field.name);
                            if !matches!(member, Value::Missing) {
                                path.push(Step::Member(Arc::clone(&field.name)));
                                self.find(&member, &field.kind, path, parts);
                                path.pop();
                            }
                        }
                    }
                    None => {}
                }
            }
            Kind::List(of) => {
                if let Children::List(elements) = walk::children(value) {
                    for (i, element) in (0..).zip(&elements) {
                        path.push(Step::Index(i));
                        self.find(element, of, path, parts);
                        path.pop();
                    }
                }
            }
            Kind::Object(of) if !matches!(**of, Kind::Json) => {
                for (name, member) in walk::members(value).unwrap_or_default() {
                    path.push(Step::Member(name));
                    self.find(&member, of, path, parts);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// How well a value goes as one of these: not at all if it is of another kind of JSON or what tells the shape apart
    /// speaks against it, well if all is there that must be.
    fn likely(&self, value: &Value, kind: &Kind) -> Option<Likely> {
        let of_kind = |wanted| (value.json_kind() == Some(wanted)).then_some(Likely::Whole);
        match kind {
            Kind::Or(kinds) => kinds.iter().filter_map(|kind| self.likely(value, kind)).max(),
            Kind::Shape(id) => match self.form(*id)? {
                Form::Alias(kind) => self.likely(value, kind),
                Form::Members { fields, .. } => {
                    of_kind(JsonKind::Object)?;
                    match Self::likeness(value, fields) {
                        Likeness::Contradicted => None,
                        Likeness::Marked => Some(Likely::Whole),
                        Likeness::Open => {
                            let there = |field: &Field| !matches!(member(value, &field.name), Value::Missing);
                            let whole = fields.iter().all(|field| field.optional || there(field));
                            Some(if whole { Likely::Whole } else { Likely::Partly })
                        }
                    }
                }
            },
            Kind::List(_) => of_kind(JsonKind::List),
            Kind::Object(_) => of_kind(JsonKind::Object),
            scalar => is_scalar(value, scalar).then_some(Likely::Whole),
        }
    }
}

/// How well a value goes as one of the kinds of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likely {
    /// Something is missing.
    Partly,
    /// All is there that must be.
    Whole,
}
