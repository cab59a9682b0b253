//! Expressions: a flat row of operands and operators is folded by precedence.

use std::iter::Peekable;

use super::grammar::{Pair, Parts, Rule};
use super::lower::{Lowering, MAX_HEIGHT};
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Name, Premise, Quantifier};
use crate::lang::error::syntax as error;
use crate::source::{Span, Spanned};

/// An expression and the height of its tree.
pub struct Term {
    pub expr: Expr,
    pub height: usize,
}

impl Term {
    fn leaf(span: Span, kind: ExprKind) -> Self {
        Term {
            expr: Expr { span, kind },
            height: 1,
        }
    }

    fn broken(span: Span) -> Self {
        Term::leaf(span, ExprKind::Broken)
    }
}

/// The operators and operands of one expression, in the order written.
type Row<'t> = Peekable<Parts<'t>>;

impl<'t> Lowering<'t> {
    /// `expr`
    pub fn expr(&mut self, pair: Pair<'t>) -> Expr {
        self.term(pair).expr
    }

    /// `expr`, with its height.
    pub fn term(&mut self, pair: Pair<'t>) -> Term {
        let span = self.span(&pair);
        let term = self.deeper(span, |l| l.disjunction(&mut Parts::of(pair).peekable()));
        term.unwrap_or_else(|| Term::broken(span))
    }

    /// A node above others, unless the tree would become too high.
    fn node(&mut self, span: Span, height: usize, kind: ExprKind) -> Term {
        if height >= MAX_HEIGHT {
            self.too_deep(error::too_many_operators(span, MAX_HEIGHT));
            return Term::broken(span);
        }
        Term {
            expr: Expr { span, kind },
            height: height + 1,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        let span = left.expr.span.to(right.expr.span);
        let height = left.height.max(right.height);
        let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        self.node(span, height, kind)
    }

    /// Operands joined by `or`.
    fn disjunction(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut left = self.conjunction(row)?;
        while let Some(op) = self.operator(row, &[BinaryOp::Or]) {
            let right = self.conjunction(row)?;
            left = self.binary(op, left, right);
        }
        Some(left)
    }

    /// Operands joined by `and`.
    fn conjunction(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut left = self.negation(row)?;
        while let Some(op) = self.operator(row, &[BinaryOp::And]) {
            let right = self.negation(row)?;
            left = self.binary(op, left, right);
        }
        Some(left)
    }

    /// A comparison behind any number of `not`.
    fn negation(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut nots = Vec::new();
        while let Some(pair) = row.next_if(|p| matches!(p.as_rule(), Rule::not | Rule::bang)) {
            let span = self.span(&pair);
            if pair.as_rule() == Rule::bang {
                self.report(error::foreign_operator(span, pair.as_str(), "not"));
            }
            nots.push(span);
        }
        let mut term = self.comparison(row)?;
        while let Some(not) = nots.pop() {
            let span = not.to(term.expr.span);
            term = self.node(span, term.height, ExprKind::Not(Box::new(term.expr)));
        }
        Some(term)
    }

    /// Two sums with a comparison between them, or one sum with a question behind it. Neither goes on.
    fn comparison(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut left = self.sum(row)?;
        let mut first: Option<Span> = None;
        while let Some(next) = row.peek() {
            let span = self.span(next);
            let compared = if is_test(next.as_rule()) {
                let test = row.next()?;
                self.test(left, test)?
            } else if let Some(op) = self.operator(row, &COMPARISONS) {
                let right = self.sum(row)?;
                self.binary(op, left, right)
            } else {
                break;
            };
            left = compared;
            if let Some(first) = first {
                self.report(error::chained_comparison(
                    first,
                    span,
                    self.slice(first),
                    self.slice(span),
                ));
            }
            first = first.or(Some(span));
        }
        Some(left)
    }

    /// Operands joined by `+` and `-`.
    fn sum(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut left = self.signed(row)?;
        while let Some(op) = self.operator(row, &[BinaryOp::Add, BinaryOp::Subtract]) {
            let right = self.signed(row)?;
            left = self.binary(op, left, right);
        }
        Some(left)
    }

    /// A value behind any number of `-`. A `not` here stands behind an operator that binds tighter than it.
    fn signed(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let mut signs = Vec::new();
        while let Some(pair) = row.next_if(|p| matches!(p.as_rule(), Rule::not | Rule::bang | Rule::negate)) {
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
            term = self.node(span, term.height, ExprKind::Negate(Box::new(term.expr)));
        }
        Some(term)
    }

    /// A value with members, indices and calls behind it.
    fn accessed(&mut self, row: &mut Row<'t>) -> Option<Term> {
        let first = row.next()?;
        let mut term = self.primary(first)?;
        while let Some(pair) = row.next_if(|p| matches!(p.as_rule(), Rule::member | Rule::index | Rule::call))
        {
            let span = term.expr.span.to(self.span(&pair));
            let rule = pair.as_rule();
            let mut parts = Parts::of(pair);
            term = match rule {
                Rule::member => {
                    let name = self.name(&parts.next()?);
                    self.node(span, term.height, ExprKind::Member(Box::new(term.expr), name))
                }
                Rule::index => {
                    let index = self.term(parts.next()?);
                    let height = term.height.max(index.height);
                    self.node(
                        span,
                        height,
                        ExprKind::Index(Box::new(term.expr), Box::new(index.expr)),
                    )
                }
                _ => self.call(span, term, parts),
            };
        }
        Some(term)
    }

    /// `f(a)`, `a.f(b)`
    fn call(&mut self, span: Span, callee: Term, arguments: Parts<'t>) -> Term {
        let (function, method, mut given) = match callee.expr.kind {
            ExprKind::Name(name) => (Spanned::new(name, callee.expr.span), false, Vec::new()),
            ExprKind::Member(value, name) => (name, true, vec![*value]),
            ExprKind::Broken => return Term::broken(span),
            _ => {
                self.report(error::not_callable(
                    callee.expr.span,
                    self.slice(callee.expr.span),
                ));
                return Term::broken(span);
            }
        };
        let mut height = callee.height;
        for argument in arguments {
            let argument = self.term(argument);
            height = height.max(argument.height);
            given.push(argument.expr);
        }
        let kind = ExprKind::Call {
            function,
            arguments: given,
            method,
        };
        self.node(span, height, kind)
    }

    /// `exists`, `missing`, `is`, `fails` behind a value.
    fn test(&mut self, value: Term, pair: Pair<'t>) -> Option<Term> {
        let span = value.expr.span.to(self.span(&pair));
        let height = value.height;
        let value = Box::new(value.expr);
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
            parts.map(|slug| self.kebab(&slug, "rules", true)).collect(),
        ))
    }

    /// A value without operators.
    fn primary(&mut self, pair: Pair<'t>) -> Option<Term> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::group => {
                let inner = self.term(Parts::of(pair).next()?);
                return Some(Term {
                    expr: Expr { span, ..inner.expr },
                    ..inner
                });
            }
            Rule::list => return Some(self.list(span, pair)),
            Rule::object => return self.object(span, pair),
            Rule::conditional => return self.conditional(span, pair),
            Rule::quantified => return self.quantified(span, pair),
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
            Rule::name => ExprKind::Name(pair.as_str().to_owned()),
            _ => return None,
        };
        Some(Term::leaf(span, kind))
    }

    fn list(&mut self, span: Span, pair: Pair<'t>) -> Term {
        let mut height = 0;
        let mut elements = Vec::new();
        for element in Parts::of(pair) {
            let element = self.term(element);
            height = height.max(element.height);
            elements.push(element.expr);
        }
        self.node(span, height, ExprKind::List(elements))
    }

    fn object(&mut self, span: Span, pair: Pair<'t>) -> Option<Term> {
        let mut height = 0;
        let mut members: Vec<(Name, Expr)> = Vec::new();
        for member in Parts::of(pair) {
            let mut parts = Parts::of(member);
            let key = self.key(parts.next()?);
            let value = self.term(parts.next()?);
            height = height.max(value.height);
            members.push((key, value.expr));
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
        let kind = ExprKind::If(
            Box::new(condition.expr),
            Box::new(then.expr),
            Box::new(otherwise.expr),
        );
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
            bindings.push((name, list.expr));
        }
        let body = self.term(parts.next()?);
        let kind = ExprKind::Quantified {
            quantifier,
            bindings,
            body: Box::new(body.expr),
        };
        Some(self.node(span, height.max(body.height), kind))
    }

    /// Takes the next operator if it is one of `wanted`; what other languages write counts as ours.
    fn operator(&mut self, row: &mut Row<'t>, wanted: &[BinaryOp]) -> Option<BinaryOp> {
        let (op, ours) = operator(row.peek()?)?;
        if !wanted.contains(&op) {
            return None;
        }
        let pair = row.next()?;
        if let Some(ours) = ours {
            let span = self.span(&pair);
            self.report(match ours {
                "" => error::no_such_operator(span, pair.as_str()),
                _ => error::foreign_operator(span, pair.as_str(), ours),
            });
        }
        Some(op)
    }
}

/// The operators that compare.
const COMPARISONS: [BinaryOp; 11] = [
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::In,
    BinaryOp::NotIn,
    BinaryOp::Has,
    BinaryOp::Matches,
    BinaryOp::Fits,
];

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
