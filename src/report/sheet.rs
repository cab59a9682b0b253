//! All that is known of a rule, for people: what `explain` says, what the reference holds, what `rules` lists as JSON.

mod markdown;
mod parameters;
mod plain;
mod words;

pub use markdown::write_pack_page;
pub use plain::write_sheet;
pub use words::revisions;

use crate::lang::ast::{File, Outcome};
use crate::lang::program::{Parameter, Program, Rule};
use crate::model::ops::show_json;
use crate::model::value::Value;
use crate::source::SourceMap;

/// What rules were read from.
pub struct RuleText<'a> {
    /// Their syntax trees.
    pub files: &'a [File],
    /// Their texts.
    pub sources: &'a SourceMap,
}

/// What is known of a rule.
pub struct Sheet<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// The parameters that it reads, itself or through what it uses.
    pub parameters: Vec<&'a Parameter>,
    /// Its examples, in order.
    pub examples: Vec<ExampleText<'a>>,
    /// Its file and line; `None` if its text is not at hand.
    pub written_in: Option<String>,
}

/// An example as it was written.
pub struct ExampleText<'a> {
    /// What must come out.
    pub outcome: Outcome,
    /// What it shows.
    pub title: Option<&'a str>,
    /// Its lines, from its first word to the closing brace, without the indentation.
    pub lines: Vec<&'a str>,
}

impl<'a> Sheet<'a> {
    /// Gathers it.
    pub fn new(rule: &'a Rule, program: &'a Program, text: &RuleText<'a>) -> Self {
        let written_in = text.sources.get(rule.span.source).map(|source| {
            let (line, _) = source.line_column(rule.span.start as usize);
            format!("{}:{line}", source.name)
        });
        let examples = rule.examples.iter().map(|example| ExampleText {
            outcome: example.outcome,
            title: example.title.as_ref().map(|title| title.node.as_str()),
            lines: dedent(text.sources.slice(example.span)),
        });
        Sheet {
            rule,
            parameters: parameters::parameters(rule, program, text),
            examples: examples.collect(),
            written_in,
        }
    }
}

/// A value as JSON, nothing hidden in it.
fn json(value: &Value) -> String {
    super::visible::visible(&show_json(value))
}

/// The lines of a block whose first line begins behind its indentation.
fn dedent(text: &str) -> Vec<&str> {
    let depth = text
        .lines()
        .last()
        .map_or(0, |last| last.len() - last.trim_start().len());
    let lines = text.lines().enumerate();
    let cut = lines.map(|(number, line)| match line.get(..depth) {
        Some(blank) if number > 0 && blank.trim().is_empty() => &line[depth..],
        _ => line,
    });
    cut.collect()
}
