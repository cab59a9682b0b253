//! What several rules ask of the same record is asked once.
//!
//! An expression that depends on one record alone, does not wait and does not look back, and that stands in more than
//! one place, becomes a derived attribute of its own: it is evaluated when it is first used and kept with the record. A
//! `for … where` is first brought into a form in which rules that walk the same list with the same condition share it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::walk::{Facts, rule_expressions, rule_expressions_mut};
use crate::lang::ast::{BinaryOp, Quantifier};
use crate::lang::program::{AttributeId, Clause, DerivedAttribute, Expr, ExprKind, Program, Rule, Slot};
use crate::model::subject::Subject;
use crate::model::types::Type;

/// Brings out what is shared. The attributes that are made come after those of the program.
pub(super) fn share(program: &mut Program, active: &super::walk::Active) {
    for id in &active.rules {
        narrow_lists(&mut program.rules[*id]);
    }
    let facts = Facts::new(program);
    let mut count: HashMap<String, usize> = HashMap::new();
    for id in &active.rules {
        for expr in rule_expressions(&program.rules[*id]) {
            tally(expr, &facts, &mut count);
        }
    }
    for id in &active.attributes {
        let attribute = &program.attributes[*id];
        for expr in attribute
            .lets
            .iter()
            .map(|(_, value)| value)
            .chain([&attribute.result])
        {
            tally(expr, &facts, &mut count);
        }
    }
    let mut out = Sharer {
        facts,
        count,
        made: HashMap::new(),
        attributes: vec![],
        first: program.attributes.len(),
    };
    for id in &active.rules {
        let slots = program.rules[*id].slots;
        for expr in rule_expressions_mut(&mut program.rules[*id]) {
            out.replace(expr, slots);
        }
    }
    for id in &active.attributes {
        let attribute = &mut program.attributes[*id];
        let slots = attribute.slots;
        for (_, value) in &mut attribute.lets {
            out.replace(value, slots);
        }
        out.replace(&mut attribute.result, slots);
    }
    program.attributes.append(&mut out.attributes);
}

/// Whether an expression is missing where the record of a name is, and unknown where that is: an attribute is.
fn is_strict(expr: &Expr, slot: Slot) -> bool {
    match &expr.kind {
        ExprKind::Local(of) => *of == slot,
        ExprKind::Attribute(of, _)
        | ExprKind::Derived(of, _)
        | ExprKind::Member(of, _)
        | ExprKind::HeaderList(of) => is_strict(of, slot),
        ExprKind::Index(of, by) => is_strict(of, slot) && matches!(by.kind, ExprKind::Constant(_)),
        ExprKind::Call(builtin, arguments) => {
            !builtin.total
                && arguments.first().is_some_and(|first| is_strict(first, slot))
                && arguments[1..]
                    .iter()
                    .all(|more| matches!(more.kind, ExprKind::Constant(_)))
        }
        _ => false,
    }
}

/// `for x in xs where p(x) and q(x)` becomes `for x in (those x in (those x in xs: p(x)): q(x))`, which means the same:
/// rules that walk the same list share as many conditions as they have in common. So do forms.
fn narrow_lists(rule: &mut Rule) {
    for clause in &mut rule.clauses {
        let Clause::For { slot, list, guard } = clause else {
            continue;
        };
        if let Some(condition) = guard.take_if(|guard| free(guard) == [*slot]) {
            narrow(list, *slot, condition);
        }
    }
}

fn narrow(list: &mut Expr, slot: Slot, condition: Expr) {
    if let ExprKind::Binary(BinaryOp::And, a, b) = condition.kind {
        narrow(list, slot, *a);
        narrow(list, slot, *b);
        return;
    }
    let list_of = Expr {
        span: list.span,
        ty: list.ty.clone(),
        kind: ExprKind::Constant(crate::model::value::Value::Missing),
    };
    let bare = std::mem::replace(list, list_of);
    list.kind = ExprKind::Quantified {
        quantifier: Quantifier::Those,
        bindings: vec![(slot, bare)],
        body: Box::new(condition),
    };
}

/// Conditions that are not shared come together again: one list is made and not two.
fn widen(expr: &mut Expr) {
    let ExprKind::Quantified {
        quantifier: Quantifier::Those,
        bindings,
        body,
    } = &mut expr.kind
    else {
        return;
    };
    let [(slot, list)] = bindings.as_mut_slice() else {
        return;
    };
    let ExprKind::Quantified {
        quantifier: Quantifier::Those,
        bindings: inner,
        body: first,
    } = &mut list.kind
    else {
        return;
    };
    let [(other, bare)] = inner.as_mut_slice() else {
        return;
    };
    if slot != other {
        return;
    }
    let span = body.span;
    let nothing = || Expr {
        span,
        ty: Type::Boolean,
        kind: ExprKind::Constant(crate::model::value::Value::Missing),
    };
    let (first, bare) = (
        std::mem::replace(&mut **first, nothing()),
        std::mem::replace(bare, nothing()),
    );
    let second = std::mem::replace(&mut **body, nothing());
    **body = Expr {
        span: second.span,
        ty: Type::Boolean,
        kind: ExprKind::Binary(BinaryOp::And, Box::new(first), Box::new(second)),
    };
    *list = bare;
}

/// Names that an expression reads from outside itself.
fn free(expr: &Expr) -> Vec<Slot> {
    let mut out = vec![];
    collect(expr, &mut vec![], &mut out);
    out.sort_unstable();
    out.dedup();
    out
}

fn collect(expr: &Expr, bound: &mut Vec<Slot>, out: &mut Vec<Slot>) {
    match &expr.kind {
        ExprKind::Local(slot) if !bound.contains(slot) => out.push(*slot),
        ExprKind::Quantified { bindings, body, .. } => {
            let before = bound.len();
            for (slot, list) in bindings {
                collect(list, bound, out);
                bound.push(*slot);
            }
            collect(body, bound, out);
            bound.truncate(before);
        }
        ExprKind::Let {
            slot, value, body, ..
        } => {
            collect(value, bound, out);
            bound.push(*slot);
            collect(body, bound, out);
            bound.pop();
        }
        _ => expr
            .parts()
            .into_iter()
            .for_each(|part| collect(part, bound, out)),
    }
}

/// Whether an expression is worth keeping the value of: a call, a form, a header.
fn is_work(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(..) | ExprKind::Apply(..) | ExprKind::Quantified { .. } | ExprKind::HeaderList(_) => {
            true
        }
        ExprKind::Index(of, _) => of.ty == Type::Headers,
        _ => false,
    }
}

/// The record that an expression depends on, and a name that equal expressions have in common.
fn identity(expr: &Expr, facts: &Facts) -> Option<(Slot, Subject, String)> {
    if !is_work(expr) {
        return None;
    }
    let class = facts.of(expr);
    if class.live || class.history {
        return None;
    }
    let [slot] = free(expr)[..] else { return None };
    // Any other record than the subject may be missing or unknown where it has a name.
    if slot != 0 && !is_strict(expr, slot) {
        return None;
    }
    let subject = subject_of(expr, slot)?;
    let mut name = String::new();
    spell(expr, slot, &mut vec![], &mut name)?;
    Some((slot, subject, format!("{} {name}", subject.word())))
}

/// The subject of a name, where it is one.
fn subject_of(expr: &Expr, slot: Slot) -> Option<Subject> {
    match (&expr.kind, &expr.ty) {
        (ExprKind::Local(of), Type::Subject(subject)) if *of == slot => Some(*subject),
        _ => expr.parts().into_iter().find_map(|part| subject_of(part, slot)),
    }
}

/// Writes an expression so that equal ones are written alike, whatever their names are.
fn spell(expr: &Expr, root: Slot, bound: &mut Vec<Slot>, out: &mut String) -> Option<()> {
    use ExprKind as K;
    let head = match &expr.kind {
        K::Local(slot) => match bound.iter().rposition(|b| b == slot) {
            Some(at) => format!("b{at}"),
            None if *slot == root => "x".to_owned(),
            None => return None,
        },
        K::Constant(value) => format!("c{value:?}"),
        K::Attribute(_, attribute) => format!("a{attribute:?}"),
        K::Derived(_, id) => format!("d{id}"),
        K::Member(_, name) => format!("m{name:?}"),
        K::Index(..) => "i".to_owned(),
        K::HeaderList(_) => "h".to_owned(),
        K::Call(builtin, all) => format!("f{}/{}", builtin.name, all.len()),
        K::Apply(id, all) => format!("p{id}/{}", all.len()),
        K::List(all) => format!("l{}", all.len()),
        K::Object(members) => {
            let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
            format!("o{names:?}")
        }
        K::Not(_) => "!".to_owned(),
        K::Negate(_) => "-".to_owned(),
        K::Binary(op, ..) => format!("{op:?}"),
        K::Exists(_) => "e".to_owned(),
        K::IsMissing(_) => "n".to_owned(),
        K::Is(_, test) => format!("t{test:?}"),
        K::If(..) => "?".to_owned(),
        K::Let { settled, .. } => format!("={settled}"),
        K::Quantified {
            quantifier, bindings, ..
        } => format!("q{quantifier:?}/{}", bindings.len()),
        K::History { .. } | K::Query(_) | K::Fails(..) => return None,
    };
    let _ = write!(out, "({head}");
    if let K::Quantified { bindings, body, .. } = &expr.kind {
        let before = bound.len();
        for (slot, list) in bindings {
            spell(list, root, bound, out)?;
            bound.push(*slot);
        }
        spell(body, root, bound, out)?;
        bound.truncate(before);
    } else if let K::Let {
        slot, value, body, ..
    } = &expr.kind
    {
        spell(value, root, bound, out)?;
        bound.push(*slot);
        spell(body, root, bound, out)?;
        bound.pop();
    } else {
        for part in expr.parts() {
            spell(part, root, bound, out)?;
        }
    }
    out.push(')');
    Some(())
}

fn tally(expr: &Expr, facts: &Facts, count: &mut HashMap<String, usize>) {
    if let Some((_, _, name)) = identity(expr, facts) {
        let seen = count.entry(name).or_default();
        *seen += 1;
        // What is inside an expression that is shared anyway is not counted again.
        if *seen > 1 {
            return;
        }
    }
    for part in expr.parts() {
        tally(part, facts, count);
    }
}

struct Sharer {
    facts: Facts,
    count: HashMap<String, usize>,
    made: HashMap<String, AttributeId>,
    attributes: Vec<DerivedAttribute>,
    first: usize,
}

impl Sharer {
    fn replace(&mut self, expr: &mut Expr, slots: usize) {
        if let Some((slot, subject, name)) = identity(expr, &self.facts)
            && self.count.get(&name).copied().unwrap_or(0) > 1
        {
            let id = match self.made.get(&name) {
                Some(id) => *id,
                None => self.make(name, subject, slot, expr, slots),
            };
            let record = Expr {
                span: expr.span,
                ty: Type::Subject(subject),
                kind: ExprKind::Local(slot),
            };
            expr.kind = ExprKind::Derived(Box::new(record), id);
            return;
        }
        for part in expr.parts_mut() {
            self.replace(part, slots);
        }
        widen(expr);
    }

    fn make(&mut self, name: String, subject: Subject, slot: Slot, expr: &Expr, slots: usize) -> AttributeId {
        let id = self.first + self.attributes.len();
        let mut result = expr.clone();
        rename(&mut result, slot, slots);
        for part in result.parts_mut() {
            self.replace(part, slots + 1);
        }
        widen(&mut result);
        // Parts may have become attributes of their own.
        let id = if self.first + self.attributes.len() == id {
            id
        } else {
            self.first + self.attributes.len()
        };
        self.attributes.push(DerivedAttribute {
            subject,
            name: Arc::from(format!("shared {id}")),
            docs: String::new(),
            ty: expr.ty.clone(),
            slots: slots + 1,
            lets: vec![],
            result,
        });
        self.made.insert(name, id);
        id
    }
}

/// The record moves to slot 0; whatever was bound there moves to a free slot.
fn rename(expr: &mut Expr, record: Slot, spare: Slot) {
    let of = |slot: Slot| match slot {
        s if s == record => 0,
        0 => spare,
        s => s,
    };
    match &mut expr.kind {
        ExprKind::Local(slot) => *slot = of(*slot),
        ExprKind::Quantified { bindings, .. } => {
            for (slot, _) in bindings {
                *slot = of(*slot);
            }
        }
        ExprKind::Let { slot, .. } => *slot = of(*slot),
        _ => {}
    }
    for part in expr.parts_mut() {
        rename(part, record, spare);
    }
}
