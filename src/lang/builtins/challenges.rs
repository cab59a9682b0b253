//! `challenges(text)`

use std::sync::Arc;

use super::common::{fields, text};
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "challenges",
    parameters: &[Parameter::text("text")],
    result: |_| {
        Type::list(Type::record(&[
            ("scheme", Type::String),
            ("token", Type::String),
            ("parameters", Type::Object(Arc::new(Type::String))),
        ]))
    },
    doc: "The challenges of `WWW-Authenticate`, as `{scheme, token, parameters}` (RFC 9110 section \
          11.6.1). One header may hold several, each with several parameters; `token` is what stands \
          behind the scheme in place of parameters. Names of parameters are in lower case, their values \
          without quotes; schemes keep their case.",
    examples: &[
        (
            r#""Bearer realm=\"a, b\", Error=invalid_token, Basic realm=x".challenges()"#,
            r#"[{ scheme: "Bearer", parameters: { realm: "a, b", error: "invalid_token" } }, { scheme: "Basic", parameters: { realm: "x" } }]"#,
        ),
        (
            r#""Negotiate YWJj==".challenges()"#,
            r#"[{ scheme: "Negotiate", token: "YWJj==", parameters: {} }]"#,
        ),
        (r#""Basic, Bearer".challenges()[1].scheme"#, r#""Bearer""#),
    ],
    total: false,
    call,
};

struct Challenge<'t> {
    scheme: &'t str,
    token: Option<&'t str>,
    parameters: Vec<(String, String)>,
}

fn call(arguments: &[Value]) -> Value {
    let Some(text) = text::located(&arguments[0]) else {
        return Value::Missing;
    };
    Value::list(read(&text.text).iter().map(|challenge| {
        let slice = |part| Value::Text(text::part(&text, part));
        Value::fields([
            ("scheme", slice(challenge.scheme)),
            ("token", Value::or_missing(challenge.token, slice)),
            ("parameters", fields::object(&challenge.parameters)),
        ])
    }))
}

fn read(text: &str) -> Vec<Challenge<'_>> {
    let mut challenges: Vec<Challenge> = vec![];
    for element in fields::split(text, ',') {
        // A comma ends a parameter as well as a challenge: what begins with a token that no `=` follows is a scheme.
        let end = element.find([' ', '\t', '=']).unwrap_or(element.len());
        let (word, rest) = element.split_at(end);
        let rest = fields::trim(rest);
        if !rest.starts_with('=') {
            challenges.push(Challenge {
                scheme: word,
                token: None,
                parameters: vec![],
            });
        }
        let Some(challenge) = challenges.last_mut() else {
            continue;
        };
        let said = if rest.starts_with('=') { element } else { rest };
        if is_token68(said) && !rest.starts_with('=') {
            challenge.token = Some(said);
        } else if !said.is_empty() {
            challenge.parameters.push(fields::parameter(said));
        }
    }
    challenges
}

/// Letters that stand for bytes, perhaps with `=` behind them.
fn is_token68(text: &str) -> bool {
    let letters = text.trim_end_matches('=');
    !letters.is_empty()
        && letters
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-._~+/".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ops::show_json;

    fn show(text: &str) -> String {
        show_json(&call(&[Value::text(text)]))
    }

    #[test]
    fn commas_between_parameters_and_challenges() {
        assert_eq!(
            show(r#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#),
            r#"[{"scheme":"Newauth","parameters":{"realm":"apps","type":"1","title":"Login to \"apps\""}},{"scheme":"Basic","parameters":{"realm":"simple"}}]"#
        );
        assert_eq!(show("realm=x"), "[]");
        assert_eq!(
            show("Bearer realm = x"),
            r#"[{"scheme":"Bearer","parameters":{"realm":"x"}}]"#
        );
        assert_eq!(
            show("A b=, C"),
            r#"[{"scheme":"A","token":"b=","parameters":{}},{"scheme":"C","parameters":{}}]"#
        );
    }
}
