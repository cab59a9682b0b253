//! Paths against patterns for paths, in time linear in both.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::json::{Crumb, Json, quote};
use crate::lang::ast::{PathPattern, PathStep, Repeat};
use crate::model::value::Step;

/// A path in a value.
#[derive(Debug, Clone)]
pub enum Path {
    /// Its steps.
    Steps(Arc<[Step]>),
    /// The way from one value of a document to another one in it, found when it is asked for.
    Way {
        /// The [number](crate::json::JsonView::number) of the value in which it begins.
        from: u32,
        /// Where it leads.
        to: Json,
    },
}

impl Path {
    /// Its steps.
    pub fn steps(&self) -> Vec<Step> {
        match self {
            Path::Steps(steps) => steps.to_vec(),
            Path::Way { from, to } => {
                let way = to.view().way_from(*from).into_iter();
                way.map(|crumb| match crumb {
                    Crumb::Member(name) => Step::Member(name.into()),
                    Crumb::Index(index) => Step::Index(index),
                })
                .collect()
            }
        }
    }

    fn crumbs(&self) -> Vec<Crumb<'_>> {
        match self {
            Path::Steps(steps) => steps
                .iter()
                .map(|step| match step {
                    Step::Member(name) => Crumb::Member(name),
                    Step::Index(index) => Crumb::Index(*index),
                })
                .collect(),
            Path::Way { from, to } => to.view().way_from(*from),
        }
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        self.crumbs() == other.crumbs()
    }
}

/// A pattern for paths, made ready once.
#[derive(Debug)]
pub struct PathMatcher {
    /// The pattern.
    pub pattern: PathPattern,
    automaton: Automaton,
    start: usize,
}

impl PathMatcher {
    /// Makes a pattern ready.
    pub fn new(pattern: PathPattern) -> Self {
        let mut automaton = Automaton::default();
        let end = automaton.add(State::End);
        let start = automaton.sequence(&pattern.steps, end);
        PathMatcher {
            pattern,
            automaton,
            start,
        }
    }

    /// Whether the whole path is as the pattern says.
    pub fn matches(&self, path: &Path) -> bool {
        self.automaton.accepts(self.start, &path.crumbs())
    }
}

fn fits(step: &Crumb, want: &PathStep) -> bool {
    match (step, want) {
        (Crumb::Member(name), PathStep::Member(wanted)) => **name == **wanted,
        (Crumb::Index(index), PathStep::Index(wanted)) => index == wanted,
        (Crumb::Member(_), PathStep::AnyMember) | (Crumb::Index(_), PathStep::AnyIndex) => true,
        _ => false,
    }
}

/// Where matching can stand; numbers are those of the next states.
#[derive(Debug, Clone)]
enum State {
    /// Goes on with a step that fits.
    Eat(PathStep, usize),
    /// Goes on with any step.
    EatAny(usize),
    /// Goes on in both.
    Fork(usize, usize),
    /// The path must end here.
    End,
}

#[derive(Debug, Default)]
struct Automaton {
    states: Vec<State>,
}

impl Automaton {
    fn add(&mut self, state: State) -> usize {
        self.states.push(state);
        self.states.len() - 1
    }

    /// Adds states for steps that are followed by `next`; gives the first.
    fn sequence(&mut self, steps: &[PathStep], next: usize) -> usize {
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
            step => self.add(State::Eat(step.clone(), next)),
        })
    }

    fn group(&mut self, alternatives: &[Vec<PathStep>], next: usize) -> usize {
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

    fn accepts(&self, start: usize, path: &[Crumb]) -> bool {
        if self.states.len() <= 64 {
            return self.accepts_few(start, path);
        }
        let mut now = self.closure([start]);
        for step in path {
            let next = now.iter().filter_map(|state| match &self.states[*state] {
                State::Eat(want, next) if fits(step, want) => Some(*next),
                State::EatAny(next) => Some(*next),
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
    fn accepts_few(&self, start: usize, path: &[Crumb]) -> bool {
        let mut now = self.reached(1 << start);
        for step in path {
            let mut next = 0;
            for state in bits(now) {
                match &self.states[state] {
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

    fn pattern(steps: Vec<PathStep>) -> PathMatcher {
        PathMatcher::new(PathPattern {
            text: String::new(),
            steps,
        })
    }

    fn matches_path(path: &[Step], pattern: &PathMatcher) -> bool {
        pattern.matches(&Path::Steps(path.into()))
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
