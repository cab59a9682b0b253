//! `wirelint explain`: what a rule demands, and why.

use super::args::Explain;
use super::choose::RECORDING;
use super::load::{self, Bundled};
use super::output::Output;
use super::{GOOD, Stop};
use crate::diagnostic::Diagnostic;
use crate::lang::error::names::did_you_mean;
use crate::lang::program::{Program, Rule};
use crate::lang::suggest::suggest;
use crate::report::{RuleText, Sheet, write_sheet};

pub(super) fn run(explain: &Explain, output: &mut Output) -> Result<u8, Stop> {
    let (loaded, program, _) = load::all(&explain.rules, Bundled::Whole, &explain.tuning, None)?;
    let rule = find(&program, &explain.rule)?;
    let text = RuleText {
        files: &loaded.files,
        sources: &loaded.sources,
    };
    write_sheet(&Sheet::new(rule, &program, &text), &mut output.out)?;
    Ok(GOOD)
}

/// The rule that a name means.
fn find<'p>(program: &'p Program, name: &str) -> Result<&'p Rule, Diagnostic> {
    let such: Vec<&Rule> = program
        .rules
        .iter()
        .filter(|rule| *rule.id == *name || *rule.name == *name)
        .collect();
    match such.as_slice() {
        [rule] => Ok(rule),
        [] if name.starts_with(RECORDING) => {
            Err(Diagnostic::error("no-rule", format!("`{name}` is no rule")).help(
                "findings of `recording/…` are about the recording itself: what the reader could not read",
            ))
        }
        [] => {
            let fault = Diagnostic::error("unknown-rule", format!("there is no rule `{name}`"));
            let ids = program.rules.iter().map(|rule| &*rule.id);
            let names = program.rules.iter().map(|rule| &*rule.name);
            let near = if name.contains('/') {
                suggest(name, ids)
            } else {
                suggest(name, names)
            };
            Err(match near {
                Some(_) => did_you_mean(fault, near),
                None => fault.help("`wirelint rules` lists them"),
            })
        }
        several => {
            let ids: Vec<String> = several.iter().map(|rule| format!("`{}`", rule.id)).collect();
            let message = format!("more than one pack has a rule `{name}`");
            Err(Diagnostic::error("ambiguous-rule", message).help(format!("say {}", ids.join(" or "))))
        }
    }
}
