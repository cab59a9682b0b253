//! One rule on one subject: gates, elements, verdicts, labels (S5 of the semantics).

use std::sync::Arc;

use super::eval::{Evaluator, Frame};
use super::finding::{Finding, Mark};
use super::world::{World, place};
use crate::input::event::{Side, Transport};
use crate::lang::ast::{BinaryOp, Outcome, Party, VerdictKind};
use crate::lang::compile::Plan;
use crate::lang::program::{Clause, Expr, ExprKind, Piece, Rule, RuleId, Template, Verdict};
use crate::model::ops;
use crate::model::protocol::is_revision;
use crate::model::record::{END, Fact, MessageRef, Record, Seen};
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Truth, Value};
use crate::place::Place;

/// How a rule judged a subject.
#[derive(Debug, Clone, Default)]
pub(crate) struct Judgement {
    /// One for each element that failed (of a rule without `for`: at most one).
    pub(crate) failed: Vec<Failure>,
    /// Why something was undecided.
    pub(crate) undecided: Option<Reasons>,
    /// Something was judged and right.
    pub(crate) passed: bool,
}

/// A verdict that fell.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) finding: Finding,
    /// The value of `once per`.
    pub(crate) once: Option<Value>,
}

impl Judgement {
    /// How the pair of rule and subject ends.
    pub(crate) fn outcome(&self) -> Outcome {
        if !self.failed.is_empty() {
            Outcome::Failed
        } else if self.undecided.is_some() {
            Outcome::Undecided
        } else if self.passed {
            Outcome::Passed
        } else {
            Outcome::NotApplicable
        }
    }

    fn undecided(&mut self, reasons: &Reasons) {
        meet(&mut self.undecided, reasons);
    }
}

fn meet(met: &mut Option<Reasons>, reasons: &Reasons) {
    *met = Some(met.take().map_or_else(|| reasons.clone(), |m| m.and(reasons)));
}

/// What the gates said so far.
#[derive(Clone, Default)]
struct Gate {
    /// A gate was unknown.
    unknown: Option<Reasons>,
    /// The rule declined.
    declined: Option<Reasons>,
    /// The element is only perhaps in its list.
    perhaps: Option<Reasons>,
}

impl Gate {
    fn pass(&mut self, truth: Truth) -> bool {
        match truth {
            Truth::True => true,
            Truth::False => false,
            Truth::Unknown(reasons) => {
                meet(&mut self.unknown, &reasons);
                true
            }
        }
    }

    fn open(&self) -> Option<Reasons> {
        let mut all = self.unknown.clone();
        for more in [&self.declined, &self.perhaps].into_iter().flatten() {
            meet(&mut all, more);
        }
        all
    }
}

/// Whether a rule's `on` may let a subject in; if not, the rule is not applicable to it.
pub(crate) fn concerns(rule: &Rule, subject: &Record) -> bool {
    subject.subject().is_a(rule.subject) && on(rule, subject).is_some()
}

/// Whether the parts of `on` that need no expression let a subject in: method, side, transport. `None` if one says no.
fn on(rule: &Rule, subject: &Record) -> Option<Truth> {
    let mut truth = Truth::True;
    if !rule.methods.is_empty() {
        match method_of(subject) {
            Fact::Is(method) if rule.methods.contains(&method) => {}
            Fact::Is(_) | Fact::Missing => return None,
            Fact::Unknown(reasons) => truth = Truth::Unknown(reasons),
        }
    }
    if let Some(from) = rule.from {
        match sender_of(subject) {
            Fact::Is(side) if side == from => {}
            Fact::Is(_) | Fact::Missing => return None,
            Fact::Unknown(reasons) => truth = ops::and(truth, Truth::Unknown(reasons)),
        }
    }
    if let Some(over) = rule.over {
        match transport_of(subject) {
            Fact::Is(transport) if transport == over => {}
            Fact::Is(_) | Fact::Missing => return None,
            Fact::Unknown(reasons) => truth = ops::and(truth, Truth::Unknown(reasons)),
        }
    }
    Some(truth)
}

/// The method of a request or notification; of a response that of its request.
pub(crate) fn method_of(subject: &Record) -> Fact<Arc<str>> {
    let of = |m: &MessageRef| match m.message.json.member("method") {
        Some(method) => method
            .as_str()
            .map_or(Fact::Missing, |method| Fact::Is(method.into())),
        None => Fact::Missing,
    };
    match subject {
        Record::Message(m) if m.message.kind == crate::model::record::MessageKind::Response => {
            match (&m.pair, &m.orphan) {
                (Some(pair), _) => of(&MessageRef {
                    message: Arc::clone(&pair.request),
                    pair: None,
                    orphan: None,
                }),
                (None, Some(reasons)) => Fact::Unknown(reasons.clone()),
                (None, None) => Fact::Missing,
            }
        }
        Record::Message(m) => of(m),
        Record::Exchange(e) => Fact::Is(Arc::clone(&e.method)),
        Record::Listing(l) => Fact::Is(crate::model::protocol::list_method(l.kind).into()),
        _ => Fact::Missing,
    }
}

fn sender_of(subject: &Record) -> Fact<Side> {
    match subject {
        Record::Message(m) => m.message.sender.clone(),
        Record::Frame(f) => f.sender.clone(),
        Record::Exchange(_) => Fact::Is(Side::Client),
        Record::Listing(_) | Record::Entry(_) => Fact::Is(Side::Server),
        Record::Session(_) => Fact::Missing,
    }
}

fn transport_of(subject: &Record) -> Fact<Transport> {
    match subject {
        Record::Session(session) => session.transport.clone(),
        other => other
            .common()
            .map_or(Fact::Missing, |common| common.transport.clone()),
    }
}

/// Whether a subject is of one of the revisions that a rule is for. What is no date is unknown, never newer.
fn revision(rule: &Rule, revision: &Fact<Arc<str>>) -> Truth {
    if rule.revision.is_empty() {
        return Truth::True;
    }
    let revision = match revision {
        Fact::Is(revision) if is_revision(revision) => revision,
        Fact::Unknown(reasons) => return Truth::Unknown(reasons.clone()),
        Fact::Is(_) | Fact::Missing => return Truth::Unknown(Reason::Revision.into()),
    };
    let holds = rule.revision.iter().all(|(op, bound)| match op {
        BinaryOp::Less => **revision < **bound,
        BinaryOp::LessEqual => **revision <= **bound,
        BinaryOp::Greater => **revision > **bound,
        BinaryOp::GreaterEqual => **revision >= **bound,
        _ => revision == bound,
    });
    holds.into()
}

struct Judge<'w, 'p> {
    evaluator: Evaluator<'w, 'p>,
    rule: &'p Rule,
    /// The bare report stands behind this clause.
    bare_after: Option<usize>,
    subject: Record,
    out: Judgement,
}

/// Judges a subject. `None` if `on` does not let it in.
pub(crate) fn judge(plan: &Plan, world: &World, id: RuleId, subject: &Record) -> Option<Judgement> {
    let rule = &plan.program.rules[id];
    let mut gate = Gate::default();
    let let_in = on(rule, subject)?;
    let of = match subject {
        Record::Session(session) => {
            let revision = session.revision(END);
            revision.map_or(Fact::Unknown(Reason::Revision.into()), Fact::Is)
        }
        other => other
            .common()
            .map_or(Fact::Missing, |common| common.revision.clone()),
    };
    if !gate.pass(revision(rule, &of)) || !gate.pass(let_in) {
        return Some(Judgement::default());
    }
    let evaluator = Evaluator::new(plan, world, plan.rules[id].scope, place(subject));
    let mut frame = Frame::new(rule.slots);
    frame.set(
        0,
        Value::Record(Seen {
            record: subject.clone(),
            as_of: END,
        }),
    );
    if let Some(guard) = &rule.guard
        && !gate.pass(evaluator.truth(guard, &mut frame))
    {
        return Some(Judgement::default());
    }
    let bare = rule
        .verdicts
        .first()
        .is_some_and(|verdict| verdict.condition.is_none());
    let last_for = rule
        .clauses
        .iter()
        .rposition(|clause| matches!(clause, Clause::For { .. }));
    let mut judge = Judge {
        evaluator,
        rule,
        bare_after: if bare { last_for } else { None },
        subject: subject.clone(),
        out: Judgement::default(),
    };
    judge.clauses(0, gate, &mut frame);
    Some(judge.out)
}

impl<'p> Judge<'_, 'p> {
    fn clauses(&mut self, at: usize, mut gate: Gate, frame: &mut Frame<'p>) {
        let Some(clause) = self.rule.clauses.get(at) else {
            self.verdicts(&gate, frame);
            return;
        };
        match clause {
            Clause::Let { slot, value } => frame.define(*slot, value),
            Clause::When(condition) => {
                if !gate.pass(self.evaluator.truth(condition, frame)) {
                    return;
                }
            }
            Clause::Undecided { condition, reason } => {
                let truth = self.evaluator.truth(condition, frame);
                if truth != Truth::False {
                    let text = self.text(reason, frame);
                    meet(&mut gate.declined, &Reason::Own(text.into()).into());
                }
                // What is not known yet may still turn out to be false.
                if let Truth::Unknown(reasons) = truth
                    && reasons.is_pending()
                {
                    meet(&mut gate.declined, &reasons);
                }
            }
            Clause::For { slot, list, guard } => {
                self.elements(at, *slot, list, guard.as_ref(), &gate, frame);
                return;
            }
        }
        self.clauses(at + 1, gate, frame);
    }

    fn elements(
        &mut self,
        at: usize,
        slot: usize,
        list: &'p Expr,
        guard: Option<&'p Expr>,
        gate: &Gate,
        frame: &mut Frame<'p>,
    ) {
        // A bare report passes where no element reaches it: only the gates before its `for` decide whether it applies.
        if self.bare_after == Some(at) {
            match gate.open() {
                Some(reasons) => self.out.undecided(&reasons),
                None => self.out.passed = true,
            }
        }
        let list = match ops::elements(&self.evaluator.value(list, frame)) {
            Ok(list) => list,
            Err(reasons) => {
                self.out.undecided(&reasons);
                return;
            }
        };
        for item in &list.items {
            let mut gate = gate.clone();
            if let Some(reasons) = &item.perhaps {
                meet(&mut gate.perhaps, reasons);
            }
            frame.set(slot, item.value.clone());
            if let Some(guard) = guard
                && !gate.pass(self.evaluator.truth(guard, frame))
            {
                continue;
            }
            self.clauses(at + 1, gate, frame);
        }
        if let Some(reasons) = list.gap() {
            self.out.undecided(&reasons);
        }
    }

    fn verdicts(&mut self, gate: &Gate, frame: &mut Frame<'p>) {
        if let Some(reasons) = gate.open() {
            self.out.undecided(&reasons);
            return;
        }
        let mut unknown: Option<Reasons> = None;
        for verdict in &self.rule.verdicts {
            let failed = match &verdict.condition {
                None => Truth::True,
                Some((VerdictKind::Require, condition)) => !self.evaluator.truth(condition, frame),
                Some((VerdictKind::Forbid, condition)) => self.evaluator.truth(condition, frame),
            };
            match failed {
                Truth::True => {
                    let failure = self.failure(verdict, frame);
                    self.out.failed.push(failure);
                    return;
                }
                Truth::Unknown(reasons) => meet(&mut unknown, &reasons),
                Truth::False => {}
            }
        }
        match unknown {
            Some(reasons) => self.out.undecided(&reasons),
            None => self.out.passed = true,
        }
    }

    fn failure(&self, verdict: &'p Verdict, frame: &mut Frame<'p>) -> Failure {
        let mut labels: Vec<Mark> = vec![];
        for (expr, text) in &verdict.labels {
            if let Some(place) = self.place(expr, frame) {
                let text = text.as_ref().map(|text| self.text(text, frame));
                labels.push(Mark { place, text });
            }
        }
        self.premises(verdict, frame, &mut labels);
        // Without a label that stands somewhere, the finding is at its subject.
        if labels.is_empty()
            && let Some(place) = self.subject.place()
        {
            labels.push(Mark { place, text: None });
        }
        let finding = Finding {
            rule: Arc::clone(&self.rule.id),
            level: verdict.level.unwrap_or(self.rule.level),
            fault: self.party(verdict.against.or(self.rule.fault)),
            message: self.text(&verdict.text, frame),
            help: verdict.help.as_ref().map(|help| self.text(help, frame)),
            labels,
            repeats: 0,
        };
        let once = self
            .rule
            .once
            .as_ref()
            .map(|once| self.evaluator.value(once, frame));
        Failure { finding, once }
    }

    /// The primary labels of rules whose failure this one rests on.
    fn premises(&self, verdict: &'p Verdict, frame: &mut Frame<'p>, labels: &mut Vec<Mark>) {
        if let Some((kind, condition)) = &verdict.condition {
            self.premise(condition, *kind == VerdictKind::Forbid, frame, labels);
        }
        for clause in &self.rule.clauses {
            if let Clause::When(condition) = clause {
                self.premise(condition, true, frame, labels);
            }
        }
        if let Some(guard) = &self.rule.guard {
            self.premise(guard, true, frame, labels);
        }
    }

    /// Those of a condition that came out as `holds`: what does not fail is nothing to point at.
    fn premise(&self, expr: &'p Expr, holds: bool, frame: &mut Frame<'p>, labels: &mut Vec<Mark>) {
        match &expr.kind {
            ExprKind::Fails(of, rules) if holds => {
                let Value::Record(seen) = self.evaluator.value(of, frame) else {
                    return;
                };
                let plan = self.evaluator.plan;
                for number in rules.iter().filter_map(|rule| plan.rules[*rule].premise) {
                    let kept = seen.derived().and_then(|d| d.verdict(number));
                    let label = kept.and_then(|verdict| verdict.label);
                    if let Some((place, text)) = label
                        && !labels.iter().any(|mark| mark.place == place)
                    {
                        labels.push(Mark { place, text });
                    }
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.premise(a, holds, frame, labels);
                self.premise(b, holds, frame, labels);
            }
            ExprKind::Not(of) => self.premise(of, !holds, frame, labels),
            _ => {}
        }
    }

    fn party(&self, party: Option<Party>) -> Option<Party> {
        let sender = sender_of(&self.subject);
        let of = |side: Side| {
            if side == Side::Client {
                Party::Client
            } else {
                Party::Server
            }
        };
        match party {
            Some(Party::Sender) => sender.known().map(|side| of(*side)),
            Some(Party::Receiver) => sender.known().map(|side| of(side.other())),
            other => other,
        }
    }

    fn text(&self, template: &'p Template, frame: &mut Frame<'p>) -> String {
        let mut out = String::new();
        for piece in &template.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Hole(expr) => out.push_str(&ops::show(&self.evaluator.value(expr, frame))),
            }
        }
        out
    }

    /// Where the value of an expression stands; of what is missing, its nearest ancestor that is there.
    fn place(&self, expr: &'p Expr, frame: &mut Frame<'p>) -> Option<Place> {
        if let Some(place) = self.evaluator.value(expr, frame).place() {
            return Some(place);
        }
        let below = match &expr.kind {
            ExprKind::Local(slot) => frame.definition(*slot),
            // What several rules share stands where it was written.
            ExprKind::Derived(of, id) if self.evaluator.plan.attributes[*id].shared => {
                let attribute = &self.evaluator.plan.program.attributes[*id];
                let mut inner = Frame::new(attribute.slots);
                inner.set(0, self.evaluator.value(of, frame));
                return self.place(&attribute.result, &mut inner);
            }
            ExprKind::Attribute(of, _)
            | ExprKind::Derived(of, _)
            | ExprKind::Member(of, _)
            | ExprKind::Index(of, _)
            | ExprKind::HeaderList(of)
            | ExprKind::Negate(of) => Some(&**of),
            ExprKind::Call(_, arguments) | ExprKind::Apply(_, arguments) => arguments.first(),
            ExprKind::Binary(_, a, b) => return self.place(a, frame).or_else(|| self.place(b, frame)),
            ExprKind::If(condition, yes, no) => match self.evaluator.truth(condition, frame) {
                Truth::True => Some(&**yes),
                _ => Some(&**no),
            },
            ExprKind::List(all) => return all.iter().find_map(|e| self.place(e, frame)),
            ExprKind::Quantified { .. } | ExprKind::Query(_) | ExprKind::History { .. } => return None,
            _ => None,
        };
        below.and_then(|below| self.place(below, frame))
    }
}
