//! Text → document: one validating pass, guided by a demand.
//!
//! A [`Scanner`] walks; what is demanded is put down here, the rest is checked to be JSON and skipped.

use std::ops::Range;

use super::demand::Demand;
use super::document::{Builder, Document, JsonKind, Origin, Spot};
use super::scan::{Fault, Scanner, Stop};

/// How deep a kept value may be. Each level takes a piece of the stack, here and where documents are walked.
const DEPTH: u32 = 127;

/// Reads one JSON text. `demand` must be [frozen](Demand::frozen). A lone surrogate escape (`\ud800`) is read as U+FFFD.
pub fn decode(text: &str, demand: &Demand, origin: Option<Origin>) -> Result<Document, Fault> {
    let mut scanner = Scanner::new(text);
    let read = scanner.tree(demand).and_then(|tree| scanner.end().map(|()| tree));
    match read {
        Ok(tree) => Ok(tree.finish(origin)),
        Err(Stop) => Err(scanner.fault()),
    }
}

/// Reads one JSON text and keeps all of it.
pub fn decode_all(text: &str, origin: Option<Origin>) -> Result<Document, Fault> {
    decode(text, &Demand::whole(), origin)
}

impl Scanner<'_> {
    /// Moves over a value and keeps what is demanded of it. `demand` must be [frozen](Demand::frozen).
    pub(crate) fn tree(&mut self, demand: &Demand) -> Result<Builder, Stop> {
        let mut kept = Kept::new(self.text(), self.at());
        self.keep(demand, &mut kept, Spot::ROOT, DEPTH)?;
        kept.copy();
        Ok(kept.tree)
    }

    /// Keeps a value, which may be so many levels deep, and says which node it became.
    #[inline(always)]
    fn keep(&mut self, demand: &Demand, kept: &mut Kept, spot: Spot, levels: u32) -> Result<u32, Stop> {
        match self.peek() {
            // Most values are texts, and cost no call.
            Some(b'"') => {
                let text = match self.plain_string() {
                    Some(inside) => kept.part(inside),
                    None => kept.rest_of_string(self)?,
                };
                Ok(kept.tree.put(JsonKind::Text, text, spot))
            }
            _ => self.keep_other(demand, kept, spot, levels),
        }
    }

    #[inline(never)]
    fn keep_other(&mut self, demand: &Demand, kept: &mut Kept, spot: Spot, levels: u32) -> Result<u32, Stop> {
        match self.peek() {
            Some(b'{' | b'[') if levels == 0 => self.refuse_depth(),
            Some(b'{') => self.keep_object(demand, kept, spot, levels - 1),
            Some(b'[') => self.keep_list(demand, kept, spot, levels - 1),
            Some(first) => self.keep_scalar(first, kept, spot),
            None => self.no_value(),
        }
    }

    fn keep_scalar(&mut self, first: u8, kept: &mut Kept, spot: Spot) -> Result<u32, Stop> {
        let start = self.at();
        self.scalar(first)?;
        let (kind, content) = match first {
            b'n' => (JsonKind::Null, (0, 0)),
            b't' => (JsonKind::Boolean, (1, 0)),
            b'f' => (JsonKind::Boolean, (0, 0)),
            _ => (JsonKind::Number, kept.part(start..self.at())),
        };
        Ok(kept.tree.put(kind, content, spot))
    }

    fn keep_object(
        &mut self,
        demand: &Demand,
        kept: &mut Kept,
        spot: Spot,
        levels: u32,
    ) -> Result<u32, Stop> {
        let mut row = kept.tree.row(JsonKind::Object, spot);
        self.object(|this, name| {
            let demand = if demand.is_whole() {
                demand
            } else if let Some(demand) = demand.of_member(&name.said()) {
                demand
            } else {
                return this.skip();
            };
            let key = match name.plain() {
                Some(inside) => kept.part(inside),
                None => kept.append(|text| text.push_str(&name.said())),
            };
            let child = this.keep(demand, kept, row.spot(key), levels)?;
            kept.tree.add(&mut row, child);
            Ok(())
        })?;
        Ok(kept.tree.end(row))
    }

    fn keep_list(&mut self, demand: &Demand, kept: &mut Kept, spot: Spot, levels: u32) -> Result<u32, Stop> {
        let mut row = kept.tree.row(JsonKind::List, spot);
        let Some(demand) = demand.of_element() else {
            self.skip()?;
            return Ok(kept.tree.end(row));
        };
        let mut index = 0;
        self.list(|this| {
            let child = this.keep(demand, kept, row.spot((index, 0)), levels)?;
            kept.tree.add(&mut row, child);
            index += 1;
            Ok(())
        })?;
        Ok(kept.tree.end(row))
    }
}

/// A tree that is being made, and the part of the text that is still to be copied into it.
///
/// To copy every name and value alone would cost more than to find them. What stands close together is copied as one
/// piece, with the few characters in between.
struct Kept<'t> {
    tree: Builder,
    text: &'t str,
    from: usize,
    to: usize,
}

impl<'t> Kept<'t> {
    /// The longest stretch between two kept parts that is copied with them: `":[{"` and the like.
    const BETWEEN: usize = 8;

    /// Nothing yet, before the rest of a text from `at`.
    fn new(text: &'t str, at: usize) -> Self {
        // A guess: more will be needed for many small values, and less for few long texts.
        let rest = text.len() - at;
        Kept {
            tree: Builder::with_capacity((rest / 24).clamp(4, 4096), rest.min(1 << 16)),
            text,
            from: at,
            to: at,
        }
    }

    /// Where a part of the text will stand in the tree's.
    #[inline]
    fn part(&mut self, part: Range<usize>) -> (u32, u32) {
        let between = part.start - self.to;
        if between > Self::BETWEEN {
            self.copy();
            self.from = part.start;
        } else {
            self.tree.between(between);
        }
        self.to = part.end;
        self.tree.coming(part.start - self.from, part.end - part.start)
    }

    /// Appends to the tree's text what does not stand in the text like that, and says where.
    fn append(&mut self, append: impl FnOnce(&mut String)) -> (u32, u32) {
        self.copy();
        self.tree.append(append)
    }

    /// Appends what a string says that was entered, and says where.
    fn rest_of_string(&mut self, scanner: &mut Scanner) -> Result<(u32, u32), Stop> {
        let mut read = Ok(());
        let text = self.append(|text| read = scanner.unescape(text));
        (self.from, self.to) = (scanner.at(), scanner.at());
        read.map(|()| text)
    }

    /// Copies what was kept so far.
    fn copy(&mut self) {
        let piece = self.text.get(self.from..self.to).unwrap_or("");
        self.tree.append(|text| text.push_str(piece));
        self.from = self.to;
    }
}

#[cfg(test)]
mod tests;
