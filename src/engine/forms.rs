//! Forms for lists → values.

use std::sync::Arc;

use super::eval::{Evaluator, Frame};
use crate::lang::ast::Quantifier;
use crate::lang::program::{Expr, ExprKind, Slot};
use crate::model::ops::{self, Count};
use crate::model::unknown::Reasons;
use crate::model::value::{List, Truth, Value};

impl<'p> Evaluator<'_, 'p> {
    /// The interval of an expression that counts, also through a `let`.
    pub(super) fn count(&self, expr: &'p Expr, frame: &mut Frame<'p>) -> Option<Count> {
        match &expr.kind {
            ExprKind::Quantified {
                quantifier: Quantifier::Count,
                bindings,
                body,
            } => Some(self.count_form(bindings, body, frame)),
            ExprKind::Query(id) if self.plan.queries[*id].quantifier == Quantifier::Count => {
                Some(self.world.count(self, *id, frame))
            }
            ExprKind::Local(slot) => {
                let expr = frame.unsettled(*slot)?;
                self.count(expr, frame)
            }
            _ => None,
        }
    }

    /// The elements of a list that a form runs over.
    fn elements(&self, list: &'p Expr, frame: &mut Frame<'p>) -> Result<Arc<List>, Reasons> {
        ops::elements(&self.value(list, frame))
    }

    pub(super) fn form(
        &self,
        quantifier: Quantifier,
        bindings: &'p [(Slot, Expr)],
        body: &'p Expr,
        frame: &mut Frame<'p>,
    ) -> Value {
        let Some(((slot, list), rest)) = bindings.split_first() else {
            return self.value(body, frame);
        };
        if quantifier == Quantifier::Count {
            return self.count_form(bindings, body, frame).into_value();
        }
        let list = match self.elements(list, frame) {
            Ok(list) => list,
            Err(reasons) => return Value::Unknown(reasons),
        };
        let mut condition = |inner: Quantifier, value: &Value| -> Truth {
            frame.set(*slot, value.clone());
            if rest.is_empty() {
                self.truth(body, frame)
            } else {
                self.form(inner, rest, body, frame).truth()
            }
        };
        match quantifier {
            Quantifier::Any => ops::any(&list, &mut |v| condition(Quantifier::Any, v)).into(),
            Quantifier::All => ops::all(&list, &mut |v| condition(Quantifier::All, v)).into(),
            Quantifier::First => ops::first(&list, &mut |v| condition(Quantifier::Any, v)),
            Quantifier::Last => ops::last(&list, &mut |v| condition(Quantifier::Any, v)),
            Quantifier::Those => Value::List(Arc::new(ops::those(&list, &mut |v| {
                condition(Quantifier::Any, v)
            }))),
            Quantifier::Each if rest.is_empty() => Value::List(Arc::new(ops::each(&list, &mut |v| {
                frame.set(*slot, v.clone());
                self.value(body, frame)
            }))),
            Quantifier::Each => Value::List(Arc::new(ops::each_in(&list, &mut |v| {
                frame.set(*slot, v.clone());
                match self.form(Quantifier::Each, rest, body, frame) {
                    Value::List(list) => (*list).clone(),
                    Value::Unknown(reasons) => List {
                        inside: Some(reasons),
                        ..List::default()
                    },
                    _ => List::default(),
                }
            }))),
            Quantifier::Duplicates => Value::List(Arc::new(ops::duplicates(&list, &mut |v| {
                frame.set(*slot, v.clone());
                self.value(body, frame)
            }))),
            Quantifier::Count => Value::Missing,
        }
    }

    fn count_form(&self, bindings: &'p [(Slot, Expr)], body: &'p Expr, frame: &mut Frame<'p>) -> Count {
        let Some(((slot, list), rest)) = bindings.split_first() else {
            return Count::from(self.truth(body, frame));
        };
        match self.elements(list, frame) {
            Err(reasons) => Count::unknown(reasons),
            Ok(list) => ops::count_sum(&list, &mut |value| {
                frame.set(*slot, value.clone());
                self.count_form(rest, body, frame)
            }),
        }
    }
}
