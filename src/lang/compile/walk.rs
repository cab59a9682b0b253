//! Walks over expressions: what is used, what waits, what looks back.

use std::collections::BTreeSet;

use crate::lang::ast::Level;
use crate::lang::program::{
    AttributeId, Clause, Expr, ExprKind, FunctionId, Piece, Program, Rule, RuleId, Template,
};
use crate::model::subject::{Attribute, Subject};
use crate::model::types::Type;

/// Visits an expression and all below it.
pub(super) fn each<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    for part in expr.parts() {
        each(part, visit);
    }
}

fn template<'e>(template: &'e Template, out: &mut Vec<&'e Expr>) {
    out.extend(template.pieces.iter().filter_map(|piece| match piece {
        Piece::Hole(expr) => Some(expr),
        Piece::Text(_) => None,
    }));
}

/// All expressions of a rule.
pub(super) fn rule_expressions(rule: &Rule) -> Vec<&Expr> {
    let mut out: Vec<&Expr> = rule.guard.iter().collect();
    for clause in &rule.clauses {
        out.extend(super::clause_expressions(clause));
        if let Clause::Undecided { reason, .. } = clause {
            template(reason, &mut out);
        }
    }
    for verdict in &rule.verdicts {
        out.extend(verdict.condition.iter().map(|(_, condition)| condition));
        template(&verdict.text, &mut out);
        for (place, text) in &verdict.labels {
            out.push(place);
            text.iter().for_each(|text| template(text, &mut out));
        }
        verdict.help.iter().for_each(|help| template(help, &mut out));
    }
    out.extend(&rule.once);
    out
}

/// All expressions of a rule, to be changed.
pub(super) fn rule_expressions_mut(rule: &mut Rule) -> Vec<&mut Expr> {
    fn template<'e>(template: &'e mut Template, out: &mut Vec<&'e mut Expr>) {
        out.extend(template.pieces.iter_mut().filter_map(|piece| match piece {
            Piece::Hole(expr) => Some(expr),
            Piece::Text(_) => None,
        }));
    }
    let mut out: Vec<&mut Expr> = rule.guard.iter_mut().collect();
    for clause in &mut rule.clauses {
        match clause {
            Clause::For { list, guard, .. } => out.extend(std::iter::once(list).chain(guard)),
            Clause::Let { value, .. } | Clause::When(value) => out.push(value),
            Clause::Undecided { condition, reason } => {
                out.push(condition);
                template(reason, &mut out);
            }
        }
    }
    for verdict in &mut rule.verdicts {
        out.extend(verdict.condition.iter_mut().map(|(_, condition)| condition));
        template(&mut verdict.text, &mut out);
        for (place, text) in &mut verdict.labels {
            out.push(place);
            text.iter_mut().for_each(|text| template(text, &mut out));
        }
        verdict.help.iter_mut().for_each(|help| template(help, &mut out));
    }
    out.extend(&mut rule.once);
    out
}

/// What runs: rules that report, rules that they ask for, attributes that any of them reads.
#[derive(Debug, Default)]
pub(super) struct Active {
    pub(super) rules: BTreeSet<RuleId>,
    pub(super) premises: BTreeSet<RuleId>,
    pub(super) attributes: BTreeSet<AttributeId>,
    pub(super) functions: BTreeSet<FunctionId>,
}

pub(super) fn active(program: &Program) -> Active {
    let mut out = Active::default();
    for (id, rule) in program.rules.iter().enumerate() {
        if rule.level != Level::Off {
            add_rule(program, id, &mut out);
        }
    }
    if let Some(by) = &program.session_by {
        add(program, &by.expr, &mut out);
    }
    out
}

/// What one rule rests on, itself included.
pub(super) fn active_alone(program: &Program, rule: RuleId) -> Active {
    let mut out = Active::default();
    add_rule(program, rule, &mut out);
    if let Some(by) = &program.session_by {
        add(program, &by.expr, &mut out);
    }
    out
}

fn add_rule(program: &Program, id: RuleId, out: &mut Active) {
    if out.rules.insert(id) {
        for expr in rule_expressions(&program.rules[id]) {
            add(program, expr, out);
        }
    }
}

fn add(program: &Program, expr: &Expr, out: &mut Active) {
    each(expr, &mut |e| match &e.kind {
        ExprKind::Derived(_, id) if out.attributes.insert(*id) => {
            let attribute = &program.attributes[*id];
            for e in attribute
                .lets
                .iter()
                .map(|(_, value)| value)
                .chain([&attribute.result])
            {
                add(program, e, out);
            }
        }
        ExprKind::Apply(id, _) if out.functions.insert(*id) => {
            for e in super::function_expressions(&program.functions[*id]) {
                add(program, e, out);
            }
        }
        ExprKind::Fails(_, rules) => {
            for id in rules {
                out.premises.insert(*id);
                add_rule(program, *id, out);
            }
        }
        _ => {}
    });
}

/// The turn of each rule: after all rules that it asks for, else as written.
pub(super) fn order(program: &Program) -> Vec<usize> {
    fn visit(
        program: &Program,
        id: RuleId,
        turn: &mut Vec<usize>,
        next: &mut usize,
        seen: &mut BTreeSet<RuleId>,
    ) {
        if !seen.insert(id) {
            return;
        }
        let mut asked = BTreeSet::new();
        for expr in rule_expressions(&program.rules[id]) {
            each(expr, &mut |e| {
                if let ExprKind::Fails(_, rules) = &e.kind {
                    asked.extend(rules.iter().copied());
                }
            });
        }
        for rule in asked {
            visit(program, rule, turn, next, seen);
        }
        turn[id] = *next;
        *next += 1;
    }
    let mut turn = vec![0; program.rules.len()];
    let (mut next, mut seen) = (0, BTreeSet::new());
    for id in 0..program.rules.len() {
        visit(program, id, &mut turn, &mut next, &mut seen);
    }
    turn
}

/// Whether anything that runs reads such an attribute.
pub(super) fn reads(program: &Program, active: &Active, such: &dyn Fn(&Type, Attribute) -> bool) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| {
        found |= matches!(&e.kind, ExprKind::Attribute(of, attribute) if such(&of.ty, *attribute));
    };
    for id in &active.rules {
        rule_expressions(&program.rules[*id])
            .into_iter()
            .for_each(|e| each(e, &mut look));
    }
    for id in &active.attributes {
        let attribute = &program.attributes[*id];
        attribute
            .lets
            .iter()
            .map(|(_, v)| v)
            .chain([&attribute.result])
            .for_each(|e| each(e, &mut look));
    }
    for id in &active.functions {
        super::function_expressions(&program.functions[*id]).for_each(|e| each(e, &mut look));
    }
    found
}

/// Whether reading this attribute of this type may have to wait.
pub(super) fn is_live(of: &Type, attribute: Attribute) -> bool {
    use Attribute as A;
    match attribute {
        A::Response => *of != Type::Subject(Subject::Listing),
        A::Responses | A::Elapsed | A::ResponseHeaders | A::Events | A::Ended | A::Later => true,
        A::Messages | A::First | A::Last | A::Requests | A::Notifications | A::Exchanges | A::Listings => {
            true
        }
        A::Tools => *of == Type::Subject(Subject::Session),
        A::Status => *of != Type::Subject(Subject::Response),
        A::Request => *of == Type::Subject(Subject::Exchange),
        A::Revision | A::Time | A::Index | A::Key(_) => *of == Type::Subject(Subject::Session),
        _ => false,
    }
}

/// What is known of attributes and functions by what they contain, also through others.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Class {
    /// Looks at `earlier` or `later`.
    pub(super) history: bool,
    /// Reads what becomes known later, or asks for verdicts.
    pub(super) live: bool,
}

/// [`Class`]es of all attributes and functions.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) attributes: Vec<Class>,
    pub(super) functions: Vec<Class>,
    /// Rules that wait.
    late: BTreeSet<RuleId>,
}

impl Facts {
    pub(super) fn new(program: &Program) -> Self {
        let mut facts = Facts {
            attributes: vec![Class::default(); program.attributes.len()],
            functions: vec![Class::default(); program.functions.len()],
            late: BTreeSet::new(),
        };
        // Attributes and functions may use each other, without a cycle: as many rounds as the longest chain.
        loop {
            let mut changed = false;
            for (id, function) in program.functions.iter().enumerate() {
                let class = facts.of_all(super::function_expressions(function));
                changed |= facts.functions[id].update(class);
            }
            for (id, attribute) in program.attributes.iter().enumerate() {
                let all = attribute.lets.iter().map(|(_, v)| v).chain([&attribute.result]);
                let class = facts.of_all(all);
                changed |= facts.attributes[id].update(class);
            }
            if !changed {
                break;
            }
        }
        // Premises come first, so that those who ask for them know.
        let turn = order(program);
        let mut rules: Vec<RuleId> = (0..program.rules.len()).collect();
        rules.sort_unstable_by_key(|id| turn[*id]);
        for id in rules {
            if facts.waits(&program.rules[id]) {
                facts.late.insert(id);
            }
        }
        facts
    }

    fn of_all<'e>(&self, all: impl Iterator<Item = &'e Expr>) -> Class {
        let mut class = Class::default();
        for expr in all {
            let c = self.of(expr);
            class.update(c);
        }
        class
    }

    /// What an expression contains.
    pub(super) fn of(&self, expr: &Expr) -> Class {
        let mut class = Class::default();
        each(expr, &mut |e| {
            let c = match &e.kind {
                ExprKind::History { later, .. } => Class {
                    history: true,
                    live: *later,
                },
                ExprKind::Query(_) => Class {
                    history: true,
                    live: false,
                },
                ExprKind::Attribute(of, attribute) => Class {
                    history: false,
                    live: is_live(&of.ty, *attribute),
                },
                ExprKind::Fails(..) => Class {
                    history: false,
                    live: true,
                },
                // A placed attribute was evaluated when its record passed: it is a fact.
                ExprKind::Derived(_, id) => {
                    let c = self.attributes[*id];
                    Class {
                        history: false,
                        live: c.live && !c.history,
                    }
                }
                ExprKind::Apply(id, _) => self.functions[*id],
                _ => Class::default(),
            };
            class.update(c);
        });
        class
    }
}

impl Class {
    fn update(&mut self, other: Class) -> bool {
        let before = (self.history, self.live);
        self.history |= other.history;
        self.live |= other.live;
        before != (self.history, self.live)
    }
}

/// Whether rules wait: whether they read what becomes known later of records that they reach from their subject. What is
/// met in the past is shown as it was, so nobody waits for it.
impl Facts {
    /// Whether a rule may be evaluated again after its subject has passed.
    pub(super) fn waits(&self, rule: &Rule) -> bool {
        let mut own: BTreeSet<usize> = BTreeSet::from([0]);
        for clause in &rule.clauses {
            match clause {
                Clause::For { slot, list, .. } if self.is_own(list, &own) => drop(own.insert(*slot)),
                Clause::Let { slot, value } if self.is_own(value, &own) => drop(own.insert(*slot)),
                _ => {}
            }
        }
        rule_expressions(rule)
            .into_iter()
            .any(|expr| self.asks_late(expr, &mut own))
    }

    /// Whether a value is reached from the subject, not from its history.
    fn is_own(&self, expr: &Expr, own: &BTreeSet<usize>) -> bool {
        match &expr.kind {
            ExprKind::Local(slot) => own.contains(slot),
            ExprKind::Constant(_) | ExprKind::Query(_) => false,
            ExprKind::History { later, .. } => *later,
            // A placed attribute was evaluated at its record's place.
            ExprKind::Derived(of, id) => !self.attributes[*id].history && self.is_own(of, own),
            ExprKind::Quantified { bindings, body, .. } => {
                bindings.iter().any(|(_, list)| self.is_own(list, own)) || self.is_own(body, own)
            }
            ExprKind::Let { value, body, .. } => self.is_own(value, own) || self.is_own(body, own),
            _ => expr.parts().into_iter().any(|part| self.is_own(part, own)),
        }
    }

    fn asks_late(&self, expr: &Expr, own: &mut BTreeSet<usize>) -> bool {
        let here = match &expr.kind {
            ExprKind::Attribute(of, attribute) => is_live(&of.ty, *attribute) && self.is_own(of, own),
            ExprKind::History { later, .. } => *later,
            ExprKind::Derived(of, id) => {
                let class = self.attributes[*id];
                class.live && !class.history && self.is_own(of, own)
            }
            ExprKind::Apply(id, arguments) => {
                self.functions[*id].live && arguments.iter().any(|argument| self.is_own(argument, own))
            }
            // A verdict on a record may itself still wait.
            ExprKind::Fails(of, rules) => {
                self.is_own(of, own) && rules.iter().any(|rule| self.late.contains(rule))
            }
            _ => false,
        };
        if here {
            return true;
        }
        if let ExprKind::Quantified { bindings, .. } = &expr.kind {
            for (slot, list) in bindings {
                if self.is_own(list, own) {
                    own.insert(*slot);
                }
            }
        }
        if let ExprKind::Let { slot, value, .. } = &expr.kind
            && self.is_own(value, own)
        {
            own.insert(*slot);
        }
        expr.parts().into_iter().any(|part| self.asks_late(part, own))
    }
}
