//! What the suite says of a recording.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// One check under one name.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The id of the check.
    pub id: String,
    /// The case of it.
    pub name: String,
    /// Whether it succeeded; `None` if the suite did not judge.
    pub good: Option<bool>,
    /// Why not.
    pub error: String,
}

impl Verdict {
    /// Reads a verdict of `verdicts.json`, or of the suite's own `checks.json`.
    pub fn read(value: &Value) -> Verdict {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let error = text("error") + &text("errorMessage");
        let status = text("status");
        let good = match status.as_str() {
            "SUCCESS" => Some(true),
            "FAILURE" | "WARNING" if !untestable(value, &error) => Some(false),
            "FAILURE" | "WARNING" | "SKIPPED" | "INFO" => None,
            _ => panic!("a check is `{status}`"),
        };
        Verdict {
            id: text("id"),
            name: text("name"),
            good,
            error,
        }
    }

    /// What a failed check complains of: each line of its error alone, without the message that it quotes.
    pub fn complaints(&self) -> Vec<Complaint<'_>> {
        let lines = self
            .error
            .lines()
            .map(|line| line.split(" — message").next().unwrap());
        let mut complaints: Vec<_> = lines.map(Complaint::read).collect();
        if complaints.is_empty() {
            complaints.push(Complaint::read(""));
        }
        complaints
    }
}

/// Whether the suite failed a check because it could not try it.
fn untestable(value: &Value, error: &str) -> bool {
    let said = ["Not testable", "Prerequisite failed"]
        .iter()
        .any(|words| error.starts_with(words));
    said || value["details"]["untestable"] == true
}

/// One thing that a check complains of.
#[derive(Debug)]
pub struct Complaint<'v> {
    /// Its words, quotes and punctuation taken away.
    pub words: Vec<&'v str>,
    /// The members that it misses.
    pub members: Vec<&'v str>,
}

impl Complaint<'_> {
    fn read(line: &str) -> Complaint<'_> {
        let around = |c: char| !c.is_alphanumeric();
        Complaint {
            words: line
                .split_whitespace()
                .map(|word| word.trim_matches(around))
                .collect(),
            members: line
                .split("must have required property '")
                .skip(1)
                .filter_map(|rest| rest.split('\'').next())
                .collect(),
        }
    }
}

/// The checks of a recording: what was checked several times under one name is bad if it was so once.
pub fn verdicts(checks: &Value) -> Vec<Verdict> {
    let mut merged: BTreeMap<(String, String), Verdict> = BTreeMap::new();
    for verdict in checks.as_array().unwrap().iter().map(Verdict::read) {
        let key = (verdict.id.clone(), verdict.name.clone());
        let known = merged.entry(key).or_insert_with(|| verdict.clone());
        if known.good.is_none() || verdict.good == Some(false) {
            *known = verdict;
        }
    }
    merged.into_values().collect()
}

/// The verdicts of a file, by recording.
pub fn verdicts_of(path: &Path) -> BTreeMap<String, Vec<Verdict>> {
    let text = std::fs::read_to_string(path).unwrap();
    let all: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    all.into_iter()
        .map(|(name, said)| (name, verdicts(&said["checks"])))
        .collect()
}
