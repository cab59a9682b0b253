//! Values of parameters and constants: defaults, profiles, and what configuration says.

use std::collections::HashMap;
use std::sync::Arc;

use super::Run;
use super::fold;
use super::frame::Frame;
use super::names::{FileId, Found, PackId, ValueId, ValueKind};
use super::types::is_of;
use crate::lang::ast::{self, Level};
use crate::lang::error::names as names_error;
use crate::lang::error::settings as error;
use crate::lang::program::{Parameter, Profile};
use crate::lang::suggest::suggest;
use crate::model::types::Type;
use crate::model::value::Value;
use crate::source::Span;

/// How many constants may stand in each other's values.
const MAX_CHAIN: usize = 50;

/// How far a parameter or constant is known.
#[derive(Debug, Clone, Default)]
pub enum Known {
    /// Nobody has asked yet.
    #[default]
    No,
    /// Its value is being read: who asks now asks in a circle.
    Reading,
    /// Its type and value.
    Yes(Type, Value),
}

/// What settings change.
#[derive(Debug, Default)]
pub struct Changes<'a> {
    /// Values of parameters, and the file whose names they see.
    values: HashMap<ValueId, (FileId, &'a ast::Expr)>,
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
            let found = self.parameters(None, name);
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
        let (pack, declaration) = {
            let profile = &self.names.profiles[id];
            (profile.pack, profile.declaration)
        };
        let mut entries = Entries::default();
        for setting in &declaration.settings {
            let name = &setting.name;
            let found = self.parameters(Some(pack), &name.node);
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

    /// The parameters of a name: of a pack, else of all of them.
    pub fn parameters(&self, pack: Option<PackId>, name: &str) -> Vec<ValueId> {
        let (of, short) = match name.rsplit_once('/') {
            Some((of, short)) => (Some(of), short),
            None => (None, name),
        };
        let wanted = |id: PackId| match (of, pack) {
            (Some(of), _) => &*self.names.packs[id].name == of,
            (None, Some(pack)) => pack == id,
            (None, None) => true,
        };
        (0..self.names.packs.len())
            .filter(|id| wanted(*id))
            .filter_map(|id| self.names.packs[id].values.get(short).copied())
            .filter(|id| matches!(self.names.values[*id].kind, ValueKind::Parameter(_)))
            .collect()
    }

    /// The one parameter that a setting means.
    pub fn one_parameter(&mut self, name: &str, span: Span, found: Vec<ValueId>) -> Option<ValueId> {
        match found.as_slice() {
            [one] => Some(*one),
            [] => {
                let parameters = self
                    .names
                    .values
                    .iter()
                    .filter(|v| matches!(v.kind, ValueKind::Parameter(_)));
                let near = suggest(name, parameters.map(|v| v.name().node.as_str()));
                let constant = self.names.values.iter().any(|v| v.name().node == name);
                self.report(error::unknown_parameter(name, span, near, constant));
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

    /// Type and value of a parameter or constant.
    pub fn value_of(&mut self, id: ValueId) -> (Type, Value) {
        match &self.known[id] {
            Known::Yes(ty, value) => return (ty.clone(), value.clone()),
            Known::Reading => {
                let name = self.names.values[id].name();
                self.report(error::value_of_itself(name));
                return (Type::Any, Value::Missing);
            }
            Known::No => {}
        }
        let reading = self.known.iter().filter(|k| matches!(k, Known::Reading)).count();
        if reading >= MAX_CHAIN {
            let name = self.names.values[id].name();
            self.report(error::values_too_deep(name, MAX_CHAIN));
            return (Type::Any, Value::Missing);
        }
        self.known[id] = Known::Reading;
        let declaration = &self.names.values[id];
        let (file, docs, pack) = (declaration.file, declaration.docs, declaration.pack);
        let (ty, value) = match declaration.kind {
            ValueKind::Constant(constant) => {
                let ty = constant.ty.as_ref().map(|ty| self.type_of(ty));
                let (actual, value) = self.read(file, &constant.value);
                let ty = match ty {
                    Some(declared) => {
                        if actual != Type::Any && !is_of(&value, &declared) {
                            let place = constant.ty.as_ref().map_or(constant.name.span, |ty| ty.span);
                            self.report(error::wrong_constant(&constant.value, &actual, &declared, place));
                        }
                        declared
                    }
                    None => actual,
                };
                (ty, value)
            }
            ValueKind::Parameter(parameter) => {
                let ty = self.type_of(&parameter.ty);
                self.known[id] = Known::Yes(ty.clone(), Value::Missing);
                let default = self.set(id, file, &parameter.default).unwrap_or(Value::Missing);
                let chosen = self.changes.values.get(&id).copied();
                let value = chosen.and_then(|(file, e)| self.set(id, file, e));
                let value = value.unwrap_or_else(|| default.clone());
                self.program.parameters.push(Parameter {
                    pack: Arc::clone(&self.names.packs[pack].name),
                    name: parameter.name.node.as_str().into(),
                    docs: docs.to_owned(),
                    ty: ty.clone(),
                    default,
                    value: value.clone(),
                });
                (ty, value)
            }
        };
        self.known[id] = Known::Yes(ty.clone(), value.clone());
        (ty, value)
    }

    /// The value that a setting gives to a parameter, if it is one of its type.
    pub fn set(&mut self, id: ValueId, file: FileId, e: &'a ast::Expr) -> Option<Value> {
        let ValueKind::Parameter(parameter) = self.names.values[id].kind else {
            return None;
        };
        let declared = match &self.known[id] {
            Known::Yes(ty, _) => ty.clone(),
            _ => self.type_of(&parameter.ty),
        };
        let (actual, value) = self.read(file, e);
        if actual == Type::Any && matches!(value, Value::Missing) && !matches!(e.kind, ast::ExprKind::Missing)
        {
            return None;
        }
        if is_of(&value, &declared) {
            return Some(value);
        }
        self.report(error::wrong_setting(
            &parameter.name.node,
            e.span,
            &actual,
            &declared,
            parameter.ty.span,
        ));
        None
    }

    /// A value that is known before any recording is read.
    fn read(&mut self, file: FileId, e: &'a ast::Expr) -> (Type, Value) {
        let before = self.diagnostics.len();
        let lowered = Frame::new(self, file, None).expr(e);
        match fold::value(&lowered) {
            Some(value) => (lowered.ty, value),
            None => {
                if self.diagnostics.len() == before && lowered.ty != Type::Any {
                    self.report(error::not_constant(e.span));
                }
                (Type::Any, Value::Missing)
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

/// Whether a text is a date of the calendar, as revisions are.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| -> Option<u32> {
        let part = text.get(range)?;
        part.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| part.parse().ok())?
    };
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (digits(0..4), digits(5..7), digits(8..10)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_names() {
        assert!(matches("headers/*", "headers/mcp-name-missing"));
        assert!(matches("*-missing", "mcp-name-missing"));
        assert!(matches("*", "x"));
        assert!(matches("a*b*c", "a-b-b-c"));
        assert!(!matches("a*b*c", "a-c"));
        assert!(!matches("mcp", "mcp-name"));
        assert!(!matches("ab*b", "ab"));
    }

    #[test]
    fn dates() {
        assert!(is_date("2025-06-18"));
        assert!(is_date("2024-02-29"));
        for bad in [
            "2025-6-18",
            "2025-02-29",
            "2025-13-01",
            "DRAFT-2026",
            "2025-06-1é",
            "20250618",
        ] {
            assert!(!is_date(bad), "{bad}");
        }
    }
}
