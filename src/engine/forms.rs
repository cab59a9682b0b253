//! Forms for lists → values.

use std::sync::Arc;

use super::env::{Env, Val};
use super::eval::Evaluator;
use super::world::Seek;
use crate::json::JsonKind;
use crate::lang::ast::Quantifier;
use crate::lang::program::{Collection, Expr, ExprKind, Slot};
use crate::model::ops::{self, Count};
use crate::model::value::{List, Truth, Value};

impl<'p> Evaluator<'_, 'p> {
    /// The interval of an expression that counts, also through a `let`.
    pub(super) fn count(&self, expr: &'p Expr, env: &Env<'_, 'p>) -> Option<Count> {
        match &expr.kind {
            ExprKind::Quantified {
                quantifier: Quantifier::Count,
                bindings,
                body,
            } => Some(self.count_form(bindings, body, env)),
            ExprKind::Query(id) if self.plan.queries[*id].quantifier == Quantifier::Count => {
                Some(self.world.count(self, *id, env))
            }
            ExprKind::Let {
                slot,
                value,
                body,
                settled,
            } => self.count(body, &env.bind(*slot, value, *settled)),
            ExprKind::Local(slot) => {
                let (expr, outer) = env.unsettled(*slot)?;
                self.count(expr, outer)
            }
            _ => None,
        }
    }

    pub(super) fn form(
        &self,
        quantifier: Quantifier,
        bindings: &'p [(Slot, Expr)],
        body: &'p Expr,
        env: &Env<'_, 'p>,
    ) -> Value {
        let Some(((slot, list), rest)) = bindings.split_first() else {
            return self.value(body, env);
        };
        if quantifier == Quantifier::Count {
            return self.count_form(bindings, body, env).into_value();
        }
        let condition = |inner: Quantifier, value: &Value| -> Truth {
            if let Err(reasons) = self.world.step() {
                return Truth::Unknown(reasons);
            }
            let env = env.with(*slot, value);
            if rest.is_empty() {
                self.truth(body, &env)
            } else {
                self.form(inner, rest, body, &env).truth()
            }
        };
        let value = |value: &Value| match self.world.step() {
            Ok(()) => self.value(body, &env.with(*slot, value)),
            Err(reasons) => Value::Unknown(reasons),
        };
        let sought = if rest.is_empty() {
            self.sought(quantifier, list, env, &mut |v| condition(Quantifier::Any, v))
        } else {
            None
        };
        let list = match sought.map_or_else(|| self.eval(list, env), Val::Own) {
            // Of a list in a document no other is made to ask about its elements.
            Val::Json(view) if matches!(quantifier, Quantifier::Any | Quantifier::All) => {
                let elements = (view.kind() == JsonKind::List).then(|| view.children());
                let values = elements
                    .into_iter()
                    .flatten()
                    .map(|view| Value::json(view.to_json()));
                return if quantifier == Quantifier::Any {
                    ops::any_of(values, &mut |v| condition(Quantifier::Any, v))
                } else {
                    !ops::any_of(values, &mut |v| !condition(Quantifier::All, v))
                }
                .into();
            }
            list => match ops::elements(&list.fixed()) {
                Ok(list) => list,
                Err(reasons) => return Value::Unknown(reasons),
            },
        };
        match quantifier {
            Quantifier::Any => ops::any(&list, &mut |v| condition(Quantifier::Any, v)).into(),
            Quantifier::All => ops::all(&list, &mut |v| condition(Quantifier::All, v)).into(),
            Quantifier::First => ops::first(&list, &mut |v| condition(Quantifier::Any, v)),
            Quantifier::Last => ops::last(&list, &mut |v| condition(Quantifier::Any, v)),
            Quantifier::Those => Value::List(Arc::new(ops::those(&list, &mut |v| {
                condition(Quantifier::Any, v)
            }))),
            Quantifier::Each if rest.is_empty() => Value::List(Arc::new(ops::each(&list, &mut |v| value(v)))),
            Quantifier::Each => Value::List(Arc::new(ops::each_in(&list, &mut |v| match self.form(
                Quantifier::Each,
                rest,
                body,
                &env.with(*slot, v),
            ) {
                Value::List(list) => (*list).clone(),
                Value::Unknown(reasons) => List {
                    inside: Some(reasons),
                    ..List::default()
                },
                _ => List::default(),
            }))),
            Quantifier::Duplicates => Value::List(Arc::new(ops::duplicates(&list, &mut |v| value(v)))),
            Quantifier::Count => Value::Missing,
        }
    }

    /// Of a history in which one witness is enough, what can matter; `None` of all other lists and forms.
    fn sought(
        &self,
        quantifier: Quantifier,
        list: &'p Expr,
        env: &Env<'_, 'p>,
        holds: &mut dyn FnMut(&Value) -> Truth,
    ) -> Option<Value> {
        let (list, known) = match &list.kind {
            ExprKind::Call(builtin, arguments) if builtin.name == "known" => {
                (arguments.first()?, Some(builtin))
            }
            _ => (list, None),
        };
        let ExprKind::History {
            of,
            later,
            bounds,
            collection: collection @ Collection::Of(_),
        } = &list.kind
        else {
            return None;
        };
        if !bounds.is_empty() {
            return None;
        }
        let seek = match quantifier {
            Quantifier::First => Seek::First(holds),
            Quantifier::Last | Quantifier::Any => Seek::Last(holds),
            _ => return None,
        };
        let of = self.eval(of, env);
        let Some(Value::Record(seen)) = of.as_value() else {
            return None;
        };
        let found = self.world.history(self, seen, *later, &[], *collection, seek);
        Some(match known {
            Some(builtin) => builtin.apply(&[found]),
            None => found,
        })
    }

    fn count_form(&self, bindings: &'p [(Slot, Expr)], body: &'p Expr, env: &Env<'_, 'p>) -> Count {
        let Some(((slot, list), rest)) = bindings.split_first() else {
            return Count::from(self.truth(body, env));
        };
        match ops::elements(&self.eval(list, env).fixed()) {
            Err(reasons) => Count::unknown(reasons),
            Ok(list) => ops::count_sum(&list, &mut |value| match self.world.step() {
                Ok(()) => self.count_form(rest, body, &env.with(*slot, value)),
                Err(reasons) => Count::unknown(reasons),
            }),
        }
    }
}
