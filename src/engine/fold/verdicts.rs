//! What becomes of a verdict: it is kept for those who ask, and reported.

use super::{Fold, Position};
use crate::engine::finding::{Finding, Mark};
use crate::engine::judge::{Failure, Judgement};
use crate::lang::ast::Outcome;
use crate::lang::program::RuleId;
use crate::model::ops;
use crate::model::record::{Record, Verdict};
use crate::model::value::{Truth, Value};

impl Fold<'_> {
    /// Keeps a verdict for the rules that ask for it, and wakes those that wait for it.
    pub(super) fn keep_verdict(
        &mut self,
        rule: RuleId,
        record: &Record,
        judgement: &Judgement,
        outcome: Outcome,
    ) {
        let Some(number) = self.plan.rules[rule].premise else {
            return;
        };
        let failed = match outcome {
            Outcome::Failed => Truth::True,
            Outcome::Undecided => judgement.undecided.clone().map_or(Truth::False, Truth::Unknown),
            Outcome::Passed | Outcome::NotApplicable => Truth::False,
        };
        let first = judgement.failed.first().and_then(|f| f.finding.as_ref());
        let label = first.and_then(|finding| finding.labels.first());
        let label = label.map(|Mark { place, text }| (place.clone(), text.clone()));
        if let Some(derived) = record.derived() {
            derived.set_verdict(number, Verdict { failed, label });
        }
    }

    pub(super) fn report(&mut self, position: Position, record: &Record, failure: Failure) {
        let rule = position.2;
        let Failure { finding, once } = failure;
        if let Some(answers) = &mut self.answers {
            answers.insert(position, record.clone(), once.unwrap_or(Value::Missing));
            return;
        }
        if let Some(key) = once.filter(|key| !matches!(key, Value::Unknown(_))) {
            let scope = self.world.scope_name(self.plan.rules[rule].scope, record);
            let earlier = self.once.entry((rule, scope, ops::hash(&key))).or_default();
            let same = earlier
                .iter_mut()
                .find(|(other, _)| ops::equal(other, &key) == Truth::True);
            match same {
                Some((_, first)) if *first <= position => {
                    if let Some(first) = self.findings.get_mut(first) {
                        first.repeats += 1;
                    }
                    return;
                }
                // It was judged later but stands before: it becomes the one that is shown.
                Some((_, first)) => {
                    let old = std::mem::replace(first, position);
                    if let (Some(before), Some(finding)) = (self.findings.remove(&old), finding) {
                        let repeats = before.repeats + 1;
                        self.findings.insert(position, Finding { repeats, ..finding });
                    }
                    return;
                }
                None => earlier.push((key, position)),
            }
        }
        let count = &mut self.per_rule[rule];
        *count += 1;
        if *count <= self.world.limits.findings
            && let Some(finding) = finding
        {
            self.findings.insert(position, finding);
        }
    }
}
