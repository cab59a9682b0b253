//! Well-typed expressions as texts, put together at random.

use super::choices::Choices;

/// The types of what is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Record(&'static str),
    /// Any JSON.
    Json,
    /// What `duplicates` makes of JSON.
    Pair,
}

/// What can be named where an expression stands.
#[derive(Clone)]
pub struct Scene {
    pub names: Vec<(String, Kind)>,
    /// `earlier` and `later` may be used.
    pub history: bool,
    /// Rules that can be asked for, with their subjects.
    pub premises: Vec<(String, &'static str)>,
    pub next: usize,
}

const COLLECTIONS: [(&str, &str); 8] = [
    ("requests", "request"),
    ("responses", "response"),
    ("messages", "message"),
    ("notifications", "notification"),
    ("requests", "request"),
    ("tools", "tool"),
    ("listings", "listing"),
    ("exchanges", "exchange"),
];

const LENGTHS: [&str; 4] = ["1s", "10ms", "30s", "5m"];

impl Scene {
    pub fn name(&mut self, kind: Kind) -> String {
        self.next += 1;
        let first = match kind {
            Kind::Record(subject) => &subject[..1],
            Kind::Json => "v",
            Kind::Pair => "p",
        };
        format!("{first}{}", self.next)
    }

    /// With one more name.
    fn with(&self, name: &str, kind: Kind) -> Scene {
        let mut inner = self.clone();
        inner.names.push((name.to_owned(), kind));
        inner
    }

    fn records(&self) -> Vec<(String, &'static str)> {
        let records = self.names.iter().filter_map(|(name, kind)| match kind {
            Kind::Record(subject) => Some((name.clone(), *subject)),
            _ => None,
        });
        records.collect()
    }
}

/// A record, with its subject.
pub fn record(c: &mut Choices, scene: &mut Scene, depth: usize) -> (String, &'static str) {
    let records = scene.records();
    let (name, subject) = records[records.len() - 1 - c.below(records.len())].clone();
    if depth == 0 || c.below(3) == 0 {
        return (name, subject);
    }
    match (subject, c.below(4)) {
        ("request", 0 | 1) => (format!("{name}.response"), "response"),
        ("request", 2) => (format!("{name}.before"), "request"),
        ("response", 0..=2) => (format!("{name}.request"), "request"),
        ("message", 0) => (format!("{name}.request"), "request"),
        ("message", 1) => (format!("{name}.response"), "response"),
        ("tool", 0..=2) => (format!("{name}.listing"), "listing"),
        ("listing", 0) => (format!("{name}.response"), "response"),
        ("exchange", 0 | 1) => (format!("{name}.request"), "request"),
        ("session", 0) => (format!("{name}.first"), "message"),
        ("session", 1) => (format!("{name}.last"), "message"),
        ("request" | "response" | "message" | "frame", 3) => (format!("{name}.exchange"), "exchange"),
        _ => {
            let (list, kind) = list(c, scene, depth - 1);
            let Kind::Record(subject) = kind else {
                return (format!("{name}.session"), "session");
            };
            let element = scene.name(kind);
            let mut inner = scene.with(&element, kind);
            let body = condition(c, &mut inner, depth - 1);
            scene.next = inner.next;
            let form = c.of(&["first", "last"]);
            (format!("({form} {element} in {list}: {body})"), subject)
        }
    }
}

/// A list, with the kind of its elements.
pub fn list(c: &mut Choices, scene: &mut Scene, depth: usize) -> (String, Kind) {
    let history = scene.history && c.below(3) != 0;
    if history {
        let (collection, subject) = c.of(&COLLECTIONS);
        let kind = Kind::Record(subject);
        let whose = if c.once_in(5) {
            let records = scene.records();
            format!("{}.", records[c.below(records.len())].0)
        } else {
            String::new()
        };
        let later = c.once_in(3);
        let cut = match c.below(8) {
            6 => {
                let bound = if depth > 0 {
                    record(c, scene, depth - 1).0
                } else {
                    scene.names[0].0.clone()
                };
                format!(".{}({bound})", if later { "until" } else { "since" })
            }
            7 => format!(".{}({})", if later { "until" } else { "since" }, c.of(&LENGTHS)),
            _ => String::new(),
        };
        let text = if later {
            format!("{whose}later{cut}.{collection}")
        } else if c.once_in(8) {
            return (format!("{whose}earlier{cut}.open"), Kind::Record("request"));
        } else {
            format!("{whose}earlier{cut}.{collection}")
        };
        return if c.once_in(5) {
            (format!("known({text})"), kind)
        } else {
            (text, kind)
        };
    }
    match c.below(7) {
        0 | 1 => {
            let records = scene.records();
            for (name, subject) in records.iter().rev() {
                let found = match *subject {
                    "request" => ("responses", "response"),
                    "session" => c.of(&COLLECTIONS),
                    "listing" => ("tools", "tool"),
                    "exchange" => ("messages", "message"),
                    _ => continue,
                };
                return (format!("{name}.{}", found.0), Kind::Record(found.1));
            }
            (json(c, scene, depth), Kind::Json)
        }
        2 if depth > 0 => {
            let (inner_list, kind) = list(c, scene, depth - 1);
            let element = scene.name(kind);
            let mut inner = scene.with(&element, kind);
            let body = condition(c, &mut inner, depth - 1);
            scene.next = inner.next;
            (format!("(those {element} in {inner_list}: {body})"), kind)
        }
        3 if depth > 0 => {
            let (inner_list, kind) = list(c, scene, depth - 1);
            let element = scene.name(kind);
            let mut inner = scene.with(&element, kind);
            let body = json(c, &mut inner, depth - 1);
            scene.next = inner.next;
            (format!("(each {element} in {inner_list}: {body})"), Kind::Json)
        }
        4 if depth > 0 => {
            let (inner_list, kind) = list(c, scene, depth - 1);
            let element = scene.name(kind);
            let mut inner = scene.with(&element, kind);
            let key = json(c, &mut inner, depth - 1);
            scene.next = inner.next;
            (
                format!("(duplicates {element} in {inner_list}: {key})"),
                Kind::Pair,
            )
        }
        5 => (
            format!("[{}, {}]", json(c, scene, 0), json(c, scene, 0)),
            Kind::Json,
        ),
        _ => (json(c, scene, depth.min(1)), Kind::Json),
    }
}

/// JSON of some kind.
pub fn json(c: &mut Choices, scene: &mut Scene, depth: usize) -> String {
    if depth > 0 && c.once_in(6) {
        return match c.below(5) {
            0 => format!(
                "(if {} then {} else {})",
                condition(c, scene, depth - 1),
                json(c, scene, depth - 1),
                json(c, scene, depth - 1)
            ),
            1 => format!("known({})", json(c, scene, depth - 1)),
            2 => format!("({}).otherwise({})", json(c, scene, depth - 1), json(c, scene, 0)),
            3 => format!("({} + 1)", json(c, scene, depth - 1)),
            _ => format!("pick({})", json(c, scene, depth - 1)),
        };
    }
    let own: Vec<(String, Kind)> = scene.names.clone();
    let (name, kind) = own[own.len() - 1 - c.below(own.len())].clone();
    let subject = match kind {
        Kind::Json => {
            return match c.below(4) {
                0 => format!("{name}.name"),
                1 => format!("{name}[0]"),
                _ => name,
            };
        }
        Kind::Pair => return format!("{name}.{}", c.of(&["key"])),
        Kind::Record(subject) => subject,
    };
    let (name, subject) = if depth > 0 && c.once_in(3) {
        record(c, scene, depth - 1)
    } else {
        (name, subject)
    };
    let member = match subject {
        "request" => c.of(&[
            "params.name",
            "method",
            "id",
            "params.arguments.n",
            "params.arguments",
            "tool_name",
            "answer",
            "params[\"_meta\"]",
            "body",
            "response.error.code",
            "response.result.tools",
            "params.arguments.region",
        ]),
        "response" => c.of(&[
            "id",
            "result.tools",
            "error.code",
            "result.content[0].text",
            "request.params.name",
            "result",
            "result.tools[0].name",
            "request.method",
        ]),
        "message" => c.of(&["id", "method", "params", "body", "result.isError", "error.code"]),
        "notification" => c.of(&["method", "params.requestId", "params"]),
        "tool" => c.of(&[
            "name",
            "inputSchema.properties.region",
            "inputSchema",
            "known_as",
            "body",
        ]),
        "listing" => c.of(&["response.result.nextCursor", "response.id"]),
        "exchange" => c.of(&["request.method", "request.params.name", "request.id"]),
        "frame" => c.of(&["json.method", "json.id", "json"]),
        _ => c.of(&["first.method", "last.id", "first.params.name"]),
    };
    format!("{name}.{member}")
}

pub fn count(c: &mut Choices, scene: &mut Scene, depth: usize) -> String {
    let (list_text, kind) = list(c, scene, depth.saturating_sub(1));
    let element = scene.name(kind);
    let mut inner = scene.with(&element, kind);
    let more = if c.once_in(6) {
        let (list_text, kind) = list(c, &mut inner, 0);
        let other = inner.name(kind);
        inner.names.push((other.clone(), kind));
        format!(", {other} in {list_text}")
    } else {
        String::new()
    };
    let body = condition(c, &mut inner, depth.saturating_sub(1));
    scene.next = inner.next;
    format!("(count {element} in {list_text}{more}: {body})")
}

pub fn condition(c: &mut Choices, scene: &mut Scene, depth: usize) -> String {
    if depth == 0 {
        return simple(c, scene, 0);
    }
    match c.below(14) {
        0 | 1 => format!(
            "({} and {})",
            condition(c, scene, depth - 1),
            condition(c, scene, depth - 1)
        ),
        2 => format!(
            "({} or {})",
            condition(c, scene, depth - 1),
            condition(c, scene, depth - 1)
        ),
        3 => format!("not ({})", condition(c, scene, depth - 1)),
        4..=7 => {
            let form = c.of(&["any", "any", "all"]);
            let (list_text, kind) = list(c, scene, depth - 1);
            let element = scene.name(kind);
            let mut inner = scene.with(&element, kind);
            let more = if c.once_in(6) {
                let (list_text, kind) = list(c, &mut inner, 0);
                let other = inner.name(kind);
                inner.names.push((other.clone(), kind));
                format!(", {other} in {list_text}")
            } else {
                String::new()
            };
            let body = condition(c, &mut inner, depth - 1);
            scene.next = inner.next;
            format!("({form} {element} in {list_text}{more}: {body})")
        }
        8 => {
            let number = count(c, scene, depth);
            let op = c.of(&[">", "<", ">=", "<=", "==", "!="]);
            if c.once_in(4) {
                let other = count(c, scene, depth - 1);
                return format!("({number} {op} {other})");
            }
            format!("({number} {op} {})", c.below(4))
        }
        9 => {
            let (mut text, _) = record(c, scene, depth);
            if !text.contains(['.', '(']) {
                text = json(c, scene, 0);
            }
            format!("({text} {})", c.of(&["exists", "missing"]))
        }
        _ => simple(c, scene, depth),
    }
}

/// A condition without parts that are conditions.
fn simple(c: &mut Choices, scene: &mut Scene, depth: usize) -> String {
    match c.below(16) {
        // An equation between two names, as indexes are made of.
        1..=4 => {
            let (a, b) = (json(c, scene, depth), json(c, scene, depth));
            if a == b {
                format!("({a} == [])")
            } else {
                format!("({a} == {b})")
            }
        }
        0 => format!(
            "({} == {})",
            json(c, scene, depth),
            c.of(&["\"a\"", "1", "null", "\"tools/call\"", "[]", "missing", "-32601"])
        ),
        5 => format!("({} {})", json(c, scene, depth), c.of(&["exists", "missing"])),
        6 => format!(
            "({} {} {})",
            json(c, scene, depth),
            c.of(&["<", ">", "<=", ">="]),
            c.of(&["1", "2", "\"b\""])
        ),
        7 => format!(
            "({} in {})",
            json(c, scene, depth),
            c.of(&["[\"a\", 1, null]", "[2, \"tools/list\"]"])
        ),
        8 => format!("({} has \"name\")", json(c, scene, depth)),
        9 => format!(
            "({} is {})",
            json(c, scene, depth),
            c.of(&["string", "list", "object", "integer", "null", "number"])
        ),
        10 => {
            let (list, kind) = list(c, scene, 0);
            let records = scene.records();
            let same = records.iter().find(|(_, subject)| kind == Kind::Record(subject));
            match (kind, same) {
                (Kind::Record(_), Some((name, _))) => format!("({name} in {list})"),
                (Kind::Json, _) => format!("({} in {list})", json(c, scene, 0)),
                _ => format!("({} missing)", json(c, scene, 0)),
            }
        }
        11 => {
            let (name, subject) = record(c, scene, depth.min(1));
            let fitting: Vec<&(String, &str)> = scene
                .premises
                .iter()
                .filter(|(_, on)| {
                    *on == subject
                        || *on == "message" && matches!(subject, "request" | "response" | "notification")
                })
                .collect();
            match fitting.len() {
                0 => format!("({} exists)", json(c, scene, 0)),
                n if c.once_in(4) && n > 1 => format!("({name} fails tag \"t{}\")", c.below(2)),
                n => format!("({name} fails {})", fitting[c.below(n)].0),
            }
        }
        12 => format!(
            "({} matches /{}/)",
            json(c, scene, depth),
            c.of(&["a", "^tools", "[0-9]"])
        ),
        13 => {
            let requests: Vec<String> = scene
                .records()
                .into_iter()
                .filter(|(_, s)| *s == "request")
                .map(|(n, _)| n)
                .collect();
            match requests.len() {
                0 => format!("({} == 2)", json(c, scene, 0)),
                n => {
                    let (a, b) = (&requests[c.below(n)], &requests[c.below(n)]);
                    c.of(&["same", "asked", "seen"])
                        .replace("same", &format!("same_name({a}, {b})"))
                        .replace("asked", &format!("asked_before({a})"))
                        .replace("seen", &format!("{a}.seen_before"))
                }
            }
        }
        _ => particular(c, scene),
    }
}

/// Attributes that are no JSON.
fn particular(c: &mut Choices, scene: &mut Scene) -> String {
    let records = scene.records();
    let (name, subject) = records[c.below(records.len())].clone();
    match subject {
        "session" => c.of(&[
            "N.ended",
            "N.revision == \"2025-06-18\"",
            "N.transport == \"http\"",
            "N.time exists",
            "N.origin exists",
            "N.first exists",
        ]),
        "exchange" => c.of(&[
            "N.status == 200",
            "N.ended == \"complete\"",
            "N.method == \"POST\"",
            "N.response_headers[\"mcp-session-id\"] exists",
            "N.request_headers has \"mcp-method\"",
            "N.request exists",
            "N.session.time exists",
            "N.later.exchanges has N",
        ]),
        "listing" => c.of(&["N.complete", "N.response exists", "N.method == \"tools/list\""]),
        "tool" => c.of(&[
            "N.listing.complete",
            "N.index > 0",
            "N.revision == \"2026-07-28\"",
        ]),
        "frame" => c.of(&[
            "N.bytes > 60",
            "N.text exists",
            "N.kind == \"line\"",
            "N.sender == \"client\"",
        ]),
        "request" => c.of(&[
            "N.elapsed > 1s",
            "N.headers[\"mcp-method\"] == N.method",
            "N.status == 200",
            "N.sender == \"client\"",
            "N.session.ended",
            "N.revision == \"2026-07-28\"",
            "N.session.revision exists",
            "N.batch exists",
            "N.session.last.time - N.time > 1s",
            "known(N.response) missing",
            "N.seen_before",
            "N.before exists",
            "N.exchange.ended == \"complete\"",
            "N.principal == N.session.principal",
            "N.index > 2",
            "N.headers[\"host\"] exists",
            "N.event missing",
        ]),
        "response" => c.of(&[
            "N.status == 200",
            "N.request exists",
            "N.tools_before > 1",
            "N.asked_again",
            "N.event.id exists",
            "N.headers[\"content-type\"] == \"application/json\"",
            "N.session.revision == \"2025-06-18\"",
            "N.request.response == N",
            "N.time exists",
        ]),
        _ => c.of(&[
            "N.kind != \"malformed\"",
            "N.sender == \"server\"",
            "N.session.first == N",
            "N.transport == \"http\"",
            "N.time exists",
            "N.session.ended",
        ]),
    }
    .replace('N', &name)
}
