//! Syntax tree → program: names are looked up, types are checked, parameters and constants are folded.
//!
//! [`check`] does it once, a [`Checker`] again and again with other [`Settings`] (the examples of rules need that). The
//! stages stand in this order: [`items`] notes what every file declares, [`shapes`] works out shapes, [`settings`] gives parameters their values,
//! [`rules`] and [`expressions`] turn what is written into the [`Program`], [`needs`] says what it reads of a
//! recording, [`cycles`] orders it, [`unused`] finds what nobody reads. All problems are collected; what follows from one that was
//! reported is not reported again: its type is [`Type::Any`](crate::model::types::Type::Any).

mod access;
mod audit;
mod calls;
mod conditions;
mod cycles;
mod expressions;
mod fold;
mod forms;
mod frame;
mod items;
mod methods;
mod names;
mod needs;
mod operators;
mod patterns;
mod query;
mod questions;
mod revisions;
mod rules;
mod settings;
mod shape_questions;
mod shapes;
mod texts;
mod types;
mod unused;
mod values;
mod walk;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use audit::audit;
pub use items::pack_of_path;
pub use query::{Query, check_expression, subject_of};
pub use settings::matches as name_matches;

use super::ast::{Expr, File, Level};
use super::program::Program;
use crate::diagnostic::Diagnostic;
use crate::model::shape::Shapes;
use crate::model::subject::{self, AttributeInfo, Subject};
use crate::source::{SourceMap, Span};
use cycles::Graph;
use names::{Names, PackId, ValueId};
use patterns::Patterns;
use settings::Changes;
use values::Known;

/// What configuration and command line say.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Profiles by `name` (of every pack that has one of that name) or `pack/name`, in order.
    pub profiles: Vec<String>,
    /// Parameters by `name` or `pack/name`; they win over profiles.
    pub parameters: Vec<(String, Expr)>,
    /// Levels by rule id, name, or a pattern with `*` for any of them; the last that matches wins.
    pub levels: Vec<(String, Level)>,
}

/// Checks files and makes a program of them. It can be run if no diagnostic is an error.
pub fn check(files: &[File], sources: &SourceMap, settings: &Settings) -> (Program, Vec<Diagnostic>) {
    Checker::new(files, sources).check(settings)
}

/// Checks the same files with several settings, and keeps what does not depend on them.
#[derive(Debug)]
pub struct Checker<'a> {
    files: &'a [File],
    sources: &'a SourceMap,
    patterns: Arc<Patterns>,
    attributes: Attributes,
}

impl<'a> Checker<'a> {
    /// For some files.
    pub fn new(files: &'a [File], sources: &'a SourceMap) -> Self {
        Checker {
            files,
            sources,
            patterns: Arc::default(),
            attributes: attributes(),
        }
    }

    /// For other files, much like these: what was compiled for these is not compiled again.
    pub fn again<'b>(&self, files: &'b [File], sources: &'b SourceMap) -> Checker<'b> {
        Checker {
            files,
            sources,
            patterns: Arc::clone(&self.patterns),
            attributes: self.attributes.clone(),
        }
    }

    /// As [`check`].
    pub fn check(&self, settings: &Settings) -> (Program, Vec<Diagnostic>) {
        let mut run = Run::new(self, settings);
        run.all();
        run.finish()
    }
}

/// The attributes that the model has, by name.
type Attributes = HashMap<Subject, HashMap<&'static str, AttributeInfo>>;

fn attributes() -> Attributes {
    let of = |subject| (subject, subject::all(subject).into_iter().collect());
    Subject::ALL.into_iter().map(of).collect()
}

/// One check of all files.
struct Run<'a> {
    files: &'a [File],
    sources: &'a SourceMap,
    patterns: &'a Patterns,
    /// The attributes that the model has.
    attributes: &'a Attributes,
    settings: &'a Settings,
    /// What is declared.
    names: Names<'a>,
    /// Values of parameters and constants, as far as they were asked for.
    known: Vec<Known>,
    /// Which of them were read.
    read: HashSet<ValueId>,
    /// The shapes, once they are worked out.
    shapes: Arc<Shapes>,
    /// What settings change.
    changes: Changes<'a>,
    /// What uses what.
    graph: Graph,
    /// Texts that are compared with the method of a message, by pack.
    methods_compared: Vec<(PackId, &'a str, Span)>,
    /// By declaration: the numbers of attributes in the program.
    attribute_places: Vec<usize>,
    program: Program,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Run<'a> {
    fn new(checker: &'a Checker<'_>, settings: &'a Settings) -> Self {
        Run {
            files: checker.files,
            sources: checker.sources,
            patterns: &checker.patterns,
            attributes: &checker.attributes,
            settings,
            names: Names::default(),
            known: Vec::new(),
            read: HashSet::new(),
            shapes: Arc::default(),
            changes: Changes::default(),
            graph: Graph::default(),
            methods_compared: Vec::new(),
            attribute_places: Vec::new(),
            program: Program::default(),
            diagnostics: Vec::new(),
        }
    }

    fn all(&mut self) {
        self.declare();
        self.shapes();
        self.settle();
        self.functions();
        self.attributes();
        self.rules();
        self.infer();
        self.order();
        self.unused();
        self.methods();
    }

    /// A built-in attribute of a subject.
    fn builtin_attribute(&self, subject: Subject, name: &str) -> Option<&'a AttributeInfo> {
        self.attributes.get(&subject)?.get(name)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The program, and the problems in the order of the texts.
    fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        self.diagnostics.sort_by_key(|d| {
            d.labels
                .first()
                .map(|label| (label.span.source, label.span.start))
        });
        self.diagnostics.dedup();
        (self.program, self.diagnostics)
    }
}
