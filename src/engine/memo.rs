//! Derived attributes of the records that are being looked at, each found out once.

use std::cell::{Cell, OnceCell, RefCell};

use crate::lang::program::AttributeId;
use crate::model::record::{Ordinal, Record};
use crate::model::value::Value;

/// Of how many records at a time values are remembered: the one that is judged, and what it reaches.
const BOARDS: usize = 6;

/// What was found out since the last [`clear`](Memo::clear).
#[derive(Debug)]
pub(crate) struct Memo {
    boards: [Board; BOARDS],
}

#[derive(Debug, Default)]
struct Board {
    of: Cell<Option<(Ordinal, usize)>>,
    values: Vec<OnceCell<Value>>,
    used: RefCell<Vec<AttributeId>>,
}

impl Memo {
    /// For so many attributes.
    pub(crate) fn new(attributes: usize) -> Self {
        let board = || Board {
            values: vec![OnceCell::new(); attributes],
            ..Board::default()
        };
        Memo {
            boards: std::array::from_fn(|_| board()),
        }
    }

    /// The place of the value of an attribute of a record; `None` if too many records are being looked at.
    pub(crate) fn place(&self, record: &Record, id: AttributeId) -> Option<&OnceCell<Value>> {
        let key = Some((record.ordinal(), record.entry_index()));
        let board = self
            .boards
            .iter()
            .find(|board| board.of.get() == key || board.of.get().is_none())?;
        board.of.set(key);
        let value = board.values.get(id)?;
        if value.get().is_none() {
            board.used.borrow_mut().push(id);
        }
        Some(value)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for board in &mut self.boards {
            if board.of.take().is_none() {
                return;
            }
            for id in board.used.get_mut().drain(..) {
                board.values[id] = OnceCell::new();
            }
        }
    }
}
