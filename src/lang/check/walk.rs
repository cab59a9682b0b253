//! Walks through the expressions of a program.

use crate::lang::program::{Clause, Expr, ExprKind, Piece, Program, Rule, Template};

/// Every expression directly below another.
pub fn children<'e>(e: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    e.parts().into_iter().for_each(visit);
}

/// Every expression directly in a rule.
pub fn of_rule<'e>(rule: &'e Rule, visit: &mut dyn FnMut(&'e Expr)) {
    rule.guard.iter().for_each(&mut *visit);
    for clause in &rule.clauses {
        match clause {
            Clause::For { list, guard, .. } => {
                visit(list);
                guard.iter().for_each(&mut *visit);
            }
            Clause::Let { value, .. } => visit(value),
            Clause::When(e) => visit(e),
            Clause::Undecided { condition, reason } => {
                visit(condition);
                of_template(reason, visit);
            }
        }
    }
    for verdict in &rule.verdicts {
        verdict.condition.iter().for_each(|(_, e)| visit(e));
        of_template(&verdict.text, visit);
        for (place, text) in &verdict.labels {
            visit(place);
            text.iter().for_each(|text| of_template(text, visit));
        }
        verdict.help.iter().for_each(|help| of_template(help, visit));
    }
    rule.once.iter().for_each(visit);
}

fn of_template<'e>(template: &'e Template, visit: &mut dyn FnMut(&'e Expr)) {
    for piece in &template.pieces {
        if let Piece::Hole(e) = piece {
            visit(e);
        }
    }
}

/// Every expression of a program, to be changed in place.
pub fn all_of_program(program: &mut Program, change: &mut dyn FnMut(&mut ExprKind)) {
    for function in &mut program.functions {
        function.lets.iter_mut().for_each(|(_, e)| deep(e, change));
        deep(&mut function.result, change);
    }
    for attribute in &mut program.attributes {
        attribute.lets.iter_mut().for_each(|(_, e)| deep(e, change));
        deep(&mut attribute.result, change);
    }
    for rule in &mut program.rules {
        all_of_rule(rule, change);
    }
}

fn all_of_rule(rule: &mut Rule, change: &mut dyn FnMut(&mut ExprKind)) {
    rule.guard.iter_mut().for_each(|e| deep(e, change));
    for clause in &mut rule.clauses {
        match clause {
            Clause::For { list, guard, .. } => {
                deep(list, change);
                guard.iter_mut().for_each(|e| deep(e, change));
            }
            Clause::Let { value, .. } => deep(value, change),
            Clause::When(e) => deep(e, change),
            Clause::Undecided { condition, reason } => {
                deep(condition, change);
                all_of_template(reason, change);
            }
        }
    }
    for verdict in &mut rule.verdicts {
        verdict.condition.iter_mut().for_each(|(_, e)| deep(e, change));
        all_of_template(&mut verdict.text, change);
        for (place, text) in &mut verdict.labels {
            deep(place, change);
            text.iter_mut().for_each(|text| all_of_template(text, change));
        }
        verdict
            .help
            .iter_mut()
            .for_each(|help| all_of_template(help, change));
    }
    rule.once.iter_mut().for_each(|e| deep(e, change));
}

fn all_of_template(template: &mut Template, change: &mut dyn FnMut(&mut ExprKind)) {
    for piece in &mut template.pieces {
        if let Piece::Hole(e) = piece {
            deep(e, change);
        }
    }
}

/// An expression and everything below it.
pub fn deep(e: &mut Expr, change: &mut dyn FnMut(&mut ExprKind)) {
    change(&mut e.kind);
    for part in e.parts_mut() {
        deep(part, change);
    }
}
