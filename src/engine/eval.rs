//! Expressions → values.

use std::sync::Arc;

use super::env::{Env, Found, Val};
use super::world::{Seek, World, place};
use crate::json::{JsonKind, JsonView};
use crate::lang::ast::{BinaryOp, Quantifier};
use crate::lang::builtins::Builtin;
use crate::lang::compile::{Plan, ScopeId};
use crate::lang::program::{Expr, ExprKind, FunctionId, Slot};
use crate::model::ops::{self, Comparison};
use crate::model::record::{END, Ordinal, Record, Seen};
use crate::model::unknown::Reason;
use crate::model::value::{Truth, Value};

/// How deep functions and attributes may use each other. The checker refuses cycles, so only a chain of that many
/// definitions meets it.
const DEPTH: usize = 200;

/// Evaluates the expressions of one rule or attribute on one subject.
pub(crate) struct Evaluator<'w, 'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) world: &'w World,
    /// Whose history `earlier` is.
    pub(crate) scope: ScopeId,
    /// The place of the subject: the past is shown as it was there.
    pub(crate) now: Ordinal,
    /// What comes from here on is not looked at: an attribute that looks at history is evaluated at its own place.
    pub(crate) horizon: Ordinal,
    pub(crate) depth: usize,
}

impl<'w, 'p> Evaluator<'w, 'p> {
    pub(crate) fn new(plan: &'p Plan, world: &'w World, scope: ScopeId, now: Ordinal) -> Self {
        Evaluator {
            plan,
            world,
            scope,
            now,
            horizon: END,
            depth: 0,
        }
    }

    /// A record of a history: what was before the subject is shown as it was there.
    pub(crate) fn see(&self, record: Record) -> Seen {
        let as_of = if record.ordinal() < self.now {
            self.now
        } else {
            self.horizon
        };
        Seen { record, as_of }
    }

    /// The value of an expression, by itself.
    pub(crate) fn value(&self, expr: &'p Expr, env: &Env<'_, 'p>) -> Value {
        self.eval(expr, env).into_value()
    }

    /// The value of an expression.
    pub(crate) fn eval<'a>(&'a self, expr: &'p Expr, env: &'a Env<'a, 'p>) -> Val<'a> {
        use ExprKind as K;
        match &expr.kind {
            K::Constant(value) => Val::Ref(value),
            K::Local(slot) => self.local(*slot, env),
            K::Attribute(of, attribute) => match self.eval(of, env) {
                Val::Ref(Value::Record(seen)) => self.world.attribute(self, seen, *attribute),
                Val::Own(Value::Record(seen)) => {
                    Val::Own(self.world.attribute(self, &seen, *attribute).into_value())
                }
                other => nothing(other),
            },
            K::Derived(of, id) => match self.eval(of, env) {
                Val::Ref(Value::Record(seen)) => self.derived(seen, *id),
                Val::Own(Value::Record(seen)) => Val::Own(self.derived(&seen, *id).into_value()),
                other => nothing(other),
            },
            K::Member(of, name) => match self.eval(of, env) {
                Val::Json(view) => Val::member(view, name),
                Val::Ref(value) => member(value, name),
                Val::Own(value) => Val::Own(member(&value, name).into_value()),
            },
            K::Index(of, index) => {
                let of = self.eval(of, env);
                let index = self.eval(index, env).fixed();
                Val::Own(match of.as_value() {
                    Some(Value::Record(seen)) => own_member(seen, &index),
                    _ => ops::index(&of.into_value(), &index),
                })
            }
            K::HeaderList(of) => match self.eval(of, env) {
                Val::Ref(Value::Headers(headers)) => Val::Own(ops::header_list(headers)),
                Val::Own(Value::Headers(headers)) => Val::Own(ops::header_list(&headers)),
                other => nothing(other),
            },
            K::History {
                of,
                later,
                bounds,
                collection,
            } => {
                let of = self.eval(of, env);
                match of.as_value() {
                    Some(Value::Record(seen)) => {
                        let bounds: Vec<Value> = bounds.iter().map(|bound| self.value(bound, env)).collect();
                        Val::Own(
                            self.world
                                .history(self, seen, *later, &bounds, *collection, Seek::All),
                        )
                    }
                    _ => nothing(of),
                }
            }
            K::Call(builtin, arguments) => Val::Own(self.call(builtin, arguments, env)),
            K::Apply(id, arguments) => {
                let arguments: Vec<Value> = arguments.iter().map(|a| self.value(a, env)).collect();
                Val::Own(self.apply(*id, &arguments))
            }
            K::List(all) => Val::Own(Value::list(all.iter().map(|e| self.value(e, env)))),
            K::Object(members) => {
                let mut there = Vec::with_capacity(members.len());
                for (name, e) in members {
                    match self.value(e, env) {
                        Value::Missing => {}
                        value => there.push((Arc::clone(name), value)),
                    }
                }
                Val::Own(Value::Object(there.into()))
            }
            K::Negate(of) => Val::Own(ops::negate(&self.eval(of, env).fixed())),
            K::Binary(BinaryOp::Add, a, b) => {
                Val::Own(ops::add(&self.eval(a, env).fixed(), &self.eval(b, env).fixed()))
            }
            K::Binary(BinaryOp::Subtract, a, b) => Val::Own(ops::subtract(
                &self.eval(a, env).fixed(),
                &self.eval(b, env).fixed(),
            )),
            K::If(condition, yes, no) => match self.truth(condition, env) {
                Truth::True => self.eval(yes, env),
                Truth::False => self.eval(no, env),
                Truth::Unknown(reasons) => Val::Own(Value::Unknown(reasons)),
            },
            K::Let {
                slot,
                value,
                body,
                settled,
            } => Val::Own(self.value(body, &env.bind(*slot, value, *settled))),
            K::Quantified {
                quantifier,
                bindings,
                body,
            } => Val::Own(self.form(*quantifier, bindings, body, env)),
            K::Query(id) => Val::Own(self.world.query(self, *id, env)),
            K::Not(_) | K::Exists(_) | K::IsMissing(_) | K::Is(..) | K::Fails(..) | K::Binary(..) => {
                Val::Own(self.truth(expr, env).into())
            }
        }
    }

    fn call(&self, builtin: &'static Builtin, arguments: &'p [Expr], env: &Env<'_, 'p>) -> Value {
        match arguments {
            [a] => match self.eval(a, env) {
                Val::Ref(value) => builtin.apply(std::slice::from_ref(value)),
                other => builtin.apply(&[other.into_value()]),
            },
            [a, b] => builtin.apply(&[self.value(a, env), self.value(b, env)]),
            all => {
                let all: Vec<Value> = all.iter().map(|a| self.value(a, env)).collect();
                builtin.apply(&all)
            }
        }
    }

    /// An expression as a condition.
    pub(crate) fn truth(&self, expr: &'p Expr, env: &Env<'_, 'p>) -> Truth {
        use ExprKind as K;
        match &expr.kind {
            K::Not(of) => !self.truth(of, env),
            K::Exists(of) => self.exists(of, env),
            K::IsMissing(of) => !self.exists(of, env),
            K::Is(of, test) => match self.eval(of, env) {
                Val::Json(view) => ops::is_json(view, *test).into(),
                other => ops::is(&other.fixed(), *test),
            },
            K::Fails(of, rules) => {
                let of = self.eval(of, env);
                match of.as_value() {
                    Some(Value::Record(seen)) => self.world.fails(self, seen, rules),
                    Some(Value::Unknown(reasons)) => Truth::Unknown(reasons.clone()),
                    _ => Truth::False,
                }
            }
            K::Binary(op, a, b) => self.operator(*op, a, b, env),
            K::Let {
                slot,
                value,
                body,
                settled,
            } => self.truth(body, &env.bind(*slot, value, *settled)),
            _ => match self.eval(expr, env) {
                Val::Json(view) => (view.as_bool() == Some(true)).into(),
                other => other.fixed().truth(),
            },
        }
    }

    fn operator(&self, op: BinaryOp, a: &'p Expr, b: &'p Expr, env: &Env<'_, 'p>) -> Truth {
        match op {
            BinaryOp::And => match self.truth(a, env) {
                Truth::False => Truth::False,
                first => ops::and(first, self.truth(b, env)),
            },
            BinaryOp::Or => match self.truth(a, env) {
                Truth::True => Truth::True,
                first => ops::or(first, self.truth(b, env)),
            },
            BinaryOp::In => self.is_in(a, b, env),
            BinaryOp::NotIn => !self.is_in(a, b, env),
            BinaryOp::Has => {
                let of = self.eval(a, env);
                let name = self.eval(b, env);
                if let (Val::Json(view), Some(name)) = (&of, name.as_str())
                    && view.kind() == JsonKind::Object
                {
                    return match view.member(name) {
                        None if view.is_partial() => Truth::Unknown(Reason::Body.into()),
                        member => member.is_some().into(),
                    };
                }
                ops::has(&of.fixed(), &name.fixed())
            }
            BinaryOp::Matches => {
                let (text, pattern) = (self.eval(a, env), self.eval(b, env));
                match (&text, pattern.as_value()) {
                    (Val::Json(view), Some(Value::Pattern(pattern))) => {
                        view.as_str().is_some_and(|text| pattern.is_match(text)).into()
                    }
                    _ => ops::matches(&text.fixed(), &pattern.fixed()),
                }
            }
            // The checker makes a call of it.
            BinaryOp::Fits => Truth::False,
            BinaryOp::Add | BinaryOp::Subtract => Truth::False,
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => self.comparison(op, a, b, env),
        }
    }

    fn is_in(&self, a: &'p Expr, b: &'p Expr, env: &Env<'_, 'p>) -> Truth {
        let (x, xs) = (self.eval(a, env), self.eval(b, env));
        // A text among texts, as most are.
        if let (Some(text), Some(Value::List(list))) = (x.as_str(), xs.as_value())
            && list
                .items
                .iter()
                .any(|item| item.perhaps.is_none() && item.value.as_str() == Some(text))
        {
            return Truth::True;
        }
        ops::is_in(&x.fixed(), &xs.fixed())
    }

    fn comparison(&self, op: BinaryOp, a: &'p Expr, b: &'p Expr, env: &Env<'_, 'p>) -> Truth {
        let Some(comparison) = Comparison::of(op) else {
            return Truth::False;
        };
        match (self.count(a, env), self.count(b, env)) {
            (Some(a), Some(b)) => ops::compare_counts(comparison, &a, &b),
            (Some(a), None) => ops::compare_count(comparison, &a, &self.eval(b, env).fixed()),
            (None, Some(b)) => ops::compare_count(comparison.flipped(), &b, &self.eval(a, env).fixed()),
            (None, None) => {
                let (a, b) = (self.eval(a, env), self.eval(b, env));
                if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
                    return comparison.holds(a.cmp(b)).into();
                }
                ops::compare(comparison, &a.fixed(), &b.fixed())
            }
        }
    }

    /// `(first … ) exists` is `any`: it may be known that there is one while it is not known which.
    fn exists(&self, of: &'p Expr, env: &Env<'_, 'p>) -> Truth {
        match &of.kind {
            ExprKind::Quantified {
                quantifier: Quantifier::First | Quantifier::Last,
                bindings,
                body,
            } => {
                return self.form(Quantifier::Any, bindings, body, env).truth();
            }
            ExprKind::Query(id)
                if matches!(
                    self.plan.queries[*id].quantifier,
                    Quantifier::First | Quantifier::Last
                ) =>
            {
                return self.world.any(self, *id, env);
            }
            ExprKind::Local(slot) => {
                if let Some((expr, outer)) = env.unsettled(*slot) {
                    return self.exists(expr, outer);
                }
            }
            ExprKind::Let {
                slot,
                value,
                body,
                settled,
            } => return self.exists(body, &env.bind(*slot, value, *settled)),
            _ => {}
        }
        match self.eval(of, env).as_value() {
            Some(Value::Missing) => Truth::False,
            Some(Value::Unknown(reasons)) => Truth::Unknown(reasons.clone()),
            _ => Truth::True,
        }
    }

    fn local<'a>(&'a self, slot: Slot, env: &'a Env<'a, 'p>) -> Val<'a> {
        match env.find(slot) {
            Some(Found::Value(value)) => Val::Ref(value),
            Some(Found::Let(expr, value, outer, _)) => {
                Val::Ref(value.get_or_init(|| self.value(expr, outer)))
            }
            None => Val::Own(Value::Missing),
        }
    }

    fn deeper(&self) -> Option<Evaluator<'w, 'p>> {
        (self.depth < DEPTH).then(|| Evaluator {
            depth: self.depth + 1,
            ..*self
        })
    }

    fn apply(&self, id: FunctionId, arguments: &[Value]) -> Value {
        let Some(inner) = self.deeper() else {
            return Value::unknown(Reason::Limit("depth"));
        };
        if let Err(reasons) = self.world.step() {
            return Value::Unknown(reasons);
        }
        let function = &self.plan.program.functions[id];
        inner.with_lets(&function.lets, &function.result, &Env::arguments(arguments))
    }

    /// A value behind some `let`s.
    fn with_lets(&self, lets: &'p [(Slot, Expr)], result: &'p Expr, env: &Env<'_, 'p>) -> Value {
        match lets.split_first() {
            Some(((slot, value), rest)) => self.with_lets(rest, result, &env.define(*slot, value)),
            None => self.value(result, env),
        }
    }

    /// A derived attribute: at its own place if it looks at history, else as whoever asks sees the record.
    pub(crate) fn derived<'a>(&'a self, seen: &'a Seen, id: usize) -> Val<'a> {
        let planned = self.plan.attributes[id];
        // What is evaluated at the place of a record waits until it has passed.
        if planned.placed && !self.world.has_reached(seen.ordinal()) {
            return Val::Own(Value::unknown(Reason::Pending));
        }
        // A session is complete only at its end.
        if !planned.kept || matches!(seen.record, Record::Session(_)) {
            return Val::Own(self.compute(seen, id));
        }
        // What is asked of an entry again and again, call by call, stays with it.
        let stays = planned.placed
            || matches!(seen.record, Record::Entry(_)) && self.world.has_passed(seen.ordinal());
        let find = || {
            let Some(derived) = seen.derived().filter(|_| stays) else {
                return self.compute(seen, id);
            };
            derived.value(id).unwrap_or_else(|| {
                let value = self.compute(seen, id);
                // A record in it might hold the entry in turn.
                if planned.placed || !value.holds_records() {
                    derived.set_value(id, value.clone());
                }
                value
            })
        };
        match self.world.memo.place(&seen.record, id) {
            // Whoever asks first must not leave the others less than all.
            Some(place) => Val::Ref(place.get_or_init(|| self.world.apart(find))),
            None => Val::Own(find()),
        }
    }

    /// Evaluates a derived attribute anew.
    pub(crate) fn compute(&self, seen: &Seen, id: usize) -> Value {
        let Some(mut inner) = self.deeper() else {
            return Value::unknown(Reason::Limit("depth"));
        };
        let attribute = &self.plan.program.attributes[id];
        if !seen.subject().is_a(attribute.subject) {
            return Value::Missing;
        }
        let mut seen = seen.clone();
        if self.plan.attributes[id].placed {
            inner.scope = 0;
            inner.now = place(&seen);
            inner.horizon = inner.now;
            seen.as_of = inner.now;
        }
        let record = Value::Record(seen);
        inner.with_lets(&attribute.lets, &attribute.result, &Env::of(&record))
    }
}

/// A member of the JSON of a record: of what is only partly recorded, one that is not there may have been.
fn own_member(seen: &Seen, name: &Value) -> Value {
    match ops::index(&Value::or_missing(seen.json(), Value::Json), name) {
        Value::Missing if seen.is_partial() && !matches!(name, Value::Missing) => {
            Value::unknown(Reason::Catalogue)
        }
        member => member,
    }
}

/// A member of a value; of a record one of its own JSON.
fn member<'a>(of: &'a Value, name: &str) -> Val<'a> {
    match of {
        Value::Json(json) => Val::member(json.view(), name),
        Value::Object(members) => members
            .iter()
            .find(|(member, _)| **member == *name)
            .map_or(Val::Own(Value::Missing), |(_, value)| Val::Ref(value)),
        Value::Record(seen) => match seen.view().and_then(|view| view.member(name)) {
            None if seen.is_partial() => Val::Own(Value::unknown(Reason::Catalogue)),
            None if seen.view().is_some_and(JsonView::is_partial) => Val::Own(Value::unknown(Reason::Body)),
            member => Val::json(member),
        },
        other => Val::Own(ops::member(other, name)),
    }
}

/// What reaching through something that is no record gives.
fn nothing(value: Val<'_>) -> Val<'_> {
    match value.as_value() {
        Some(Value::Unknown(_)) => value,
        _ => Val::Own(Value::Missing),
    }
}

/// A record of which nothing is hidden.
pub(crate) fn live(record: Record) -> Seen {
    Seen { record, as_of: END }
}
