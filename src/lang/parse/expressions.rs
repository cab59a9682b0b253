//! Expressions: a flat row of operands and operators is folded by precedence.

use std::iter::Peekable;

use super::grammar::{Pair, Parts, Rule};
use super::lower::{Lowering, MAX_HEIGHT};
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Name, Premise, Quantifier};
use crate::lang::error::syntax as error;
use crate::source::{Span, Spanned};

/// An expression and the height of its tree. It is boxed because it passes through many hands on the way up, and
/// nesting must fit into a small stack.
pub struct Term {
    expr: Box<Expr>,
    height: usize,
}

impl Term {
    fn leaf(span: Span, kind: ExprKind) -> Self {
        Term {
            expr: Box::new(Expr { span, kind }),
            height: 1,
        }
    }
}

/// The operators and operands of one expression, in the order written.
type Row<'t> = Peekable<Parts<'t>>;

/// How tightly operators bind, loosest first. `not` stands between `And` and `Comparison`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Comparison,
    Sum,
    Operand,
}

impl Level {
    fn of(op: BinaryOp) -> Self {
        match op {
            BinaryOp::Or => Level::Or,
            BinaryOp::And => Level::And,
            BinaryOp::Add | BinaryOp::Subtract => Level::Sum,
            _ => Level::Comparison,
        }
    }

    fn tighter(self) -> Self {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum | Level::Operand => Level::Operand,
        }
    }
}

impl<'t> Lowering<'t> {
    /// `expr`
    pub fn expr(&mut self, pair: Pair<'t>) -> Expr {
        *self.term(pair).expr
    }

    /// `expr`, with its height.
    fn term(&mut self, pair: Pair<'t>) -> Term {
        // Where it ends is not known without looking to the bottom of it; only a message needs it.
        let start = pair.as_span().start();
        let span = self.place(start, start + pair.as_str().trim_end().len());
        let term = if self.enter(span) {
            let term = self.climb(&mut Parts::of(pair).peekable(), Level::Or);
            self.leave();
            term
        } else {
            None
        };
        term.unwrap_or_else(|| Term::leaf(span, ExprKind::Broken))
    }

    /// A node above others, unless the tree would become too high.
    fn node(&mut self, span: Span, height: usize, kind: ExprKind) -> Term {
        if height >= MAX_HEIGHT {
            self.too_deep(error::too_many_operators(span, MAX_HEIGHT));
            return Term::leaf(span, ExprKind::Broken);
        }
        Term {
            expr: Box::new(Expr { span, kind }),
            height: height + 1,
        }
    }

    /// Operands joined by operators that bind at least as tightly as `level`.
    fn climb(&mut self, row: &mut Row<'t>, level: Level) -> Option<Term> {
        let mut left = if level <= Level::Comparison && row.peek().is_some_and(is_not) {
            self.negation(row)?
        } else {
            self.signed(row)?
        };
        // The operator of the last comparison: another one must not follow.
        let mut compared: Option<Span> = None;
        while let Some(next) = row.peek() {
            let span = self.span(next);
            let own = if is_test(next.as_rule()) {
                Level::Comparison
            } else {
                Level::of(operator(next)?.0)
            };
            if own < level {
                break;
            }
            let next = row.next()?;
            left = if is_test(next.as_rule()) {
                self.test(left, next)?
            } else {
                let op = self.operator(&next)?;
                let right = self.climb(row, own.tighter())?;
                self.binary(op, left, right)
            };
            if own != Level::Comparison {
                compared = None;
            } else if let Some(first) = compared {
                self.report(error::chained_comparison(
                    first,
                    span,
                    self.slice(first),
                    self.slice(span),
                ));
            } else {
                compared = Some(span);
            }
        }
        Some(left)
    }

    fn binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        let span = left.expr.span.to(right.expr.span);
        let height = left.height.max(right.height);
        self.node(span, height, ExprKind::Binary(op, left.expr, right.expr))
    }

    /// A comparison behind any number of `not`.
    fn negation(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut nots = Vec::new();
        while let Some(pair) = row.next_if(is_not) {
            let span = self.span(&pair);
            if pair.as_rule() == Rule::bang {
                self.report(error::foreign_operator(span, pair.as_str(), "not"));
            }
            nots.push(span);
        }
        let mut term = self.climb(row, Level::Comparison)?;
        while let Some(not) = nots.pop() {
            let span = not.to(term.expr.span);
            term = self.node(span, term.height, ExprKind::Not(term.expr));
        }
        Some(term)
    }

    /// A value behind any number of `-`. A `not` here stands behind an operator that binds tighter than it.
    fn signed(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut signs = Vec::new();
        while let Some(pair) = row.next_if(|p| is_not(p) || p.as_rule() == Rule::negate) {
            let span = self.span(&pair);
            if pair.as_rule() == Rule::negate {
                signs.push(span);
            } else {
                self.report(error::misplaced_not(span));
            }
        }
        let mut term = self.accessed(row)?;
        while let Some(sign) = signs.pop() {
            let span = sign.to(term.expr.span);
            term = self.node(span, term.height, ExprKind::Negate(term.expr));
        }
        Some(term)
    }

    /// A value with members, indices and calls behind it.
    fn accessed(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let first = row.next()?;
        let mut term = self.primary(first)?;
        while let Some(pair) = row.next_if(|p| matches!(p.as_rule(), Rule::member | Rule::index | Rule::call))
        {
            term = self.access(term, pair)?;
        }
        Some(term)
    }

    /// A member, index or call behind a value.
    fn access(&mut self, term: Term, pair: Pair<'t>) -> Option<Term> {
        let span = term.expr.span.to(self.closed_span(&pair));
        let rule = pair.as_rule();
        let mut parts = Parts::of(pair);
        Some(match rule {
            Rule::member => {
                let name = self.name(&parts.next()?);
                self.node(span, term.height, ExprKind::Member(term.expr, name))
            }
            Rule::index => {
                let index = self.term(parts.next()?);
                let height = term.height.max(index.height);
                self.node(span, height, ExprKind::Index(term.expr, index.expr))
            }
            _ => self.call(span, term, parts),
        })
    }

    /// `f(a)`, `a.f(b)`
    fn call(&mut self, span: Span, callee: Term, arguments: Parts<'t>) -> Term {
        let place = callee.expr.span;
        let (function, method, mut given) = match callee.expr.kind {
            ExprKind::Name(name) => (Spanned::new(name, place), false, Vec::new()),
            ExprKind::Member(value, name) => (name, true, vec![*value]),
            kind => {
                if !matches!(kind, ExprKind::Broken) {
                    self.report(error::not_callable(place, self.slice(place)));
                }
                return Term::leaf(span, ExprKind::Broken);
            }
        };
        let (mut arguments, height) = self.terms(arguments);
        given.append(&mut arguments);
        let kind = ExprKind::Call {
            function,
            arguments: given,
            method,
        };
        self.node(span, height.max(callee.height), kind)
    }

    /// Expressions beside each other, with the height of the highest.
    fn terms(&mut self, pairs: Parts<'t>) -> (Vec<Expr>, usize) {
        let mut terms = Vec::new();
        let mut height = 0;
        for pair in pairs {
            let term = self.term(pair);
            height = height.max(term.height);
            terms.push(*term.expr);
        }
        (terms, height)
    }

    /// `exists`, `missing`, `is`, `fails` behind a value.
    fn test(&mut self, value: Term, pair: Pair<'t>) -> Option<Term> {
        let span = value.expr.span.to(self.span(&pair));
        let height = value.height;
        let value = value.expr;
        let kind = match pair.as_rule() {
            Rule::exists => ExprKind::Exists(value),
            Rule::missing => ExprKind::IsMissing(value),
            Rule::fails => ExprKind::Fails(value, self.premise(pair)?),
            _ => {
                let negated = pair.clone().into_inner().any(|p| p.as_rule() == Rule::kw_not);
                let ty = self.type_atom(Parts::of(pair).next()?)?;
                ExprKind::Is { value, negated, ty }
            }
        };
        Some(self.node(span, height, kind))
    }

    /// What stands behind `fails`.
    fn premise(&mut self, pair: Pair<'t>) -> Option<Premise> {
        let mut parts = Parts::of(pair);
        if let Some(tagged) = parts.next_of(Rule::tagged) {
            return Some(Premise::Tag(self.string(Parts::of(tagged).next()?)));
        }
        Some(Premise::Rules(
            parts.map(|name| self.kebab(&name, "rules", true)).collect(),
        ))
    }

    /// A value without operators.
    fn primary(&mut self, pair: Pair<'t>) -> Option<Term> {
        // `if` and quantifiers end in an expression, all others in a token.
        let span = self.closed_span(&pair);
        match pair.as_rule() {
            Rule::group => {
                let mut inner = self.term(Parts::of(pair).next()?);
                inner.expr.span = span;
                Some(inner)
            }
            Rule::list => {
                let (elements, height) = self.terms(Parts::of(pair));
                Some(self.node(span, height, ExprKind::List(elements)))
            }
            Rule::object => self.object(span, pair),
            Rule::conditional => self.conditional(span, pair),
            Rule::quantified => self.quantified(span, pair),
            _ => Some(Term::leaf(span, self.literal(span, pair)?)),
        }
    }

    /// A value that holds no others.
    fn literal(&mut self, span: Span, pair: Pair<'t>) -> Option<ExprKind> {
        Some(match pair.as_rule() {
            Rule::name => ExprKind::Name(pair.as_str().to_owned()),
            Rule::string => ExprKind::Text(self.string(pair).node),
            Rule::number => self.number(&pair),
            Rule::duration => self.duration(&pair).map_or(ExprKind::Broken, ExprKind::Duration),
            Rule::bad_number => {
                self.report(error::bad_number(span, pair.as_str()));
                ExprKind::Broken
            }
            Rule::regex => ExprKind::Regex(self.regex(&pair)),
            Rule::path => self.path(pair).map_or(ExprKind::Broken, ExprKind::Path),
            Rule::literal => match pair.as_str() {
                "true" => ExprKind::Boolean(true),
                "false" => ExprKind::Boolean(false),
                "null" => ExprKind::Null,
                _ => ExprKind::Missing,
            },
            Rule::absent => {
                self.report(error::absent(span));
                ExprKind::Missing
            }
            _ => return None,
        })
    }

    fn object(&mut self, span: Span, pair: Pair<'t>) -> Option<Term> {
        let mut height = 0;
        let mut members: Vec<(Name, Expr)> = Vec::new();
        for member in Parts::of(pair) {
            let mut parts = Parts::of(member);
            let key = self.key(parts.next()?);
            let value = self.term(parts.next()?);
            height = height.max(value.height);
            members.push((key, *value.expr));
        }
        self.once_each(members.iter().map(|(name, _)| name), "member");
        Some(self.node(span, height, ExprKind::Object(members)))
    }

    /// The name of a member: a word or a text.
    pub fn key(&mut self, pair: Pair<'t>) -> Name {
        if pair.as_rule() == Rule::string {
            self.string(pair)
        } else {
            self.name(&pair)
        }
    }

    fn conditional(&mut self, span: Span, pair: Pair<'t>) -> Option<Term> {
        let mut parts = Parts::of(pair);
        let mut next = || parts.next();
        let (condition, then, otherwise) = (next()?, next()?, next()?);
        let (condition, then, otherwise) = (self.term(condition), self.term(then), self.term(otherwise));
        let height = condition.height.max(then.height).max(otherwise.height);
        let span = Span {
            end: otherwise.expr.span.end,
            ..span
        };
        let kind = ExprKind::If(condition.expr, then.expr, otherwise.expr);
        Some(self.node(span, height, kind))
    }

    fn quantified(&mut self, span: Span, pair: Pair<'t>) -> Option<Term> {
        let mut parts = Parts::of(pair);
        let quantifier = match parts.next()?.as_str() {
            "any" => Quantifier::Any,
            "all" => Quantifier::All,
            "count" => Quantifier::Count,
            "first" => Quantifier::First,
            "last" => Quantifier::Last,
            "those" => Quantifier::Those,
            "each" => Quantifier::Each,
            _ => Quantifier::Duplicates,
        };
        let mut height = 0;
        let mut bindings = Vec::new();
        for binding in parts.all_of(Rule::binding) {
            let mut parts = Parts::of(binding);
            let name = self.snake(&parts.next()?, "names");
            let list = self.term(parts.next()?);
            height = height.max(list.height);
            bindings.push((name, *list.expr));
        }
        let body = self.term(parts.next()?);
        let span = Span {
            end: body.expr.span.end,
            ..span
        };
        let kind = ExprKind::Quantified {
            quantifier,
            bindings,
            body: body.expr,
        };
        Some(self.node(span, height.max(body.height), kind))
    }

    /// Which operator a pair is; what other languages write counts as ours.
    fn operator(&mut self, pair: &Pair<'t>) -> Option<BinaryOp> {
        let (op, ours) = operator(pair)?;
        if let Some(ours) = ours {
            let span = self.span(pair);
            self.report(match ours {
                "" => error::no_such_operator(span, pair.as_str()),
                _ => error::foreign_operator(span, pair.as_str(), ours),
            });
        }
        Some(op)
    }
}

fn is_not(pair: &Pair<'_>) -> bool {
    matches!(pair.as_rule(), Rule::not | Rule::bang)
}

fn is_test(rule: Rule) -> bool {
    matches!(rule, Rule::exists | Rule::missing | Rule::is | Rule::fails)
}

/// Which operator a pair is; for one from another language also how we write it, or nothing if we have none.
fn operator(pair: &Pair<'_>) -> Option<(BinaryOp, Option<&'static str>)> {
    let op = match pair.as_rule() {
        Rule::op_or => BinaryOp::Or,
        Rule::op_and => BinaryOp::And,
        Rule::op_eq => BinaryOp::Equal,
        Rule::op_ne => BinaryOp::NotEqual,
        Rule::op_lt => BinaryOp::Less,
        Rule::op_le => BinaryOp::LessEqual,
        Rule::op_gt => BinaryOp::Greater,
        Rule::op_ge => BinaryOp::GreaterEqual,
        Rule::op_in => BinaryOp::In,
        Rule::op_not_in => BinaryOp::NotIn,
        Rule::op_has => BinaryOp::Has,
        Rule::op_matches => BinaryOp::Matches,
        Rule::op_fits => BinaryOp::Fits,
        Rule::op_add => BinaryOp::Add,
        Rule::op_sub => BinaryOp::Subtract,
        Rule::single_equals => return Some((BinaryOp::Equal, Some("=="))),
        Rule::foreign => {
            return Some(match pair.as_str() {
                "&&" | "&" => (BinaryOp::And, Some("and")),
                "||" | "|" => (BinaryOp::Or, Some("or")),
                "=~" | "~=" => (BinaryOp::Matches, Some("matches")),
                "!~" => (BinaryOp::Matches, Some("not … matches")),
                "===" => (BinaryOp::Equal, Some("==")),
                "!==" | "<>" => (BinaryOp::NotEqual, Some("!=")),
                "=<" => (BinaryOp::LessEqual, Some("<=")),
                "=>" => (BinaryOp::GreaterEqual, Some(">=")),
                _ => (BinaryOp::Add, Some("")),
            });
        }
        _ => return None,
    };
    Some((op, None))
}
