//! Functions are written out where they are called: then what they say of constants is decided once, and what they ask
//! of a record is shared.

use std::collections::{HashMap, HashSet};

use super::walk::{Active, each, rule_expressions_mut};
use crate::lang::ast::Quantifier;
use crate::lang::program::{Clause, Expr, ExprKind, Function, Program, Slot};
use crate::model::types::Type;

/// How large an expression may become by it, in nodes: functions may call each other many times over.
const ROOM: usize = 2000;

/// Writes functions out in everything that runs.
pub(super) fn inline(program: &mut Program, active: &Active) {
    let sizes = program.functions.iter().map(size).collect::<Vec<_>>();
    for id in &active.rules {
        let rule = &mut program.rules[*id];
        let mut writer = Writer {
            functions: &program.functions,
            sizes: &sizes,
            next: rule.slots,
            room: 0,
            open: open(&rule.clauses),
        };
        for expr in rule_expressions_mut(rule) {
            writer.room = ROOM;
            writer.expr(expr);
        }
        rule.slots = writer.next;
    }
    for id in &active.attributes {
        let attribute = &mut program.attributes[*id];
        let mut writer = Writer {
            functions: &program.functions,
            sizes: &sizes,
            next: attribute.slots,
            room: 0,
            open: attribute
                .lets
                .iter()
                .filter(|(_, value)| seeks(value))
                .map(|(slot, _)| *slot)
                .collect(),
        };
        let lets = attribute.lets.iter_mut().map(|(_, value)| value);
        for expr in lets.chain([&mut attribute.result]) {
            writer.room = ROOM;
            writer.expr(expr);
        }
        attribute.slots = writer.next;
    }
}

fn size(function: &Function) -> usize {
    let mut size = 0;
    for expr in super::function_expressions(function) {
        each(expr, &mut |_| size += 1);
    }
    size
}

struct Writer<'f> {
    functions: &'f [Function],
    sizes: &'f [usize],
    /// The next slot that is free.
    next: Slot,
    room: usize,
    /// Names of which more may be known than their value.
    open: HashSet<Slot>,
}

/// Whether more may be known of a form than its value says: how many there are at least, whether there is one.
fn seeks(expr: &Expr) -> bool {
    use Quantifier as Q;
    match &expr.kind {
        ExprKind::Quantified { quantifier, .. } => matches!(quantifier, Q::Count | Q::First | Q::Last),
        ExprKind::Let { body, .. } => seeks(body),
        _ => false,
    }
}

/// The names of such forms among the `let`s of a rule.
fn open(clauses: &[Clause]) -> HashSet<Slot> {
    let mut open = HashSet::new();
    for clause in clauses {
        if let Clause::Let { slot, value } = clause {
            let alias = matches!(&value.kind, ExprKind::Local(of) if open.contains(of));
            if alias || seeks(value) {
                open.insert(*slot);
            }
        }
    }
    open
}

impl Writer<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        for part in expr.parts_mut() {
            self.expr(part);
        }
        let ExprKind::Apply(id, arguments) = &mut expr.kind else {
            return;
        };
        let function = &self.functions[*id];
        if self.sizes[*id] > self.room || arguments.len() != function.arity {
            return;
        }
        self.room -= self.sizes[*id];
        let arguments = std::mem::take(arguments);
        let mut names: HashMap<Slot, Expr> = HashMap::new();
        let mut lets: Vec<(Slot, Expr, bool)> = vec![];
        for (slot, argument) in arguments.into_iter().enumerate() {
            let name = if is_cheap(&argument) && !self.is_open(&argument) {
                argument
            } else {
                self.name(argument, true, &mut lets)
            };
            names.insert(slot, name);
        }
        for (slot, value) in &function.lets {
            let mut value = value.clone();
            self.rename(&mut value, &mut names);
            if seeks(&value) {
                self.open.insert(self.next);
            }
            let name = self.name(value, false, &mut lets);
            names.insert(*slot, name);
        }
        let mut result = function.result.clone();
        self.rename(&mut result, &mut names);
        // A function gives a value and nothing more.
        if self.is_open(&result) {
            let mut value = vec![];
            let name = self.name(result, true, &mut value);
            lets.append(&mut value);
            result = name;
        }
        let (span, ty) = (expr.span, expr.ty.clone());
        for (slot, value, settled) in lets.into_iter().rev() {
            let closed = settled && self.is_open(&value);
            result = bind(slot, value, result, settled, closed);
        }
        self.expr(&mut result);
        *expr = Expr { span, ty, ..result };
    }

    fn is_open(&self, expr: &Expr) -> bool {
        seeks(expr) || matches!(&expr.kind, ExprKind::Local(slot) if self.open.contains(slot))
    }

    /// Gives a value a name of its own.
    fn name(&mut self, value: Expr, settled: bool, lets: &mut Vec<(Slot, Expr, bool)>) -> Expr {
        let name = Expr {
            span: value.span,
            ty: value.ty.clone(),
            kind: ExprKind::Local(self.next),
        };
        lets.push((self.next, value, settled));
        self.next += 1;
        name
    }

    /// Replaces the names of a function by what they stand for; what it binds itself gets free slots.
    fn rename(&mut self, expr: &mut Expr, names: &mut HashMap<Slot, Expr>) {
        match &mut expr.kind {
            ExprKind::Local(slot) => {
                if let Some(name) = names.get(slot) {
                    *expr = name.clone();
                }
                return;
            }
            ExprKind::Quantified { bindings, .. } => {
                for (slot, list) in bindings {
                    names.insert(
                        *slot,
                        Expr {
                            span: list.span,
                            ty: element(list),
                            kind: ExprKind::Local(self.next),
                        },
                    );
                    *slot = self.next;
                    self.next += 1;
                }
            }
            _ => {}
        }
        for part in expr.parts_mut() {
            self.rename(part, names);
        }
    }
}

/// The type of the elements of a list, as far as it is known.
fn element(list: &Expr) -> Type {
    match &list.ty {
        Type::List(of) => (**of).clone(),
        _ => Type::Json,
    }
}

/// Whether evaluating it twice costs no more than keeping its value.
fn is_cheap(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Local(_) | ExprKind::Constant(_) => true,
        ExprKind::Member(of, _) => is_cheap(of),
        _ => false,
    }
}

/// `let slot = value` in front of an expression, if that needs it; it does if the value is `closed`.
fn bind(slot: Slot, value: Expr, mut body: Expr, settled: bool, closed: bool) -> Expr {
    let (mut uses, mut often) = (0, false);
    count(&body, slot, false, &mut uses, &mut often);
    if uses == 0 {
        return body;
    }
    if !closed && (uses == 1 && !often || is_cheap(&value)) {
        replace(&mut body, slot, &value);
        return body;
    }
    Expr {
        span: body.span,
        ty: body.ty.clone(),
        kind: ExprKind::Let {
            slot,
            value: Box::new(value),
            body: Box::new(body),
            settled,
        },
    }
}

/// How often a name is used, and whether it is used for each element of a list.
fn count(expr: &Expr, slot: Slot, inside: bool, uses: &mut usize, often: &mut bool) {
    match &expr.kind {
        ExprKind::Local(of) if *of == slot => {
            *uses += 1;
            *often |= inside;
        }
        ExprKind::Quantified { bindings, body, .. } => {
            for (i, (_, list)) in bindings.iter().enumerate() {
                count(list, slot, inside || i > 0, uses, often);
            }
            count(body, slot, true, uses, often);
        }
        _ => expr
            .parts()
            .into_iter()
            .for_each(|part| count(part, slot, inside, uses, often)),
    }
}

fn replace(expr: &mut Expr, slot: Slot, value: &Expr) {
    if matches!(expr.kind, ExprKind::Local(of) if of == slot) {
        *expr = value.clone();
        return;
    }
    for part in expr.parts_mut() {
        replace(part, slot, value);
    }
}
