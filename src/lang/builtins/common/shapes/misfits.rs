//! Where a value is not as a shape says, and how it is said.

use std::sync::Arc;

use super::fits::is_scalar;
use super::{Likeness, Question};
use crate::json::JsonKind;
use crate::lang::builtins::common::walk::{self, Children};
use crate::model::ops::{member, show};
use crate::model::shape::{Field, Form, Kind};
use crate::model::unknown::{Reason, Reasons};
use crate::model::value::{Item, List, Step, Text, TextPlace, Truth, Value};

/// How many characters of a value a problem shows.
const SHOWN: usize = 40;

/// What was found so far.
#[derive(Default)]
struct Found {
    items: Vec<Item>,
    /// Why something may have been overlooked.
    unsure: Option<Reasons>,
}

impl Found {
    /// Notes a problem with a value.
    fn problem(&mut self, path: &[Step], at: &Value, words: String) {
        let place = match at {
            Value::Json(json) => Some(TextPlace::Value(json.clone())),
            Value::Text(text) => text.place.clone(),
            _ => None,
        };
        self.text(
            path,
            Text {
                text: words.into(),
                place,
            },
        );
    }

    fn text(&mut self, path: &[Step], problem: Text) {
        let value = Value::fields([
            ("path", walk::path_value(path)),
            ("problem", Value::Text(problem)),
        ]);
        self.items.push(Item { value, perhaps: None });
    }

    fn unsure(&mut self, reasons: &Reasons) {
        self.unsure = Some(match self.unsure.take() {
            Some(met) => met.and(reasons),
            None => reasons.clone(),
        });
    }
}

impl Question<'_> {
    /// `misfits(value, SHAPE)`
    pub fn misfits(&self, value: &Value) -> Value {
        let mut found = Found::default();
        self.look(value, &Kind::Shape(self.shape), &mut vec![], &mut found);
        Value::List(Arc::new(List {
            items: found.items,
            inside: found.unsure,
            ..List::default()
        }))
    }

    fn look(&self, value: &Value, kind: &Kind, path: &mut Vec<Step>, found: &mut Found) {
        if self.step().is_none() {
            found.unsure(&Reason::Limit("depth").into());
            return;
        }
        if let Value::Unknown(reasons) = value {
            if !matches!(kind, Kind::Json) {
                found.unsure(reasons);
            }
            return;
        }
        match kind {
            Kind::Or(_) => self.choice(value, kind, path, found),
            Kind::Shape(id) => match self.form(*id) {
                None => found.problem(
                    path,
                    value,
                    format!("is no `{}`, which this revision does not have", self.name(*id)),
                ),
                Some(Form::Alias(kind)) => self.look(value, kind, path, found),
                Some(Form::Members { closed, fields, .. }) => {
                    if value.json_kind() == Some(JsonKind::Object) {
                        self.members(value, fields, *closed, path, found);
                    } else {
                        found.problem(path, value, self.mismatch(value, kind));
                    }
                }
            },
            Kind::List(of) => match (value.json_kind(), walk::children(value)) {
                (Some(JsonKind::List), Children::List(elements)) => {
                    for (i, element) in (0..).zip(&elements) {
                        path.push(Step::Index(i));
                        self.look(element, of, path, found);
                        path.pop();
                    }
                }
                _ => found.problem(path, value, self.mismatch(value, kind)),
            },
            Kind::Object(of) => match walk::members(value) {
                Some(_) if matches!(**of, Kind::Json) => {}
                Some(members) => {
                    for (name, member) in members {
                        path.push(Step::Member(name));
                        self.look(&member, of, path, found);
                        path.pop();
                    }
                }
                None => found.problem(path, value, self.mismatch(value, kind)),
            },
            scalar => {
                if !is_scalar(value, scalar) {
                    found.problem(path, value, self.mismatch(value, kind));
                }
            }
        }
    }

    fn members(
        &self,
        value: &Value,
        fields: &[Field],
        closed: bool,
        path: &mut Vec<Step>,
        found: &mut Found,
    ) {
        for field in fields {
            match member(value, &field.name) {
                Value::Missing if field.optional => {}
                Value::Missing => found.problem(path, value, format!("lacks `{}`", field.name)),
                member => {
                    path.push(Step::Member(Arc::clone(&field.name)));
                    self.look(&member, &field.kind, path, found);
                    path.pop();
                }
            }
        }
        if !closed {
            return;
        }
        for (name, member) in walk::members(value).unwrap_or_default() {
            if fields.iter().any(|field| field.name == name) {
                continue;
            }
            let mut problem = walk::name(value, &name, &member);
            problem.text = format!("has a member `{}`, which is not allowed here", shortened(&name)).into();
            found.text(path, problem);
        }
    }

    /// A choice: nothing if one of its kinds is right, else what is wrong with the one that is meant.
    fn choice(&self, value: &Value, kind: &Kind, path: &mut Vec<Step>, found: &mut Found) {
        match self.is(value, kind) {
            Truth::True => return,
            Truth::Unknown(reasons) => return found.unsure(&reasons),
            Truth::False => {}
        }
        let mut kinds = vec![];
        self.alternatives(kind, &mut kinds);
        let forms: Vec<(&Kind, &[Field])> = kinds
            .iter()
            .filter_map(|kind| match kind {
                Kind::Shape(id) => match self.form(*id) {
                    Some(Form::Members { fields, .. }) => Some((*kind, fields.as_slice())),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let nearest = match value.json_kind() {
            Some(JsonKind::Object) => {
                let such = |wanted: Likeness| -> Vec<&Kind> {
                    let alike = forms
                        .iter()
                        .filter(|(_, fields)| Self::likeness(value, fields) == wanted);
                    alike.map(|(kind, _)| *kind).collect()
                };
                let (marked, open) = (such(Likeness::Marked), such(Likeness::Open));
                match (marked.is_empty(), open.is_empty()) {
                    (false, _) => marked,
                    (true, false) => open,
                    (true, true) if self.unmarked(value, &forms, path, found) => return,
                    (true, true) => forms.iter().map(|(kind, _)| *kind).collect(),
                }
            }
            Some(JsonKind::List) => kinds
                .iter()
                .copied()
                .filter(|kind| matches!(kind, Kind::List(_)))
                .collect(),
            _ => vec![],
        };
        let mut best: Option<Found> = None;
        for kind in nearest {
            let mut these = Found::default();
            self.look(value, kind, path, &mut these);
            if best
                .as_ref()
                .is_none_or(|best| these.items.len() < best.items.len())
            {
                best = Some(these);
            }
        }
        match best {
            Some(best) if !best.items.is_empty() => {
                found.items.extend(best.items);
                if let Some(reasons) = &best.unsure {
                    found.unsure(reasons);
                }
            }
            _ => found.problem(path, value, self.mismatch(value, kind)),
        }
    }

    /// If all forms are told apart by one member: says what is wrong with that member.
    fn unmarked(
        &self,
        value: &Value,
        forms: &[(&Kind, &[Field])],
        path: &mut Vec<Step>,
        found: &mut Found,
    ) -> bool {
        let Some((_, first)) = forms.first() else {
            return false;
        };
        let Some((mark, _)) = Self::marks(first).find(|(mark, _)| {
            forms
                .iter()
                .all(|(_, fields)| Self::marks(fields).any(|(field, _)| field.name == mark.name))
        }) else {
            return false;
        };
        let of = |fields| {
            Self::marks(fields)
                .find(|(field, _)| field.name == mark.name)
                .map(|(_, text)| text)
        };
        let mut words: Vec<&str> = forms.iter().filter_map(|(_, fields)| of(fields)).collect();
        words.dedup();
        match member(value, &mark.name) {
            Value::Missing => found.problem(path, value, format!("lacks `{}`", mark.name)),
            Value::Unknown(reasons) => found.unsure(&reasons),
            other if other.as_str().is_some_and(|text| words.contains(&text)) => return false,
            other => {
                path.push(Step::Member(Arc::clone(&mark.name)));
                let words = format!("is {}, not {}", described(&other), alternatives(&words));
                found.problem(path, &other, words);
                path.pop();
            }
        }
        true
    }

    /// "is a number, not a string"
    fn mismatch(&self, value: &Value, kind: &Kind) -> String {
        let mut words = vec![];
        self.wanted(kind, &mut words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let literal = words.iter().any(|word| word.starts_with('`'))
            || matches!(kind, Kind::Range { .. } | Kind::Integer);
        let is = if literal {
            described(value)
        } else {
            kind_of(value).to_owned()
        };
        // `2` as a text is not `2`.
        let is = match value.json_kind() {
            Some(JsonKind::Text) if words.contains(&is.as_str()) => format!("the string {is}"),
            _ => is,
        };
        format!("is {is}, not {}", joined(&words))
    }

    /// What a kind is called.
    fn wanted(&self, kind: &Kind, to: &mut Vec<String>) {
        let mut word = |word: &str| {
            if !to.iter().any(|known| known == word) {
                to.push(word.to_owned());
            }
        };
        match kind {
            Kind::Json => word("a value"),
            Kind::Null => word("`null`"),
            Kind::Boolean => word("a boolean"),
            Kind::Integer => word("an integer"),
            Kind::Number => word("a number"),
            Kind::String => word("a string"),
            Kind::List(_) => word("a list"),
            Kind::Object(_) => word("an object"),
            Kind::Text(text) => word(&format!("`{text}`")),
            Kind::Truth(truth) => word(&format!("`{truth}`")),
            Kind::Range { low, high, integer } => {
                let noun = if *integer { "an integer" } else { "a number" };
                word(&match (low, high) {
                    (Some(low), Some(high)) if low == high => format!("`{}`", low.canonical()),
                    (Some(low), Some(high)) => {
                        format!("{noun} from {} to {}", low.canonical(), high.canonical())
                    }
                    (Some(low), None) => format!("{noun} from {} on", low.canonical()),
                    (None, Some(high)) => format!("{noun} up to {}", high.canonical()),
                    (None, None) => noun.to_owned(),
                });
            }
            Kind::Or(kinds) => kinds.iter().for_each(|kind| self.wanted(kind, to)),
            Kind::Shape(id) => match self.form(*id) {
                Some(Form::Alias(kind)) => self.wanted(kind, to),
                Some(Form::Members { .. }) => word("an object"),
                None => {}
            },
        }
    }
}

/// What a value is: its text in backticks if it is a scalar, else its kind.
fn described(value: &Value) -> String {
    match value.json_kind() {
        Some(JsonKind::Text) => format!("`{}`", shortened(value.as_str().unwrap_or(""))),
        Some(JsonKind::Number | JsonKind::Boolean | JsonKind::Null) => {
            format!("`{}`", shortened(&show(value)))
        }
        _ => kind_of(value).to_owned(),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value.json_kind() {
        Some(JsonKind::Null) => "`null`",
        Some(JsonKind::Boolean) => "a boolean",
        Some(JsonKind::Number) => "a number",
        Some(JsonKind::Text) => "a string",
        Some(JsonKind::List) => "a list",
        Some(JsonKind::Object) => "an object",
        None => "no JSON",
    }
}

/// `a`, `b` or `c`
fn alternatives(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    joined(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn joined(words: &[&str]) -> String {
    match words {
        [] => "that".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
