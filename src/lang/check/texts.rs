//! Texts: templates with holes, labels, and the names of types in messages.

use super::frame::Frame;
use crate::lang::ast::{self, BinaryOp, Quantifier};
use crate::lang::error::rules as error;
use crate::lang::program::{Expr, ExprKind, Piece, Template};
use crate::model::subject::Attribute;
use crate::model::types::Type;
use crate::source::Span;

impl<'a> Frame<'_, 'a> {
    /// A text with holes.
    pub fn template(&mut self, template: &'a ast::Template) -> Template {
        let pieces = template
            .pieces
            .iter()
            .map(|piece| match piece {
                ast::Piece::Text(text) => Piece::Text(text.clone()),
                ast::Piece::Hole(e) => Piece::Hole(self.expr(e)),
            })
            .collect();
        Template { pieces }
    }

    /// `at EXPR [TEXT]`
    pub fn label(
        &mut self,
        place: &'a ast::Expr,
        text: Option<&'a ast::Template>,
    ) -> (Expr, Option<Template>) {
        let lowered = self.expr(place);
        if stands_nowhere(&lowered) {
            self.report(error::label_without_place(place.span, self.text(place.span)));
        }
        (lowered, text.map(|text| self.template(text)))
    }

    /// Warns of `{name}` in a text that has no holes.
    pub fn holes_in_plain_text(&mut self, text: &str, span: Span) {
        for (open, _) in text.match_indices('{') {
            let inside = &text[open + 1..];
            let Some(close) = inside.find('}') else { return };
            let inside = &inside[..close];
            let name: &str = inside.split(['.', '[', '(']).next().unwrap_or("");
            let is_name = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
                && name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if is_name && self.is_known(name) {
                self.report(error::hole_in_plain_text(span, inside));
                return;
            }
        }
    }
}

/// Whether a value was computed, so that it stands nowhere in a recording.
fn stands_nowhere(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Constant(_)
        | ExprKind::Not(_)
        | ExprKind::Negate(_)
        | ExprKind::Exists(_)
        | ExprKind::IsMissing(_)
        | ExprKind::Is(..)
        | ExprKind::Fails(..)
        | ExprKind::List(_)
        | ExprKind::Object(_) => e.ty != Type::Any,
        ExprKind::Binary(op, ..) => {
            !matches!(op, BinaryOp::Add) || !matches!(e.ty, Type::String | Type::Json | Type::Any)
        }
        ExprKind::Quantified { quantifier, .. } => {
            matches!(quantifier, Quantifier::Any | Quantifier::All | Quantifier::Count)
        }
        ExprKind::Attribute(_, attribute) => matches!(
            attribute,
            Attribute::Index | Attribute::Kind | Attribute::Elapsed | Attribute::Batch | Attribute::Bytes
        ),
        ExprKind::If(_, a, b) => stands_nowhere(a) && stands_nowhere(b),
        _ => false,
    }
}
