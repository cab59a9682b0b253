//! Paths against patterns for paths, in time linear in both.

use std::fmt::Write as _;

use crate::json::quote;
use crate::lang::ast::{PathPattern, PathStep, Repeat};
use crate::model::value::Step;

/// Whether the whole path is as the pattern says.
pub fn matches_path(path: &[Step], pattern: &PathPattern) -> bool {
    let plain = pattern
        .steps
        .iter()
        .all(|step| !matches!(step, PathStep::Depth | PathStep::Group(..)));
    if plain {
        return path.len() == pattern.steps.len()
            && path
                .iter()
                .zip(&pattern.steps)
                .all(|(step, want)| fits(step, want));
    }
    let mut automaton = Automaton::default();
    let end = automaton.add(State::End);
    let start = automaton.sequence(&pattern.steps, end);
    automaton.accepts(start, path)
}

fn fits(step: &Step, want: &PathStep) -> bool {
    match (step, want) {
        (Step::Member(name), PathStep::Member(wanted)) => **name == **wanted,
        (Step::Index(index), PathStep::Index(wanted)) => index == wanted,
        (Step::Member(_), PathStep::AnyMember) | (Step::Index(_), PathStep::AnyIndex) => true,
        _ => false,
    }
}

/// Where matching can stand; numbers are those of the next states.
#[derive(Clone, Copy)]
enum State<'p> {
    /// Goes on with a step that fits.
    Eat(&'p PathStep, usize),
    /// Goes on with any step.
    EatAny(usize),
    /// Goes on in both.
    Fork(usize, usize),
    /// The path must end here.
    End,
}

#[derive(Default)]
struct Automaton<'p> {
    states: Vec<State<'p>>,
}

impl<'p> Automaton<'p> {
    fn add(&mut self, state: State<'p>) -> usize {
        self.states.push(state);
        self.states.len() - 1
    }

    /// Adds states for steps that are followed by `next`; gives the first.
    fn sequence(&mut self, steps: &'p [PathStep], next: usize) -> usize {
        steps.iter().rev().fold(next, |next, step| match step {
            PathStep::Depth => {
                let fork = self.add(State::End);
                let any = self.add(State::EatAny(fork));
                self.states[fork] = State::Fork(any, next);
                fork
            }
            PathStep::Group(alternatives, Repeat::Once) => self.group(alternatives, next),
            PathStep::Group(alternatives, Repeat::Optional) => {
                let once = self.group(alternatives, next);
                self.add(State::Fork(once, next))
            }
            PathStep::Group(alternatives, repeat) => {
                let again = self.add(State::End);
                let once = self.group(alternatives, again);
                self.states[again] = State::Fork(once, next);
                if *repeat == Repeat::Some { once } else { again }
            }
            step => self.add(State::Eat(step, next)),
        })
    }

    fn group(&mut self, alternatives: &'p [Vec<PathStep>], next: usize) -> usize {
        let mut starts = alternatives
            .iter()
            .map(|steps| self.sequence(steps, next))
            .collect::<Vec<_>>();
        let Some(first) = starts.pop() else {
            return next;
        };
        starts
            .into_iter()
            .rev()
            .fold(first, |rest, start| self.add(State::Fork(start, rest)))
    }

    fn accepts(&self, start: usize, path: &[Step]) -> bool {
        if self.states.len() <= 64 {
            return self.accepts_few(start, path);
        }
        let mut now = self.closure([start]);
        for step in path {
            let next = now.iter().filter_map(|state| match self.states[*state] {
                State::Eat(want, next) if fits(step, want) => Some(next),
                State::EatAny(next) => Some(next),
                _ => None,
            });
            now = self.closure(next.collect::<Vec<_>>());
            if now.is_empty() {
                return false;
            }
        }
        now.iter().any(|state| matches!(self.states[*state], State::End))
    }

    /// The same for at most 64 states, as nearly all patterns have: sets of states are bits.
    fn accepts_few(&self, start: usize, path: &[Step]) -> bool {
        let mut now = self.reached(1 << start);
        for step in path {
            let mut next = 0;
            for state in bits(now) {
                match self.states[state] {
                    State::Eat(want, to) if fits(step, want) => next |= 1 << to,
                    State::EatAny(to) => next |= 1 << to,
                    _ => {}
                }
            }
            now = self.reached(next);
            if now == 0 {
                return false;
            }
        }
        bits(now).any(|state| matches!(self.states[state], State::End))
    }

    /// The states that are reached without a step, forks left out.
    fn reached(&self, from: u64) -> u64 {
        let (mut todo, mut seen, mut reached) = (from, 0, 0);
        while todo != 0 {
            let state = todo.trailing_zeros() as usize;
            let bit = 1 << state;
            todo &= !bit;
            seen |= bit;
            match self.states[state] {
                State::Fork(a, b) => todo |= (1 << a | 1 << b) & !seen,
                _ => reached |= bit,
            }
        }
        reached
    }

    /// The states that are reached without a step, each once.
    fn closure(&self, from: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut seen = vec![false; self.states.len()];
        let mut todo: Vec<usize> = from.into_iter().collect();
        let mut reached = vec![];
        while let Some(state) = todo.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            match self.states[state] {
                State::Fork(a, b) => todo.extend([b, a]),
                _ => reached.push(state),
            }
        }
        reached
    }
}

/// The numbers of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let lowest = set.trailing_zeros() as usize;
            set &= set - 1;
            lowest
        })
    })
}

/// A path as the language writes it: `$.properties["x-y"][0]`; `$` alone is the value itself.
pub fn show_path(path: &[Step]) -> String {
    let mut out = String::from("$");
    for step in path {
        match step {
            Step::Member(name) if is_plain(name) => {
                out.push('.');
                out.push_str(name);
            }
            Step::Member(name) => {
                out.push('[');
                quote(name, &mut out);
                out.push(']');
            }
            Step::Index(index) => {
                let _ = write!(out, "[{index}]");
            }
        }
    }
    out
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(steps: &[&str]) -> Vec<Step> {
        steps
            .iter()
            .map(|s| s.parse().map_or_else(|_| Step::Member((*s).into()), Step::Index))
            .collect()
    }

    fn pattern(steps: Vec<PathStep>) -> PathPattern {
        PathPattern {
            text: String::new(),
            steps,
        }
    }

    fn member(name: &str) -> PathStep {
        PathStep::Member(name.to_owned())
    }

    fn group(repeat: Repeat, alternatives: Vec<Vec<PathStep>>) -> PathStep {
        PathStep::Group(alternatives, repeat)
    }

    #[test]
    fn plain_steps_match_one_by_one_and_the_whole_path() {
        let p = pattern(vec![
            member("a"),
            PathStep::AnyIndex,
            PathStep::AnyMember,
            PathStep::Index(0),
        ]);
        assert!(matches_path(&path(&["a", "7", "b", "0"]), &p));
        assert!(!matches_path(&path(&["a", "7", "b", "1"]), &p));
        assert!(!matches_path(&path(&["a", "b", "b", "0"]), &p));
        assert!(!matches_path(&path(&["a", "7", "b"]), &p));
        assert!(!matches_path(&path(&["a", "7", "b", "0", "c"]), &p));
        assert!(matches_path(&[], &pattern(vec![])));
    }

    #[test]
    fn groups_repeat_as_they_say() {
        // $(.properties.*)+
        let properties = vec![vec![member("properties"), PathStep::AnyMember]];
        let some = pattern(vec![group(Repeat::Some, properties.clone())]);
        assert!(matches_path(&path(&["properties", "properties"]), &some));
        assert!(matches_path(
            &path(&["properties", "a", "properties", "b"]),
            &some
        ));
        assert!(!matches_path(&[], &some));
        assert!(!matches_path(&path(&["properties", "a", "properties"]), &some));
        assert!(!matches_path(&path(&["properties", "0"]), &some));
        let any = pattern(vec![group(Repeat::Any, properties.clone())]);
        assert!(matches_path(&[], &any));
        let optional = pattern(vec![group(Repeat::Optional, properties), member("x")]);
        assert!(matches_path(&path(&["x"]), &optional));
        assert!(matches_path(&path(&["properties", "y", "x"]), &optional));
        let either = pattern(vec![group(
            Repeat::Once,
            vec![vec![member("a")], vec![member("b"), PathStep::AnyIndex]],
        )]);
        assert!(matches_path(&path(&["a"]), &either));
        assert!(matches_path(&path(&["b", "3"]), &either));
        assert!(!matches_path(&path(&["b"]), &either));
    }

    #[test]
    fn depth_is_any_number_of_steps() {
        let p = pattern(vec![PathStep::Depth, member("x")]);
        assert!(matches_path(&path(&["x"]), &p));
        assert!(matches_path(&path(&["a", "0", "x", "x"]), &p));
        assert!(!matches_path(&path(&["x", "a"]), &p));
    }

    #[test]
    fn nested_repeats_do_not_blow_up() {
        let mut step = PathStep::AnyMember;
        for _ in 0..100 {
            step = group(Repeat::Any, vec![vec![step], vec![PathStep::Depth]]);
        }
        let p = pattern(vec![step, member("end")]);
        let long: Vec<&str> = std::iter::repeat_n("a", 127).collect();
        assert!(!matches_path(&path(&long), &p));
    }

    #[test]
    fn paths_are_shown_as_written() {
        assert_eq!(
            show_path(&path(&["a", "0", "x-y", "_b1"])),
            r#"$.a[0]["x-y"]._b1"#
        );
        assert_eq!(show_path(&[]), "$");
    }
}
