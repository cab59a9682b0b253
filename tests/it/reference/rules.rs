//! Rules as texts: well-typed expressions over what the language offers, put together at random.

use super::choices::Choices;
use super::expressions::{Kind, Scene, condition, count, json, list, record};

const SUBJECTS: [&str; 10] = [
    "request",
    "response",
    "request",
    "message",
    "notification",
    "tool",
    "listing",
    "exchange",
    "session",
    "frame",
];

/// Attributes and functions that all rules may use.
pub const COMMON: &str = r#"pack generated

attribute request.tool_name: json = request.params.name
attribute request.answer: json = request.response.result
attribute request.seen_before: boolean = any r in earlier.requests: r.params.name == request.params.name
attribute request.before: request = last r in earlier.requests: r.method == request.method
attribute response.tools_before: integer = count t in earlier.tools: t.name exists
attribute response.asked_again: boolean {
  let own = response.request
  return own.seen_before or (any n in earlier.notifications: n.method exists)
}
attribute tool.known_as: json = (first t in earlier.tools: t.name == tool.name).inputSchema
fn same_name(a: request, b: request) -> boolean = a.params.name == b.params.name
fn asked_before(a: request) -> boolean = any r in a.earlier.requests: r.id == a.id
fn pick(a: json) -> json {
  let inner = a.n
  return if inner missing then a.region else inner
}
"#;

/// A rule of that name; the rules before it may be asked for.
pub fn rule(c: &mut Choices, name: &str, premises: &[(String, &'static str)]) -> (String, &'static str) {
    let subject = c.of(&SUBJECTS);
    let mut scene = Scene {
        names: vec![(subject.to_owned(), Kind::Record(subject))],
        history: true,
        premises: premises.to_vec(),
        next: 0,
    };
    let mut out = format!("rule {name} {{\n  tags \"t{}\"\n", c.below(2));
    match c.below(10) {
        7 => out.push_str("  scope origin\n"),
        8 => out.push_str(&format!(
            "  scope {}\n",
            c.of(&["recording", "process", "principal", "session, stream"])
        )),
        9 => out.push_str("  scope identity\n"),
        _ => {}
    }
    match c.below(12) {
        10 => out.push_str("  revision >= \"2026-07-28\"\n"),
        11 => out.push_str("  revision >= \"2025-06-18\" and < \"2026-07-28\"\n"),
        _ => {}
    }
    out.push_str(&format!("  on {subject}"));
    if matches!(subject, "request" | "response") && c.once_in(3) {
        out.push_str(&format!(
            " of \"{}\"",
            c.of(&["tools/call", "tools/list", "initialize"])
        ));
    }
    if matches!(subject, "request" | "response" | "message") && c.once_in(4) {
        out.push_str(&format!(" from {}", c.of(&["client", "server"])));
    }
    if c.once_in(8) {
        out.push_str(&format!(" over {}", c.of(&["http", "stdio"])));
    }
    if c.once_in(4) {
        out.push_str(&format!(" where {}", condition(c, &mut scene, 2)));
    }
    out.push('\n');
    let mut elements = false;
    for _ in 0..c.below(4) {
        match c.below(6) {
            0 | 1 => {
                let text = format!("  when {}\n", condition(c, &mut scene, 3));
                out.push_str(&text);
            }
            2 => {
                let (list, kind) = list(c, &mut scene, 2);
                let name = scene.name(kind);
                out.push_str(&format!("  for {name} in {list}"));
                scene.names.push((name, kind));
                if c.once_in(3) {
                    out.push_str(&format!(" where {}", condition(c, &mut scene, 2)));
                }
                out.push('\n');
                elements = true;
            }
            3 | 4 => {
                let (value, kind) = match c.below(3) {
                    0 => {
                        let (text, subject) = record(c, &mut scene, 2);
                        (text, Some(Kind::Record(subject)))
                    }
                    1 => (count(c, &mut scene, 2), None),
                    _ => (json(c, &mut scene, 2), Some(Kind::Json)),
                };
                let name = scene.name(kind.unwrap_or(Kind::Json));
                out.push_str(&format!("  let {name} = {value}\n"));
                match kind {
                    Some(kind) => scene.names.push((name, kind)),
                    // A number is used right away, more than once.
                    None => out.push_str(&format!(
                        "  when {name} > {} or {name} == 0 or {name} < 9\n",
                        c.below(3)
                    )),
                }
            }
            _ => {
                let text = format!("  undecided when {} \"because\"\n", condition(c, &mut scene, 2));
                out.push_str(&text);
            }
        }
    }
    if elements && c.once_in(3) {
        out.push_str("  report \"bare\"\n");
    } else {
        for _ in 0..1 + c.below(2) {
            let word = c.of(&["require", "forbid"]);
            let condition = condition(c, &mut scene, 3);
            let hole = json(c, &mut scene, 1);
            out.push_str(&format!("  {word} {condition}\n    report \"no {{{hole}}}\"\n"));
            if c.once_in(2) {
                let (place, _) = record(c, &mut scene, 1);
                out.push_str(&format!("    at {place}\n"));
            }
        }
    }
    if c.once_in(6) {
        let key = json(c, &mut scene, 1);
        out.push_str(&format!("  once per {key}\n"));
    }
    out.push_str("}\n");
    (out, subject)
}
