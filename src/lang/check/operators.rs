//! Operators between values, and tests behind them.

use super::frame::{Frame, broken, constant, expr};
use super::revisions::is_date;
use crate::lang::ast::{self, BinaryOp, ExprKind as Written};
use crate::lang::error::access as access_error;
use crate::lang::error::operators as error;
use crate::lang::program::{Expr, ExprKind};
use crate::model::ops;
use crate::model::subject::{Attribute, Subject};
use crate::model::types::Type;
use crate::source::Span;

impl<'a> Frame<'_, 'a> {
    /// `a OP b`
    pub fn binary(&mut self, e: &'a ast::Expr, op: BinaryOp, a: &'a ast::Expr, b: &'a ast::Expr) -> Expr {
        let span = e.span;
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let (a, b) = (self.condition(a), self.condition(b));
                return joined(span, Type::Boolean, op, a, b);
            }
            BinaryOp::Subtract => {
                if let Some(member) = self.hyphenated(e) {
                    self.report(member);
                    return broken(span);
                }
            }
            BinaryOp::Fits => return self.fits(span, a, b),
            _ => {}
        }
        let (left, right) = (self.expr(a), self.expr(b));
        if left.ty == Type::Any && right.ty == Type::Any && !is_missing(a) && !is_missing(b) {
            return match op {
                BinaryOp::Add | BinaryOp::Subtract => joined(span, Type::Any, op, left, right),
                _ => joined(span, Type::Boolean, op, left, right),
            };
        }
        let ty = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                self.equality(&left, &right);
                self.literals((&left, a), (&right, b));
                if self.text(a.span) == self.text(b.span) {
                    self.decided.insert(span, op == BinaryOp::Equal);
                }
                Type::Boolean
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.order(&left, &right);
                self.literals((&left, a), (&right, b));
                Type::Boolean
            }
            BinaryOp::In | BinaryOp::NotIn => {
                self.element_of(&left, &right, b);
                Type::Boolean
            }
            BinaryOp::Has => return self.has(span, left, right),
            BinaryOp::Matches => {
                self.matches(&left, &right, b);
                Type::Boolean
            }
            _ => self.sum(span, op, &left, &right),
        };
        joined(span, ty, op, left, right)
    }

    /// `headers.content-type`: a member whose name is no plain word reads as a difference.
    fn hyphenated(&self, e: &'a ast::Expr) -> Option<crate::diagnostic::Diagnostic> {
        let Written::Binary(BinaryOp::Subtract, a, b) = &e.kind else {
            return None;
        };
        let adjacent = a.span.end + 1 == b.span.start;
        let first = head(b)?;
        if !adjacent || self.is_known(first) || self.is_function(first) {
            return None;
        }
        let mut left = &**a;
        while let Written::Binary(BinaryOp::Subtract, inner, _) = &left.kind {
            left = inner;
        }
        let Written::Member(_, name) = &left.kind else {
            return None;
        };
        let whole = name.span.to(b.span);
        let whole = Span {
            end: name_end(b, whole.end),
            ..whole
        };
        Some(access_error::hyphen_in_member(whole, self.text(whole)))
    }

    fn equality(&mut self, left: &Expr, right: &Expr) {
        if !left.ty.may_be(&right.ty) {
            self.report(error::never_equal(left, right));
        }
    }

    /// A comparison of an attribute with a text that it never has. Only texts that are written there count: a parameter
    /// may have other values in another run.
    fn literals(&mut self, left: (&Expr, &'a ast::Expr), right: (&Expr, &'a ast::Expr)) {
        for ((attribute, _), (_, written)) in [(left, right), (right, left)] {
            self.literal_of(attribute, written);
        }
    }

    fn literal_of(&mut self, compared: &Expr, written: &'a ast::Expr) {
        let (ExprKind::Attribute(of, attribute), Written::Text(text)) = (&compared.kind, &written.kind)
        else {
            return;
        };
        let Type::Subject(subject) = of.ty else { return };
        let words = words_of(subject, *attribute);
        if *attribute == Attribute::Method && subject != Subject::Exchange {
            let pack = self.run.names.pack_of[self.file];
            self.run.methods_compared.push((pack, text, written.span));
        } else if *attribute == Attribute::Revision && !is_date(text) {
            self.report(error::bad_revision(written.span, text));
        } else if !words.is_empty() && !words.contains(&text.as_str()) {
            let name = self.text(compared.span);
            self.report(error::never_that_word(
                compared.span,
                name,
                written.span,
                text,
                words,
            ));
        }
    }

    fn order(&mut self, left: &Expr, right: &Expr) {
        for side in [left, right] {
            if !matches!(
                side.ty,
                Type::Json
                    | Type::Any
                    | Type::Integer
                    | Type::Number
                    | Type::String
                    | Type::Time
                    | Type::Duration
            ) {
                self.report(error::no_order(side));
                return;
            }
        }
        if !left.ty.may_be(&right.ty) {
            self.report(error::never_ordered(left, right));
        }
    }

    /// `x in xs`
    fn element_of(&mut self, left: &Expr, right: &Expr, written: &'a ast::Expr) {
        match &right.ty {
            Type::Any | Type::Json => {}
            Type::List(element) => {
                if !left.ty.may_be(element) {
                    self.report(error::never_in(left, right, element));
                    return;
                }
                if let Written::List(elements) = &written.kind {
                    for element in elements {
                        self.literal_of(left, element);
                    }
                }
            }
            _ => self.report(error::in_no_list(left, right)),
        }
    }

    /// `x has y`
    fn has(&mut self, span: Span, left: Expr, right: Expr) -> Expr {
        let fits = match &left.ty {
            Type::Any | Type::Json => true,
            Type::Subject(subject) if subject.has_members() => right.ty.may_be(&Type::String),
            Type::Object(_) | Type::Record(_) | Type::Headers => right.ty.may_be(&Type::String),
            Type::List(element) => right.ty.may_be(element),
            _ => {
                self.report(error::has_nothing(&left));
                return joined(span, Type::Boolean, BinaryOp::Has, left, right);
            }
        };
        if !fits {
            self.report(error::never_has(&left, &right));
        }
        joined(span, Type::Boolean, BinaryOp::Has, left, right)
    }

    /// `x matches /…/`, `p matches $…`
    fn matches(&mut self, left: &Expr, right: &Expr, written: &'a ast::Expr) {
        match &right.ty {
            Type::Any => {}
            Type::Pattern => {
                if !left.ty.may_be(&Type::String) {
                    self.report(error::matches_no_text(left, right));
                }
            }
            Type::Path => {
                if !matches!(left.ty, Type::Path | Type::Any) {
                    self.report(error::matches_no_path(left, right));
                }
            }
            _ => {
                let text = match &written.kind {
                    Written::Text(text) => Some(text.as_str()),
                    _ => None,
                };
                self.report(error::no_pattern(right, text));
            }
        }
    }

    /// `a + b`, `a - b`
    fn sum(&mut self, span: Span, op: BinaryOp, left: &Expr, right: &Expr) -> Type {
        use Type as T;
        let add = op == BinaryOp::Add;
        match (&left.ty, &right.ty) {
            (T::Any, _) | (_, T::Any) => T::Any,
            (T::Integer, T::Integer) => T::Integer,
            (T::Integer | T::Number, T::Integer | T::Number) => T::Number,
            (T::Integer | T::Number, T::Json) | (T::Json, T::Integer | T::Number) => T::Number,
            (T::String, T::String | T::Json) | (T::Json, T::String) if add => T::String,
            (T::Json, T::Json) => T::Json,
            (T::Duration, T::Duration) => T::Duration,
            (T::Time, T::Duration) => T::Time,
            (T::Duration, T::Time) if add => T::Time,
            (T::Time, T::Time) if !add => T::Duration,
            _ => {
                self.report(error::no_sum(span, add, left, right));
                T::Any
            }
        }
    }

    /// `-x`
    pub fn negate(&mut self, span: Span, of: &'a ast::Expr) -> Expr {
        let of = self.expr(of);
        match of.ty {
            Type::Integer | Type::Number | Type::Json | Type::Duration | Type::Any => {}
            _ => {
                self.report(error::no_negative(&of));
                return broken(span);
            }
        }
        if let ExprKind::Constant(value) = &of.kind {
            return constant(span, of.ty.clone(), ops::negate(value));
        }
        let ty = match of.ty {
            Type::Json => Type::Number,
            _ => of.ty.clone(),
        };
        expr(span, ty, ExprKind::Negate(Box::new(of)))
    }
}

fn joined(span: Span, ty: Type, op: BinaryOp, a: Expr, b: Expr) -> Expr {
    expr(span, ty, ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

fn is_missing(e: &ast::Expr) -> bool {
    matches!(e.kind, Written::Missing)
}

/// The word that a chain of members and calls begins with.
fn head(e: &ast::Expr) -> Option<&str> {
    match &e.kind {
        Written::Name(word) => Some(word),
        Written::Member(of, _) | Written::Index(of, _) => head(of),
        Written::Call {
            arguments,
            method: true,
            ..
        } => head(arguments.first()?),
        Written::Call { function, .. } => Some(&function.node),
        _ => None,
    }
}

/// Where the word at the head of a chain ends.
fn name_end(e: &ast::Expr, end: u32) -> u32 {
    match &e.kind {
        Written::Name(_) => e.span.end,
        Written::Member(of, _) | Written::Index(of, _) => name_end(of, end),
        Written::Call {
            arguments,
            method: true,
            ..
        } => arguments.first().map_or(end, |of| name_end(of, end)),
        Written::Call { function, .. } => function.span.end,
        _ => end,
    }
}

/// The words that an attribute may have, where they are few.
fn words_of(subject: Subject, attribute: Attribute) -> &'static [&'static str] {
    match (attribute, subject) {
        (Attribute::Kind, Subject::Frame) => &["line", "body", "event"],
        (Attribute::Kind, Subject::Request) => &["request"],
        (Attribute::Kind, Subject::Notification) => &["notification"],
        (Attribute::Kind, Subject::Response) => &["response"],
        (Attribute::Kind, _) => &["request", "notification", "response", "malformed"],
        (Attribute::Sender, _) => &["client", "server"],
        (Attribute::Transport, _) => &["http", "stdio"],
        (Attribute::Ended, Subject::Exchange) => &["complete", "aborted", "closed"],
        _ => &[],
    }
}
