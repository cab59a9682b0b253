//! One rule on one subject: gates, elements, verdicts, labels (S5 of the semantics).

use super::circumstances::{Circumstances, on, revision};
use super::env::Env;
use super::eval::Evaluator;
use super::finding::Finding;
use super::world::{World, place};
use crate::lang::ast::{Outcome, VerdictKind};
use crate::lang::compile::{Plan, Special};
use crate::lang::program::{Clause, Expr, Rule, RuleId};
use crate::model::ops;
use crate::model::record::{Record, Seen};
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Truth, Value};

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
    /// `None` if nobody asked for it.
    pub(crate) finding: Option<Finding>,
    /// The value of `once per`.
    pub(crate) once: Option<Value>,
}

impl Failure {
    /// Whether the value of `once per` is not all known yet.
    pub(super) fn is_pending(&self) -> bool {
        let hidden = self.once.as_ref().and_then(ops::hidden);
        hidden.is_some_and(|reasons| reasons.is_pending())
    }
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

/// A rule at work on a subject.
pub(super) struct Judge<'w, 'p> {
    pub(super) evaluator: Evaluator<'w, 'p>,
    pub(super) rule: &'p Rule,
    /// The rule without what is decided already.
    at_work: &'p Rule,
    /// The bare report stands behind this clause.
    bare_after: Option<usize>,
    pub(super) subject: &'w Record,
    /// So many findings are wanted in full.
    pub(super) wanted: usize,
    pub(super) out: Judgement,
}

/// Judges a subject that a rule's `on` lets in, or perhaps lets in. `subject` is the value of slot 0: the record, of
/// which nothing is hidden. Of the failures at most `wanted` have a finding.
pub(crate) fn judge<'w>(
    plan: &Plan,
    world: &'w World,
    id: RuleId,
    subject: &'w Value,
    circumstances: Option<&Circumstances>,
    special: Option<&Special>,
    wanted: usize,
) -> Judgement {
    let Value::Record(Seen { record, .. }) = subject else {
        return Judgement::default();
    };
    let rule = &plan.program.rules[id];
    let (at_work, bare_after) = match special {
        Some(special) => (&special.rule, special.bare_after),
        None => (rule, plan.rules[id].bare_after),
    };
    world.rest();
    let mut gate = Gate::default();
    if let Some(of) = circumstances {
        let let_in = on(rule, of).unwrap_or(Truth::False);
        if !gate.pass(revision(rule, &of.revision)) || !gate.pass(let_in) {
            return Judgement::default();
        }
    }
    let evaluator = Evaluator::new(plan, world, plan.rules[id].scope, place(record));
    let env = Env::of(subject);
    if let Some(guard) = &at_work.guard
        && !gate.pass(evaluator.truth(guard, &env))
    {
        return Judgement::default();
    }
    let mut judge = Judge {
        evaluator,
        rule,
        at_work,
        bare_after,
        subject: record,
        wanted,
        out: Judgement::default(),
    };
    judge.clauses(0, gate, &env);
    judge.out
}

impl<'p> Judge<'_, 'p> {
    fn clauses(&mut self, at: usize, mut gate: Gate, env: &Env<'_, 'p>) {
        let Some(clause) = self.at_work.clauses.get(at) else {
            self.verdicts(&gate, env);
            return;
        };
        match clause {
            Clause::Let { slot, value } => {
                self.clauses(at + 1, gate, &env.define(*slot, value));
                return;
            }
            Clause::When(condition) => {
                if !gate.pass(self.evaluator.truth(condition, env)) {
                    return;
                }
            }
            Clause::Undecided { condition, reason } => {
                let truth = self.evaluator.truth(condition, env);
                if truth != Truth::False {
                    let text = self.text(reason, env);
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
                self.elements(at, *slot, list, guard.as_ref(), &gate, env);
                return;
            }
        }
        self.clauses(at + 1, gate, env);
    }

    fn elements(
        &mut self,
        at: usize,
        slot: usize,
        list: &'p Expr,
        guard: Option<&'p Expr>,
        gate: &Gate,
        env: &Env<'_, 'p>,
    ) {
        // A bare report passes where no element reaches it: only the gates before its `for` decide whether it applies.
        if self.bare_after == Some(at) {
            match gate.open() {
                Some(reasons) => self.out.undecided(&reasons),
                None => self.out.passed = true,
            }
        }
        let list = match ops::elements(&self.evaluator.eval(list, env).fixed()) {
            Ok(list) => list,
            Err(reasons) => {
                self.undecided(gate, &reasons);
                return;
            }
        };
        for item in &list.items {
            if let Err(reasons) = self.evaluator.world.step() {
                self.undecided(gate, &reasons);
                return;
            }
            let mut gate = gate.clone();
            if let Some(reasons) = &item.perhaps {
                meet(&mut gate.perhaps, reasons);
            }
            let env = env.with(slot, &item.value);
            if let Some(guard) = guard
                && !gate.pass(self.evaluator.truth(guard, &env))
            {
                continue;
            }
            self.clauses(at + 1, gate, &env);
        }
        if let Some(reasons) = list.gap() {
            self.undecided(gate, &reasons);
        }
    }

    /// An element of which nothing is known, behind a gate of which not all may be known yet.
    fn undecided(&mut self, gate: &Gate, reasons: &Reasons) {
        let mut all = gate.open();
        meet(&mut all, reasons);
        if let Some(all) = all {
            self.out.undecided(&all);
        }
    }

    fn verdicts(&mut self, gate: &Gate, env: &Env<'_, 'p>) {
        if let Some(reasons) = gate.open() {
            self.out.undecided(&reasons);
            return;
        }
        let mut unknown: Option<Reasons> = None;
        for (verdict, at_work) in self.rule.verdicts.iter().zip(&self.at_work.verdicts) {
            let failed = match &at_work.condition {
                None => Truth::True,
                Some((VerdictKind::Require, condition)) => !self.evaluator.truth(condition, env),
                Some((VerdictKind::Forbid, condition)) => self.evaluator.truth(condition, env),
            };
            match failed {
                Truth::True => {
                    let failure = self.failure(verdict, env);
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
}
