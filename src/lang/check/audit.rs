//! What a bundled rule must have beside being right: who reads it has to know how bad it is, who is at fault, and where
//! that is written.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::diagnostic::Diagnostic;
use crate::lang::ast::{File, ItemKind, Name, Outcome, Rule};
use crate::lang::error::audit as error;
use crate::source::Span;

/// What files lack to be bundled.
pub fn audit(files: &[File]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut rules: HashMap<&str, Span> = HashMap::new();
    for file in files {
        if let Some(pack) = &file.pack
            && file.docs.is_empty()
            && !files.iter().any(|other| is_documented(other, pack))
        {
            found.push(error::undocumented("pack", pack));
        }
        for item in &file.items {
            let (what, name) = match &item.kind {
                ItemKind::Param(param) => ("parameter", &param.name),
                ItemKind::Const(constant) => ("constant", &constant.name),
                ItemKind::Function(function) => ("function", &function.name),
                ItemKind::Attribute(attribute) => ("attribute", &attribute.name),
                ItemKind::Shape(shape) => ("shape", &shape.name),
                ItemKind::Profile(profile) => ("profile", &profile.name),
                ItemKind::Rule(rule) => {
                    audit_rule(rule, &mut found);
                    match rules.entry(&rule.name.node) {
                        Entry::Occupied(first) => found.push(error::same_name(&rule.name, *first.get())),
                        Entry::Vacant(free) => {
                            free.insert(rule.name.span);
                        }
                    }
                    ("rule", &rule.name)
                }
            };
            if item.docs.trim().is_empty() {
                found.push(error::undocumented(what, name));
            }
        }
    }
    found
}

fn is_documented(file: &File, pack: &Name) -> bool {
    !file.docs.is_empty() && file.pack.as_ref().is_some_and(|name| name.node == pack.node)
}

fn audit_rule(rule: &Rule, found: &mut Vec<Diagnostic>) {
    let mut lacks = |what, help| found.push(error::lacks(&rule.name, what, help));
    if rule.severity.is_none() {
        lacks("`severity`", "say how bad it is: `severity error`");
    }
    if rule.fault.is_none() {
        lacks("`fault`", "say who breaks it: `fault client`");
    }
    if rule.sources.is_empty() {
        lacks("`source`", "name the clause that it rests on");
    }
    let has = |outcome| rule.examples.iter().any(|example| example.outcome == outcome);
    if !has(Outcome::Failed) {
        lacks("an example that fails", "show what it reports: `fail { … }`");
    }
    if !has(Outcome::Passed) {
        lacks("an example that passes", "show what it accepts: `pass { … }`");
    }
    for example in &rule.examples {
        if example.title.is_none() {
            found.push(error::untitled(example.span));
        }
    }
}
