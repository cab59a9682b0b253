//! Examples: their frame. What their lines of traffic say is found by [`traffic`](super::traffic).

use super::grammar::{Pair, Parts, Rule};
use super::lower::Lowering;
use super::traffic::{Line, Traffic};
use crate::lang::ast::{Example, Outcome, Setting, Step};
use crate::lang::error::syntax as error;
use crate::source::{Span, Spanned};

impl<'t> Lowering<'t> {
    /// `example`; in a rule on `frame`, lines are texts as they stand.
    pub fn example(&mut self, pair: Pair<'t>, frames: bool) -> Option<Example> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let outcome = parts.next()?;
        let head = self.span(&outcome);
        let outcome = match outcome.as_str().trim_end() {
            "pass" => Outcome::Passed,
            "fail" => Outcome::Failed,
            "skip" => Outcome::NotApplicable,
            _ => Outcome::Undecided,
        };
        let title = parts.next_of(Rule::string).map(|title| self.string(title));
        let with = match parts.next_of(Rule::with_) {
            Some(with) => self.settings(with)?,
            None => Vec::new(),
        };
        let content = parts.next()?;
        let steps = if content.as_rule() == Rule::one_line {
            let place = self.first_line(self.span(&content));
            let inside = content.as_str().trim_start_matches('{').trim_start();
            self.report(match inside.starts_with('}') {
                true => error::empty_example(head),
                false => error::one_line_example(place),
            });
            Vec::new()
        } else {
            let after = self.rest_of_line(span);
            if !self.slice(after).is_empty() {
                self.report(error::brace_not_alone(after));
            }
            let before = self.diagnostics.len();
            let steps = self.steps(content, frames)?;
            if !steps.iter().any(is_traffic) && self.diagnostics.len() == before {
                self.report(error::empty_example(head));
            }
            steps
        };
        Some(Example {
            span,
            outcome,
            title,
            with,
            steps,
        })
    }

    fn first_line(&self, span: Span) -> Span {
        let length = self.slice(span).lines().next().map_or(0, str::len);
        Span::new(self.source, span.start as usize, span.start as usize + length)
    }

    /// `with NAME = EXPR, …`
    fn settings(&mut self, pair: Pair<'t>) -> Option<Vec<Setting>> {
        let mut settings = Vec::new();
        for setting in Parts::of(pair) {
            settings.push(self.setting(setting)?);
        }
        self.once_each(settings.iter().map(|setting| &setting.name), "parameter");
        Some(settings)
    }

    /// What stands behind a span on its last line, comments left out.
    fn rest_of_line(&self, span: Span) -> Span {
        let from = span.end as usize;
        let rest = self.text.get(from..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let content = line.trim();
        if content.is_empty() || content.starts_with("//") {
            return Span {
                start: span.end,
                ..span
            };
        }
        let start = from + line.len() - line.trim_start().len();
        Span::new(self.source, start, start + content.len())
    }

    fn steps(&mut self, pair: Pair<'t>, frames: bool) -> Option<Vec<Step>> {
        let mut traffic = Traffic::new(frames);
        let mut steps = Vec::new();
        let mut unmarked: Option<Span> = None;
        for part in Parts::of(pair) {
            let span = self.span(&part);
            let rule = part.as_rule();
            if rule == Rule::unmarked {
                // A body that goes on without marks is one mistake, however many lines it has.
                // A step is a mistake by itself.
                let text = part.as_str();
                let step = is_step(text);
                if step || unmarked.is_none_or(|last| !self.only_blanks_between(last, span)) {
                    self.unmarked(span, text);
                }
                let goes_on = text.matches(['{', '[']).count() > text.matches(['}', ']']).count();
                unmarked = (!step || goes_on).then_some(span);
                continue;
            }
            if rule == Rule::traffic {
                let line = self.line(part)?;
                steps.extend(traffic.line(self, line).map(Step::Message));
                continue;
            }
            steps.extend(traffic.finish(self).map(Step::Message));
            steps.extend(match rule {
                Rule::entry => self.entry(part),
                Rule::wait => self.wait(part),
                Rule::gap => Some(Step::Gap(span)),
                _ => Some(Step::Session(self.string(Parts::of(part).next()?))),
            });
        }
        steps.extend(traffic.finish(self).map(Step::Message));
        Some(steps)
    }

    fn only_blanks_between(&self, first: Span, second: Span) -> bool {
        let between = self.text.get(first.end as usize..second.start as usize);
        between.is_some_and(|text| text.trim().is_empty())
    }

    /// A line without mark. Entries whose JSON goes wrong before its brackets match end up here as well.
    fn unmarked(&mut self, span: Span, text: &str) {
        let word = text.split([' ', '\t', '{']).next().unwrap_or_default();
        let object = text.get(word.len()..).unwrap_or_default().trim_start();
        if ["tool", "prompt", "resource", "template"].contains(&word) && object.starts_with('{') {
            let start = span.start as usize + text.len() - object.len();
            let rest = self.text.get(start..).unwrap_or_default();
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<serde::de::IgnoredAny>();
            if let Some(Err(fault)) = values.next() {
                let place = self.token_at(start + super::traffic::offset_of(&fault, rest));
                self.report(error::bad_json(place, &fault, error::JsonIn::Entry));
                return;
            }
        }
        self.report(error::unmarked_line(span, text));
    }

    /// A line of traffic without its mark and the blank behind it.
    fn line(&mut self, pair: Pair<'t>) -> Option<Line<'t>> {
        let whole = self.span(&pair);
        let mut parts = Parts::of(pair);
        let from_client = parts.next()?.as_str() == ">";
        let rest = parts.next()?;
        let text = rest.as_str();
        let text = text.strip_prefix([' ', '\t']).unwrap_or(text);
        let start = rest.as_span().end() - text.len();
        Some(Line {
            from_client,
            whole,
            text,
            start: self.offset + start,
        })
    }

    /// `tool {…}` and its kin
    fn entry(&mut self, pair: Pair<'t>) -> Option<Step> {
        let mut parts = Parts::of(pair);
        let kind = self.name(&parts.next()?);
        let json = parts.next()?;
        let json = Spanned::new(json.as_str().to_owned(), self.span(&json));
        if let Err(fault) = serde_json::from_str::<serde::de::IgnoredAny>(&json.node) {
            let at = json.span.start as usize + super::traffic::offset_of(&fault, &json.node);
            self.report(error::bad_json(self.token_at(at), &fault, error::JsonIn::Entry));
        }
        Some(Step::Entry { kind, json })
    }

    /// `wait 30s`
    fn wait(&mut self, pair: Pair<'t>) -> Option<Step> {
        let duration = Parts::of(pair).next()?;
        if duration.as_rule() == Rule::bad_number {
            self.report(error::wait_without_unit(self.span(&duration), duration.as_str()));
            return None;
        }
        self.duration(&duration).map(Step::Wait)
    }

    /// The word, number or character at an offset of the file, for a label; at the end of a line the last character.
    pub fn token_at(&self, at: usize) -> Span {
        let at = self.text.floor_char_boundary(at.min(self.text.len()));
        let rest = self.text.get(at..).unwrap_or_default();
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match rest.chars().next() {
            Some('\n' | '\r') | None => {
                let before = self.text.get(..at).and_then(|text| text.chars().next_back());
                return Span::new(self.source, at - before.map_or(0, char::len_utf8), at);
            }
            Some(c) if word(c) => rest.find(|c: char| !word(c)).unwrap_or(rest.len()),
            Some(c) => c.len_utf8(),
        };
        Span::new(self.source, at, at + length)
    }
}

/// Whether a line without mark begins like a step.
fn is_step(text: &str) -> bool {
    let word = text
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    ["wait", "session", "gap", "tool", "prompt", "resource", "template"].contains(&word)
}

fn is_traffic(step: &Step) -> bool {
    matches!(step, Step::Message(_) | Step::Entry { .. })
}
