//! Forms for lists: `any x in xs: e` and its kin.

use super::expressions::Base;
use super::frame::{Frame, Local, Origin, broken, expr};
use crate::lang::ast::{self, Name, Quantifier};
use crate::lang::error::{names as names_error, types as error};
use crate::lang::program::{Expr, ExprKind};
use crate::model::types::Type;
use crate::source::Span;

impl<'a> Frame<'_, 'a> {
    /// A list that names run over, and the type of its elements.
    pub fn elements(&mut self, list: &'a ast::Expr) -> (Expr, Type) {
        let lowered = match self.base(list) {
            Base::Value(value) => value,
            Base::History(parts) => {
                self.report(error::bare_history(list.span, parts.later));
                return (broken(list.span), Type::Any);
            }
        };
        let element = match &lowered.ty {
            Type::List(of) => (**of).clone(),
            Type::Json => Type::Json,
            Type::Any => Type::Any,
            other => {
                let diagnostic = error::not_a_list(list.span, other);
                self.report(diagnostic);
                Type::Any
            }
        };
        (lowered, element)
    }

    /// `any x in xs, y in ys: e`
    pub fn quantified(
        &mut self,
        span: Span,
        quantifier: Quantifier,
        bindings: &'a [(Name, ast::Expr)],
        body: &'a ast::Expr,
    ) -> Expr {
        let mark = self.locals.len();
        let mut bound = Vec::new();
        let mut first = Type::Any;
        for (i, (name, list)) in bindings.iter().enumerate() {
            let (list, element) = self.elements(list);
            if i == 0 {
                first = element.clone();
            }
            bound.push((self.bind(name, element, Origin::Binding), list));
        }
        if let (Quantifier::Duplicates, Some((second, _))) = (quantifier, bindings.get(1)) {
            self.report(error::duplicates_of_two(second.span));
        }
        let body = match quantifier {
            Quantifier::Each | Quantifier::Duplicates => self.expr(body),
            _ => self.body_condition(body),
        };
        let ty = match quantifier {
            Quantifier::Any | Quantifier::All => Type::Boolean,
            Quantifier::Count => Type::Integer,
            Quantifier::First | Quantifier::Last => first,
            Quantifier::Those => Type::list(first),
            Quantifier::Each => Type::list(body.ty.clone()),
            Quantifier::Duplicates => Type::list(Type::record(&[
                ("first", first.clone()),
                ("again", first),
                ("key", body.ty.clone()),
            ])),
        };
        self.unused_bindings(mark, &body);
        self.forget(mark);
        let kind = ExprKind::Quantified {
            quantifier,
            bindings: bound,
            body: Box::new(body),
        };
        expr(span, ty, kind)
    }

    /// A name that its form never asks about; fine in `count x in xs: true`.
    fn unused_bindings(&mut self, mark: usize, body: &Expr) {
        if matches!(body.kind, ExprKind::Constant(_)) {
            return;
        }
        let unused = |local: &&Local<'a>| !local.used && !local.name.starts_with('_');
        let unused: Vec<_> = self.locals[mark..]
            .iter()
            .filter(unused)
            .map(|local| names_error::unused_binding(local.name, local.span))
            .collect();
        for diagnostic in unused {
            self.report(diagnostic);
        }
    }
}
