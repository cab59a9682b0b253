//! The grammar that HTTP fields share (RFC 9110, section 5.6): lists, tokens, quoted strings, parameters.

use std::collections::HashMap;

use crate::model::value::Value;

/// The parts of a text between separators that stand outside quoted strings, trimmed, without empty ones.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = vec![];
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (i, c) in text.char_indices() {
        if quoted {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => quoted = false,
                _ => {}
            }
        } else if c == '"' {
            quoted = true;
        } else if c == separator {
            parts.push(trim(&text[start..i]));
            start = i + c.len_utf8();
        }
    }
    parts.push(trim(&text[start..]));
    parts.retain(|part| !part.is_empty());
    parts
}

/// A parameter `name=value`: its name in lower case, and its value without quotes; empty without a value.
pub fn parameter(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (trim(name).to_ascii_lowercase(), unquoted(trim(value)))
}

/// Parameters as an object; of a repeated name the last one.
pub fn object(parameters: &[(String, String)]) -> Value {
    let last: HashMap<&str, usize> = parameters
        .iter()
        .enumerate()
        .map(|(i, (name, _))| (name.as_str(), i))
        .collect();
    let kept = parameters
        .iter()
        .enumerate()
        .filter(|(i, (name, _))| last.get(name.as_str()) == Some(i));
    Value::object(kept.map(|(_, (name, value))| (name.as_str(), Value::text(value.as_str()))))
}

/// Without the blanks around it.
pub fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

fn unquoted(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"') else {
        return text.to_owned();
    };
    let mut out = String::new();
    let mut escaped = false;
    for c in inner.chars() {
        match c {
            _ if escaped => {
                out.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => break,
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_in_quotes_do_not_separate() {
        assert_eq!(split(r#" a;x="1,\"2" ,, b "#, ','), [r#"a;x="1,\"2""#, "b"]);
        assert_eq!(split(r#"a="open, b"#, ','), [r#"a="open, b"#]);
        assert!(split(" , ", ',').is_empty());
    }

    #[test]
    fn parameters_lose_their_quotes() {
        let of = |text| parameter(text);
        assert_eq!(
            of(r#"Title = "a \"b\" c""#),
            ("title".into(), r#"a "b" c"#.into())
        );
        assert_eq!(of("q=0.5"), ("q".into(), "0.5".into()));
        assert_eq!(of("flag"), ("flag".into(), String::new()));
    }
}
