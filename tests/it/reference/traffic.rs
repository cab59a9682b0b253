//! Recordings as texts, in the formats that recorders write.

use serde_json::{Value, json};

use super::choices::Choices;

/// A recording.
pub fn recording(c: &mut Choices) -> String {
    let mut clock = Clock {
        at: 0,
        runs: !c.once_in(4),
    };
    let steps = 2 + c.below(12);
    let mut lines: Vec<String> = vec![];
    match c.below(4) {
        0 => stdio(c, &mut clock, steps, &mut lines),
        1 | 2 => http(c, &mut clock, steps, &mut lines),
        _ => envelopes(c, &mut clock, steps, &mut lines),
    }
    if c.once_in(6) {
        // A line that cannot be read: something is lost there.
        let at = c.below(lines.len()).max(1).min(lines.len());
        lines.insert(at, "{\"kind\":\"li".to_owned());
    }
    lines.concat_lines()
}

trait Lines {
    fn concat_lines(self) -> String;
}

impl Lines for Vec<String> {
    fn concat_lines(self) -> String {
        self.into_iter().map(|line| line + "\n").collect()
    }
}

struct Clock {
    at: u64,
    runs: bool,
}

impl Clock {
    /// Adds the time to a record.
    fn stamp(&mut self, c: &mut Choices, mut record: Value) -> Value {
        self.at += c.of(&[0, 10, 1000, 30_000, 60_000]);
        if self.runs {
            let (minutes, rest) = (self.at / 60_000, self.at % 60_000);
            let ts = format!(
                "2026-01-01T00:{minutes:02}:{:02}.{:03}Z",
                rest / 1000,
                rest % 1000
            );
            record["ts"] = json!(ts);
        }
        record
    }
}

fn stdio(c: &mut Choices, clock: &mut Clock, steps: usize, lines: &mut Vec<String>) {
    if c.below(3) != 2 {
        lines.push(
            clock
                .stamp(c, json!({"kind": "meta", "command": ["server", "--a"]}))
                .to_string(),
        );
    }
    for step in 0..steps {
        let record = match c.below(24) {
            23 if step > 0 => json!({"kind": "exit", "code": 0}),
            22 if step > 0 => json!({"kind": "meta", "command": ["server"]}),
            21 => json!({"kind": "eof", "dir": c.of(&["c2s", "s2c"])}),
            _ => {
                let client = c.below(2) == 0;
                let text = payload(c, client);
                json!({"kind": "line", "dir": if client { "c2s" } else { "s2c" }, "text": text})
            }
        };
        lines.push(clock.stamp(c, record).to_string());
    }
    if c.below(2) == 1 {
        lines.push(clock.stamp(c, json!({"kind": "exit", "code": 0})).to_string());
    }
}

fn http(c: &mut Choices, clock: &mut Clock, steps: usize, lines: &mut Vec<String>) {
    let mut held_back: Vec<Value> = vec![];
    for ex in 1..=steps.div_ceil(2) {
        let mut records = exchange(c, ex).into_iter();
        if let Some(request) = records.next() {
            lines.push(clock.stamp(c, request).to_string());
        }
        // Exchanges may overlap.
        for record in std::mem::take(&mut held_back) {
            lines.push(clock.stamp(c, record).to_string());
        }
        if c.once_in(3) {
            held_back = records.collect();
        } else {
            for record in records {
                lines.push(clock.stamp(c, record).to_string());
            }
        }
    }
    for record in held_back {
        lines.push(clock.stamp(c, record).to_string());
    }
}

fn exchange(c: &mut Choices, ex: usize) -> Vec<Value> {
    let session = c.of(&["", "s1", "s2"]);
    let method = c.of(&["POST", "POST", "POST", "POST", "GET", "DELETE"]);
    let mut headers = vec![json!(["Host", "example.com"])];
    let mut header = |c: &mut Choices, names: &[&'static str], value: &str| {
        headers.push(json!([c.of(names), value]));
    };
    if !session.is_empty() {
        header(
            c,
            &["Mcp-Session-Id", "mcp-session-id", "MCP-SESSION-ID"],
            session,
        );
    }
    if c.below(2) == 1 {
        let value = c.of(&["tools/call", "tools/list", " tools/call ", "ping"]);
        header(c, &["Mcp-Method", "mcp-method", "MCP-Method"], value);
    }
    if c.below(3) != 0 {
        let version = c.of(&["2026-07-28", "2025-06-18", "2025-11-25", "x"]);
        header(c, &["MCP-Protocol-Version", "mcp-protocol-version"], version);
    }
    if c.once_in(4) {
        let token = c.of(&["Bearer a", "Bearer b"]);
        header(c, &["Authorization"], token);
    }
    let body = if method == "POST" {
        payload(c, true)
    } else {
        String::new()
    };
    let url = c.of(&["/mcp", "/mcp", "https://example.com/mcp", "/other"]);
    let mut out = vec![
        json!({"kind": "request", "ex": ex, "method": method, "url": url, "headers": headers, "body": body}),
    ];
    if c.once_in(10) {
        return out;
    }
    let stream = c.below(3) == 2 || method == "GET";
    let status = c.of(&[200, 200, 200, 202, 400, 404]);
    let mut headers = vec![json!([
        "Content-Type",
        if stream {
            "text/event-stream"
        } else {
            "application/json"
        }
    ])];
    if c.once_in(3) {
        headers.push(json!(["Mcp-Session-Id", c.of(&["s1", "s2"])]));
    }
    out.push(json!({"kind": "response", "ex": ex, "status": status, "headers": headers}));
    if stream {
        for n in 0..c.below(4) {
            let mut event = json!({"kind": "sse", "ex": ex, "data": payload(c, false)});
            if c.once_in(3) {
                event["id"] = json!(n.to_string());
            }
            if c.once_in(4) {
                event["event"] = json!(c.of(&["message", "endpoint"]));
            }
            out.push(event);
        }
    } else if status != 202 {
        out.push(json!({"kind": "body", "ex": ex, "body": payload(c, false)}));
    }
    match c.below(5) {
        4 => {}
        3 => out.push(json!({"kind": "abort", "ex": ex, "side": c.of(&["client", "server"])})),
        _ => out.push(json!({"kind": "end", "ex": ex})),
    }
    out
}

fn envelopes(c: &mut Choices, clock: &mut Clock, steps: usize, lines: &mut Vec<String>) {
    for _ in 0..steps {
        let client = c.below(2) == 0;
        let mut record = json!({"msg": message(c, client)});
        if c.below(5) != 4 {
            record["dir"] = json!(if client { "c2s" } else { "s2c" });
        }
        match c.below(4) {
            0 => record["session"] = json!("a"),
            1 => record["session"] = json!("b"),
            _ => {}
        }
        match c.below(4) {
            0 => {
                record["http"] =
                    json!({"method": "POST", "status": 200, "headers": {"Mcp-Method": "tools/call"}});
            }
            1 => record["transport"] = json!("stdio"),
            _ => {}
        }
        lines.push(clock.stamp(c, record).to_string());
    }
}

/// What is sent: a message, a batch, or no JSON.
fn payload(c: &mut Choices, client: bool) -> String {
    match c.below(16) {
        15 => "no json".to_owned(),
        14 => {
            let all: Vec<Value> = (0..1 + c.below(3)).map(|_| message(c, client)).collect();
            Value::Array(all).to_string()
        }
        _ => message(c, client).to_string(),
    }
}

fn id(c: &mut Choices) -> Value {
    match c.below(8) {
        0..=2 => json!(1),
        3 | 4 => json!(2),
        5 => json!("1"),
        6 => json!(1.0),
        _ => json!(null),
    }
}

fn message(c: &mut Choices, client: bool) -> Value {
    match c.below(if client { 8 } else { 16 }) {
        0..=4 => request(c, client),
        5 => {
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id(c), "reason": "x"}})
        }
        6 => {
            json!({"jsonrpc": "2.0", "method": c.of(&["notifications/initialized", "notifications/message", "notifications/tools/list_changed"])})
        }
        7 => malformed(c),
        _ => response(c),
    }
}

fn malformed(c: &mut Choices) -> Value {
    match c.below(4) {
        0 => json!({"jsonrpc": "2.0", "id": id(c), "result": {}, "error": {"code": 1}}),
        1 => json!({"id": 1, "method": 3}),
        2 => json!("text"),
        _ => json!({}),
    }
}

fn request(c: &mut Choices, client: bool) -> Value {
    let method = if client {
        c.of(&[
            "tools/call",
            "tools/list",
            "initialize",
            "tools/call",
            "ping",
            "server/discover",
        ])
    } else {
        c.of(&["sampling/createMessage", "ping"])
    };
    let mut params = json!({});
    match method {
        "tools/call" => {
            params["name"] = json!(c.of(&["a", "b", "c"]));
            params["arguments"] = arguments(c);
        }
        "tools/list" if c.below(2) == 1 => params["cursor"] = json!(c.of(&["p2", "p3"])),
        "initialize" => {
            params["protocolVersion"] = json!(c.of(&["2025-06-18", "2025-11-25", "x"]));
            params["clientInfo"] = json!({"name": c.of(&["one", "two"]), "version": "1"});
        }
        _ => {}
    }
    if c.once_in(3) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": c.of(&["2026-07-28", "2025-06-18"]),
            "io.modelcontextprotocol/clientInfo": {"name": c.of(&["one", "two", "one", "[redacted]"]), "version": "1"},
        });
    }
    json!({"jsonrpc": "2.0", "id": id(c), "method": method, "params": params})
}

fn arguments(c: &mut Choices) -> Value {
    let mut all = json!({});
    for name in ["n", "m", "region"] {
        match c.below(6) {
            0 => all[name] = json!(c.below(4)),
            1 => all[name] = json!(c.of(&["eu", "us", "eu", "us", "REDACTED"])),
            2 => all[name] = json!(null),
            3 => all[name] = json!([1, c.of(&["2", "***"]), c.below(3)]),
            4 => all[name] = json!(1.5),
            _ => {}
        }
    }
    all
}

fn response(c: &mut Choices) -> Value {
    let id = id(c);
    if c.once_in(4) {
        let error = json!({"code": c.of(&[-32601, -32022, -32602]), "message": "no"});
        return json!({"jsonrpc": "2.0", "id": id, "error": error});
    }
    let result = match c.below(4) {
        0 => json!({"content": [{"type": "text", "text": c.of(&["x", "y"])}], "isError": c.below(2) == 1}),
        1 | 2 => {
            let mut result = json!({"tools": tools(c)});
            if c.once_in(3) {
                result["nextCursor"] = json!(c.of(&["p2", "p3"]));
            }
            result
        }
        _ => {
            json!({"protocolVersion": c.of(&["2025-06-18", "2025-11-25", "x"]), "capabilities": {"tools": {}}})
        }
    };
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn tools(c: &mut Choices) -> Value {
    let tool = |c: &mut Choices| {
        let mut schema = json!({"type": "object", "properties": {}});
        for name in ["region", "n"] {
            if c.below(2) == 0 {
                schema["properties"][name] = json!({"type": c.of(&["string", "integer"])});
                if c.below(2) == 0 {
                    schema["properties"][name]["x-mcp-header"] = json!(c.of(&["Region", "region", "N"]));
                }
            }
        }
        json!({"name": c.of(&["a", "b", "c"]), "inputSchema": schema})
    };
    (0..c.below(4)).map(|_| tool(c)).collect()
}
