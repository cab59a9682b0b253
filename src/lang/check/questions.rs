//! Questions behind a value: `exists`, `missing`, `is`, `fails`.

use super::access::{body_of, has_body};
use super::cycles::Node;
use super::frame::{Frame, broken, expr};
use super::names::Found;
use super::types::{TESTS, may_pass, type_test};
use crate::lang::ast::{self, BinaryOp, ExprKind as Written, Premise, TypeExpr, TypeKind};
use crate::lang::error::names as names_error;
use crate::lang::error::operators as error;
use crate::lang::program::{Expr, ExprKind, RuleId, TypeTest};
use crate::lang::suggest::suggest;
use crate::model::subject::Subject;
use crate::model::types::Type;
use crate::model::value::Value;
use crate::source::{Span, Spanned};

impl<'a> Frame<'_, 'a> {
    /// `x exists`, `x missing`
    pub fn exists(&mut self, span: Span, of: &'a ast::Expr, exists: bool) -> Expr {
        let value = self.expr(of);
        self.asked.insert(self.text(of.span));
        if self.is_always_there(of, &value) {
            let forms = super::conditions::forms(of);
            self.report(error::always_exists(of.span, exists, forms));
        }
        let value = Box::new(value);
        let kind = if exists {
            ExprKind::Exists(value)
        } else {
            ExprKind::IsMissing(value)
        };
        expr(span, Type::Boolean, kind)
    }

    /// Whether a value is there on every record, so that asking is a mistake.
    fn is_always_there(&self, written: &ast::Expr, value: &Expr) -> bool {
        use ast::Quantifier as Q;
        match &value.kind {
            ExprKind::Not(_) | ExprKind::Exists(_) | ExprKind::IsMissing(_) | ExprKind::Is(..) => true,
            ExprKind::Fails(..) => true,
            ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Add | BinaryOp::Subtract),
            ExprKind::Quantified { quantifier, .. } => !matches!(quantifier, Q::First | Q::Last),
            ExprKind::Local(0) => self.subject.is_some(),
            ExprKind::Constant(Value::Missing) => false,
            ExprKind::Constant(_) => !matches!(written.kind, Written::Name(_)),
            _ => false,
        }
    }

    /// `x is T`, `x is not T`
    pub fn is(&mut self, span: Span, value: &'a ast::Expr, negated: bool, ty: &'a TypeExpr) -> Expr {
        let lowered = self.expr(value);
        self.asked.insert(self.text(value.span));
        let test = match &ty.kind {
            TypeKind::Name(word) => match type_test(word) {
                Some(test) => test,
                None => {
                    let near = suggest(word, TESTS);
                    self.report(error::unknown_test(ty.span, word, near, &lowered.ty));
                    return broken(span);
                }
            },
            TypeKind::List(of) if matches!(&of.kind, TypeKind::Name(word) if word == "json") => {
                TypeTest::List
            }
            _ => {
                self.report(error::is_no_word(ty.span, self.text(ty.span)));
                return broken(span);
            }
        };
        let lowered = match lowered.ty {
            Type::Subject(subject) if has_body(subject) => body_of(lowered),
            _ => lowered,
        };
        if !may_pass(&lowered.ty, test) {
            self.report(error::never_is(&lowered, ty.span, self.text(ty.span)));
        }
        let is = expr(span, Type::Boolean, ExprKind::Is(Box::new(lowered), test));
        if negated {
            return expr(span, Type::Boolean, ExprKind::Not(Box::new(is)));
        }
        is
    }

    /// `x fails R`
    pub fn fails(&mut self, span: Span, of: &'a ast::Expr, premise: &'a Premise) -> Expr {
        let record = self.expr(of);
        let subject = match record.ty {
            Type::Subject(subject) => Some(subject),
            Type::Any => None,
            _ => {
                self.report(error::fails_no_record(&record));
                None
            }
        };
        let rules = match premise {
            Premise::Rules(names) => names
                .iter()
                .filter_map(|name| self.premise(name, subject))
                .collect(),
            Premise::Tag(tag) => self.premises_of_tag(tag, subject),
        };
        expr(span, Type::Boolean, ExprKind::Fails(Box::new(record), rules))
    }

    fn premise(&mut self, name: &'a ast::Name, subject: Option<Subject>) -> Option<RuleId> {
        let pack = self.run.names.pack_of[self.file];
        match self.run.names.rule(Some(pack), &name.node) {
            Found::One(rule) => {
                self.uses(Node::Rule(rule), name.span);
                let declared = &self.run.names.rules[rule];
                if let (Some(wanted), Some(given)) = (declared.subject, subject)
                    && !given.is_a(wanted)
                {
                    let on = declared.declaration.on.subject.span;
                    self.report(error::other_kind(name, wanted, given, on));
                }
                Some(rule)
            }
            Found::Several(rules) => {
                let ids: Vec<&str> = rules
                    .iter()
                    .map(|rule| &*self.run.names.rules[*rule].id)
                    .collect();
                let diagnostic = names_error::ambiguous_rule(&name.node, name.span, &ids);
                self.report(diagnostic);
                None
            }
            Found::None => {
                let diagnostic = self.run.unknown_rule(&name.node, name.span);
                self.report(diagnostic);
                None
            }
        }
    }

    fn premises_of_tag(&mut self, tag: &'a Spanned<String>, subject: Option<Subject>) -> Vec<RuleId> {
        let tagged = self.run.names.rules_by_tag.get(tag.node.as_str());
        let all = tagged.cloned().unwrap_or_default();
        let fitting: Vec<RuleId> = all
            .iter()
            .copied()
            .filter(|rule| match (self.run.names.rules[*rule].subject, subject) {
                (Some(wanted), Some(given)) => given.is_a(wanted),
                _ => true,
            })
            .collect();
        if all.is_empty() {
            let mut tags: Vec<&str> = self.run.names.rules_by_tag.keys().copied().collect();
            tags.sort_unstable();
            self.report(names_error::unknown_tag(
                &tag.node,
                tag.span,
                suggest(&tag.node, tags),
            ));
        } else if let (true, Some(given)) = (fitting.is_empty(), subject) {
            self.report(error::tag_of_other_kind(tag.span, &tag.node, given));
        }
        for rule in &fitting {
            self.uses(Node::Rule(*rule), tag.span);
        }
        fitting
    }
}
