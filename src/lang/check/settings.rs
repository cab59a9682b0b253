//! Values of parameters and constants: defaults, profiles, and what configuration says.

use std::collections::HashMap;
use std::sync::Arc;

use super::Run;
use super::names::{FileId, Found, Pack, ValueId, ValueKind};
use super::values::Known;
use crate::lang::ast::{self, Level};
use crate::lang::error::names as names_error;
use crate::lang::error::settings as error;
use crate::lang::program::Profile;
use crate::lang::suggest::suggest;
use crate::source::Span;

/// What settings change.
#[derive(Debug, Default)]
pub struct Changes<'a> {
    /// Values of parameters, and the file whose names they see.
    pub values: HashMap<ValueId, (FileId, &'a ast::Expr)>,
    /// Levels by number of the rule.
    levels: HashMap<usize, Level>,
}

impl<'a> Run<'a> {
    /// Finds out all values and levels.
    pub fn settle(&mut self) {
        self.known = vec![Known::No; self.names.values.len()];
        let profiles: Vec<Entries<'a>> = (0..self.names.profiles.len())
            .map(|id| self.entries(id))
            .collect();
        self.choose(&profiles);
        for id in 0..self.known.len() {
            self.value_of(id);
        }
        for (id, entries) in profiles.into_iter().enumerate() {
            let profile = self.profile(id, entries);
            self.program.profiles.push(profile);
        }
    }

    /// The level of a rule in this run.
    pub fn level_of(&self, rule: usize, severity: Level) -> Level {
        self.changes.levels.get(&rule).copied().unwrap_or(severity)
    }

    /// Applies profiles, parameters and levels, in this order.
    fn choose(&mut self, profiles: &[Entries<'a>]) {
        let settings = self.settings;
        for name in &settings.profiles {
            let mut found = false;
            for (id, entries) in profiles.iter().enumerate() {
                let profile = &self.names.profiles[id];
                let pack = &self.names.packs[profile.pack].name;
                let own = &profile.declaration.name.node;
                if name != own && *name != format!("{pack}/{own}") {
                    continue;
                }
                found = true;
                let file = profile.file;
                for (value, e) in &entries.values {
                    self.changes.values.insert(*value, (file, *e));
                }
                self.changes.levels.extend(entries.levels.iter().copied());
            }
            if !found {
                let known = self
                    .names
                    .profiles
                    .iter()
                    .map(|p| p.declaration.name.node.as_str());
                let diagnostic = error::unknown_profile(name, suggest(name, known));
                self.report(diagnostic);
            }
        }
        for (name, e) in &settings.parameters {
            let found = self.parameters(name);
            if let Some(id) = self.one_parameter(name, e.span, found) {
                let file = self.names.values[id].file;
                self.changes.values.insert(id, (file, e));
            }
        }
        for (pattern, level) in &settings.levels {
            let matching: Vec<usize> = self
                .names
                .rules
                .iter()
                .enumerate()
                .filter(|(_, rule)| {
                    matches(pattern, &rule.id) || matches(pattern, &rule.declaration.name.node)
                })
                .map(|(id, _)| id)
                .collect();
            if matching.is_empty() {
                let names = self
                    .names
                    .rules
                    .iter()
                    .map(|rule| rule.declaration.name.node.as_str());
                let diagnostic = error::level_of_nothing(pattern, suggest(pattern, names));
                self.report(diagnostic);
            }
            self.changes
                .levels
                .extend(matching.into_iter().map(|rule| (rule, *level)));
        }
    }

    /// What a profile sets.
    fn entries(&mut self, id: usize) -> Entries<'a> {
        let (file, pack, declaration) = {
            let profile = &self.names.profiles[id];
            (profile.file, profile.pack, profile.declaration)
        };
        let mut entries = Entries::default();
        for setting in &declaration.settings {
            let name = &setting.name;
            let found = self.parameters_seen(file, &name.node);
            if let Some(value) = self.one_parameter(&name.node, name.span, found) {
                entries.values.push((value, &setting.value));
            }
        }
        for (name, level) in &declaration.levels {
            match self.names.rule(Some(pack), &name.node) {
                Found::One(rule) => entries.levels.push((rule, level.node)),
                Found::Several(rules) => {
                    let ids: Vec<&str> = rules.iter().map(|rule| &*self.names.rules[*rule].id).collect();
                    let diagnostic = names_error::ambiguous_rule(&name.node, name.span, &ids);
                    self.report(diagnostic);
                }
                Found::None => {
                    let diagnostic = self.unknown_rule(&name.node, name.span);
                    self.report(diagnostic);
                }
            }
        }
        entries
    }

    fn profile(&mut self, id: usize, entries: Entries<'a>) -> Profile {
        let file = self.names.profiles[id].file;
        let mut settings = Vec::new();
        for (value, e) in entries.values {
            let name = Arc::from(self.names.values[value].name().node.as_str());
            // A parameter that this run takes from the profile was read already, with what is wrong with it.
            let setting = match self.changes.values.get(&value) {
                Some((_, chosen)) if std::ptr::eq(*chosen, e) => match &self.known[value] {
                    Known::Yes(_, value) => Some(value.clone()),
                    _ => None,
                },
                _ => self.set(value, file, e),
            };
            if let Some(setting) = setting {
                settings.push((name, setting));
            }
        }
        let levels = entries
            .levels
            .into_iter()
            .map(|(rule, level)| (Arc::clone(&self.names.rules[rule].id), level))
            .collect();
        let profile = &self.names.profiles[id];
        Profile {
            pack: Arc::clone(&self.names.packs[profile.pack].name),
            name: profile.declaration.name.node.as_str().into(),
            docs: profile.docs.to_owned(),
            settings,
            levels,
        }
    }

    /// The parameters of a name, which may say its pack.
    fn parameters(&self, name: &str) -> Vec<ValueId> {
        let (pack, short) = match name.rsplit_once('/') {
            Some((pack, short)) => (Some(pack), short),
            None => (None, name),
        };
        let packs = self.names.packs.iter();
        packs
            .filter(|p| pack.is_none_or(|pack| &*p.name == pack))
            .filter_map(|pack| self.parameter_in(pack, short))
            .collect()
    }

    /// The parameters of a name as a file sees them: its pack's, else those of packs that it uses, else those of any.
    pub fn parameters_seen(&self, file: FileId, name: &str) -> Vec<ValueId> {
        let mut seen = self.names.packs_of(file);
        let own = seen.next().and_then(|pack| self.parameter_in(pack, name));
        if let Some(own) = own {
            return vec![own];
        }
        let used: Vec<ValueId> = seen.filter_map(|pack| self.parameter_in(pack, name)).collect();
        if used.is_empty() {
            self.parameters(name)
        } else {
            used
        }
    }

    fn parameter_in(&self, pack: &Pack<'a>, name: &str) -> Option<ValueId> {
        let id = *pack.values.get(name)?;
        matches!(self.names.values[id].kind, ValueKind::Parameter(_)).then_some(id)
    }

    /// The one parameter that a setting means.
    pub fn one_parameter(&mut self, name: &str, span: Span, found: Vec<ValueId>) -> Option<ValueId> {
        match found.as_slice() {
            [one] => Some(*one),
            [] => {
                let (pack, short) = match name.rsplit_once('/') {
                    Some((pack, short)) => (self.names.pack(pack), short),
                    None => (None, name),
                };
                let values = self.names.values.iter();
                let there = values.filter(|v| pack.is_none_or(|pack| v.pack == pack));
                let (parameters, others): (Vec<_>, Vec<_>) =
                    there.partition(|v| matches!(v.kind, ValueKind::Parameter(_)));
                let mut words: Vec<&str> = parameters.iter().map(|v| v.name().node.as_str()).collect();
                words.sort_unstable();
                words.dedup();
                let constant = others.iter().any(|v| v.name().node == short);
                self.report(error::unknown_parameter(name, short, span, &words, constant));
                None
            }
            several => {
                let packs: Vec<String> = several
                    .iter()
                    .map(|id| format!("{}/{name}", self.names.packs[self.names.values[*id].pack].name))
                    .collect();
                self.report(error::ambiguous_parameter(name, span, &packs));
                None
            }
        }
    }

    /// A rule that is not there.
    pub fn unknown_rule(&self, name: &str, span: Span) -> crate::diagnostic::Diagnostic {
        let by_name = self
            .names
            .rules
            .iter()
            .map(|rule| rule.declaration.name.node.as_str());
        let ids = self.names.rules.iter().map(|rule| &*rule.id);
        let near = if name.contains('/') {
            suggest(name, ids)
        } else {
            suggest(name, by_name)
        };
        names_error::unknown_rule(name, span, near)
    }
}

/// What a profile sets, found.
#[derive(Debug, Default)]
struct Entries<'a> {
    values: Vec<(ValueId, &'a ast::Expr)>,
    levels: Vec<(usize, Level)>,
}

/// Whether a name is what a pattern says, where `*` stands for any characters.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, mut rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(head) else {
        return false;
    };
    while let Some((middle, more)) = rest.split_once('*') {
        let Some(at) = name.find(middle) else { return false };
        name = &name[at + middle.len()..];
        rest = more;
    }
    name.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_names() {
        assert!(matches("headers/*", "headers/name-missing"));
        assert!(matches("*-missing", "name-missing"));
        assert!(matches("*", "x"));
        assert!(matches("a*b*c", "a-b-b-c"));
        assert!(!matches("a*b*c", "a-c"));
        assert!(!matches("name", "name-missing"));
        assert!(!matches("ab*b", "ab"));
    }
}
