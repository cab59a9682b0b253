//! Leaves out of a program what does not run: the passes of the compiler go over all of it again and again.

use super::walk::Active;
use crate::lang::program::{DerivedAttribute, Expr, ExprKind, Function, Program, Rule, RuleId};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::source::Span;

/// A program in which rules, attributes and functions that do not run have kept only their heads.
pub(super) fn reduced(program: &Program, active: &Active) -> Program {
    Program {
        rules: numbered(&program.rules, |id, rule| {
            if active.rules.contains(&id) {
                running(rule)
            } else {
                head(rule)
            }
        }),
        functions: numbered(&program.functions, |id, function| {
            if active.functions.contains(&id) {
                function.clone()
            } else {
                Function {
                    name: function.name.clone(),
                    arity: function.arity,
                    slots: function.slots,
                    lets: vec![],
                    result: nothing(function.result.span),
                }
            }
        }),
        attributes: numbered(&program.attributes, |id, attribute| {
            if active.attributes.contains(&id) {
                attribute.clone()
            } else {
                DerivedAttribute {
                    subject: attribute.subject,
                    name: attribute.name.clone(),
                    docs: String::new(),
                    ty: attribute.ty.clone(),
                    slots: attribute.slots,
                    lets: vec![],
                    result: nothing(attribute.result.span),
                }
            }
        }),
        parameters: program.parameters.clone(),
        packs: program.packs.clone(),
        profiles: program.profiles.clone(),
        session_by: program.session_by.clone(),
    }
}

fn numbered<T, U>(all: &[T], make: impl Fn(RuleId, &T) -> U) -> Vec<U> {
    all.iter().enumerate().map(|(id, one)| make(id, one)).collect()
}

/// All of a rule but its examples.
fn running(rule: &Rule) -> Rule {
    Rule {
        guard: rule.guard.clone(),
        clauses: rule.clauses.clone(),
        verdicts: rule.verdicts.clone(),
        once: rule.once.clone(),
        slots: rule.slots,
        ..head(rule)
    }
}

fn head(rule: &Rule) -> Rule {
    Rule {
        id: rule.id.clone(),
        pack: rule.pack.clone(),
        name: rule.name.clone(),
        docs: rule.docs.clone(),
        level: rule.level,
        severity: rule.severity,
        fault: rule.fault,
        sources: rule.sources.clone(),
        tags: rule.tags.clone(),
        revision: rule.revision.clone(),
        scope: rule.scope.clone(),
        subject: rule.subject,
        methods: rule.methods.clone(),
        from: rule.from,
        over: rule.over,
        guard: None,
        clauses: vec![],
        verdicts: vec![],
        once: None,
        slots: rule.slots,
        examples: vec![],
        span: rule.span,
        needs: rule.needs.clone(),
    }
}

fn nothing(span: Span) -> Expr {
    Expr {
        span,
        ty: Type::Any,
        kind: ExprKind::Constant(Value::Missing),
    }
}
