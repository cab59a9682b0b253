//! The forms for lists, evaluated (S3).

use wirelint::lang::ast::{BinaryOp, Quantifier};
use wirelint::lang::program::{Expr, ExprKind, Slot};

use super::eval::{Asker, Frame, Reference};
use super::lists::{self, Interval};
use super::operators as ops;
use super::value::{List, Truth, V};

impl<'p> Reference<'p> {
    /// A comparison of a count is decided as soon as all numbers of its interval decide it alike (S3).
    pub fn compare_counts(
        &self,
        asker: &Asker,
        op: BinaryOp,
        a: (&'p Expr, Option<Interval>),
        b: (&'p Expr, Option<Interval>),
        frame: &mut Frame<'p>,
    ) -> Truth {
        let beyond = [a.1, b.1]
            .into_iter()
            .flatten()
            .map(|(lo, hi)| hi.unwrap_or(lo))
            .max()
            .unwrap_or(0)
            + 64;
        let mut all = |(expr, count): (&'p Expr, Option<Interval>)| match count {
            // As many as make no difference any more stand for all.
            Some((lo, hi)) => (lo..=hi.unwrap_or(beyond)).map(V::integer).collect::<Vec<V>>(),
            None => vec![self.value(asker, expr, frame)],
        };
        let (all_a, all_b) = (all(a), all(b));
        let one = |a: &V, b: &V| match op {
            BinaryOp::Equal => ops::equal(a, b),
            BinaryOp::NotEqual => ops::not(ops::equal(a, b)),
            _ => ops::order(op, a, b),
        };
        let mut outcomes = all_a.iter().flat_map(|a| all_b.iter().map(move |b| one(a, b)));
        let first = outcomes.next()?;
        if outcomes.all(|outcome| outcome == first) {
            first
        } else {
            None
        }
    }

    /// The interval of an expression that counts, also through a `let` (S3).
    pub fn count(&self, asker: &Asker, expr: &'p Expr, frame: &mut Frame<'p>) -> Option<Interval> {
        match &expr.kind {
            ExprKind::Quantified {
                quantifier: Quantifier::Count,
                bindings,
                body,
            } => Some(self.interval(asker, bindings, body, frame)),
            ExprKind::Local(slot) => {
                let definition = frame.definition(*slot)?;
                self.count(asker, definition, frame)
            }
            _ => None,
        }
    }

    /// Over missing, `null` or a non-list a form runs over nothing; over unknown it is unknown (S3).
    fn elements(&self, asker: &Asker, list: &'p Expr, frame: &mut Frame<'p>) -> Option<List> {
        match self.value(asker, list, frame) {
            V::Unknown => None,
            value => Some(value.as_list().unwrap_or_default()),
        }
    }

    pub fn form(
        &self,
        asker: &Asker,
        quantifier: Quantifier,
        bindings: &'p [(Slot, Expr)],
        body: &'p Expr,
        frame: &mut Frame<'p>,
    ) -> V {
        if quantifier == Quantifier::Count {
            return match self.interval(asker, bindings, body, frame) {
                (lo, Some(hi)) if lo == hi => V::integer(lo),
                _ => V::Unknown,
            };
        }
        let Some(((slot, list), rest)) = bindings.split_first() else {
            return self.value(asker, body, frame);
        };
        let Some(list) = self.elements(asker, list, frame) else {
            return V::Unknown;
        };
        // Of several bindings `first last those` give elements of the first list: those for which there is one of the
        // others.
        let inner = if quantifier == Quantifier::All {
            Quantifier::All
        } else {
            Quantifier::Any
        };
        let mut condition = |value: &V| -> Truth {
            frame.set(*slot, value.clone());
            if rest.is_empty() {
                self.truth(asker, body, frame)
            } else {
                self.form(asker, inner, rest, body, frame).truth()
            }
        };
        match quantifier {
            Quantifier::Any => lists::any(&list, &mut condition).into(),
            Quantifier::All => lists::all(&list, &mut condition).into(),
            Quantifier::First => lists::first(&list, &mut condition),
            Quantifier::Last => lists::last(&list, &mut condition),
            Quantifier::Those => V::List(lists::those(&list, &mut condition)),
            Quantifier::Each if !rest.is_empty() => V::List(lists::each_in(&list, &mut |value| {
                frame.set(*slot, value.clone());
                self.form(asker, Quantifier::Each, rest, body, frame).as_list()
            })),
            Quantifier::Each => V::List(lists::each(&list, &mut |value| {
                frame.set(*slot, value.clone());
                self.value(asker, body, frame)
            })),
            Quantifier::Duplicates => V::List(lists::duplicates(&list, &mut |value| {
                frame.set(*slot, value.clone());
                self.value(asker, body, frame)
            })),
            Quantifier::Count => unreachable!(),
        }
    }

    fn interval(
        &self,
        asker: &Asker,
        bindings: &'p [(Slot, Expr)],
        body: &'p Expr,
        frame: &mut Frame<'p>,
    ) -> Interval {
        let Some(((slot, list), rest)) = bindings.split_first() else {
            return match self.truth(asker, body, frame) {
                Some(true) => (1, Some(1)),
                Some(false) => (0, Some(0)),
                None => (0, Some(1)),
            };
        };
        match self.elements(asker, list, frame) {
            None => (0, None),
            Some(list) => lists::count(&list, &mut |value| {
                frame.set(*slot, value.clone());
                self.interval(asker, rest, body, frame)
            }),
        }
    }
}
