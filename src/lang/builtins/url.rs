//! `url(text)`: the parts of one

use super::common::text;
use super::{Builtin, Parameter};
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "url",
    parameters: &[Parameter::text("text")],
    result: |_| {
        Type::record(&[
            ("scheme", Type::String),
            ("user", Type::String),
            ("host", Type::String),
            ("port", Type::Integer),
            ("path", Type::String),
            ("query", Type::String),
            ("fragment", Type::String),
        ])
    },
    doc: "The parts of a URL or of a relative reference, as `{scheme, user, host, port, path, query, \
          fragment}` (RFC 3986). Parts that are not there are missing, but for the path, which may be \
          empty. Scheme and host are in lower case, the rest is as written and still percent-encoded. \
          `user` is whatever stands before `@`. Every text has parts; none is checked.",
    examples: &[
        (
            r#""HTTPS://Example.com:8443/a/b?a=1#x".url()"#,
            r#"{ scheme: "https", host: "example.com", port: 8443, path: "/a/b", query: "a=1", fragment: "x" }"#,
        ),
        (r#""/a%20b".url()"#, r#"{ path: "/a%20b" }"#),
        (
            r#""file:///a".url()"#,
            r#"{ scheme: "file", host: "", path: "/a" }"#,
        ),
        (r#""http://u:p@[::1]/".url().host"#, r#""[::1]""#),
        (r#""urn:a:b".url()"#, r#"{ scheme: "urn", path: "a:b" }"#),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    let Some(text) = text::located(&arguments[0]) else {
        return Value::Missing;
    };
    let slice = |part: &str| Value::Text(text::part(&text, part));
    let maybe = |part: Option<&str>| Value::or_missing(part, slice);
    let lower = |part: &str| {
        if part.bytes().any(|b| b.is_ascii_uppercase()) {
            Value::text(part.to_ascii_lowercase())
        } else {
            slice(part)
        }
    };
    let whole: &str = &text.text;
    let (rest, fragment) = cut(whole, '#');
    let (rest, query) = cut(rest, '?');
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, after)) if is_scheme(scheme) => (Some(scheme), after),
        _ => (None, rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(after) => {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    let (user, place) = match authority.map(|a| (a, a.rsplit_once('@'))) {
        Some((_, Some((user, place)))) => (Some(user), Some(place)),
        Some((place, None)) => (None, Some(place)),
        None => (None, None),
    };
    let (host, port) = place.map_or((None, None), host_and_port);
    Value::fields([
        ("scheme", Value::or_missing(scheme, lower)),
        ("user", maybe(user)),
        ("host", Value::or_missing(host, lower)),
        (
            "port",
            Value::or_missing(port.and_then(|p| p.parse::<u16>().ok()), |port| {
                Value::integer(i64::from(port))
            }),
        ),
        ("path", slice(path)),
        ("query", maybe(query)),
        ("fragment", maybe(fragment)),
    ])
}

fn cut(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// A colon within brackets belongs to an address.
fn host_and_port(place: &str) -> (Option<&str>, Option<&str>) {
    match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (Some(host), Some(port)),
        _ => (Some(place), None),
    }
}
