//! What stands behind a dot or in brackets: attributes, members, elements, histories.

use super::expressions::Base;
use super::frame::{Frame, HistoryParts, broken, expr};
use super::names::Found;
use crate::lang::ast::{self, ExprKind as Written, Name};
use crate::lang::builtins;
use crate::lang::error::access as error;
use crate::lang::program::{Collection, Expr, ExprKind};
use crate::lang::suggest::{near_miss, suggest};
use crate::model::subject::{self, Attribute, COLLECTIONS, Subject};
use crate::model::types::Type;
use crate::source::Span;

use super::cycles::Node;

/// The list of requests that are open.
const OPEN: &str = "open";

impl<'a> Frame<'_, 'a> {
    /// `of.name`
    pub fn member_of(&mut self, span: Span, of: &'a ast::Expr, name: &'a Name) -> Base {
        match self.base(of) {
            Base::History(parts) => Base::Value(self.collection(span, parts, name)),
            Base::Value(of) => match (&of.ty, name.node.as_str()) {
                (Type::Subject(_), word @ ("earlier" | "later")) => Base::History(HistoryParts {
                    of,
                    later: word == "later",
                    bounds: Vec::new(),
                }),
                _ => Base::Value(self.member(span, of, name)),
            },
        }
    }

    /// `earlier.requests`
    fn collection(&mut self, span: Span, parts: HistoryParts, name: &'a Name) -> Expr {
        let word = name.node.as_str();
        let collection = match COLLECTIONS.iter().find(|(w, _)| *w == word) {
            Some((_, subject)) => Collection::Of(*subject),
            None if word == OPEN && !parts.later => Collection::Open,
            None => {
                let near = suggest(word, COLLECTIONS.iter().map(|(w, _)| *w).chain([OPEN]));
                self.report(error::unknown_collection(name, parts.later, near));
                return broken(span);
            }
        };
        let element = match collection {
            Collection::Of(subject) => subject,
            Collection::Open => Subject::Request,
        };
        let kind = ExprKind::History {
            of: Box::new(parts.of),
            later: parts.later,
            bounds: parts.bounds,
            collection,
        };
        expr(span, Type::list(Type::Subject(element)), kind)
    }

    fn member(&mut self, span: Span, of: Expr, name: &'a Name) -> Expr {
        let word = name.node.as_str();
        match of.ty.clone() {
            Type::Any => broken(span),
            Type::Subject(subject) => self.attribute(span, of, subject, name),
            Type::Json => expr(span, Type::Json, ExprKind::Member(Box::new(of), word.into())),
            Type::Object(element) => expr(
                span,
                (*element).clone(),
                ExprKind::Member(Box::new(of), word.into()),
            ),
            Type::Record(members) => match members.iter().find(|(w, _)| *w == word) {
                Some((_, ty)) => expr(span, ty.clone(), ExprKind::Member(Box::new(of), word.into())),
                None => {
                    let words: Vec<&str> = members.iter().map(|(w, _)| *w).collect();
                    self.report(error::unknown_member(name, &words, suggest(word, words.clone())));
                    broken(span)
                }
            },
            Type::Headers if word == "list" => {
                let of_list = Type::record(&[
                    ("name", Type::String),
                    ("value", Type::String),
                    ("raw", Type::String),
                ]);
                expr(span, Type::list(of_list), ExprKind::HeaderList(Box::new(of)))
            }
            Type::Headers => {
                self.report(error::header_as_member(name));
                broken(span)
            }
            ty => {
                let callable = self.is_function(word);
                self.report(error::no_members(of.span, &ty, name, callable));
                broken(span)
            }
        }
    }

    /// Whether a word is a function here.
    pub fn is_function(&self, word: &str) -> bool {
        !matches!(self.run.names.function(self.file, word), Found::None) || builtins::find(word).is_some()
    }

    /// `record.name`: the attribute where there is one, else the member of an entry or listing. All members that messages
    /// have are attributes; what else stands in one is found by `["name"]`.
    fn attribute(&mut self, span: Span, of: Expr, subject: Subject, name: &'a Name) -> Expr {
        let word = name.node.as_str();
        if let Some(info) = self.run.builtin_attribute(subject, word) {
            return expr(
                span,
                info.ty.clone(),
                ExprKind::Attribute(Box::new(of), info.attribute),
            );
        }
        if let Some(id) = self.run.names.attribute(subject, word) {
            let attribute = &self.run.names.attributes[id];
            let ty = attribute.ty.clone();
            if attribute.declaration.is_member() && ty == Type::Json {
                return expr(span, ty, ExprKind::Member(Box::new(of), word.into()));
            }
            self.uses(Node::Attribute(id), name.span);
            return expr(span, ty, ExprKind::Derived(Box::new(of), id));
        }
        let builtin = subject::all(subject);
        let words = builtin.iter().map(|(w, _)| *w);
        let words = words.chain(self.run.names.attributes_of(subject));
        if subject.has_members() && !subject.is_message() {
            if let Some(near) = near_miss(word, words) {
                self.report(error::misspelt_member(name, subject, near));
            }
            return expr(span, Type::Json, ExprKind::Member(Box::new(of), word.into()));
        }
        let near = suggest(word, words);
        let narrower = self.run.names.subjects_with(word);
        let others: Vec<Subject> = Subject::ALL
            .into_iter()
            .filter(|other| !subject.is_message() || *other != Subject::Message)
            .filter(|other| self.run.builtin_attribute(*other, word).is_some() || narrower.contains(other))
            .collect();
        let callable = self.is_function(word);
        self.report(error::unknown_attribute(name, subject, near, &others, callable));
        broken(span)
    }

    /// Notes that what is being read uses something.
    pub fn uses(&mut self, what: Node, place: Span) {
        if let Some(node) = self.node {
            self.run.graph.add(node, what, place);
        }
        self.run.graph.mark(what);
    }

    /// `of[index]`
    pub fn index_of(&mut self, span: Span, of: &'a ast::Expr, index: &'a ast::Expr) -> Expr {
        let record = self.expr(of);
        let literal = match &index.kind {
            Written::Text(text) => Some(text.as_str()),
            _ => None,
        };
        let by = self.expr(index);
        let textual = by.ty.may_be(&Type::String);
        let member = |of: Expr, ty: Type| match literal {
            Some(text) => expr(span, ty, ExprKind::Member(Box::new(of), text.into())),
            None => expr(span, ty, ExprKind::Index(Box::new(of), Box::new(by.clone()))),
        };
        match record.ty.clone() {
            Type::Any => broken(span),
            Type::Subject(subject) if subject.has_members() && textual => member(record, Type::Json),
            Type::Json if textual || by.ty.may_be(&Type::Number) => member(record, Type::Json),
            Type::Object(element) if textual => member(record, (*element).clone()),
            Type::Record(members) => match members.iter().find(|(w, _)| Some(*w) == literal) {
                Some((_, ty)) => member(record, ty.clone()),
                None => {
                    let words: Vec<&str> = members.iter().map(|(w, _)| *w).collect();
                    self.report(error::unknown_index(index.span, literal, &words));
                    broken(span)
                }
            },
            Type::Headers if textual => expr(
                span,
                Type::String,
                ExprKind::Index(Box::new(record), Box::new(by)),
            ),
            Type::List(element) if by.ty.may_be(&Type::Number) => expr(
                span,
                (*element).clone(),
                ExprKind::Index(Box::new(record), Box::new(by)),
            ),
            ty => {
                self.report(error::bad_index(&record, &ty, &by));
                broken(span)
            }
        }
    }
}

/// Whether a record is one JSON value, so that it can stand for it.
pub fn has_body(subject: Subject) -> bool {
    subject.is_message() || subject.is_entry()
}

/// The JSON of a message or entry.
pub fn body_of(record: Expr) -> Expr {
    expr(
        record.span,
        Type::Json,
        ExprKind::Attribute(Box::new(record), Attribute::Body),
    )
}
