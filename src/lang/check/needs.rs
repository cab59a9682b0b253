//! What a rule needs of a recording, and how far it looks.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Run;
use super::cycles::Node;
use super::walk;
use crate::lang::ast::Quantifier;
use crate::lang::error::rules as error;
use crate::lang::program::{Collection, Expr, ExprKind, Needs, Reach, Rule};
use crate::model::subject::{Attribute, Key, Subject};
use crate::model::types::Type;
use crate::source::Span;

/// The words for evidence.
const CATALOGUE: &str = "catalogue";
const CLOCK: &str = "clock";
const DIRECTION: &str = "direction";
const EXCHANGES: &str = "exchanges";
const FRAMING: &str = "framing";
const HEADERS: &str = "headers";
const PAIRING: &str = "pairing";
const RAW_TEXT: &str = "raw text";
const REVISION: &str = "revision";
const SESSION: &str = "session";
const STATUS: &str = "status";
const TRANSPORT: &str = "transport";
const WHOLE_SESSION: &str = "whole session";

/// What one item reads by itself.
#[derive(Debug, Clone, Default)]
struct Reads {
    evidence: BTreeSet<&'static str>,
    reach: Reach,
    /// Where it looks at all that comes later.
    waits: Option<Span>,
}

impl Run<'_> {
    /// Gives every rule its [`Needs`].
    pub fn infer(&mut self) {
        let mut own: HashMap<Node, Reads> = HashMap::new();
        for (id, function) in self.program.functions.iter().enumerate() {
            let reads = own.entry(Node::Function(id)).or_default();
            function.lets.iter().for_each(|(_, e)| reads.expr(e));
            reads.expr(&function.result);
        }
        for (id, attribute) in self.program.attributes.iter().enumerate() {
            let reads = own.entry(Node::Attribute(id)).or_default();
            attribute.lets.iter().for_each(|(_, e)| reads.expr(e));
            reads.expr(&attribute.result);
        }
        for (id, rule) in self.program.rules.iter().enumerate() {
            own.entry(Node::Rule(id)).or_default().rule(rule);
        }
        for id in 0..self.program.rules.len() {
            let start = Node::Rule(id);
            let mut all = Reads::default();
            let mut seen = HashSet::from([start]);
            let mut open = vec![start];
            while let Some(node) = open.pop() {
                if let Some(reads) = own.get(&node) {
                    all.evidence.extend(&reads.evidence);
                    all.reach = all.reach.max(reads.reach);
                }
                for used in self.graph.used_by(node) {
                    if seen.insert(used) {
                        open.push(used);
                    }
                }
            }
            if let Some(place) = own.get(&start).and_then(|reads| reads.waits) {
                let subject = self.program.rules[id].subject;
                self.report(error::keeps_all(place, subject));
            }
            // Who needs all of a session needs what it shows of the session at any point.
            if all.evidence.contains(WHOLE_SESSION) {
                all.evidence.remove(SESSION);
            }
            self.program.rules[id].needs = Needs {
                evidence: all.evidence.into_iter().collect(),
                reach: all.reach,
            };
        }
    }
}

/// What an expression by itself needs.
pub fn of_expression(e: &Expr) -> Needs {
    let mut reads = Reads::default();
    reads.expr(e);
    Needs {
        evidence: reads.evidence.into_iter().collect(),
        reach: reads.reach,
    }
}

impl Reads {
    fn needs(&mut self, evidence: &'static str) {
        self.evidence.insert(evidence);
    }

    fn reaches(&mut self, reach: Reach) {
        self.reach = self.reach.max(reach);
    }

    fn rule(&mut self, rule: &Rule) {
        match rule.subject {
            Subject::Exchange => self.needs(EXCHANGES),
            Subject::Session => {
                self.needs(WHOLE_SESSION);
                self.reaches(Reach::Scope);
            }
            Subject::Frame => self.needs(RAW_TEXT),
            Subject::Tool | Subject::Prompt | Subject::Resource | Subject::Template | Subject::Listing => {
                self.needs(CATALOGUE);
            }
            Subject::Response if !rule.methods.is_empty() => {
                self.needs(PAIRING);
                self.reaches(Reach::Exchange);
            }
            Subject::Message | Subject::Request | Subject::Notification | Subject::Response => {}
        }
        if rule.from.is_some() {
            self.needs(DIRECTION);
        }
        if rule.over.is_some() {
            self.needs(TRANSPORT);
        }
        if !rule.revision.is_empty() {
            self.needs(REVISION);
        }
        if rule.scope.corpus {
            self.reaches(Reach::Corpus);
        }
        walk::of_rule(rule, &mut |e| self.expr(e));
        for clause in &rule.clauses {
            if let crate::lang::program::Clause::For { list, .. } = clause
                && is_all_that_follows(list)
            {
                self.waits.get_or_insert(list.span);
            }
        }
        // What a rule looks back or forward at is grouped by its keys.
        if self.reach >= Reach::Scope {
            for key in &rule.scope.keys {
                self.key(*key);
            }
        }
    }

    fn key(&mut self, key: Key) {
        match key {
            Key::Recording | Key::Session => {}
            other => self.needs(other.word()),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Attribute(of, attribute) => self.attribute(&of.ty, *attribute),
            ExprKind::HeaderList(_) => self.needs(HEADERS),
            ExprKind::History {
                later,
                bounds,
                collection,
                ..
            } => {
                self.needs(if *later { WHOLE_SESSION } else { SESSION });
                self.reaches(Reach::Scope);
                if bounds.iter().any(|bound| bound.ty == Type::Duration) {
                    self.needs(CLOCK);
                }
                match collection {
                    Collection::Of(Subject::Exchange) => self.needs(EXCHANGES),
                    Collection::Of(subject) if subject.is_entry() || *subject == Subject::Listing => {
                        self.needs(CATALOGUE);
                    }
                    Collection::Of(_) => {}
                    Collection::Open => self.needs(PAIRING),
                }
            }
            ExprKind::Quantified {
                quantifier, bindings, ..
            } => {
                let all = !matches!(quantifier, Quantifier::Any | Quantifier::First);
                if all && let Some((_, list)) = bindings.iter().find(|(_, list)| is_all_that_follows(list)) {
                    self.waits.get_or_insert(list.span);
                }
            }
            ExprKind::IsMissing(of) => {
                if let ExprKind::Quantified { bindings, .. } = &of.kind
                    && let Some((_, list)) = bindings.iter().find(|(_, list)| is_all_that_follows(list))
                {
                    self.waits.get_or_insert(list.span);
                }
            }
            _ => {}
        }
        walk::children(e, &mut |child| self.expr(child));
    }

    fn attribute(&mut self, of: &Type, attribute: Attribute) {
        use Attribute as A;
        let session = *of == Type::Subject(Subject::Session);
        match attribute {
            A::Headers => self.needs(HEADERS),
            A::RequestHeaders | A::ResponseHeaders => {
                self.needs(HEADERS);
                self.reaches(Reach::Exchange);
            }
            A::Status => {
                self.needs(STATUS);
                self.reaches(Reach::Exchange);
            }
            A::Exchange | A::Url => {
                self.needs(EXCHANGES);
                self.reaches(Reach::Exchange);
            }
            A::Event | A::Events | A::Batch => self.needs(FRAMING),
            A::Time => self.needs(CLOCK),
            A::Elapsed => {
                self.needs(CLOCK);
                self.needs(PAIRING);
                self.reaches(Reach::Exchange);
            }
            A::Sender => self.needs(DIRECTION),
            A::Transport => self.needs(TRANSPORT),
            A::Revision => self.needs(REVISION),
            A::Response | A::Responses | A::Request => {
                self.needs(PAIRING);
                self.reaches(Reach::Exchange);
            }
            A::Messages | A::Ended | A::Last if session => {
                self.needs(WHOLE_SESSION);
                self.reaches(Reach::Scope);
            }
            A::Messages | A::Ended => {
                self.needs(EXCHANGES);
                self.reaches(Reach::Exchange);
            }
            A::First => {
                self.needs(SESSION);
                self.reaches(Reach::Scope);
            }
            A::Requests | A::Notifications | A::Exchanges | A::Last => {
                self.needs(WHOLE_SESSION);
                self.reaches(Reach::Scope);
            }
            A::Listings | A::Tools | A::Prompts | A::Resources | A::Templates | A::Listing | A::Complete => {
                self.needs(CATALOGUE);
                if session {
                    self.reaches(Reach::Scope);
                }
            }
            A::Text | A::FrameJson | A::Bytes => self.needs(RAW_TEXT),
            A::Key(key) => self.key(key),
            A::Earlier | A::Later | A::Session | A::Index | A::Kind | A::Body => {}
            A::Id | A::Method | A::Params | A::Result | A::Error | A::Jsonrpc => {}
        }
    }
}

/// `later.requests` without an end.
fn is_all_that_follows(list: &Expr) -> bool {
    matches!(&list.kind, ExprKind::History { later: true, bounds, .. } if bounds.is_empty())
}
