//! JSON Schemas of a recording: the only file that knows the validator, and serde_json's values.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};

use super::walk;
use crate::json::{Json, JsonKind, steps};
use crate::model::ops::{index, member};
use crate::model::value::Value;

/// Why a schema cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// It is no schema.
    Malformed,
    /// It is of another dialect or leads elsewhere.
    Unavailable,
}

/// A schema as serde_json has it, and what was worked out about it so far.
pub struct Schema {
    /// The schema.
    pub plain: serde_json::Value,
    draft: Option<Draft>,
    faultless: OnceCell<bool>,
    validator: OnceCell<Result<Validator, Unusable>>,
}

impl Schema {
    /// Its dialect, if it is known.
    pub fn draft(&self) -> Option<Draft> {
        self.draft
    }

    /// Whether it is as its dialect says.
    pub fn is_faultless(&self) -> bool {
        let check = || self.draft.is_some_and(|draft| meta(draft).is_valid(&self.plain));
        *self.faultless.get_or_init(check)
    }

    /// What judges values by it.
    pub fn validator(&self) -> Result<&Validator, Unusable> {
        let made = self.validator.get_or_init(|| {
            let draft = self.draft.ok_or(Unusable::Unavailable)?;
            if !self.is_faultless() {
                return Err(Unusable::Malformed);
            }
            Validator::options()
                .with_draft(draft)
                .offline()
                .should_validate_formats(false)
                .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(100_000))
                .build(&self.plain)
                .map_err(|_| Unusable::Unavailable)
        });
        made.as_ref().map_err(|why| *why)
    }
}

/// How many schemas a thread finds again by where they stand. Answers of one tool follow one another.
const RECENT: usize = 16;

/// How many a thread keeps by what they say: servers list the same tools in session after session, and to compile a schema
/// costs more than many validations.
const KEPT: usize = 512;

#[derive(Default)]
struct Known {
    recent: Vec<(Json, Rc<Schema>)>,
    by_content: HashMap<u64, Vec<Rc<Schema>>>,
    kept: usize,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// A schema, worked out once; `None` if it holds something that cannot stand in JSON.
pub fn schema(value: &Value) -> Option<Rc<Schema>> {
    KNOWN.with_borrow_mut(|known| {
        if let Value::Json(json) = value {
            let at = known.recent.iter().position(|(other, _)| other.is_same(json));
            if let Some(at) = at {
                known.recent[..=at].rotate_right(1);
                return Some(Rc::clone(&known.recent[0].1));
            }
        }
        let schema = known.of_content(value)?;
        if let Value::Json(json) = value {
            known.recent.truncate(RECENT - 1);
            known.recent.insert(0, (json.clone(), Rc::clone(&schema)));
        }
        Some(schema)
    })
}

impl Known {
    fn of_content(&mut self, value: &Value) -> Option<Rc<Schema>> {
        let plain = plain(value)?;
        let mut hasher = DefaultHasher::new();
        plain.hash(&mut hasher);
        let same = self.by_content.entry(hasher.finish()).or_default();
        if let Some(schema) = same.iter().find(|schema| schema.plain == plain) {
            return Some(Rc::clone(schema));
        }
        let schema = Rc::new(Schema {
            draft: dialect(value),
            plain,
            faultless: OnceCell::new(),
            validator: OnceCell::new(),
        });
        same.push(Rc::clone(&schema));
        self.kept += 1;
        if self.kept > KEPT {
            self.by_content.clear();
            self.kept = 0;
        }
        Some(schema)
    }
}

/// What is wrong with a value; `None` if a pattern took too long.
pub fn errors<'i>(
    validator: &'i Validator,
    instance: &'i serde_json::Value,
) -> Option<Vec<ValidationError<'i>>> {
    let mut found = vec![];
    for error in validator.iter_errors(instance) {
        if matches!(
            error.kind(),
            ValidationErrorKind::BacktrackLimitExceeded { .. }
                | ValidationErrorKind::RegexEngineFailure { .. }
        ) {
            return None;
        }
        found.push(error);
    }
    Some(found)
}

/// The validator of schemas of a dialect.
pub fn meta(draft: Draft) -> jsonschema::meta::MetaValidator<'static> {
    match draft {
        Draft::Draft7 => jsonschema::draft7::meta::validator(),
        _ => jsonschema::draft202012::meta::validator(),
    }
}

/// The dialect that `$schema` names; `None` if it is not one of the two that are known.
pub fn dialect(schema: &Value) -> Option<Draft> {
    match member(schema, "$schema") {
        Value::Missing => Some(Draft::Draft202012),
        named => {
            let name = named.as_str()?.trim_end_matches('#');
            match name.split_once("://")? {
                ("http" | "https", "json-schema.org/draft/2020-12/schema") => Some(Draft::Draft202012),
                ("http" | "https", "json-schema.org/draft-07/schema") => Some(Draft::Draft7),
                _ => None,
            }
        }
    }
}

/// `{message, value}`, and under another name the part of the schema, if one is given.
pub fn problem(error: &ValidationError<'_>, value: &Value, schema: (&str, &Value)) -> Value {
    Value::object([
        ("message", Value::text(error.masked().to_string())),
        ("value", part(value, error.instance_path().as_str())),
        (schema.0, part(schema.1, error.schema_path().as_str())),
    ])
}

/// What stands at a pointer.
fn part(value: &Value, pointer: &str) -> Value {
    steps(pointer).fold(value.clone(), |value, step| match value.as_list() {
        Some(_) => step
            .parse::<i64>()
            .map_or(Value::Missing, |i| index(&value, &Value::integer(i))),
        None => member(&value, &step),
    })
}

/// The value as serde_json has it; `None` if it holds something that cannot stand in JSON.
pub fn plain(value: &Value) -> Option<serde_json::Value> {
    use serde_json::Value as Plain;
    Some(match value.json_kind()? {
        JsonKind::Null => Plain::Null,
        JsonKind::Boolean => Plain::Bool(value.as_bool()?),
        JsonKind::Number => Plain::Number(value.as_number()?.written().parse().ok()?),
        JsonKind::Text => Plain::String(value.as_str()?.to_owned()),
        JsonKind::List => Plain::Array(
            value
                .as_list()?
                .items
                .iter()
                .map(|item| plain(&item.value))
                .collect::<Option<_>>()?,
        ),
        JsonKind::Object => Plain::Object(
            walk::members(value)?
                .iter()
                .map(|(name, value)| Some((name.to_string(), plain(value)?)))
                .collect::<Option<_>>()?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::json::decode_all;

    fn json(text: &str) -> Value {
        Value::Json(Arc::new(decode_all(text, None).unwrap()).root().unwrap())
    }

    #[test]
    fn schemas_are_worked_out_once() {
        let text = r#"{"type":"integer"}"#;
        let (one, two) = (schema(&json(text)).unwrap(), schema(&json(text)).unwrap());
        assert!(Rc::ptr_eq(&one, &two), "equal schemas are one");
        for i in 0..3 * KEPT {
            schema(&json(&format!(r#"{{"title":"{i}"}}"#))).unwrap();
        }
        let (kept, recent) = KNOWN.with_borrow(|known| (known.kept, known.recent.len()));
        assert!(kept <= KEPT && recent <= RECENT);
    }
}
