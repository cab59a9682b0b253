//! Expressions: what they mean, evaluated from scratch wherever they stand.

use std::cell::RefCell;
use std::collections::HashMap;

use wirelint::lang::ast::{BinaryOp, Outcome, Quantifier};
use wirelint::lang::program::{Expr, ExprKind, Program, Scope, Slot};
use wirelint::model::record::{END, Ordinal, Record, Seen};

use super::attributes::attribute;
use super::facts::{Facts, Id, id, place};
use super::histories::history;
use super::operators as ops;
use super::value::{List, Truth, V};

/// A program and a recording.
pub struct Reference<'p> {
    pub program: &'p Program,
    pub facts: &'p Facts,
    /// An attribute that looks at history is evaluated once, at its own record (S4).
    once: RefCell<HashMap<(usize, Id), V>>,
}

/// Who asks.
#[derive(Clone)]
pub struct Asker<'s> {
    /// Whose history `earlier` is.
    pub scope: &'s Scope,
    /// The place of the subject.
    pub now: Ordinal,
    /// What comes from here on is not looked at.
    pub horizon: Ordinal,
}

impl Asker<'_> {
    /// The past is shown as it was at the subject (S4).
    pub fn see(&self, record: Record) -> Seen {
        let as_of = if record.ordinal() < self.now {
            self.now
        } else {
            self.horizon
        };
        Seen { record, as_of }
    }
}

/// The local names.
#[derive(Clone)]
pub struct Frame<'p>(pub Vec<Option<Local<'p>>>);

#[derive(Clone)]
pub enum Local<'p> {
    /// A `let`, evaluated when used (S5).
    Let(&'p Expr, Option<V>),
    Value(V),
}

impl<'p> Frame<'p> {
    pub fn new(slots: usize) -> Self {
        Frame(vec![None; slots])
    }

    pub fn set(&mut self, slot: Slot, value: V) {
        self.0[slot] = Some(Local::Value(value));
    }

    pub fn define(&mut self, slot: Slot, value: &'p Expr) {
        self.0[slot] = Some(Local::Let(value, None));
    }

    pub fn definition(&self, slot: Slot) -> Option<&'p Expr> {
        match self.0[slot] {
            Some(Local::Let(expr, _)) => Some(expr),
            _ => None,
        }
    }
}

fn nothing(value: &V) -> V {
    if value.is_unknown() {
        V::Unknown
    } else {
        V::Missing
    }
}

impl<'p> Reference<'p> {
    pub fn new(program: &'p Program, facts: &'p Facts) -> Self {
        Reference {
            program,
            facts,
            once: RefCell::default(),
        }
    }

    pub fn value(&self, asker: &Asker, expr: &'p Expr, frame: &mut Frame<'p>) -> V {
        use ExprKind as K;
        let mut value = |e: &'p Expr| self.value(asker, e, frame);
        match &expr.kind {
            K::Constant(constant) => V::of(constant),
            K::Local(slot) => self.local(asker, *slot, frame),
            K::Attribute(of, which) => match value(of) {
                V::Record(seen) => attribute(self.facts, asker, &seen, *which),
                other => nothing(&other),
            },
            K::Derived(of, id) => match value(of) {
                V::Record(seen) => self.derived(asker, &seen, *id),
                other => nothing(&other),
            },
            K::Member(of, name) => match value(of) {
                // Of what is only partly recorded, a member that is not there may have been.
                V::Record(seen) => {
                    let json = self.facts.json(&seen.record);
                    match json.and_then(|json| json.member(name)) {
                        Some(member) => V::json(member),
                        None if seen.is_partial() => V::Unknown,
                        None if self
                            .facts
                            .json(&seen.record)
                            .is_some_and(|json| json.is_partial()) =>
                        {
                            V::Unknown
                        }
                        None => V::Missing,
                    }
                }
                other => ops::member(&other, name),
            },
            K::Index(of, index) => match (value(of), value(index)) {
                (V::Record(seen), name) if seen.is_partial() && !name.is_missing() => {
                    match ops::index(&self.json(V::Record(seen)), &name) {
                        V::Missing => V::Unknown,
                        member => member,
                    }
                }
                (of, index) => ops::index(&self.json(of), &index),
            },
            K::HeaderList(of) => match value(of) {
                V::Headers(headers) => ops::header_list(&headers),
                other => nothing(&other),
            },
            K::History {
                of,
                later,
                bounds,
                collection,
            } => match value(of) {
                V::Record(seen) => {
                    let bounds: Vec<V> = bounds.iter().map(&mut value).collect();
                    history(self.facts, asker, &seen.record, *later, &bounds, *collection)
                }
                other => nothing(&other),
            },
            K::Call(builtin, arguments) => {
                let arguments: Vec<V> = arguments.iter().map(&mut value).collect();
                call(builtin, &arguments)
            }
            K::Apply(id, arguments) => {
                let function = &self.program.functions[*id];
                let mut inner = Frame::new(function.slots);
                for (slot, argument) in arguments.iter().enumerate() {
                    inner.set(slot, value(argument));
                }
                for (slot, value) in &function.lets {
                    inner.define(*slot, value);
                }
                self.value(asker, &function.result, &mut inner)
            }
            K::List(all) => V::List(List::complete(all.iter().map(value).collect::<Vec<_>>())),
            // An object drops the member that is missing (S1).
            K::Object(members) => {
                let members = members.iter().map(|(name, e)| (name.to_string(), value(e)));
                V::Object(members.filter(|(_, v)| !v.is_missing()).collect())
            }
            K::Negate(of) => ops::negate(&value(of)),
            K::Binary(BinaryOp::Add, a, b) => ops::add(&value(a), &value(b)),
            K::Binary(BinaryOp::Subtract, a, b) => ops::subtract(&value(a), &value(b)),
            K::If(condition, yes, no) => match self.truth(asker, condition, frame) {
                Some(true) => self.value(asker, yes, frame),
                Some(false) => self.value(asker, no, frame),
                None => V::Unknown,
            },
            K::Quantified {
                quantifier,
                bindings,
                body,
            } => self.form(asker, *quantifier, bindings, body, frame),
            K::Not(_) | K::Exists(_) | K::IsMissing(_) | K::Is(..) | K::Fails(..) | K::Binary(..) => {
                self.truth(asker, expr, frame).into()
            }
            K::Query(_) | K::Let { .. } => unreachable!("a checked program is not planned"),
        }
    }

    pub fn truth(&self, asker: &Asker, expr: &'p Expr, frame: &mut Frame<'p>) -> Truth {
        use ExprKind as K;
        match &expr.kind {
            K::Not(of) => ops::not(self.truth(asker, of, frame)),
            K::Exists(of) => self.exists(asker, of, frame),
            K::IsMissing(of) => ops::not(self.exists(asker, of, frame)),
            K::Is(of, test) => ops::is(&self.json(self.value(asker, of, frame)), *test),
            K::Fails(of, rules) => match self.value(asker, of, frame) {
                V::Record(seen) => {
                    let all = rules.iter().map(|rule| match self.judge(*rule, &seen.record) {
                        Outcome::Failed => Some(true),
                        Outcome::Undecided => None,
                        Outcome::Passed | Outcome::NotApplicable => Some(false),
                    });
                    ops::not(ops::conjunction(all.map(ops::not)))
                }
                V::Unknown => None,
                _ => Some(false),
            },
            K::Binary(op, a, b) => self.operator(asker, *op, a, b, frame),
            _ => self.value(asker, expr, frame).truth(),
        }
    }

    fn operator(
        &self,
        asker: &Asker,
        op: BinaryOp,
        a: &'p Expr,
        b: &'p Expr,
        frame: &mut Frame<'p>,
    ) -> Truth {
        match op {
            BinaryOp::And => ops::and(self.truth(asker, a, frame), self.truth(asker, b, frame)),
            BinaryOp::Or => ops::or(self.truth(asker, a, frame), self.truth(asker, b, frame)),
            _ => {
                let counts = (self.count(asker, a, frame), self.count(asker, b, frame));
                if counts != (None, None) && is_comparison(op) {
                    return self.compare_counts(asker, op, (a, counts.0), (b, counts.1), frame);
                }
                let a = self.value(asker, a, frame);
                let b = self.value(asker, b, frame);
                match op {
                    BinaryOp::Equal => ops::equal(&a, &b),
                    BinaryOp::NotEqual => ops::not(ops::equal(&a, &b)),
                    BinaryOp::In => ops::is_in(&a, &b),
                    BinaryOp::NotIn => ops::not(ops::is_in(&a, &b)),
                    BinaryOp::Has => self.has(a, &b),
                    BinaryOp::Matches => ops::matches(&a, &b),
                    _ => ops::order(op, &a, &b),
                }
            }
        }
    }

    /// `(first … ) exists` is `any` (S3), also through a `let`.
    fn exists(&self, asker: &Asker, of: &'p Expr, frame: &mut Frame<'p>) -> Truth {
        match &of.kind {
            ExprKind::Quantified {
                quantifier: Quantifier::First | Quantifier::Last,
                bindings,
                body,
            } => return self.form(asker, Quantifier::Any, bindings, body, frame).truth(),
            ExprKind::Local(slot) => {
                if let Some(definition) = frame.definition(*slot) {
                    return self.exists(asker, definition, frame);
                }
            }
            _ => {}
        }
        match self.value(asker, of, frame) {
            V::Missing => Some(false),
            V::Unknown => None,
            _ => Some(true),
        }
    }

    fn local(&self, asker: &Asker, slot: Slot, frame: &mut Frame<'p>) -> V {
        match frame.0[slot].clone() {
            Some(Local::Value(value) | Local::Let(_, Some(value))) => value,
            Some(Local::Let(expr, None)) => {
                let value = self.value(asker, expr, frame);
                frame.0[slot] = Some(Local::Let(expr, Some(value.clone())));
                value
            }
            None => V::Missing,
        }
    }

    /// A record where JSON is due is its JSON.
    /// Of what is only partly recorded, a member that is not there may have been.
    fn has(&self, of: V, name: &V) -> Truth {
        let partial = matches!(&of, V::Record(seen) if seen.is_partial()) && !name.is_missing();
        let answer = ops::has(&self.json(of), name);
        if partial {
            answer.filter(|there| *there)
        } else {
            answer
        }
    }

    fn json(&self, value: V) -> V {
        match value {
            V::Record(seen) => V::or_missing(self.facts.json(&seen.record).map(V::Json)),
            other => other,
        }
    }

    /// An attribute of a pack. One that looks at history is evaluated at its own record, in its session, with the past
    /// as it was there; another one is what its expression says of the record as it is seen.
    fn derived(&self, asker: &Asker, seen: &Seen, number: usize) -> V {
        let attribute = &self.program.attributes[number];
        if !seen.subject().is_a(attribute.subject) {
            return V::Missing;
        }
        let looks_back = attribute
            .lets
            .iter()
            .map(|(_, e)| e)
            .chain([&attribute.result])
            .any(|e| self.looks_back(e));
        let key = (number, id(&seen.record));
        if looks_back && let Some(value) = self.once.borrow().get(&key) {
            return value.clone();
        }
        let scope = Scope::default();
        let own = Asker {
            scope: &scope,
            now: place(seen),
            horizon: place(seen),
        };
        let (asker, seen) = if looks_back {
            let as_of = own.now;
            (
                &own,
                Seen {
                    as_of,
                    ..seen.clone()
                },
            )
        } else {
            (asker, seen.clone())
        };
        let mut frame = Frame::new(attribute.slots);
        frame.set(0, V::Record(seen));
        for (slot, value) in &attribute.lets {
            frame.define(*slot, value);
        }
        let value = self.value(asker, &attribute.result, &mut frame);
        if looks_back {
            self.once.borrow_mut().insert(key, value.clone());
        }
        value
    }

    fn looks_back(&self, expr: &Expr) -> bool {
        let inside = match &expr.kind {
            ExprKind::History { .. } => true,
            ExprKind::Apply(id, _) => {
                let function = &self.program.functions[*id];
                function
                    .lets
                    .iter()
                    .map(|(_, e)| e)
                    .chain([&function.result])
                    .any(|e| self.looks_back(e))
            }
            _ => false,
        };
        inside || expr.parts().into_iter().any(|part| self.looks_back(part))
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(
        op,
        B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual
    )
}

/// A builtin that is given missing in any argument gives missing, then unknown for unknown (S1, S2).
fn call(builtin: &wirelint::lang::builtins::Builtin, arguments: &[V]) -> V {
    match (builtin.name, arguments) {
        ("known", [V::Unknown]) => V::Missing,
        ("known", [V::List(list)]) => V::List(list.known()),
        ("known", [value]) => value.clone(),
        ("otherwise", [V::Missing, default]) => default.clone(),
        ("otherwise", [value, _]) => value.clone(),
        _ if !builtin.total && arguments.iter().any(V::is_missing) => V::Missing,
        _ if !builtin.total && arguments.iter().any(V::is_unknown) => V::Unknown,
        _ => {
            let arguments: Vec<_> = arguments.iter().map(V::engine).collect();
            V::of(&(builtin.call)(&arguments))
        }
    }
}

/// The subject of a rule, of which nothing is hidden.
pub fn live(record: &Record) -> V {
    V::Record(Seen {
        record: record.clone(),
        as_of: END,
    })
}
