//! What is asked of shapes: `fits`, and the revision that `misfits` and `parts` are told as well.

use super::calls::fit;
use super::frame::{Frame, broken, constant, expr};
use crate::lang::ast;
use crate::lang::builtins;
use crate::lang::error::shapes as error;
use crate::lang::program::{Expr, ExprKind};
use crate::model::shape::Shape;
use crate::model::subject::Attribute;
use crate::model::types::Type;
use crate::model::value::Value;
use crate::source::Span;

impl<'a> Frame<'_, 'a> {
    /// `value fits SHAPE`
    pub fn fits(&mut self, span: Span, value: &'a ast::Expr, shape: &'a ast::Expr) -> Expr {
        let value = fit(self.expr(value), &Type::Json);
        let shape = self.expr(shape);
        if value.ty != Type::Any && !value.ty.stands_in_json() {
            self.report(error::shape_of_no_json(&value));
            return broken(span);
        }
        if !matches!(shape.ty, Type::Shape | Type::Any) {
            self.report(error::fits_no_shape(&shape));
            return broken(span);
        }
        let mut arguments = vec![value, shape];
        arguments.push(self.revision_of_shapes(span, &arguments));
        expr(span, Type::Boolean, ExprKind::Call(builtins::FITS, arguments))
    }

    /// The revision of the record that is judged, if the shapes in question differ between revisions.
    pub fn revision_of_shapes(&mut self, span: Span, arguments: &[Expr]) -> Expr {
        let changing = arguments
            .iter()
            .skip(1)
            .find_map(|argument| match &argument.kind {
                ExprKind::Constant(Value::Shape(shape)) if shape.is_constant() => None,
                ExprKind::Constant(Value::Shape(shape)) => Some(Shape::name(shape).to_owned()),
                _ => Some(self.text(argument.span).to_owned()),
            });
        let Some(changing) = changing else {
            return constant(span, Type::Null, Value::Null);
        };
        match self.record(span) {
            Some(record) => expr(
                span,
                Type::String,
                ExprKind::Attribute(Box::new(record), Attribute::Revision),
            ),
            None => {
                if !arguments.iter().any(|argument| argument.ty == Type::Any) {
                    self.report(error::no_revision(span, &changing));
                }
                broken(span)
            }
        }
    }
}
