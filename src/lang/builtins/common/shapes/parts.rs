//! Where in a value something of a shape stands.

use std::collections::HashSet;
use std::sync::Arc;

use super::Question;
use super::fits::is_scalar;
use crate::json::JsonKind;
use crate::lang::builtins::common::walk::{self, Children};
use crate::model::ops::member;
use crate::model::shape::{Form, Kind, ShapeId};
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
                for kind in kinds {
                    if self.may_be(value, kind) {
                        self.find(value, kind, path, parts);
                    }
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

    /// Whether a value may be meant as one of these: it is of that kind of JSON, and the members are there that tell the
    /// shape apart.
    fn may_be(&self, value: &Value, kind: &Kind) -> bool {
        match kind {
            Kind::Or(kinds) => kinds.iter().any(|kind| self.may_be(value, kind)),
            Kind::Shape(id) => match self.form(*id) {
                Some(Form::Alias(kind)) => self.may_be(value, kind),
                Some(Form::Members { fields, .. }) => {
                    value.json_kind() == Some(JsonKind::Object)
                        && Self::marks(fields).all(|(field, text)| match member(value, &field.name) {
                            Value::Unknown(_) => true,
                            member => member.as_str() == Some(text),
                        })
                }
                None => false,
            },
            Kind::List(_) => value.json_kind() == Some(JsonKind::List),
            Kind::Object(_) => value.json_kind() == Some(JsonKind::Object),
            scalar => is_scalar(value, scalar),
        }
    }
}
