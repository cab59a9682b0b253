//! Methods that rules name, against those that other packs know.

use std::collections::BTreeSet;

use super::Run;
use super::names::ValueKind;
use crate::lang::ast::{Expr, ExprKind};
use crate::lang::error::rules as error;
use crate::lang::suggest::near_miss;

impl<'a> Run<'a> {
    /// Warns of methods that are nearly one that another pack knows: one that a rule of it is about, or that stands in
    /// its constants.
    pub fn methods(&mut self) {
        let mut known: Vec<BTreeSet<&'a str>> = vec![BTreeSet::new(); self.names.packs.len()];
        for value in &self.names.values {
            if let ValueKind::Constant(constant) = value.kind {
                texts(&constant.value, &mut known[value.pack]);
            }
        }
        for rule in &self.names.rules {
            let methods = rule.declaration.on.methods.iter();
            known[rule.pack].extend(methods.map(|method| method.node.as_str()));
        }
        let behind_of = self.names.rules.iter().flat_map(|rule| {
            let methods = rule.declaration.on.methods.iter();
            methods.map(|method| (rule.pack, method.node.as_str(), method.span))
        });
        let compared = self.methods_compared.iter().copied();
        let mut found = Vec::new();
        for (pack, method, span) in behind_of.chain(compared) {
            let others = || {
                let others = known.iter().enumerate().filter(|(other, _)| *other != pack);
                others.flat_map(|(_, methods)| methods.iter().copied())
            };
            if !others().any(|other| other == method)
                && let Some(near) = near_miss(method, others())
            {
                found.push(error::misspelt_method(method, span, near));
            }
        }
        self.diagnostics.extend(found);
    }
}

/// The texts of a constant, and the keys of its objects.
fn texts<'a>(e: &'a Expr, out: &mut BTreeSet<&'a str>) {
    match &e.kind {
        ExprKind::Text(text) => {
            out.insert(text);
        }
        ExprKind::List(all) => all.iter().for_each(|e| texts(e, out)),
        ExprKind::Object(members) => {
            for (key, value) in members {
                out.insert(&key.node);
                texts(value, out);
            }
        }
        _ => {}
    }
}
