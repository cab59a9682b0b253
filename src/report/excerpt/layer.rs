//! What a look at a JSON text found: the way to each focus, and the neighbours that may be shown beside it.

use std::ops::Range;

use super::scan::contains;

/// A text with the places in focus; `None` where a focus lies outside of it.
#[derive(Debug)]
pub struct Layer {
    pub bytes: Vec<u8>,
    pub foci: Vec<Option<Range<usize>>>,
    /// What stands in the text: one value for a record, any number of items for a line of a larger document.
    pub items: Vec<Item>,
    /// Items were left out behind the last one.
    pub more: bool,
}

/// A member of an object or an element of a list.
#[derive(Debug)]
pub struct Item {
    pub name: Option<Range<usize>>,
    pub value: Node,
    /// Items were left out before this one.
    pub skipped: bool,
    pub rank: Rank,
    /// Which of the neighbours it is, the most important is 0; see [`Layer::order`].
    pub place: usize,
}

/// How much an item matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A short neighbour.
    Short,
    /// It tells what this is about.
    Telling,
    /// On the way to a focus.
    OnTheWay,
}

/// A value.
#[derive(Debug)]
pub struct Node {
    pub span: Range<usize>,
    pub kind: Kind,
    /// Steps from here to the farthest focus below.
    pub height: usize,
    /// A focus ends here: it is this value, or no single part of it.
    pub own: bool,
}

/// What a value is, as far as it matters.
#[derive(Debug)]
pub enum Kind {
    /// Nothing of interest inside.
    Plain,
    /// A string with a focus.
    Text,
    /// A container on the way.
    Container { items: Vec<Item>, more: bool },
    /// A string on the way that holds a JSON text.
    Embedded(Box<Layer>),
}

impl Layer {
    /// Numbers the neighbours by how much they matter: what tells the message before others, what stands late, and so
    /// mostly deep, before what stands early. Gives their number.
    pub fn order(&mut self) -> usize {
        let mut ranks = Vec::new();
        visit(&mut self.items, &mut |item| ranks.push(item.rank));
        let mut sorted: Vec<_> = (0..ranks.len())
            .filter(|i| ranks.get(*i) != Some(&Rank::OnTheWay))
            .collect();
        sorted.sort_by_key(|i| std::cmp::Reverse((ranks.get(*i).copied(), *i)));
        let mut places = vec![0; ranks.len()];
        for (place, i) in sorted.iter().enumerate() {
            if let Some(slot) = places.get_mut(*i) {
                *slot = place;
            }
        }
        let mut places = places.into_iter();
        visit(&mut self.items, &mut |item| {
            item.place = places.next().unwrap_or(0)
        });
        sorted.len()
    }

    /// Whether a focus lies in one of the items, not around them.
    pub fn reaches(&self, focus: usize) -> bool {
        let Some(Some(focus)) = self.foci.get(focus) else {
            return false;
        };
        self.items.iter().any(|i| contains(&i.value.span, focus))
    }
}

/// Calls for every item, in the order of the text.
fn visit(items: &mut [Item], call: &mut impl FnMut(&mut Item)) {
    for item in items {
        call(item);
        match &mut item.value.kind {
            Kind::Container { items, .. } => visit(items, call),
            Kind::Embedded(layer) => visit(&mut layer.items, call),
            Kind::Plain | Kind::Text => {}
        }
    }
}
