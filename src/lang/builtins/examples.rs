//! Every example of every builtin, run by a small reader of expressions: literals, lists, objects, calls, members,
//! indices, `+ -` and `each`. (The engine runs them again with the real ones.)

use std::sync::Arc;

use super::{ALL, Accepts, Builtin, find};
use crate::json::Number;
use crate::lang::ast::{PathPattern, PathStep};
use crate::model::ops::{self, PathMatcher};
use crate::model::shape::{Declared, Field, Form, Kind, Shape, Shapes};
use crate::model::value::{Truth, Value};

#[test]
fn examples_give_what_they_say() {
    for builtin in ALL {
        assert!(builtin.examples.len() >= 2, "{} needs two examples", builtin.name);
        let uses = |(text, _): &(&str, &str)| text.contains(&format!("{}(", builtin.name));
        assert!(builtin.examples.iter().all(uses), "{}", builtin.name);
        for (text, expected) in builtin.examples {
            let (got, wanted) = (evaluate(text), evaluate(expected));
            assert_eq!(
                ops::equal(&got, &wanted),
                Truth::True,
                "{text} gives {}, not {expected}",
                ops::show_json(&got)
            );
        }
    }
}

#[test]
fn builtins_are_sorted_and_documented() {
    assert!(ALL.is_sorted_by(|a, b| a.name < b.name));
    for builtin in ALL {
        assert!(
            builtin.doc.ends_with('.') && !builtin.doc.contains("  "),
            "{}",
            builtin.name
        );
        let optional = builtin.parameters.iter().map(|p| p.optional);
        assert!(
            optional.is_sorted(),
            "{}: optional parameters come last",
            builtin.name
        );
        assert_eq!(find(builtin.name).map(|b| b.name), Some(builtin.name));
    }
}

#[test]
fn missing_gives_missing_and_unknown_gives_unknown() {
    let unknown = || Value::unknown(crate::model::unknown::Reason::Clock);
    for builtin in ALL.iter().filter(|b| !b.total) {
        let count = builtin.parameters.len();
        assert!(matches!(
            builtin.apply(&vec![Value::Missing; count]),
            Value::Missing
        ));
        assert!(matches!(
            builtin.apply(&vec![unknown(); count]),
            Value::Unknown(_)
        ));
    }
}

#[test]
fn no_value_is_too_strange() {
    let strange = [
        "null",
        "true",
        "0",
        "-1",
        "1.5",
        "1e30",
        "\"\"",
        "\"ä,=%;\\\"\"",
        "[]",
        "[missing, 1, \"a\"]",
        "{}",
        "{ a: [{}] }",
        "1s",
        "$.a",
        "$.*",
        "\"gA==\".base64_decode()",
        "missing",
    ];
    for builtin in ALL {
        let mut arguments = vec![vec![]];
        for _ in builtin.parameters {
            arguments = arguments
                .into_iter()
                .flat_map(|before: Vec<Value>| {
                    strange.map(|text| [before.clone(), vec![evaluate(text)]].concat())
                })
                .collect();
        }
        for arguments in arguments {
            builtin.apply(&arguments);
        }
    }
}

fn evaluate(text: &str) -> Value {
    let mut reader = Reader {
        rest: text,
        names: vec![],
    };
    let value = reader.expression();
    assert_eq!(reader.rest.trim(), "", "in {text}");
    value
}

/// The shapes of the examples.
fn shape(id: usize) -> Value {
    let field = |name: &str, optional, kind| Field {
        name: name.into(),
        optional,
        kind,
    };
    let declared = |name: &str, fields| Declared {
        name: name.into(),
        changes: false,
        forms: vec![Some(Arc::new(Form::Members {
            closed: false,
            extends: vec![],
            fields,
        }))],
    };
    let point = vec![field("x", false, Kind::Number), field("y", true, Kind::Number)];
    let line = vec![
        field("from", false, Kind::Shape(0)),
        field("to", false, Kind::Shape(0)),
    ];
    let shapes = Shapes {
        revisions: vec![],
        all: vec![declared("Point", point), declared("Line", line)],
    };
    Value::Shape(Shape {
        shapes: Arc::new(shapes),
        id,
    })
}

struct Reader<'t> {
    rest: &'t str,
    names: Vec<(&'t str, Value)>,
}

impl<'t> Reader<'t> {
    fn take(&mut self, token: &str) -> bool {
        let found = self.rest.trim_start().strip_prefix(token);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn need(&mut self, token: &str) {
        assert!(self.take(token), "{token} is due at {}", self.rest);
    }

    fn word(&mut self) -> &'t str {
        let text = self.rest.trim_start();
        let end = text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        self.rest = &text[end..];
        &text[..end]
    }

    fn expression(&mut self) -> Value {
        let mut value = self.operand();
        loop {
            if self.take("+") {
                value = ops::add(&value, &self.operand());
            } else if self.take("-") {
                value = ops::subtract(&value, &self.operand());
            } else {
                return value;
            }
        }
    }

    fn operand(&mut self) -> Value {
        if self.take("-") {
            return ops::negate(&self.operand());
        }
        let mut value = self.primary();
        loop {
            if self.take(".") {
                let word = self.word();
                value = if self.take("(") {
                    self.call(word, vec![value])
                } else {
                    ops::member(&value, word)
                };
            } else if self.take("[") {
                let index = self.expression();
                self.need("]");
                value = ops::index(&value, &index);
            } else {
                return value;
            }
        }
    }

    fn call(&mut self, name: &str, mut arguments: Vec<Value>) -> Value {
        while !self.take(")") {
            arguments.push(self.expression());
            self.take(",");
        }
        let revised = |b: &Builtin| b.parameters.iter().any(|p| p.accepts == Accepts::Revision);
        if find(name).is_some_and(revised) {
            arguments.push(Value::Null);
        }
        let builtin = find(name).unwrap_or_else(|| panic!("no builtin {name}"));
        assert_eq!(builtin.parameters.len(), arguments.len(), "{name}");
        builtin.apply(&arguments)
    }

    fn primary(&mut self) -> Value {
        let text = self.rest.trim_start();
        match text.chars().next().unwrap() {
            '"' => self.text(),
            '$' => self.path(),
            '0'..='9' => self.number(),
            '[' => {
                self.need("[");
                let mut elements = vec![];
                while !self.take("]") {
                    elements.push(self.expression());
                    self.take(",");
                }
                Value::list(elements)
            }
            '{' => {
                self.need("{");
                let mut members = vec![];
                while !self.take("}") {
                    let name = if self.rest.trim_start().starts_with('"') {
                        self.text().as_str().unwrap().to_owned()
                    } else {
                        self.word().to_owned()
                    };
                    self.need(":");
                    members.push((name, self.expression()));
                    self.take(",");
                }
                Value::object(members.iter().map(|(k, v)| (k.as_str(), v.clone())))
            }
            _ => match self.word() {
                "true" => Value::Boolean(true),
                "false" => Value::Boolean(false),
                "null" => Value::Null,
                "missing" => Value::Missing,
                "each" => self.each(),
                "Point" => shape(0),
                "Line" => shape(1),
                word if self.take("(") => self.call(word, vec![]),
                word => {
                    let found = self.names.iter().rev().find(|(name, _)| *name == word);
                    found.unwrap_or_else(|| panic!("no name {word}")).1.clone()
                }
            },
        }
    }

    fn each(&mut self) -> Value {
        let name = self.word();
        self.need("in");
        let list = self.expression();
        self.need(":");
        let body = self.rest;
        let list = ops::elements(&list).unwrap();
        if list.items.is_empty() {
            self.rest = "";
        }
        let results = ops::each(&list, &mut |element| {
            self.rest = body;
            self.names.push((name, element.clone()));
            let value = self.expression();
            self.names.pop();
            value
        });
        Value::List(Arc::new(results))
    }

    fn number(&mut self) -> Value {
        let text = self.rest.trim_start();
        let mut end = 0;
        for (i, c) in text.char_indices() {
            let fraction = c == '.' && text[i + 1..].starts_with(|c: char| c.is_ascii_digit());
            let sign = matches!(c, '-' | '+') && text[..i].ends_with('e');
            if !(c.is_ascii_alphanumeric() || fraction || sign) {
                break;
            }
            end = i + 1;
        }
        self.rest = &text[end..];
        let text = &text[..end];
        if let Some(number) = Number::parse(text) {
            return Value::Number(number);
        }
        let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap();
        let nanos = match &text[unit..] {
            "ms" => 1e6,
            "s" => 1e9,
            "m" => 6e10,
            "h" => 3.6e12,
            unit => panic!("{unit} is no unit"),
        };
        let size: f64 = text[..unit].parse().unwrap();
        Value::Duration((size * nanos) as i64)
    }

    fn text(&mut self) -> Value {
        self.need("\"");
        let mut out = String::new();
        let mut chars = self.rest.char_indices();
        loop {
            let (i, c) = chars.next().unwrap();
            match c {
                '"' => {
                    self.rest = &self.rest[i + 1..];
                    return Value::text(out);
                }
                '\\' => match chars.next().unwrap().1 {
                    'n' => out.push('\n'),
                    'r' => out.push('\r'),
                    't' => out.push('\t'),
                    'u' => {
                        let digits: String = chars
                            .by_ref()
                            .map(|(_, c)| c)
                            .skip(1)
                            .take_while(|c| *c != '}')
                            .collect();
                        out.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
                    }
                    c => out.push(c),
                },
                c => out.push(c),
            }
        }
    }

    fn path(&mut self) -> Value {
        self.need("$");
        let mut steps = vec![];
        loop {
            if self.rest.starts_with(".*") {
                self.need(".*");
                steps.push(PathStep::AnyMember);
            } else if self.rest.starts_with('.') {
                self.need(".");
                steps.push(PathStep::Member(self.word().to_owned()));
            } else if self.rest.starts_with("[\"") {
                self.need("[");
                steps.push(PathStep::Member(self.text().as_str().unwrap().to_owned()));
                self.need("]");
            } else if self.rest.starts_with('[') {
                self.need("[");
                steps.push(PathStep::Index(self.word().parse().unwrap()));
                self.need("]");
            } else {
                break;
            }
        }
        Value::PathPattern(Arc::new(PathMatcher::new(PathPattern {
            text: String::new(),
            steps,
        })))
    }
}
