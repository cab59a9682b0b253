//! Single expressions: `--session-by EXPR`, `wirelint query EXPR`.

use std::sync::Arc;

use super::frame::Frame;
use super::names::Pack;
use super::{Checker, Run, Settings, needs, walk};
use crate::diagnostic::Diagnostic;
use crate::lang::ast::{self, ExprKind as Written, File, Level};
use crate::lang::program::{
    Clause, Expr, ExprKind, Needs, Program, Rule, RuleId, Scope, Slot, Template, Verdict,
};
use crate::model::subject::Subject;
use crate::source::{SourceMap, Spanned};

/// An expression over a subject.
#[derive(Debug, Clone)]
pub struct Query {
    /// What slot 0 is; `None`: the expression reads no record.
    pub subject: Option<Subject>,
    /// The expression.
    pub expr: Expr,
    /// How many slots it needs.
    pub slots: Slot,
    /// What it reads by itself of a recording.
    pub needs: Needs,
}

/// Checks files and an expression that sees all their names. Without a subject, that of the first subject's word in the
/// expression is meant ([`subject_of`]).
pub fn check_expression(
    files: &[File],
    sources: &SourceMap,
    settings: &Settings,
    expression: &ast::Expr,
    subject: Option<Subject>,
) -> (Program, Query, Vec<Diagnostic>) {
    Checker::new(files, sources).check_expression(settings, expression, subject)
}

impl Checker<'_> {
    /// As [`check_expression`].
    pub fn check_expression(
        &self,
        settings: &Settings,
        expression: &ast::Expr,
        subject: Option<Subject>,
    ) -> (Program, Query, Vec<Diagnostic>) {
        let subject = subject.or_else(|| subject_of(expression));
        let word = Spanned::new(
            subject.map_or_else(String::new, |subject| subject.word().to_owned()),
            expression.span,
        );
        let mut run = Run::new(self, settings);
        run.all();
        let file = run.outside();
        let mut frame = Frame::new(&mut run, file, None);
        if subject.is_some() {
            frame.bind_subject(&word, subject);
        }
        let mut expr = frame.expr(expression);
        frame.close();
        let slots = frame.slots;
        let needs = needs::of_expression(&expr);
        walk::deep(&mut expr, &mut |kind| {
            if let ExprKind::Derived(_, id) = kind {
                *id = run.attribute_places.get(*id).copied().unwrap_or(*id);
            }
        });
        let (program, diagnostics) = run.finish();
        let query = Query {
            subject,
            expr,
            slots,
            needs,
        };
        (program, query, diagnostics)
    }
}

impl Query {
    /// Makes the expression all that a program does: every other rule is switched off, and one rule fails on each record
    /// with the value of the expression as the key of `once per`. `None` if the expression reads no record.
    pub fn ask(self, program: &mut Program) -> Option<RuleId> {
        let subject = self.subject?;
        for rule in &mut program.rules {
            rule.level = Level::Off;
        }
        let value = self.slots;
        let answer = Expr {
            span: self.expr.span,
            ty: self.expr.ty.clone(),
            kind: ExprKind::Local(value),
        };
        program.rules.push(Rule {
            id: Arc::from("query"),
            pack: Arc::from(""),
            name: Arc::from("query"),
            docs: String::new(),
            level: Level::Note,
            severity: Level::Note,
            fault: None,
            sources: vec![],
            tags: vec![],
            revision: vec![],
            scope: Scope::default(),
            subject,
            methods: vec![],
            from: None,
            over: None,
            guard: None,
            verdicts: vec![Verdict {
                condition: None,
                level: None,
                against: None,
                text: Template::default(),
                labels: vec![(answer.clone(), None)],
                help: None,
            }],
            once: Some(answer),
            slots: self.slots + 1,
            examples: vec![],
            span: self.expr.span,
            clauses: vec![Clause::Let {
                slot: value,
                value: self.expr,
            }],
            needs: self.needs,
        });
        Some(program.rules.len() - 1)
    }
}

impl Run<'_> {
    /// A file of no pack that uses all packs.
    fn outside(&mut self) -> usize {
        let all = (0..self.names.packs.len()).collect();
        self.names.packs.push(Pack {
            name: Arc::from(""),
            docs: String::new(),
            files: Vec::new(),
            values: std::collections::HashMap::new(),
            functions: std::collections::HashMap::new(),
            shapes: std::collections::HashMap::new(),
            has_rules: false,
        });
        self.names.pack_of.push(self.names.packs.len() - 1);
        self.names.uses.push(all);
        self.names.pack_of.len() - 1
    }
}

/// The subject whose word an expression reads first.
pub fn subject_of(e: &ast::Expr) -> Option<Subject> {
    let all = |all: &[ast::Expr]| all.iter().find_map(subject_of);
    match &e.kind {
        Written::Name(word) => Subject::from_word(word),
        Written::List(elements) => all(elements),
        Written::Object(members) => members.iter().find_map(|(_, e)| subject_of(e)),
        Written::Member(a, _)
        | Written::Not(a)
        | Written::Negate(a)
        | Written::Exists(a)
        | Written::IsMissing(a)
        | Written::Is { value: a, .. }
        | Written::Fails(a, _) => subject_of(a),
        Written::Index(a, b) | Written::Binary(_, a, b) => subject_of(a).or_else(|| subject_of(b)),
        Written::Call { arguments, .. } => all(arguments),
        Written::If(a, b, c) => subject_of(a).or_else(|| subject_of(b)).or_else(|| subject_of(c)),
        Written::Quantified { bindings, body, .. } => {
            let bound = |subject: &Subject| bindings.iter().all(|(name, _)| name.node != subject.word());
            let lists = bindings.iter().find_map(|(_, list)| subject_of(list));
            lists.or_else(|| subject_of(body).filter(bound))
        }
        _ => None,
    }
}
