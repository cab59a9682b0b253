//! The names within a rule, an attribute or a function, and the slots that they stand for.

use std::collections::{HashMap, HashSet};

use super::Run;
use super::items::is_reserved;
use super::names::FileId;
use crate::diagnostic::Diagnostic;
use crate::lang::ast::{self, Name};
use crate::lang::error::names as error;
use crate::lang::program::{Expr, ExprKind, Slot};
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::model::value::Value;
use crate::source::Span;

use super::cycles::Node;

/// What a name was introduced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The subject's own word, or its `as`.
    Subject,
    /// A parameter of a function.
    Argument,
    /// `let`
    Let,
    /// `for`
    For,
    /// A name of a form for lists.
    Binding,
}

/// `earlier` or `later` of a record, perhaps cut.
#[derive(Debug, Clone)]
pub struct HistoryParts {
    pub of: Expr,
    pub later: bool,
    pub bounds: Vec<Expr>,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub enum Meaning {
    /// A value.
    Slot(Slot, Type),
    /// A history, which is no value: it is written out where the name stands.
    History(HistoryParts),
}

/// A name that can be seen.
#[derive(Debug)]
pub struct Local<'a> {
    pub name: &'a str,
    pub span: Span,
    pub origin: Origin,
    pub meaning: Meaning,
    pub used: bool,
}

/// Turns what is written in one rule, attribute, function or constant into a part of the program.
pub struct Frame<'r, 'a> {
    pub run: &'r mut Run<'a>,
    /// Where it stands.
    pub file: FileId,
    /// What it is; `None` for what is evaluated before any recording is read.
    pub node: Option<Node>,
    /// What slot 0 is, if it is a record.
    pub subject: Option<Subject>,
    /// The names that can be seen, innermost last.
    pub locals: Vec<Local<'a>>,
    /// How many slots were given out.
    pub slots: usize,
    /// Tests of which it is clear how they come out, by where they stand.
    pub decided: HashMap<Span, bool>,
    /// What is asked for with `exists`, `missing` or `is`.
    pub asked: HashSet<&'a str>,
    /// Names that stand for nothing: each is reported once.
    pub unknown: HashSet<&'a str>,
    /// Warnings that hold only if neither of two operands is asked for anywhere.
    pub doubtful: Vec<(Diagnostic, [&'a str; 2])>,
}

impl<'r, 'a> Frame<'r, 'a> {
    pub fn new(run: &'r mut Run<'a>, file: FileId, node: Option<Node>) -> Self {
        Frame {
            run,
            file,
            node,
            subject: None,
            locals: Vec::new(),
            slots: 0,
            decided: HashMap::new(),
            asked: HashSet::new(),
            unknown: HashSet::new(),
            doubtful: Vec::new(),
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.run.report(diagnostic);
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.run.sources.slice(span)
    }

    /// A new slot.
    pub fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// Makes the record of slot 0 known under a name. `None`: a subject that does not exist.
    pub fn bind_subject(&mut self, name: &'a Name, subject: Option<Subject>) {
        self.subject = subject;
        let slot = self.slot();
        let ty = subject.map_or(Type::Any, Type::Subject);
        self.locals.push(Local {
            name: &name.node,
            span: name.span,
            origin: Origin::Subject,
            meaning: Meaning::Slot(slot, ty),
            used: true,
        });
    }

    /// Makes a value known under a name and gives its slot.
    pub fn bind(&mut self, name: &'a Name, ty: Type, origin: Origin) -> Slot {
        let slot = self.slot();
        self.bind_meaning(name, Meaning::Slot(slot, ty), origin);
        slot
    }

    /// Makes something known under a name.
    pub fn bind_meaning(&mut self, name: &'a Name, meaning: Meaning, origin: Origin) {
        let word = name.node.as_str();
        let mut used = false;
        if origin == Origin::Let && is_reserved(word) || matches!(word, "earlier" | "later") {
            self.report(error::reserved_for_records(name));
        } else if let Some(first) = self.locals.iter_mut().find(|local| local.name == word) {
            first.used = true;
            used = true;
            let first = first.span;
            self.report(error::name_taken(name, first));
        } else if let Some(value) = self.own_value(word) {
            self.report(error::hides_value(name, value.0, value.1));
        }
        self.locals.push(Local {
            name: word,
            span: name.span,
            origin,
            meaning,
            used,
        });
    }

    /// A parameter or constant of the own pack.
    fn own_value(&self, name: &str) -> Option<(&'static str, Span)> {
        let pack = &self.run.names.packs[self.run.names.pack_of[self.file]];
        let value = &self.run.names.values[*pack.values.get(name)?];
        Some((value.what(), value.name().span))
    }

    /// Forgets names down to a mark, and reports those that were never used.
    pub fn forget(&mut self, mark: usize) {
        while self.locals.len() > mark {
            let Some(local) = self.locals.pop() else { return };
            if local.used || local.name.starts_with('_') {
                continue;
            }
            let word = match local.origin {
                Origin::Let => "let",
                Origin::For => "for",
                Origin::Subject | Origin::Argument | Origin::Binding => continue,
            };
            self.report(error::unused_local(word, local.name, local.span));
        }
    }

    /// Forgets all names, and says what could not be said before everything was read.
    pub fn close(&mut self) {
        self.forget(0);
        for (diagnostic, operands) in std::mem::take(&mut self.doubtful) {
            if operands.iter().all(|operand| !self.asked.contains(operand)) {
                self.report(diagnostic);
            }
        }
    }

    /// What a name stands for, if it is one of these.
    pub fn local(&mut self, name: &str) -> Option<Meaning> {
        let local = self.locals.iter_mut().rev().find(|local| local.name == name)?;
        local.used = true;
        Some(local.meaning.clone())
    }

    /// The record in slot 0.
    pub fn record(&self, span: Span) -> Option<Expr> {
        let subject = self.subject?;
        Some(expr(span, Type::Subject(subject), ExprKind::Local(0)))
    }

    /// `let`s and the result of a function or attribute.
    pub fn body(&mut self, body: &'a ast::Body) -> (Vec<(Slot, Expr)>, Expr) {
        let mut lets = Vec::new();
        for binding in &body.lets {
            if let Some(bound) = self.bind_let(binding) {
                lets.push(bound);
            }
        }
        let result = self.expr(&body.result);
        self.close();
        (lets, result)
    }
}

/// An expression.
pub fn expr(span: Span, ty: Type, kind: ExprKind) -> Expr {
    Expr { span, ty, kind }
}

/// A value that is known.
pub fn constant(span: Span, ty: Type, value: Value) -> Expr {
    expr(span, ty, ExprKind::Constant(value))
}

/// What stands for something that was reported.
pub fn broken(span: Span) -> Expr {
    constant(span, Type::Any, Value::Missing)
}
