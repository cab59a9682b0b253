//! What the bundled rules say of a recording, and in which of its exchanges.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use wirelint::diagnostic::Severity;
use wirelint::engine::finding::Finding;
use wirelint::engine::run::{Report, Settings as RunSettings, on_threads, run_each};
use wirelint::input::{Input, Limits, Recording};
use wirelint::lang::ast::{File, ItemKind, Level, Party};
use wirelint::lang::check::{Settings, check, name_matches};
use wirelint::lang::compile::{Plan, compile};
use wirelint::lang::parse::parse;
use wirelint::lang::program::Program;
use wirelint::source::SourceMap;

use super::checks::Check;
use crate::cli::root;
use crate::syntax::rendered;

/// One HTTP exchange: what the client asked for in it.
#[derive(Debug, Default)]
pub struct Exchange {
    pub method: String,
    /// The tool, prompt or resource that it is about.
    pub target: String,
}

/// A finding, as far as it is compared.
#[derive(Debug)]
pub struct Fault {
    pub rule: String,
    pub by: Option<Party>,
    pub exchange: Option<u64>,
    /// All that it says, and the ways to what it marks.
    pub text: String,
}

/// What is seen in a recording.
#[derive(Debug, Default)]
pub struct Seen {
    pub exchanges: BTreeMap<u64, Exchange>,
    pub faults: Vec<Fault>,
    /// The rules that judged something in it.
    pub judged: BTreeSet<String>,
}

/// The text of all rules. Another test holds the folder equal to what is embedded: a rule can be mended without a build.
fn files(sources: &mut SourceMap) -> Vec<File> {
    let folders = fs::read_dir(root().join("rules")).unwrap();
    let mut paths: Vec<PathBuf> = folders
        .flat_map(|pack| fs::read_dir(pack.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    paths.sort();
    let mut read = |path: &PathBuf| {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).unwrap();
        parse(sources.add(name, text.as_str()), &text).0
    };
    paths.iter().map(&mut read).collect()
}

/// The rules, ready to be run.
pub struct Rules {
    names: Vec<String>,
    plan: Plan,
}

/// All rules, with those turned on that checks name.
pub fn rules(checks: &[Check]) -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| {
        let program = program(checks);
        let names = program.rules.iter().map(|rule| rule.name.to_string()).collect();
        let plan = compile(&program);
        Rules { names, plan }
    })
}

/// Every place counts, so nothing is said `once`.
fn program(checks: &[Check]) -> Program {
    let mut sources = SourceMap::default();
    let mut files = files(&mut sources);
    for item in files.iter_mut().flat_map(|file| &mut file.items) {
        if let ItemKind::Rule(rule) = &mut item.kind {
            rule.once = None;
        }
    }
    let (mut program, said) = check(&files, &sources, &Settings::default());
    assert!(
        said.iter().all(|d| d.severity != Severity::Error),
        "{}",
        rendered(&sources, &said)
    );
    let named: BTreeSet<&str> = checks.iter().flat_map(Check::named).map(String::as_str).collect();
    for rule in &mut program.rules {
        if rule.level == Level::Off && named.contains(&*rule.name) {
            rule.level = Level::Warning;
        }
    }
    program
}

impl Rules {
    /// The names and patterns in checks that no rule fits.
    pub fn lack<'c>(&self, checks: &'c [Check]) -> BTreeSet<&'c String> {
        let fits = |pattern: &str| self.names.iter().any(|name| name_matches(pattern, name));
        let named = checks.iter().flat_map(Check::named);
        named.filter(|pattern| !fits(pattern)).collect()
    }

    /// Runs over some recordings.
    pub fn see(&self, paths: &[&Path]) -> Vec<Seen> {
        let open = |number: usize| {
            let input = Input::File(paths[number].to_owned());
            Recording::open(&input, 0, Limits::default())
        };
        let work = || run_each(&self.plan, paths.len(), open, &RunSettings::default());
        let reports = on_threads(None, work).unwrap();
        let pairs = paths.iter().zip(&reports);
        pairs.map(|(path, report)| Seen::of(path, report)).collect()
    }
}

impl Seen {
    fn of(path: &Path, report: &Report) -> Seen {
        assert!(report.broken.is_none(), "{}: {:?}", path.display(), report.broken);
        let text = fs::read_to_string(path).unwrap();
        let records: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_default())
            .collect();
        let mut exchanges: BTreeMap<u64, Exchange> = BTreeMap::new();
        for record in records.iter().filter(|record| record["kind"] == "request") {
            exchanges.insert(record["ex"].as_u64().unwrap(), Exchange::of(record));
        }
        let name = |id: &str| id.rsplit('/').next().unwrap().to_owned();
        let fault = |finding: &Finding| Fault {
            rule: name(&finding.rule),
            by: finding.fault,
            exchange: finding.labels.first().and_then(|label| {
                let line = label.place.record.line as usize;
                records.get(line.checked_sub(1)?)?["ex"].as_u64()
            }),
            text: words(finding),
        };
        let tallies = report.summary.rules.iter();
        Seen {
            exchanges,
            faults: report.findings.iter().map(fault).collect(),
            judged: tallies
                .filter(|(_, tally)| tally.passed + tally.failed > 0)
                .map(|(id, _)| name(id))
                .collect(),
        }
    }
}

impl Exchange {
    fn of(record: &Value) -> Exchange {
        let body = record["body"].as_str().unwrap_or_default();
        let message: Value = serde_json::from_str(body).unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let params = &message["params"];
        Exchange {
            method: text(&message["method"]),
            target: text(params.get("name").unwrap_or(&params["uri"])),
        }
    }
}

fn words(finding: &Finding) -> String {
    let mut text = finding.message.clone();
    text += finding.help.as_deref().unwrap_or_default();
    for label in &finding.labels {
        text += label.text.as_deref().unwrap_or_default();
        text += label.place.inner.as_deref().unwrap_or_default();
    }
    text
}
