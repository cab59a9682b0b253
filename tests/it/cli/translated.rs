//! The same traffic gives the same findings in every format, less what the poorer format cannot show.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{root, wirelint};

/// An exchange of a log of HTTP traffic.
#[derive(Default)]
struct Exchange {
    request: Value,
    response: Option<Value>,
    /// Bodies and events, with their times.
    bodies: Vec<Value>,
    ended: Option<String>,
    whole: bool,
}

/// The exchanges of a log, in the order of their requests; `None` if it is no such log, or one that lacks something.
fn exchanges(path: &Path) -> Option<Vec<Exchange>> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut all: BTreeMap<u64, Exchange> = BTreeMap::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).ok()?;
        let Some(number) = record["ex"].as_u64() else {
            if record["kind"].is_string() {
                return None;
            }
            continue;
        };
        if record.get("truncated").is_some() || record.get("base64").is_some() {
            return None;
        }
        let exchange = all.entry(number).or_default();
        let ts = record["ts"].as_str()?.to_owned();
        match record["kind"].as_str()? {
            "request" => exchange.request = record,
            "response" => exchange.response = Some(record),
            "body" | "sse" => exchange.bodies.push(record),
            kind => {
                exchange.ended = Some(ts);
                exchange.whole = kind == "end";
            }
        }
    }
    let mut all: Vec<_> = all.into_values().collect();
    if all.iter().any(|exchange| exchange.request.is_null()) {
        return None;
    }
    all.sort_by_key(|exchange| exchange.request["ts"].to_string());
    (!all.is_empty()).then_some(all)
}

/// The milliseconds of the day that a time such as `2026-09-14T08:30:01.180Z` names.
fn of_day(ts: &str) -> u64 {
    let number = |at: std::ops::Range<usize>| ts[at].parse::<u64>().unwrap();
    ((number(11..13) * 60 + number(14..16)) * 60 + number(17..19)) * 1000 + number(20..23)
}

impl Exchange {
    fn began(&self) -> u64 {
        of_day(self.request["ts"].as_str().unwrap())
    }

    /// How long it took, in milliseconds.
    fn lasted(&self) -> u64 {
        let last = self.bodies.last().and_then(|body| body["ts"].as_str());
        let last = self.ended.as_deref().or(last);
        last.map_or(1, |last| of_day(last).saturating_sub(self.began()))
    }

    /// How long it took to the head of the response, in milliseconds.
    fn waited(&self) -> u64 {
        let head = self.response.as_ref().and_then(|head| head["ts"].as_str());
        let waited = head.map_or(0, |head| of_day(head).saturating_sub(self.began()));
        waited.min(self.lasted())
    }

    /// Something of another exchange happened while events of this one came, or may have come.
    fn is_crossed(&self, all: &[Exchange]) -> bool {
        let (from, to) = (self.began(), self.began() + self.lasted());
        let events = !self.whole || self.bodies.iter().any(|body| body["kind"] == "sse");
        let other = |other: &&Exchange| !std::ptr::eq(*other, self);
        events
            && all
                .iter()
                .filter(other)
                .any(|other| (from..=to).contains(&other.began()))
    }

    fn url(&self) -> String {
        match self.request["url"].as_str().unwrap() {
            target if target.starts_with('/') => format!("http://localhost{target}"),
            url => url.to_owned(),
        }
    }

    /// The body of the response as it went over the wire, but for comments.
    fn text(&self) -> String {
        let mut text = String::new();
        for body in &self.bodies {
            if body["kind"] == "body" {
                text.push_str(body["body"].as_str().unwrap());
                continue;
            }
            for name in ["event", "id", "retry"] {
                match &body[name] {
                    Value::Null => {}
                    Value::String(value) => text.push_str(&format!("{name}: {value}\n")),
                    value => text.push_str(&format!("{name}: {value}\n")),
                }
            }
            for line in body["data"].as_str().unwrap_or("").split('\n') {
                text.push_str(&format!("data: {line}\n"));
            }
            text.push('\n');
        }
        text
    }
}

fn pairs(headers: &Value) -> impl Iterator<Item = (&str, &str)> {
    let pairs = headers.as_array().into_iter().flatten();
    pairs.map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
}

fn har(all: &[Exchange]) -> String {
    let lines = |headers: &Value| -> Vec<Value> {
        pairs(headers)
            .map(|(name, value)| json!({"name": name.to_lowercase(), "value": value}))
            .collect()
    };
    let entries = all.iter().map(|exchange| {
        let request = &exchange.request;
        let mut asked = json!({
            "method": request["method"], "url": exchange.url(), "httpVersion": "HTTP/1.1",
            "headers": lines(&request["headers"]), "cookies": [], "queryString": [], "headersSize": -1, "bodySize": -1,
        });
        let body = request["body"].as_str().unwrap_or("");
        if !body.is_empty() {
            asked["postData"] = json!({"mimeType": "application/json", "text": body});
        }
        let head = exchange.response.clone().unwrap_or_default();
        let text = exchange.text();
        let mime = pairs(&head["headers"])
            .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))
            .map_or("", |(_, value)| value)
            .to_owned();
        let mut answered = json!({
            "status": head["status"].as_u64().unwrap_or(0), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": lines(&head["headers"]), "redirectURL": "", "headersSize": -1, "bodySize": -1,
            "content": {"size": text.len(), "mimeType": mime, "text": text},
        });
        if !exchange.whole {
            answered["_error"] = json!("net::ERR_ABORTED");
        }
        json!({
            "startedDateTime": request["ts"], "time": exchange.lasted(), "cache": {},
            "timings": {"send": 0, "wait": exchange.waited(), "receive": exchange.lasted() - exchange.waited()},
            "request": asked, "response": answered,
        })
    });
    json!({"log": {"version": "1.2", "creator": {"name": "a proxy", "version": "1"}, "entries": entries.collect::<Vec<_>>()}})
        .to_string()
}

/// A capture by tshark in which each exchange has a connection of its own.
fn capture(all: &[Exchange]) -> String {
    let lines = |headers: &Value| -> Vec<String> {
        pairs(headers)
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect()
    };
    let mut packets: Vec<(String, usize, Value)> = Vec::new();
    for (stream, exchange) in all.iter().enumerate() {
        let request = &exchange.request;
        let mut http = json!({
            "http_http_request_method": request["method"], "http_http_request_uri": request["url"],
            "http_http_request_line": lines(&request["headers"]),
        });
        let body = request["body"].as_str().unwrap_or("");
        if !body.is_empty() {
            http["http_http_file_data"] = json!(body);
        }
        packets.push((request["ts"].as_str().unwrap().to_owned(), stream, http));
        // What is under way is shown when it is complete.
        if let (Some(head), Some(ended), true) = (&exchange.response, &exchange.ended, exchange.whole) {
            let mut http = json!({
                "http_http_response_code": head["status"].to_string(),
                "http_http_response_line": lines(&head["headers"]),
            });
            let text = exchange.text();
            if !text.is_empty() {
                http["http_http_file_data"] = json!(text);
            }
            packets.push((ended.clone(), stream, http));
        }
    }
    packets.sort_by(|a, b| a.0.cmp(&b.0));
    let mut out = String::new();
    for (number, (ts, stream, http)) in packets.into_iter().enumerate() {
        out.push_str("{\"index\":{\"_index\":\"packets\"}}\n");
        let packet = json!({"timestamp": (1_798_761_600_000 + of_day(&ts)).to_string(), "layers": {
            "frame": {"frame_frame_number": (number + 1).to_string(), "frame_frame_time_utc": ts},
            "tcp": {"tcp_tcp_stream": stream.to_string()},
            "http": http,
        }});
        out.push_str(&packet.to_string());
        out.push('\n');
    }
    out
}

/// Messages alone, with their direction and time.
fn envelopes(all: &[Exchange]) -> String {
    let mut lines: Vec<(String, &str, Value)> = Vec::new();
    let mut add = |ts: &Value, direction, text: &Value| {
        if let Ok(message) = serde_json::from_str(text.as_str().unwrap_or("")) {
            lines.push((ts.as_str().unwrap().to_owned(), direction, message));
        }
    };
    for exchange in all {
        add(
            &exchange.request["ts"],
            "client_to_server",
            &exchange.request["body"],
        );
        for body in &exchange.bodies {
            let text = if body["kind"] == "body" { "body" } else { "data" };
            add(&body["ts"], "server_to_client", &body[text]);
        }
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    let lines = lines.into_iter().map(|(timestamp, direction, message)| {
        json!({"timestamp": timestamp, "direction": direction, "transport_type": "http", "message": message})
            .to_string()
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// By file, how often each rule is broken.
type Found = BTreeMap<String, BTreeMap<String, usize>>;

fn findings(folder: &Path) -> Found {
    let output = wirelint()
        .args(["check", "--format", "json"])
        .arg(folder)
        .output()
        .unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut found = Found::new();
    for finding in said["findings"].as_array().unwrap() {
        let rule = finding["rule"].as_str().unwrap();
        if !rule.starts_with("recording/") {
            let file = Path::new(finding["locations"][0]["file"].as_str().unwrap())
                .file_name()
                .unwrap();
            let rules = found.entry(file.to_string_lossy().into_owned()).or_default();
            *rules.entry(rule.to_owned()).or_default() += 1;
        }
    }
    found
}

/// Rules that ask when the events of a stream came, which a HAR does not say.
const TIMED: [&str; 1] = ["transport/sse-retry-respected"];

type Write = fn(&[Exchange]) -> String;

/// `formats_that_show`: those in which something of what is wrong can be seen.
fn same(logs: &[PathBuf], formats_that_show: &[&str]) {
    let known: Vec<_> = logs
        .iter()
        .filter_map(|log| Some((log, exchanges(log)?)))
        .collect();
    let place = TempDir::new().unwrap();
    let folder = |name: &str| {
        let folder = place.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    };
    let name = |log: &Path| log.file_name().unwrap().to_owned();
    let originals = folder("log");
    for (log, _) in &known {
        std::fs::copy(log, originals.join(name(log))).unwrap();
    }
    let expected = findings(&originals);
    assert!(!expected.is_empty());
    let formats: [(&str, Write); 3] = [("har", har), ("capture", capture), ("envelopes", envelopes)];
    for (format, write) in formats {
        let folder = folder(format);
        for (log, all) in &known {
            std::fs::write(folder.join(name(log)), write(all)).unwrap();
        }
        let found = findings(&folder);
        assert!(
            formats_that_show.contains(&format) != found.is_empty(),
            "{format}"
        );
        // A HAR lacks nothing that any of these rules asks for, but for the times of events and the order of what crosses.
        for (log, all) in &known {
            let file = name(log).into_string().unwrap();
            let crossed = all.iter().any(|exchange| exchange.is_crossed(all));
            if format == "har" && !crossed {
                let mut expected = expected.get(&file).cloned().unwrap_or_default();
                expected.retain(|rule, _| !TIMED.contains(&rule.as_str()));
                let found = found.get(&file).cloned().unwrap_or_default();
                assert_eq!(found, expected, "{file} as {format}");
            }
        }
        for (file, rules) in &found {
            let known = expected.get(file);
            for (rule, times) in rules {
                let known = known.and_then(|rules| rules.get(rule));
                assert!(
                    known.is_some_and(|known| known >= times),
                    "{rule} in {file} as {format}"
                );
            }
        }
    }
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut logs: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    logs.sort();
    logs
}

#[test]
fn formats_change_nothing() {
    let folders = ["tests/recordings", "tests/traps"];
    let logs: Vec<_> = folders
        .iter()
        .flat_map(|folder| logs(&root().join(folder)))
        .collect();
    same(&logs, &["har", "capture", "envelopes"]);
}

#[test]
fn formats_change_nothing_in_the_shared_recordings() {
    // Says so itself if they are not there.
    if let Some(place) = crate::input::shared::shared("recordings") {
        let logs: Vec<_> = ["conformance", "http"]
            .iter()
            .flat_map(|folder| logs(&place.join(folder)))
            .collect();
        same(&logs, &["har", "capture", "envelopes"]);
    }
}
