//! The ways through JSON values, whether they stand in a document or were computed.

use std::collections::HashSet;
use std::sync::Arc;

use crate::json::{Json, JsonKind, JsonView};
use crate::lang::ast::PathStep;
use crate::model::ops::{Path, index, member};
use crate::model::value::{Step, Text, TextPlace, Value};

/// The JSON of a record; everything else as it is.
pub fn json_of(value: &Value) -> Value {
    match value {
        Value::Record(record) => Value::or_missing(record.json(), Value::Json),
        other => other.clone(),
    }
}

/// The members of an object in the order written, of a repeated name the last one; `None` of everything else.
pub fn members(value: &Value) -> Option<Vec<(Arc<str>, Value)>> {
    match value {
        Value::Object(members) => Some(members.to_vec()),
        Value::Json(json) if json.kind() == JsonKind::Object => {
            let children: Vec<Json> = json.children().collect();
            let named = |child: &Json| (child.name().unwrap_or("").into(), Value::json(child.clone()));
            Some(last_of_each(&children).into_iter().map(named).collect())
        }
        Value::Record(record) => members(&Value::Json(record.json()?.clone())),
        _ => None,
    }
}

/// The members that count: of a repeated name the last one, in the order written.
pub fn last_of_each(children: &[Json]) -> Vec<&Json> {
    // Few members are compared with each other; a set pays off only for many.
    const FEW: usize = 24;
    if children.len() <= FEW {
        let is_last = |at: usize| {
            children[at + 1..]
                .iter()
                .all(|later| later.name() != children[at].name())
        };
        return (0..children.len())
            .filter(|at| is_last(*at))
            .map(|at| &children[at])
            .collect();
    }
    let mut seen: HashSet<Option<&str>> = HashSet::with_capacity(children.len());
    let mut kept: Vec<&Json> = children
        .iter()
        .rev()
        .filter(|child| seen.insert(child.name()))
        .collect();
    kept.reverse();
    kept
}

/// The name of a member, with its place if the object stands in a document.
pub fn name(object: &Value, name: &Arc<str>, member: &Value) -> Text {
    match (object, member) {
        (Value::Json(_) | Value::Record(_), Value::Json(member)) => own_name(member.view()),
        _ => Text::new(Arc::clone(name)),
    }
}

/// The name under which a value stands in a document, with its place.
pub fn own_name(child: JsonView) -> Text {
    Text {
        text: child.name().unwrap_or("").into(),
        place: child.stands().then(|| TextPlace::Name(child.to_json())),
    }
}

/// Whether something stands below a value.
pub enum Children {
    /// Nothing can.
    None,
    /// Elements.
    List(Vec<Value>),
    /// Members in the order written.
    Object(Vec<(Arc<str>, Value)>),
}

/// What stands directly below a value.
pub fn children(value: &Value) -> Children {
    if let Some(members) = members(value) {
        return Children::Object(members);
    }
    match value.as_list() {
        Some(list) => Children::List(list.items.iter().map(|item| item.value.clone()).collect()),
        None => Children::None,
    }
}

/// What is called for a value: the path to it, what it stands in (missing for the outermost), and the value.
pub type Visit<'v> = &'v mut dyn FnMut(&[Step], &Value, &Value);

/// Calls `visit` for the value and everything below it, in the order written.
pub fn every(value: &Value, visit: Visit) {
    enter(value, &Value::Missing, &mut vec![], visit);
}

fn enter(value: &Value, parent: &Value, path: &mut Vec<Step>, visit: Visit) {
    visit(path, parent, value);
    match children(value) {
        Children::None => {}
        Children::List(elements) => {
            for (i, element) in (0..).zip(&elements) {
                path.push(Step::Index(i));
                enter(element, value, path, visit);
                path.pop();
            }
        }
        Children::Object(members) => {
            for (name, member) in &members {
                path.push(Step::Member(Arc::clone(name)));
                enter(member, value, path, visit);
                path.pop();
            }
        }
    }
}

/// A path as a value.
pub fn path_value(steps: &[Step]) -> Value {
    Value::Path(Path::Steps(steps.into()))
}

/// The steps of a path, or of a pattern that stands for one path only.
pub fn steps(path: &Value) -> Option<Vec<Step>> {
    match path {
        Value::Path(path) => Some(path.steps()),
        Value::PathPattern(pattern) => pattern
            .pattern
            .steps
            .iter()
            .map(|step| match step {
                PathStep::Member(name) => Some(Step::Member(name.as_str().into())),
                PathStep::Index(index) => Some(Step::Index(*index)),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// What stands at a path.
pub fn follow(value: &Value, path: &[Step]) -> Value {
    path.iter().fold(value.clone(), |value, step| match step {
        Step::Member(name) => member(&value, name),
        Step::Index(i) => i64::try_from(*i).map_or(Value::Missing, |i| index(&value, &Value::integer(i))),
    })
}
