//! Functions, attributes and rules become parts of the program.

use std::sync::Arc;

use super::Run;
use super::calls::fit;
use super::conditions::Gate;
use super::cycles::Node;
use super::frame::{Frame, Origin};
use crate::input::event::{Side, Transport};
use crate::lang::ast::{self, Level, Name};
use crate::lang::error::rules as error;
use crate::lang::error::{names as names_error, types as types_error};
use crate::lang::program::{Clause, DerivedAttribute, Expr, Function, Needs, Rule, Scope, Slot, Verdict};
use crate::lang::suggest::suggest;
use crate::model::subject::{Key, Subject};
use crate::model::types::Type;
use crate::source::Span;

impl<'a> Run<'a> {
    /// All functions.
    pub fn functions(&mut self) {
        for id in 0..self.names.functions.len() {
            let function = &self.names.functions[id];
            let (file, declaration) = (function.file, function.declaration);
            let (types, declared) = (function.parameters.clone(), function.result.clone());
            let mut frame = Frame::new(self, file, Some(Node::Function(id)));
            for ((name, _), ty) in declaration.parameters.iter().zip(types) {
                frame.bind(name, ty, Origin::Argument);
            }
            let (lets, result) = frame.body(&declaration.body);
            let slots = frame.slots;
            let result = self.result(result, &declared, declaration.result.span, &declaration.name);
            self.program.functions.push(Function {
                name: declaration.name.node.as_str().into(),
                arity: declaration.parameters.len(),
                slots,
                lets,
                result,
            });
        }
    }

    /// All attributes.
    pub fn attributes(&mut self) {
        for id in 0..self.names.attributes.len() {
            let attribute = &self.names.attributes[id];
            let (file, declaration, docs) = (attribute.file, attribute.declaration, attribute.docs);
            let (subject, ty) = (attribute.subject, attribute.ty.clone());
            let mut frame = Frame::new(self, file, Some(Node::Attribute(id)));
            frame.bind_subject(&declaration.subject, Some(subject));
            let (lets, result) = frame.body(&declaration.body);
            let slots = frame.slots;
            let result = self.result(result, &ty, declaration.ty.span, &declaration.name);
            self.program.attributes.push(DerivedAttribute {
                subject,
                name: declaration.name.node.as_str().into(),
                docs: docs.to_owned(),
                ty,
                slots,
                lets,
                result,
            });
        }
    }

    /// A result against the type that is declared.
    fn result(&mut self, result: Expr, declared: &Type, place: Span, name: &Name) -> Expr {
        let result = fit(result, declared);
        if !result.ty.may_be(declared) {
            self.report(types_error::wrong_result(name, &result, declared, place));
        }
        result
    }

    /// All rules.
    pub fn rules(&mut self) {
        for id in 0..self.names.rules.len() {
            let rule = self.rule(id);
            self.program.rules.push(rule);
        }
    }

    fn rule(&mut self, id: usize) -> Rule {
        let declared = &self.names.rules[id];
        let (file, pack, span, docs) = (declared.file, declared.pack, declared.span, declared.docs);
        let (rule, subject) = (declared.declaration, declared.subject);
        let full = Arc::clone(&declared.id);
        let revision = self.revision(&rule.revision);
        let scope = self.scope(&rule.scope);
        let (from, over) = self.selection(&rule.on, subject);
        let examples = rule.examples.iter().map(|e| self.example(file, e)).collect();

        let mut frame = Frame::new(self, file, Some(Node::Rule(id)));
        let name = rule.on.alias.as_ref().unwrap_or(&rule.on.subject);
        frame.bind_subject(name, subject);
        if let Some(alias) = &rule.on.alias {
            frame.check_alias(alias);
        }
        let guard = rule.on.guard.as_ref().map(|e| frame.gate(e, Gate::When));
        let clauses = rule.clauses.iter().filter_map(|c| frame.clause(c)).collect();
        let verdicts = rule.verdicts.iter().map(|v| frame.verdict(v)).collect();
        let once = rule.once.as_ref().map(|e| frame.expr(e));
        frame.close();
        let slots = frame.slots;

        let severity = rule.severity.as_ref().map_or(Level::Warning, |level| level.node);
        Rule {
            id: full,
            pack: Arc::clone(&self.names.packs[pack].name),
            name: rule.name.node.as_str().into(),
            docs: docs.to_owned(),
            level: self.level_of(id, severity),
            severity,
            fault: rule.fault.as_ref().map(|party| party.node),
            sources: rule.sources.iter().map(|source| source.node.clone()).collect(),
            tags: rule.tags.iter().map(|tag| tag.node.clone()).collect(),
            revision,
            scope,
            subject: subject.unwrap_or(Subject::Message),
            methods: rule.on.methods.iter().map(|m| m.node.as_str().into()).collect(),
            from,
            over,
            guard,
            clauses,
            verdicts,
            once,
            slots,
            examples,
            span,
            needs: Needs::default(),
        }
    }

    /// `scope KEY, …`
    fn scope(&mut self, words: &[Name]) -> Scope {
        let mut keys = Vec::new();
        for word in words {
            if word.node == "corpus" {
                self.report(names_error::not_available("`scope corpus` is", word.span));
                continue;
            }
            match Key::from_word(&word.node) {
                Some(key) => keys.push(key),
                None => {
                    let known = Key::ALL.map(Key::word);
                    let near = suggest(&word.node, known);
                    self.report(names_error::unknown_word("scope key", word, &known, near));
                }
            }
        }
        if keys.is_empty() {
            return Scope::default();
        }
        Scope { corpus: false, keys }
    }

    /// `from SIDE`, `over TRANSPORT`, `of METHOD`
    fn selection(&mut self, on: &ast::On, subject: Option<Subject>) -> (Option<Side>, Option<Transport>) {
        // The parser has seen to it that these words are among those that there are.
        let from = on.from.as_ref().and_then(|word| match word.node.as_str() {
            "client" => Some(Side::Client),
            "server" => Some(Side::Server),
            _ => None,
        });
        let over = on.over.as_ref().and_then(|word| match word.node.as_str() {
            "http" => Some(Transport::Http),
            "stdio" => Some(Transport::Stdio),
            _ => None,
        });
        let Some(subject) = subject else {
            return (from, over);
        };
        if let (Some(method), false) = (
            on.methods.first(),
            subject.is_message() || subject == Subject::Listing,
        ) {
            self.report(error::of_without_method(method.span, subject));
        }
        if let (Some(side), false) = (&on.from, subject.is_message() || subject == Subject::Frame) {
            self.report(error::from_without_sender(side.span, subject));
        }
        (from, over)
    }

    /// An example, the parameters that it sets named in full.
    fn example(&mut self, file: usize, example: &'a ast::Example) -> ast::Example {
        let mut named = example.clone();
        named.with.clear();
        for setting in &example.with {
            let name = &setting.name;
            let found = self.parameters_seen(file, &name.node);
            let Some(id) = self.one_parameter(&name.node, name.span, found) else {
                continue;
            };
            if self.set(id, file, &setting.value).is_none() {
                continue;
            }
            let pack = &self.names.packs[self.names.values[id].pack].name;
            let mut full = setting.clone();
            full.name.node = format!("{pack}/{}", name.node);
            named.with.push(full);
        }
        named
    }
}

impl<'a> Frame<'_, 'a> {
    /// `as NAME`: any name but another subject's.
    fn check_alias(&mut self, alias: &'a Name) {
        if super::items::is_reserved(&alias.node) {
            self.report(names_error::reserved_for_records(alias));
        }
    }

    fn clause(&mut self, clause: &'a ast::Clause) -> Option<Clause> {
        Some(match clause {
            ast::Clause::For { name, list, guard } => {
                let (list, element) = self.elements(list);
                let slot: Slot = self.bind(name, element, Origin::For);
                let guard = guard.as_ref().map(|e| self.gate(e, Gate::When));
                Clause::For { slot, list, guard }
            }
            ast::Clause::Let(binding) => {
                let (slot, value) = self.bind_let(binding)?;
                Clause::Let { slot, value }
            }
            ast::Clause::When(condition) => Clause::When(self.gate(condition, Gate::When)),
            ast::Clause::Undecided { condition, reason } => Clause::Undecided {
                condition: self.gate(condition, Gate::Undecided),
                reason: self.template(reason),
            },
        })
    }

    fn verdict(&mut self, verdict: &'a ast::Verdict) -> Verdict {
        let condition = verdict
            .condition
            .as_ref()
            .map(|(kind, e)| (*kind, self.gate(e, Gate::Verdict(*kind))));
        Verdict {
            condition,
            level: verdict.level.as_ref().map(|level| level.node),
            against: verdict.against.as_ref().map(|party| party.node),
            text: self.template(&verdict.text),
            labels: verdict
                .labels
                .iter()
                .map(|(place, text)| self.label(place, text.as_ref()))
                .collect(),
            help: verdict.help.as_ref().map(|help| self.template(help)),
        }
    }
}
