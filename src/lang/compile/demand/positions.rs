//! Positions in messages and entries: where values come from.

use std::collections::BTreeSet;

use crate::json::Demand;
use crate::model::subject::Subject;
use crate::model::types::Type;

/// A position in a message or an entry: the way from its root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position {
    pub(super) entry: bool,
    pub(super) way: Vec<Way>,
}

/// A step of such a way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Way {
    Member(String),
    Element,
}

/// Where a value may come from. Records stand for the roots of their JSON.
pub(super) type Positions = BTreeSet<Position>;

/// What is wanted of every message and of every entry.
pub(super) struct Texts {
    pub(super) message: Demand,
    pub(super) entry: Demand,
}

impl Texts {
    /// What is wanted at a position, which is wanted from now on.
    pub(super) fn at(&mut self, position: &Position) -> &mut Demand {
        let mut demand = if position.entry {
            &mut self.entry
        } else {
            &mut self.message
        };
        for way in &position.way {
            demand = match way {
                Way::Member(name) => demand.member(name),
                Way::Element => demand.element(),
            };
        }
        demand
    }
}

/// The roots that records of a type have.
pub(super) fn roots(ty: &Type) -> Positions {
    match ty {
        Type::Subject(subject) if subject.is_message() || *subject == Subject::Frame => {
            Positions::from([Position {
                entry: false,
                way: vec![],
            }])
        }
        Type::Subject(subject) if subject.is_entry() => Positions::from([Position {
            entry: true,
            way: vec![],
        }]),
        Type::Subject(Subject::Listing) => Positions::from([Position {
            entry: false,
            way: vec![Way::Member("result".to_owned())],
        }]),
        Type::List(of) => roots(of),
        _ => Positions::new(),
    }
}
