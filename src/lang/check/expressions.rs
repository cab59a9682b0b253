//! Expressions: names, literals, forms for lists.

use std::sync::Arc;

use super::frame::{Frame, HistoryParts, Meaning, Origin, broken, constant, expr};
use super::names::Found;
use super::types::{join, join_all};
use crate::lang::ast::{self, ExprKind as Written, Name};
use crate::lang::error::{names as names_error, types as error};
use crate::lang::program::{Expr, ExprKind, Slot};
use crate::model::ops::PathMatcher;
use crate::model::shape::Shape;
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::model::value::Value;
use crate::source::Span;

/// What stands before a dot: a value, or a history, which is none.
pub enum Base {
    Value(Expr),
    History(HistoryParts),
}

impl<'a> Frame<'_, 'a> {
    /// An expression that must be a value.
    pub fn expr(&mut self, e: &'a ast::Expr) -> Expr {
        match self.base(e) {
            Base::Value(value) => value,
            Base::History(parts) => {
                self.report(error::bare_history(e.span, parts.later));
                broken(e.span)
            }
        }
    }

    /// An expression, perhaps a history.
    pub fn base(&mut self, e: &'a ast::Expr) -> Base {
        match &e.kind {
            Written::Name(word) => self.name(word, e.span),
            Written::Member(of, name) => self.member_of(e.span, of, name),
            Written::Call {
                function,
                arguments,
                method,
            } => self.call(e.span, function, arguments, *method),
            _ => Base::Value(self.form(e)),
        }
    }

    /// Everything that cannot be a history.
    fn form(&mut self, e: &'a ast::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            Written::List(elements) => self.list(span, elements),
            Written::Object(members) => self.object(span, members),
            Written::Index(of, index) => self.index_of(span, of, index),
            Written::Not(of) => self.not(span, of),
            Written::Negate(of) => self.negate(span, of),
            Written::Binary(op, a, b) => self.binary(e, *op, a, b),
            Written::Exists(of) => self.exists(span, of, true),
            Written::IsMissing(of) => self.exists(span, of, false),
            Written::Is { value, negated, ty } => self.is(span, value, *negated, ty),
            Written::Fails(of, premise) => self.fails(span, of, premise),
            Written::If(condition, then, otherwise) => self.choice(span, condition, then, otherwise),
            Written::Quantified {
                quantifier,
                bindings,
                body,
            } => self.quantified(span, *quantifier, bindings, body),
            _ => self.literal(e),
        }
    }

    fn literal(&mut self, e: &'a ast::Expr) -> Expr {
        let span = e.span;
        let (ty, value) = match &e.kind {
            Written::Null => (Type::Null, Value::Null),
            Written::Boolean(b) => (Type::Boolean, Value::Boolean(*b)),
            Written::Number(digits) => match crate::json::Number::parse(digits) {
                Some(n) if n.is_integral() => (Type::Integer, Value::Number(n)),
                Some(n) => (Type::Number, Value::Number(n)),
                None => return broken(span),
            },
            Written::Text(text) => {
                self.holes_in_plain_text(text, span);
                (Type::String, Value::text(text.as_str()))
            }
            Written::Duration(nanoseconds) => (Type::Duration, Value::Duration(*nanoseconds)),
            Written::Regex(text) => match self.run.patterns.compile(text) {
                Ok(pattern) => (Type::Pattern, Value::Pattern(pattern)),
                Err(fault) => {
                    self.report(error::bad_pattern(span, &fault));
                    return broken(span);
                }
            },
            Written::Path(pattern) => (
                Type::Path,
                Value::PathPattern(Arc::new(PathMatcher::new(pattern.clone()))),
            ),
            _ => (Type::Any, Value::Missing),
        };
        constant(span, ty, value)
    }

    /// A word that stands alone.
    fn name(&mut self, word: &'a str, span: Span) -> Base {
        match self.local(word) {
            Some(Meaning::Slot(slot, ty)) => return Base::Value(expr(span, ty, ExprKind::Local(slot))),
            Some(Meaning::History(parts)) => return Base::History(parts),
            None => {}
        }
        if matches!(word, "earlier" | "later") {
            if let Some(of) = self.record(span) {
                return Base::History(HistoryParts {
                    of,
                    later: word == "later",
                    bounds: Vec::new(),
                });
            }
            if !self.has_record() {
                self.report(names_error::history_of_nothing(word, span));
            }
            return Base::Value(broken(span));
        }
        Base::Value(match self.run.names.value(self.file, word) {
            Found::One(id) => {
                self.run.read.insert(id);
                let (ty, value) = self.run.value_of(id);
                constant(span, ty, value)
            }
            Found::Several(ids) => {
                let places = ids.iter().map(|id| &self.run.names.values[*id]);
                let places = places.map(|v| (&*self.run.names.packs[v.pack].name, v.name().span));
                let diagnostic = names_error::ambiguous("name", word, span, places.collect());
                self.report(diagnostic);
                broken(span)
            }
            Found::None if word.starts_with(|c: char| c.is_ascii_uppercase()) => self.shape(word, span),
            Found::None => {
                if self.unknown.insert(word) {
                    let diagnostic = self.unknown_name(word, span);
                    self.report(diagnostic);
                }
                broken(span)
            }
        })
    }

    /// A shape as a value.
    fn shape(&mut self, word: &str, span: Span) -> Expr {
        let place = ast::TypeExpr {
            span,
            kind: ast::TypeKind::Name(word.to_owned()),
        };
        match self.run.shape_named(self.file, word, &place) {
            Some(id) => {
                let shapes = Arc::clone(&self.run.shapes);
                constant(span, Type::Shape, Value::Shape(Shape { shapes, id }))
            }
            None => broken(span),
        }
    }

    /// Whether slot 0 is a record, though perhaps of a subject that does not exist.
    fn has_record(&self) -> bool {
        self.locals.iter().any(|local| local.origin == Origin::Subject)
    }

    /// Says what may have been meant by a word that stands for nothing.
    fn unknown_name(&self, word: &str, span: Span) -> crate::diagnostic::Diagnostic {
        let names = &self.run.names;
        if super::types::TESTS.contains(&word) {
            return names_error::type_as_value(word, span);
        }
        if let Some(subject) = self.subject {
            let record = self.locals.first().map_or("", |local| local.name);
            if self.run.builtin_attribute(subject, word).is_some() || names.attribute(subject, word).is_some()
            {
                return names_error::attribute_without_record(word, span, record);
            }
            if Subject::from_word(word).is_some() {
                return names_error::other_subject(word, span, record);
            }
        }
        if !matches!(names.function(self.file, word), Found::None)
            || crate::lang::builtins::find(word).is_some()
        {
            return names_error::function_as_value(word, span);
        }
        let known = self.locals.iter().map(|local| local.name);
        let known = known.chain(names.packs_of(self.file).flat_map(|pack| {
            let mut keys: Vec<&str> = pack.values.keys().copied().collect();
            keys.sort_unstable();
            keys
        }));
        let near = crate::lang::suggest::suggest(word, known.chain(["earlier", "later"]));
        let pack = names.pack_with_value(word).map(|pack| &*pack.name);
        names_error::unknown_name(word, span, near, pack)
    }

    /// Whether a word stands for a value here.
    pub fn is_known(&self, word: &str) -> bool {
        self.locals.iter().any(|local| local.name == word)
            || matches!(word, "earlier" | "later")
            || !matches!(self.run.names.value(self.file, word), Found::None)
    }

    fn list(&mut self, span: Span, elements: &'a [ast::Expr]) -> Expr {
        let elements: Vec<Expr> = elements.iter().map(|e| self.expr(e)).collect();
        let ty = Type::list(join_all(elements.iter().map(|e| &e.ty)));
        if let Some(values) = all_constant(elements.iter()) {
            return constant(span, ty, Value::list(values));
        }
        expr(span, ty, ExprKind::List(elements))
    }

    fn object(&mut self, span: Span, members: &'a [(Name, ast::Expr)]) -> Expr {
        let members: Vec<(Arc<str>, Expr)> = members
            .iter()
            .map(|(name, e)| (name.node.as_str().into(), self.expr(e)))
            .collect();
        let ty = Type::Object(join_all(members.iter().map(|(_, e)| &e.ty)).into());
        if let Some(values) = all_constant(members.iter().map(|(_, e)| e)) {
            let names = members.iter().map(|(name, _)| &**name);
            return constant(span, ty, Value::object(names.zip(values)));
        }
        expr(span, ty, ExprKind::Object(members))
    }

    /// `if … then … else …`
    fn choice(
        &mut self,
        span: Span,
        condition: &'a ast::Expr,
        then: &'a ast::Expr,
        otherwise: &'a ast::Expr,
    ) -> Expr {
        let condition = self.condition(condition);
        let (then, otherwise) = (self.expr(then), self.expr(otherwise));
        let ty = join(&then.ty, &otherwise.ty).unwrap_or_else(|| {
            self.report(error::branches_differ(&then, &otherwise));
            Type::Any
        });
        let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        expr(span, ty, kind)
    }

    /// `let NAME = EXPR`; gives nothing where the name stands for a history.
    pub fn bind_let(&mut self, binding: &'a ast::Let) -> Option<(Slot, Expr)> {
        match self.base(&binding.value) {
            Base::History(parts) => {
                self.bind_meaning(&binding.name, Meaning::History(parts), Origin::Let);
                None
            }
            Base::Value(value) => {
                let slot = self.bind(&binding.name, value.ty.clone(), Origin::Let);
                Some((slot, value))
            }
        }
    }
}

/// The values of expressions that are all known.
fn all_constant<'e>(all: impl Iterator<Item = &'e Expr>) -> Option<Vec<Value>> {
    all.map(|e| match &e.kind {
        ExprKind::Constant(value) => Some(value.clone()),
        _ => None,
    })
    .collect()
}
