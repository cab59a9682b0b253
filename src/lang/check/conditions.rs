//! Conditions: what stands where true or false is due.

use super::frame::{Frame, broken};
use crate::lang::ast::{self, BinaryOp, ExprKind as Written, Quantifier, VerdictKind};
use crate::lang::error::conditions::{self as error, Swallowed};
use crate::lang::program::{Expr, ExprKind};
use crate::model::types::Type;
use crate::source::Span;

/// Where a condition stands, for whether it may be decided beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// `when`, `where`
    When,
    /// `undecided when`
    Undecided,
    /// `require`, `forbid`
    Verdict(VerdictKind),
}

impl<'a> Frame<'_, 'a> {
    /// An expression where true or false is due.
    pub fn condition(&mut self, e: &'a ast::Expr) -> Expr {
        let lowered = self.expr(e);
        if matches!(lowered.ty, Type::Boolean | Type::Json | Type::Any) {
            return lowered;
        }
        self.report(error::no_condition(e.span, &lowered.ty, swallowed(e)));
        broken(e.span)
    }

    /// The condition of a form for lists.
    pub fn body_condition(&mut self, e: &'a ast::Expr) -> Expr {
        self.condition(e)
    }

    /// `not x`
    pub fn not(&mut self, span: Span, of: &'a ast::Expr) -> Expr {
        let lowered = self.condition(of);
        if let ExprKind::Binary(op, left, right) = &lowered.kind
            && let Some(opposite) = opposite(*op)
            && let Some(doubtful) = [left, right].into_iter().find(|side| may_be_missing(side))
        {
            let operands = [self.text(left.span), self.text(right.span)];
            let written = format!("{} {opposite} {}", operands[0], operands[1]);
            self.doubtful.push((
                error::negated_order(span, self.text(doubtful.span), &written),
                operands,
            ));
        }
        super::frame::expr(span, Type::Boolean, ExprKind::Not(Box::new(lowered)))
    }

    /// A condition of a rule, which must not be decided before anything is read.
    pub fn gate(&mut self, e: &'a ast::Expr, gate: Gate) -> Expr {
        let lowered = self.condition(e);
        let decided = self.truth(e);
        let diagnostic = match (gate, decided) {
            (Gate::When | Gate::Undecided, Some(false)) => error::never_holds(e.span, self.contradiction(e)),
            (Gate::Undecided, Some(true)) => error::always_undecided(e.span),
            (Gate::Verdict(VerdictKind::Require), Some(true)) => error::always_passes(e.span, true),
            (Gate::Verdict(VerdictKind::Forbid), Some(false)) => error::always_passes(e.span, false),
            (Gate::When, Some(true)) => error::always_holds(e.span),
            _ => return lowered,
        };
        self.report(diagnostic);
        lowered
    }

    /// How a condition comes out whatever is read, if that is clear from how it is written. Parameters do not count:
    /// they may be set.
    fn truth(&self, e: &'a ast::Expr) -> Option<bool> {
        match &e.kind {
            Written::Boolean(b) => Some(*b),
            Written::Not(of) => self.truth(of).map(|b| !b),
            Written::Binary(BinaryOp::Or, a, b) => match (self.truth(a), self.truth(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Written::Binary(BinaryOp::And, a, b) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ if self.contradiction(e).is_some() => Some(false),
                _ => None,
            },
            Written::Binary(BinaryOp::Equal | BinaryOp::NotEqual, ..) => self.decided.get(&e.span).copied(),
            _ => None,
        }
    }

    /// Two parts of a conjunction that cannot both be true: `x == "a" and x == "b"`, `x exists and x missing`.
    fn contradiction(&self, e: &'a ast::Expr) -> Option<(Span, Span)> {
        let mut parts = Vec::new();
        conjuncts(e, &mut parts);
        for (i, one) in parts.iter().enumerate() {
            for other in &parts[i + 1..] {
                if self.contradict(one, other) {
                    return Some((one.span, other.span));
                }
            }
        }
        None
    }

    fn contradict(&self, one: &ast::Expr, other: &ast::Expr) -> bool {
        let same = |a: &ast::Expr, b: &ast::Expr| self.text(a.span) == self.text(b.span);
        match (&one.kind, &other.kind) {
            (Written::Exists(a), Written::IsMissing(b)) | (Written::IsMissing(b), Written::Exists(a)) => {
                same(a, b)
            }
            (Written::Not(a), _) if same(a, other) => true,
            (_, Written::Not(b)) if same(b, one) => true,
            (Written::Binary(BinaryOp::Equal, a, x), Written::Binary(BinaryOp::Equal, b, y)) => {
                same(a, b) && matches!((&x.kind, &y.kind), (Written::Text(x), Written::Text(y)) if x != y)
            }
            _ => false,
        }
    }
}

/// The parts of `a and b and c`.
fn conjuncts<'e>(e: &'e ast::Expr, out: &mut Vec<&'e ast::Expr>) {
    match &e.kind {
        Written::Binary(BinaryOp::And, a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        _ => out.push(e),
    }
}

/// Whether a form for lists took a comparison or a test along that was meant for its result.
fn swallowed(e: &ast::Expr) -> Swallowed {
    let Written::Quantified { quantifier, body, .. } = &e.kind else {
        return Swallowed::Nothing;
    };
    match (quantifier, rightmost(body)) {
        (Quantifier::Count, Written::Binary(op, ..)) if is_comparison(*op) => Swallowed::Comparison,
        (Quantifier::First | Quantifier::Last, Written::Exists(_) | Written::IsMissing(_)) => Swallowed::Test,
        _ => Swallowed::Nothing,
    }
}

/// For `any x in xs: p exists`, where the test may have been meant for the whole.
pub fn forms(e: &ast::Expr) -> bool {
    matches!(e.kind, Written::Quantified { .. })
}

/// The last part of a conjunction or disjunction.
fn rightmost(e: &ast::Expr) -> &Written {
    match &e.kind {
        Written::Binary(BinaryOp::And | BinaryOp::Or, _, b) => rightmost(b),
        kind => kind,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
    )
}

/// The order comparison that says the opposite.
fn opposite(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Less => ">=",
        BinaryOp::LessEqual => ">",
        BinaryOp::Greater => "<=",
        BinaryOp::GreaterEqual => "<",
        _ => return None,
    })
}

/// Whether a value is read from a recording and may not be there.
fn may_be_missing(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Member(..) | ExprKind::Index(..) => true,
        ExprKind::Attribute(_, attribute) => {
            use crate::model::subject::Attribute as A;
            !matches!(attribute, A::Index | A::Kind | A::Bytes | A::Time)
        }
        _ => false,
    }
}
