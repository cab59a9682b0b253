//! What uses what: circles are errors, and attributes are put behind those that they read.

use std::collections::{HashMap, HashSet};

use super::Run;
use super::walk;
use crate::lang::error::rules as error;
use crate::lang::program::ExprKind;
use crate::source::Span;

/// Something that uses and is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    Attribute(usize),
    Function(usize),
    Rule(usize),
}

/// Who uses whom, and where that is written.
#[derive(Debug, Default)]
pub struct Graph {
    edges: HashMap<Node, Vec<(Node, Span)>>,
    used: HashSet<Node>,
}

impl Graph {
    pub fn add(&mut self, user: Node, used: Node, place: Span) {
        let edges = self.edges.entry(user).or_default();
        if edges.iter().all(|(other, _)| *other != used) {
            edges.push((used, place));
        }
    }

    pub fn mark(&mut self, used: Node) {
        self.used.insert(used);
    }

    pub fn is_used(&self, node: Node) -> bool {
        self.used.contains(&node)
    }

    /// What a node uses.
    pub fn used_by(&self, node: Node) -> impl Iterator<Item = Node> {
        self.of(node).iter().map(|(used, _)| *used)
    }

    fn of(&self, node: Node) -> &[(Node, Span)] {
        self.edges.get(&node).map_or(&[], Vec::as_slice)
    }
}

/// How far a node was followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    OnTheWay,
    Done,
}

impl Run<'_> {
    /// Reports circles and orders the attributes.
    pub fn order(&mut self) {
        let mut marks: HashMap<Node, Mark> = HashMap::new();
        let mut finished = Vec::new();
        let attributes = (0..self.program.attributes.len()).map(Node::Attribute);
        let functions = (0..self.program.functions.len()).map(Node::Function);
        let rules = (0..self.program.rules.len()).map(Node::Rule);
        let all: Vec<Node> = attributes.chain(functions).chain(rules).collect();
        for start in all {
            self.follow(start, &mut marks, &mut finished);
        }
        self.sort_attributes(&finished);
    }

    /// Goes through everything that a node uses, without recursion: chains may be long.
    fn follow(&mut self, start: Node, marks: &mut HashMap<Node, Mark>, finished: &mut Vec<Node>) {
        if marks.contains_key(&start) {
            return;
        }
        marks.insert(start, Mark::OnTheWay);
        let mut way: Vec<(Node, usize)> = vec![(start, 0)];
        while let Some((node, next)) = way.last_mut() {
            let Some((used, _)) = self.graph.of(*node).get(*next).copied() else {
                marks.insert(*node, Mark::Done);
                finished.push(*node);
                way.pop();
                continue;
            };
            *next += 1;
            match marks.get(&used) {
                Some(Mark::Done) => {}
                Some(Mark::OnTheWay) => self.circle(used, &way),
                None => {
                    marks.insert(used, Mark::OnTheWay);
                    way.push((used, 0));
                }
            }
        }
    }

    /// The way from a node to itself.
    fn circle(&mut self, start: Node, way: &[(Node, usize)]) {
        let from = way.iter().position(|(node, _)| *node == start).unwrap_or(0);
        let steps: Vec<(String, Span)> = way[from..]
            .iter()
            .filter_map(|(node, next)| {
                let (used, place) = self.graph.of(*node).get(next.checked_sub(1)?)?;
                let how = format!("{} uses {}", self.called(*node), self.called(*used));
                Some((how, *place))
            })
            .collect();
        let what = self.called(start);
        self.report(error::circle(&what, &steps));
    }

    /// A node in words.
    fn called(&self, node: Node) -> String {
        match node {
            Node::Rule(id) => format!("rule `{}`", self.names.rules[id].declaration.name.node),
            Node::Function(id) => format!("function `{}`", self.names.functions[id].declaration.name.node),
            Node::Attribute(id) => {
                let attribute = self.names.attributes[id].declaration;
                format!("attribute `{}.{}`", attribute.subject.node, attribute.name.node)
            }
        }
    }

    /// Puts attributes behind those that they read, and corrects the numbers by which they are read.
    fn sort_attributes(&mut self, finished: &[Node]) {
        let order: Vec<usize> = finished
            .iter()
            .filter_map(|node| match node {
                Node::Attribute(id) => Some(*id),
                _ => None,
            })
            .collect();
        let mut place = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new;
        }
        let mut attributes: Vec<_> = std::mem::take(&mut self.program.attributes)
            .into_iter()
            .map(Some)
            .collect();
        self.program.attributes = order.iter().filter_map(|old| attributes[*old].take()).collect();
        walk::all_of_program(&mut self.program, &mut |kind| {
            if let ExprKind::Derived(_, id) = kind {
                *id = place[*id];
            }
        });
        self.attribute_places = place;
    }
}
