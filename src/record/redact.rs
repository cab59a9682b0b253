//! What must not stand in a recording.

use std::borrow::Cow;
use std::ops::Range;

use crate::input::scan::{skip_space, skip_value, unescape};

/// What stands in the place of what was left out. Rules take it for unknown.
const REDACTED: &str = "REDACTED";

/// Headers that hold secrets and nothing else.
const SECRET: [&str; 4] = ["authorization", "proxy-authorization", "cookie", "set-cookie"];

/// The names of members and headers whose values are left out, in any case.
#[derive(Debug, Clone, Default)]
pub(crate) struct Redact {
    names: Vec<String>,
}

impl Redact {
    /// Of these names.
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Self {
        Redact {
            names: names.into_iter().map(|name| name.to_lowercase()).collect(),
        }
    }

    pub(super) fn is_active(&self) -> bool {
        !self.names.is_empty()
    }

    fn hides(&self, name: &str) -> bool {
        self.names.iter().any(|hidden| *hidden == name.to_lowercase())
    }

    /// A word of a command: of `--NAME=VALUE` and `NAME=VALUE` the value is left out.
    pub(super) fn text<'t>(&self, word: &'t str) -> Cow<'t, str> {
        match word.split_once('=') {
            Some((name, _)) if self.hides(name.trim_start_matches('-')) => {
                Cow::Owned(format!("{name}={REDACTED}"))
            }
            _ => Cow::Borrowed(word),
        }
    }

    /// What may be recorded of the value of a header.
    pub(super) fn header<'v>(&self, name: &str, value: &'v str) -> &'v str {
        let is_secret = SECRET.iter().any(|secret| secret.eq_ignore_ascii_case(name));
        if is_secret || self.hides(name) {
            REDACTED
        } else {
            value
        }
    }

    /// The target of a request: of what it asks for by such names the values are left out.
    pub(super) fn target<'t>(&self, target: &'t str) -> Cow<'t, str> {
        match target.split_once('?') {
            Some((path, query)) if self.is_active() => Cow::Owned(format!("{path}?{}", self.pairs(query))),
            _ => Cow::Borrowed(target),
        }
    }

    /// `name=value&…`
    pub(super) fn pairs<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.is_active() {
            return Cow::Borrowed(text);
        }
        let pairs: Vec<Cow<str>> = text.split('&').map(|pair| self.text(pair)).collect();
        Cow::Owned(pairs.join("&"))
    }

    /// A line without the values of such members, wherever they stand in JSON. All else in it stays as it is.
    pub(super) fn line<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.is_active() {
            return Cow::Borrowed(text);
        }
        let mut out = String::new();
        let mut from = 0;
        for hidden in self.values(text) {
            out.push_str(text.get(from..hidden.start).unwrap_or(""));
            out.push_str("\"REDACTED\"");
            from = hidden.end;
        }
        if from == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(text.get(from..).unwrap_or(""));
        Cow::Owned(out)
    }

    /// The values of such members, in order: in JSON a text before a colon is the name of a member.
    fn values(&self, text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let mut found = vec![];
        let mut at = 0;
        while let Some(quote) = text.get(at..).and_then(|rest| rest.find('"')) {
            let start = at + quote;
            let end = skip_value(bytes, start).0;
            let colon = skip_space(bytes, end);
            at = end;
            if bytes.get(colon) != Some(&b':') {
                continue;
            }
            at = colon + 1;
            let name = text.get(start..end).map(unescape).unwrap_or_default();
            if self.hides(&name) {
                let value = skip_space(bytes, at);
                at = skip_value(bytes, value).0;
                found.push(value..at);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redact(names: &[&str]) -> Redact {
        Redact::new(names.iter().map(|name| (*name).to_owned()))
    }

    #[test]
    fn values_are_left_out_wherever_they_stand() {
        let hides = redact(&["token", "Password"]);
        for (line, expected) in [
            (
                r#"{"token": "s","a":{"b":[{"PASSWORD":{"x":[1]}, "c":1}]}}"#,
                r#"{"token": "REDACTED","a":{"b":[{"PASSWORD":"REDACTED", "c":1}]}}"#,
            ),
            (r#"{"to\u006ben":1}"#, r#"{"to\u006ben":"REDACTED"}"#),
            (r#"{"a":"token","b":["token"]}"#, r#"{"a":"token","b":["token"]}"#),
            (r#"{"token":"#, r#"{"token":"REDACTED""#),
            (r#"{"token":"half"#, r#"{"token":"REDACTED""#),
            ("starting, token=abc", "starting, token=abc"),
            ("", ""),
        ] {
            assert_eq!(hides.line(line), expected, "{line}");
        }
        let line = r#"{"token":1}"#;
        assert_eq!(redact(&[]).line(line), line);
    }

    #[test]
    fn deep_nesting_takes_no_longer_than_its_length() {
        let line = "[".repeat(1 << 20);
        assert_eq!(redact(&["token"]).line(&line), line);
        let line = format!("{}{}", r#"{"a":"#.repeat(1 << 18), r#"{"token":1"#);
        assert!(redact(&["token"]).line(&line).ends_with(r#"{"token":"REDACTED""#));
    }

    #[test]
    fn of_a_command_the_values_of_options_are_left_out() {
        let hides = redact(&["api-key"]);
        assert_eq!(hides.text("--api-key=abc"), "--api-key=REDACTED");
        assert_eq!(hides.text("API-KEY=abc"), "API-KEY=REDACTED");
        assert_eq!(hides.text("--region=eu"), "--region=eu");
        assert_eq!(hides.text("abc"), "abc");
    }

    #[test]
    fn of_headers_and_targets_values_are_left_out() {
        let hides = redact(&["X-Key", "code"]);
        for (name, value, expected) in [
            ("x-key", "abc", REDACTED),
            ("Authorization", "Bearer abc", REDACTED),
            ("Set-Cookie", "a=b", REDACTED),
            ("mcp-session-id", "abc", "abc"),
        ] {
            assert_eq!(hides.header(name, value), expected, "{name}");
        }
        assert_eq!(hides.target("/cb?state=1&code=abc"), "/cb?state=1&code=REDACTED");
        assert_eq!(hides.target("/code=abc"), "/code=abc");
        assert_eq!(redact(&[]).target("/cb?code=abc"), "/cb?code=abc");
        assert_eq!(redact(&[]).header("cookie", "abc"), REDACTED);
    }
}
