//! What a value is asked about a shape: `fits`, `misfits`, `parts`.

mod fits;
mod misfits;
mod parts;

use std::cell::Cell;

use crate::model::ops::{self, member};
use crate::model::shape::{Era, Field, Form, Kind, Shape, ShapeId, Shapes};
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::Value;

/// How many values are compared with types for one question; real ones need some thousand.
const STEPS: usize = 2_000_000;

/// A shape in an era, and what is asked of it.
pub struct Question<'s> {
    shapes: &'s Shapes,
    shape: ShapeId,
    era: Era,
    /// How many steps are left.
    left: Cell<usize>,
}

/// What comes of the arguments before anything is asked.
pub enum Asked<'s> {
    /// A question.
    Of(Question<'s>),
    /// The value or the shape is missing.
    Missing,
    /// The value, the shape or the revision is unknown.
    Unknown(Reasons),
}

/// Reads the arguments `value, shape, …, revision`.
pub fn asked(arguments: &[Value]) -> Asked<'_> {
    if arguments[..2].iter().any(|a| matches!(a, Value::Missing)) {
        return Asked::Missing;
    }
    if let Some(reasons) = ops::unknown(&arguments[..2]) {
        return Asked::Unknown(reasons);
    }
    let Value::Shape(shape) = &arguments[1] else {
        return Asked::Missing;
    };
    let Some(era) = era(shape, arguments.last()) else {
        return match arguments.last() {
            Some(Value::Unknown(reasons)) => Asked::Unknown(reasons.clone()),
            _ => Asked::Unknown(Reason::Revision.into()),
        };
    };
    Asked::Of(Question {
        shapes: &shape.shapes,
        shape: shape.id,
        era,
        left: Cell::new(STEPS),
    })
}

/// The era of a revision; `None` if it is not known and would matter. What is no date is unknown, never newer.
fn era(shape: &Shape, revision: Option<&Value>) -> Option<Era> {
    if shape.is_constant() {
        return Some(0);
    }
    let revision = revision?.as_str()?;
    crate::model::protocol::is_revision(revision).then(|| shape.shapes.era(revision))
}

impl Question<'_> {
    /// Takes a step; `None` when there were too many.
    fn step(&self) -> Option<()> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        Some(())
    }

    fn form(&self, id: ShapeId) -> Option<&Form> {
        self.shapes.form(id, self.era)
    }

    fn name(&self, id: ShapeId) -> &str {
        self.shapes.all.get(id).map_or("", |shape| &shape.name)
    }

    /// What a kind may be, aliases and choices opened; shapes that are not there in this era are none of them.
    fn alternatives<'k>(&'k self, kind: &'k Kind, to: &mut Vec<&'k Kind>) {
        match kind {
            Kind::Or(kinds) => kinds.iter().for_each(|kind| self.alternatives(kind, to)),
            Kind::Shape(id) => match self.form(*id) {
                Some(Form::Alias(kind)) => self.alternatives(kind, to),
                Some(Form::Members { .. }) => to.push(kind),
                None => {}
            },
            _ => to.push(kind),
        }
    }

    /// The members of a shape that tell it apart: those that hold one text only.
    fn marks(fields: &[Field]) -> impl Iterator<Item = (&Field, &str)> {
        fields.iter().filter_map(|field| match &field.kind {
            Kind::Text(text) => Some((field, &**text)),
            _ => None,
        })
    }

    /// How far an object agrees with what tells a shape apart.
    fn likeness(value: &Value, fields: &[Field]) -> Likeness {
        let mut likeness = Likeness::Open;
        for (field, text) in Self::marks(fields) {
            match member(value, &field.name) {
                Value::Missing if field.optional => {}
                Value::Unknown(_) => {}
                there if there.as_str() == Some(text) => likeness = Likeness::Marked,
                _ => return Likeness::Contradicted,
            }
        }
        likeness
    }
}

/// How far an object agrees with what tells a shape apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// A member that holds one text only holds another one, or is missing.
    Contradicted,
    /// Nothing speaks for it or against it.
    Open,
    /// Such a member is there.
    Marked,
}
