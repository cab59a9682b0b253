//! What a verdict that fell says: labels, texts, who is at fault.

use std::sync::Arc;

use super::circumstances::sender_of;
use super::env::Env;
use super::finding::{Finding, Mark};
use super::judge::{Failure, Judge};
use crate::input::event::Side;
use crate::lang::ast::{BinaryOp, Party, VerdictKind};
use crate::lang::program::{Clause, Expr, ExprKind, Piece, Slot, Template, Verdict};
use crate::model::ops;
use crate::model::value::{Truth, Value};
use crate::place::Place;

impl<'p> Judge<'_, 'p> {
    pub(super) fn failure(&self, verdict: &'p Verdict, env: &Env<'_, 'p>) -> Failure {
        let once = self
            .rule
            .once
            .as_ref()
            .map(|once| self.evaluator.value(once, env));
        let finding = (self.out.failed.len() < self.wanted).then(|| self.finding(verdict, env));
        Failure { finding, once }
    }

    fn finding(&self, verdict: &'p Verdict, env: &Env<'_, 'p>) -> Finding {
        let mut labels: Vec<Mark> = vec![];
        for (expr, text) in &verdict.labels {
            if let Some(place) = self.place(expr, env) {
                let text = text.as_ref().map(|text| self.text(text, env));
                labels.push(Mark { place, text });
            }
        }
        self.premises(verdict, env, &mut labels);
        // Without a label that stands somewhere, the finding is at its subject.
        if labels.is_empty()
            && let Some(place) = self.subject.place()
        {
            labels.push(Mark { place, text: None });
        }
        Finding {
            rule: Arc::clone(&self.rule.id),
            level: verdict.level.unwrap_or(self.rule.level),
            fault: self.party(verdict.against.or(self.rule.fault)),
            message: self.text(&verdict.text, env),
            help: verdict.help.as_ref().map(|help| self.text(help, env)),
            labels,
            repeats: 0,
        }
    }

    /// The primary labels of rules whose failure this one rests on.
    fn premises(&self, verdict: &'p Verdict, env: &Env<'_, 'p>, labels: &mut Vec<Mark>) {
        if let Some((kind, condition)) = &verdict.condition {
            self.premise(condition, *kind == VerdictKind::Forbid, env, labels);
        }
        for clause in &self.rule.clauses {
            if let Clause::When(condition) = clause {
                self.premise(condition, true, env, labels);
            }
        }
        if let Some(guard) = &self.rule.guard {
            self.premise(guard, true, env, labels);
        }
    }

    /// Those of a condition that came out as `holds`: what does not fail is nothing to point at.
    fn premise(&self, expr: &'p Expr, holds: bool, env: &Env<'_, 'p>, labels: &mut Vec<Mark>) {
        match &expr.kind {
            ExprKind::Fails(of, rules) if holds => {
                let of = self.evaluator.eval(of, env);
                let Some(Value::Record(seen)) = of.as_value() else {
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
                self.premise(a, holds, env, labels);
                self.premise(b, holds, env, labels);
            }
            ExprKind::Not(of) => self.premise(of, !holds, env, labels),
            ExprKind::Let {
                slot,
                value,
                body,
                settled,
            } => self.premise(body, holds, &env.bind(*slot, value, *settled), labels),
            _ => {}
        }
    }

    fn party(&self, party: Option<Party>) -> Option<Party> {
        let sender = sender_of(self.subject);
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

    pub(super) fn text(&self, template: &'p Template, env: &Env<'_, 'p>) -> String {
        let mut out = String::new();
        for piece in &template.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Hole(expr) => out.push_str(&ops::show(&self.evaluator.eval(expr, env).fixed())),
            }
        }
        out
    }

    /// Where the value of an expression stands; of what is missing, its nearest ancestor that is there.
    fn place(&self, expr: &'p Expr, env: &Env<'_, 'p>) -> Option<Place> {
        if let Some(place) = self.evaluator.eval(expr, env).fixed().place() {
            return Some(place);
        }
        let below = match &expr.kind {
            ExprKind::Local(slot) => {
                let (below, outer) = env.definition(*slot)?;
                return self.place(below, outer);
            }
            // Of what an attribute does not find, the place is where it looked.
            ExprKind::Derived(of, id) => {
                let attribute = &self.evaluator.plan.program.attributes[*id];
                let record = self.evaluator.value(of, env);
                return self
                    .behind(&attribute.lets, &attribute.result, &Env::of(&record))
                    .or_else(|| self.place(of, env));
            }
            ExprKind::Attribute(of, _)
            | ExprKind::Member(of, _)
            | ExprKind::Index(of, _)
            | ExprKind::HeaderList(of)
            | ExprKind::Negate(of) => Some(&**of),
            ExprKind::Call(_, arguments) | ExprKind::Apply(_, arguments) => arguments.first(),
            ExprKind::Binary(_, a, b) => return self.place(a, env).or_else(|| self.place(b, env)),
            ExprKind::Let {
                slot,
                value,
                body,
                settled,
            } => return self.place(body, &env.bind(*slot, value, *settled)),
            ExprKind::If(condition, yes, no) => match self.evaluator.truth(condition, env) {
                Truth::True => Some(&**yes),
                _ => Some(&**no),
            },
            ExprKind::List(all) => return all.iter().find_map(|e| self.place(e, env)),
            ExprKind::Quantified { .. } | ExprKind::Query(_) | ExprKind::History { .. } => return None,
            _ => None,
        };
        below.and_then(|below| self.place(below, env))
    }

    /// The same behind some `let`s.
    fn behind(&self, lets: &'p [(Slot, Expr)], result: &'p Expr, env: &Env<'_, 'p>) -> Option<Place> {
        match lets.split_first() {
            Some(((slot, value), rest)) => self.behind(rest, result, &env.define(*slot, value)),
            None => self.place(result, env),
        }
    }
}
