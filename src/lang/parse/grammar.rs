//! The parser that pest makes of `grammar/rules.pest`, and a small view on what it gives.

use pest::Parser;
use pest_derive::Parser as Derive;

use super::phrases::is_mark;

/// The parser.
#[derive(Derive)]
#[grammar = "../grammar/rules.pest"]
struct Grammar;

/// A piece of text with the grammar rule that it matches.
pub type Pair<'t> = pest::iterators::Pair<'t, Rule>;

/// Where pest gave up and what it would have taken there.
pub type Failure = pest::error::Error<Rule>;

/// Reads a whole text as one grammar rule.
pub fn read(rule: Rule, text: &str) -> Result<Option<Pair<'_>>, Box<Failure>> {
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => Ok(pairs.next()),
        Err(failure) => Err(Box::new(failure)),
    }
}

/// The parts of a pair that mean something: keywords and punctuation are left out.
pub struct Parts<'t> {
    pairs: pest::iterators::Pairs<'t, Rule>,
}

impl<'t> Parts<'t> {
    /// The parts of `pair`, in order.
    pub fn of(pair: Pair<'t>) -> Self {
        Parts {
            pairs: pair.into_inner(),
        }
    }

    /// The next part, without taking it.
    pub fn peek(&self) -> Option<Rule> {
        self.pairs
            .clone()
            .map(|p| p.as_rule())
            .find(|rule| !is_mark(*rule))
    }

    /// The next part if it matches `rule`.
    pub fn next_of(&mut self, rule: Rule) -> Option<Pair<'t>> {
        if self.peek()? == rule { self.next() } else { None }
    }

    /// All the next parts that match `rule`.
    pub fn all_of(&mut self, rule: Rule) -> Vec<Pair<'t>> {
        std::iter::from_fn(|| self.next_of(rule)).collect()
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = Pair<'t>;

    fn next(&mut self) -> Option<Pair<'t>> {
        self.pairs.find(|pair| !is_mark(pair.as_rule()))
    }
}
