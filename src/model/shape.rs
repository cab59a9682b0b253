//! What a value must look like, as rule files declare it: `shape Tool { … }`.
//!
//! A shape may have several forms, each for some revisions of the protocol. The revisions that all gates name cut time into
//! *eras*, before, at, between and behind them; what holds in an era is worked out once, when rules are checked.

use std::sync::Arc;

use crate::json::Number;

/// Number of a shape in [`Shapes::all`].
pub type ShapeId = usize;
/// Number of an era in the forms of a shape.
pub type Era = usize;

/// All shapes of a run.
#[derive(Debug, Default)]
pub struct Shapes {
    /// The revisions that gates name, in ascending order.
    pub revisions: Vec<Arc<str>>,
    /// In the order of packs and files.
    pub all: Vec<Declared>,
}

/// A shape with its forms.
#[derive(Debug)]
pub struct Declared {
    /// Its name.
    pub name: Arc<str>,
    /// By era; `None` where there is no such shape.
    pub forms: Vec<Option<Arc<Form>>>,
    /// Whether it, or one that it leads to, differs between eras.
    pub changes: bool,
}

/// What a shape is in an era.
#[derive(Debug, Clone)]
pub enum Form {
    /// `= TYPE`
    Alias(Kind),
    /// `{ … }`, with what it extends.
    Members {
        /// Other members are forbidden.
        closed: bool,
        /// In the order declared, those that it extends first.
        fields: Vec<Field>,
        /// The shapes that it extends, from the nearest on.
        extends: Vec<ShapeId>,
    },
}

/// A member.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// It may be missing.
    pub optional: bool,
    /// What it holds.
    pub kind: Kind,
}

/// What a value must be.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Anything.
    Json,
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number without a fraction.
    Integer,
    /// A number.
    Number,
    /// A text.
    String,
    /// A list of such elements.
    List(Box<Kind>),
    /// An object whose members all are such.
    Object(Box<Kind>),
    /// This text.
    Text(Arc<str>),
    /// `true`, or `false`
    Truth(bool),
    /// A number within ends that are included.
    Range {
        /// From.
        low: Option<Number>,
        /// To.
        high: Option<Number>,
        /// Without a fraction.
        integer: bool,
    },
    /// A shape.
    Shape(ShapeId),
    /// Any of them.
    Or(Vec<Kind>),
}

impl Shapes {
    /// The era of a revision.
    pub fn era(&self, revision: &str) -> Era {
        let before = self.revisions.partition_point(|cut| **cut < *revision);
        let exactly = self.revisions.get(before).is_some_and(|cut| **cut == *revision);
        2 * before + usize::from(exactly)
    }

    /// How many eras there are.
    pub fn eras(&self) -> usize {
        2 * self.revisions.len() + 1
    }

    /// What a shape is in an era.
    pub fn form(&self, id: ShapeId, era: Era) -> Option<&Form> {
        self.all.get(id)?.forms.get(era)?.as_deref()
    }
}

/// A shape as a value.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Where it stands.
    pub shapes: Arc<Shapes>,
    /// Which one.
    pub id: ShapeId,
}

impl Shape {
    /// Its name.
    pub fn name(&self) -> &str {
        self.shapes.all.get(self.id).map_or("", |shape| &shape.name)
    }

    /// Whether it looks the same in all eras.
    pub fn is_constant(&self) -> bool {
        self.shapes.all.get(self.id).is_none_or(|shape| !shape.changes)
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Shape {}
