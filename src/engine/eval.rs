//! Expressions → values.

use super::world::{World, place};
use crate::lang::ast::{BinaryOp, Quantifier};
use crate::lang::compile::{Plan, ScopeId};
use crate::lang::program::{Expr, ExprKind, FunctionId, Slot};
use crate::model::ops::{self, Comparison};
use crate::model::record::{END, Ordinal, Seen};
use crate::model::unknown::Reason;
use crate::model::value::{Truth, Value};

/// How deep functions and attributes may use each other. The checker refuses cycles, so only a chain of that many
/// definitions meets it.
const DEPTH: usize = 200;

/// The local names of one rule, function or attribute.
#[derive(Debug, Clone)]
pub(crate) struct Frame<'p> {
    slots: Vec<Local<'p>>,
}

#[derive(Debug, Clone)]
enum Local<'p> {
    Empty,
    /// A `let`, and its value once it was used.
    Let(&'p Expr, Option<Value>),
    Value(Value),
}

impl<'p> Frame<'p> {
    pub(crate) fn new(slots: usize) -> Self {
        Frame {
            slots: vec![Local::Empty; slots],
        }
    }

    pub(crate) fn set(&mut self, slot: Slot, value: Value) {
        if let Some(local) = self.slots.get_mut(slot) {
            *local = Local::Value(value);
        }
    }

    pub(crate) fn define(&mut self, slot: Slot, expr: &'p Expr) {
        if let Some(local) = self.slots.get_mut(slot) {
            *local = Local::Let(expr, None);
        }
    }

    /// The record in slot 0: the subject.
    pub(crate) fn subject(&self) -> Option<crate::model::record::Record> {
        match self.slots.first() {
            Some(Local::Value(Value::Record(seen))) => Some(seen.record.clone()),
            _ => None,
        }
    }

    /// What a `let` was defined as, also after it was used.
    pub(crate) fn definition(&self, slot: Slot) -> Option<&'p Expr> {
        match self.slots.get(slot) {
            Some(Local::Let(expr, _)) => Some(expr),
            _ => None,
        }
    }

    /// The expression behind a `let` unless its value is known: of a count or of whether there is one, more may be known
    /// than the value says.
    pub(super) fn unsettled(&self, slot: Slot) -> Option<&'p Expr> {
        match self.slots.get(slot) {
            Some(Local::Let(expr, None | Some(Value::Unknown(_)))) => Some(expr),
            _ => None,
        }
    }
}

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
    pub(crate) fn see(&self, record: crate::model::record::Record) -> Seen {
        let as_of = if record.ordinal() < self.now {
            self.now
        } else {
            self.horizon
        };
        Seen { record, as_of }
    }

    /// The value of an expression.
    pub(crate) fn value(&self, expr: &'p Expr, frame: &mut Frame<'p>) -> Value {
        use ExprKind as K;
        match &expr.kind {
            K::Constant(value) => value.clone(),
            K::Local(slot) => self.local(*slot, frame),
            K::Attribute(of, attribute) => match self.value(of, frame) {
                Value::Record(seen) => self.world.attribute(self, &seen, *attribute),
                other => nothing(other),
            },
            K::Derived(of, id) => match self.value(of, frame) {
                Value::Record(seen) => self.derived(&seen, *id),
                other => nothing(other),
            },
            K::Member(of, name) => match self.value(of, frame) {
                Value::Record(seen) => own_member(&seen, name),
                value => ops::member(&value, name),
            },
            K::Index(of, index) => {
                let of = match self.value(of, frame) {
                    Value::Record(seen) => seen
                        .json()
                        .map_or(Value::Missing, |json| Value::Json(json.clone())),
                    value => value,
                };
                ops::index(&of, &self.value(index, frame))
            }
            K::HeaderList(of) => match self.value(of, frame) {
                Value::Headers(headers) => ops::header_list(&headers),
                other => nothing(other),
            },
            K::History {
                of,
                later,
                bounds,
                collection,
            } => match self.value(of, frame) {
                Value::Record(seen) => {
                    let bounds: Vec<Value> = bounds.iter().map(|bound| self.value(bound, frame)).collect();
                    self.world.history(self, &seen, *later, &bounds, *collection)
                }
                other => nothing(other),
            },
            K::Call(builtin, arguments) => {
                let arguments: Vec<Value> = arguments.iter().map(|a| self.value(a, frame)).collect();
                builtin.apply(&arguments)
            }
            K::Apply(id, arguments) => {
                let arguments = arguments.iter().map(|a| self.value(a, frame)).collect();
                self.apply(*id, arguments)
            }
            K::List(all) => Value::list(all.iter().map(|e| self.value(e, frame)).collect::<Vec<_>>()),
            K::Object(members) => {
                let members: Vec<(&str, Value)> = members
                    .iter()
                    .map(|(name, e)| (&**name, self.value(e, frame)))
                    .collect();
                Value::object(members)
            }
            K::Negate(of) => ops::negate(&self.value(of, frame)),
            K::Binary(BinaryOp::Add, a, b) => ops::add(&self.value(a, frame), &self.value(b, frame)),
            K::Binary(BinaryOp::Subtract, a, b) => {
                ops::subtract(&self.value(a, frame), &self.value(b, frame))
            }
            K::If(condition, yes, no) => match self.truth(condition, frame) {
                Truth::True => self.value(yes, frame),
                Truth::False => self.value(no, frame),
                Truth::Unknown(reasons) => Value::Unknown(reasons),
            },
            K::Quantified {
                quantifier,
                bindings,
                body,
            } => self.form(*quantifier, bindings, body, frame),
            K::Query(id) => self.world.query(self, *id, frame),
            K::Not(_) | K::Exists(_) | K::IsMissing(_) | K::Is(..) | K::Fails(..) | K::Binary(..) => {
                self.truth(expr, frame).into()
            }
        }
    }

    /// An expression as a condition.
    pub(crate) fn truth(&self, expr: &'p Expr, frame: &mut Frame<'p>) -> Truth {
        use ExprKind as K;
        match &expr.kind {
            K::Not(of) => !self.truth(of, frame),
            K::Exists(of) => self.exists(of, frame),
            K::IsMissing(of) => !self.exists(of, frame),
            K::Is(of, test) => ops::is(&self.value(of, frame), *test),
            K::Fails(of, rules) => match self.value(of, frame) {
                Value::Record(seen) => self.world.fails(self, &seen, rules),
                Value::Unknown(reasons) => Truth::Unknown(reasons),
                _ => Truth::False,
            },
            K::Binary(op, a, b) => self.operator(*op, a, b, frame),
            _ => self.value(expr, frame).truth(),
        }
    }

    fn operator(&self, op: BinaryOp, a: &'p Expr, b: &'p Expr, frame: &mut Frame<'p>) -> Truth {
        match op {
            BinaryOp::And => match self.truth(a, frame) {
                Truth::False => Truth::False,
                first => ops::and(first, self.truth(b, frame)),
            },
            BinaryOp::Or => match self.truth(a, frame) {
                Truth::True => Truth::True,
                first => ops::or(first, self.truth(b, frame)),
            },
            BinaryOp::In => ops::is_in(&self.value(a, frame), &self.value(b, frame)),
            BinaryOp::NotIn => !ops::is_in(&self.value(a, frame), &self.value(b, frame)),
            BinaryOp::Has => {
                let of = match self.value(a, frame) {
                    Value::Record(seen) => seen
                        .json()
                        .map_or(Value::Missing, |json| Value::Json(json.clone())),
                    value => value,
                };
                ops::has(&of, &self.value(b, frame))
            }
            BinaryOp::Matches => ops::matches(&self.value(a, frame), &self.value(b, frame)),
            // Shapes are reserved: the checker refuses them.
            BinaryOp::Fits => Truth::False,
            BinaryOp::Add | BinaryOp::Subtract => Truth::False,
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => self.comparison(op, a, b, frame),
        }
    }

    fn comparison(&self, op: BinaryOp, a: &'p Expr, b: &'p Expr, frame: &mut Frame<'p>) -> Truth {
        let Some(comparison) = Comparison::of(op) else {
            return Truth::False;
        };
        match (self.count(a, frame), self.count(b, frame)) {
            (Some(a), Some(b)) => ops::compare_counts(comparison, &a, &b),
            (Some(a), None) => ops::compare_count(comparison, &a, &self.value(b, frame)),
            (None, Some(b)) => ops::compare_count(comparison.flipped(), &b, &self.value(a, frame)),
            (None, None) => {
                let (a, b) = (self.value(a, frame), self.value(b, frame));
                match op {
                    BinaryOp::Equal => ops::equal(&a, &b),
                    BinaryOp::NotEqual => !ops::equal(&a, &b),
                    _ => ops::compare(comparison, &a, &b),
                }
            }
        }
    }

    /// `(first … ) exists` is `any`: it may be known that there is one while it is not known which.
    fn exists(&self, of: &'p Expr, frame: &mut Frame<'p>) -> Truth {
        match &of.kind {
            ExprKind::Quantified {
                quantifier: Quantifier::First | Quantifier::Last,
                bindings,
                body,
            } => {
                return self.form(Quantifier::Any, bindings, body, frame).truth();
            }
            ExprKind::Query(id)
                if matches!(
                    self.plan.queries[*id].quantifier,
                    Quantifier::First | Quantifier::Last
                ) =>
            {
                return self.world.any(self, *id, frame);
            }
            ExprKind::Local(slot) => {
                if let Some(expr) = frame.unsettled(*slot) {
                    return self.exists(expr, frame);
                }
            }
            _ => {}
        }
        match self.value(of, frame) {
            Value::Missing => Truth::False,
            Value::Unknown(reasons) => Truth::Unknown(reasons),
            _ => Truth::True,
        }
    }

    fn local(&self, slot: Slot, frame: &mut Frame<'p>) -> Value {
        match frame.slots.get(slot) {
            Some(Local::Value(value) | Local::Let(_, Some(value))) => value.clone(),
            Some(Local::Let(expr, None)) => {
                let expr = *expr;
                let value = self.value(expr, frame);
                if let Some(local) = frame.slots.get_mut(slot) {
                    *local = Local::Let(expr, Some(value.clone()));
                }
                value
            }
            Some(Local::Empty) | None => Value::Missing,
        }
    }

    fn deeper(&self) -> Option<Evaluator<'w, 'p>> {
        (self.depth < DEPTH).then(|| Evaluator {
            depth: self.depth + 1,
            ..*self
        })
    }

    fn apply(&self, id: FunctionId, arguments: Vec<Value>) -> Value {
        let Some(inner) = self.deeper() else {
            return Value::unknown(Reason::Limit("depth"));
        };
        let function = &self.plan.program.functions[id];
        let mut frame = Frame::new(function.slots);
        for (slot, argument) in arguments.into_iter().enumerate() {
            frame.set(slot, argument);
        }
        for (slot, value) in &function.lets {
            frame.define(*slot, value);
        }
        inner.value(&function.result, &mut frame)
    }

    /// A derived attribute: at its own place if it looks at history, else as whoever asks sees the record.
    pub(crate) fn derived(&self, seen: &Seen, id: usize) -> Value {
        let planned = self.plan.attributes[id];
        // A session is complete only at its end.
        let kept = planned.kept && !matches!(seen.record, crate::model::record::Record::Session(_));
        let Some(derived) = seen.derived().filter(|_| kept) else {
            return self.compute(seen, id);
        };
        if let Some(value) = derived.value(id) {
            return value;
        }
        let value = self.compute(seen, id);
        derived.set_value(id, planned.placed, value.clone());
        value
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
        let mut frame = Frame::new(attribute.slots);
        frame.set(0, Value::Record(seen));
        for (slot, value) in &attribute.lets {
            frame.define(*slot, value);
        }
        inner.value(&attribute.result, &mut frame)
    }
}

/// The JSON whose members are a record's own.
fn members(seen: &Seen) -> Value {
    Value::or_missing(seen.json(), Value::Json)
}

/// A JSON member of a record.
fn own_member(seen: &Seen, name: &str) -> Value {
    match ops::member(&members(seen), name) {
        Value::Missing if seen.is_partial() => Value::unknown(Reason::Catalogue),
        member => member,
    }
}

/// What reaching through something that is no record gives.
fn nothing(value: Value) -> Value {
    match value {
        Value::Unknown(reasons) => Value::Unknown(reasons),
        _ => Value::Missing,
    }
}

/// A record of which nothing is hidden.
pub(crate) fn live(record: crate::model::record::Record) -> Seen {
    Seen { record, as_of: END }
}
