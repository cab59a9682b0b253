//! Every clause of every bundled rule matters: the examples of a rule notice when one is taken away, and what a finding
//! says (its message, labels, help, level, fault) stands in `tests/rules/findings.txt`.
//!
//! `BLESS=1` rewrites the golden file. `tests/rules/idle.txt` lists the clauses that no example can notice, each with
//! the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use wirelint::bundled;
use wirelint::diagnostic::Severity;
use wirelint::engine::run::{Report, Settings as RunSettings, run_events};
use wirelint::input::transcript;
use wirelint::lang::ast::{Clause, Example, File, ItemKind, Outcome, Rule};
use wirelint::lang::check::{Checker, Settings};
use wirelint::lang::compile::{Plan, compile_alone};
use wirelint::lang::parse::parse;
use wirelint::lang::program::Program;
use wirelint::model::build::Assumptions;
use wirelint::source::SourceMap;

fn bundle() -> (SourceMap, Vec<File>) {
    let mut sources = SourceMap::default();
    // Read from the folder, which another test holds equal to what is embedded: a rule can be mended without a build.
    let files = bundled::FILES.iter().map(|(name, _)| {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
        parse(sources.add(*name, text.as_str()), &text).0
    });
    let files = files.collect();
    (sources, files)
}

/// The program under the settings of an example; `None` if it does not check.
fn program(checker: &Checker, files: &[File], sources: &SourceMap, example: &Example) -> Option<Program> {
    let with = example
        .with
        .iter()
        .map(|s| (s.name.node.clone(), s.value.clone()))
        .collect();
    let settings = Settings {
        parameters: with,
        ..Settings::default()
    };
    let (program, said) = checker.again(files, sources).check(&settings);
    said.iter()
        .all(|d| d.severity != Severity::Error)
        .then_some(program)
}

/// A plan for one rule alone, tried at its severity even if it is off.
fn alone(program: &Program, id: &str) -> Plan {
    let rule = program.rules.iter().position(|rule| &*rule.id == id).unwrap();
    compile_alone(program, rule)
}

fn run(plan: &Plan, example: &Example) -> Report {
    let assumptions = Assumptions {
        begins: transcript::begins(example),
        joined: true,
        ..Assumptions::default()
    };
    let settings = RunSettings {
        assumptions,
        outcomes: true,
        ..RunSettings::default()
    };
    run_events(
        plan,
        "example",
        transcript::events(example, &plan.wanted),
        &settings,
    )
}

fn outcome(report: &Report) -> Outcome {
    let some = |such| report.outcomes.iter().any(|judged| judged.outcome == such);
    [Outcome::Failed, Outcome::Undecided, Outcome::Passed]
        .into_iter()
        .find(|outcome| some(*outcome))
        .unwrap_or(Outcome::NotApplicable)
}

/// The parameters that an example sets, as they are written.
fn settings_of(example: &Example, sources: &SourceMap) -> String {
    let settings = example
        .with
        .iter()
        .map(|setting| sources.slice(setting.value.span));
    settings.collect::<Vec<_>>().join(", ")
}

/// Every rule, by the numbers of its file and item.
fn rules(files: &[File]) -> Vec<(usize, usize, &Rule)> {
    let mut out = vec![];
    for (f, file) in files.iter().enumerate() {
        for (i, item) in file.items.iter().enumerate() {
            if let ItemKind::Rule(rule) = &item.kind {
                out.push((f, i, &**rule));
            }
        }
    }
    out
}

fn id(file: &File, rule: &Rule) -> String {
    format!("{}/{}", file.pack.as_ref().unwrap().node, rule.name.node)
}

/// What must be there to try one rule: everything but the other rules, and of those the ones that it or any attribute
/// or function asks for with `fails`. Checking that takes a fraction of the time.
fn needed(sources: &SourceMap, files: &[File], of: (usize, usize)) -> Vec<File> {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .map(str::to_owned)
            .collect()
    };
    let mut asked = BTreeSet::new();
    for item in files.iter().flat_map(|file| &file.items) {
        if matches!(item.kind, ItemKind::Attribute(_) | ItemKind::Function(_)) {
            asked.extend(words(sources.slice(item.span)));
        }
    }
    let all = rules(files);
    let mut kept = BTreeSet::from([of]);
    let mut fresh = vec![of];
    while let Some((f, i)) = fresh.pop() {
        let item = &files[f].items[i];
        let ItemKind::Rule(rule) = &item.kind else {
            continue;
        };
        let text = sources.slice(item.span);
        let examples = rule.examples.first().map_or(text.len(), |example| {
            (example.span.start - item.span.start) as usize
        });
        asked.extend(words(&text[..examples]));
        for (f, i, rule) in &all {
            let tagged = rule.tags.iter().any(|tag| asked.contains(&tag.node));
            if (tagged || asked.contains(&rule.name.node)) && kept.insert((*f, *i)) {
                fresh.push((*f, *i));
            }
        }
    }
    let mut out = files.to_vec();
    for (f, file) in out.iter_mut().enumerate() {
        let mut at = 0;
        file.items.retain(|item| {
            at += 1;
            !matches!(item.kind, ItemKind::Rule(_) | ItemKind::Profile(_)) || kept.contains(&(f, at - 1))
        });
    }
    out
}

/// The rule of an id, to be changed.
fn rule_of<'f>(files: &'f mut [File], wanted: &str) -> &'f mut Rule {
    for file in files {
        let pack = file.pack.as_ref().unwrap().node.clone();
        for item in &mut file.items {
            if let ItemKind::Rule(rule) = &mut item.kind
                && format!("{pack}/{}", rule.name.node) == wanted
            {
                return rule;
            }
        }
    }
    panic!("no rule {wanted}")
}

#[test]
fn what_examples_report() {
    let (sources, files) = bundle();
    let checker = Checker::new(&files, &sources);
    let listed = checker.check(&Settings::default()).0;
    let mut out = String::new();
    for (f, i, rule) in rules(&files) {
        let id = id(&files[f], rule);
        let few = needed(&sources, &files, (f, i));
        let known = listed.rules.iter().find(|r| *r.id == *id).unwrap();
        let _ = writeln!(
            out,
            "== {id}: {:?} against {:?}, tags {:?}",
            known.severity, known.fault, known.tags
        );
        let _ = writeln!(
            out,
            "   sources {:?}, scope {:?}, revision {:?}",
            known.sources, known.scope, known.revision
        );
        let mut plans: BTreeMap<String, Plan> = BTreeMap::new();
        for example in known.examples.iter().filter(|e| e.outcome == Outcome::Failed) {
            let plan = plans
                .entry(settings_of(example, &sources))
                .or_insert_with(|| alone(&program(&checker, &few, &sources, example).unwrap(), &id));
            let title = example.title.as_ref().map_or("", |t| &t.node);
            let _ = writeln!(out, "-- {title}");
            for finding in run(plan, example).findings {
                let _ = writeln!(
                    out,
                    "{:?} {:?}: {}",
                    finding.level, finding.fault, finding.message
                );
                for mark in &finding.labels {
                    let inner = mark.place.inner.as_deref().unwrap_or("");
                    let name = if mark.place.on_name { " (name)" } else { "" };
                    let text = mark.text.as_deref().unwrap_or("");
                    let _ = writeln!(out, "   at {}{inner}{name}: {text}", mark.place.outer);
                }
                if let Some(help) = &finding.help {
                    let _ = writeln!(out, "   help {help}");
                }
                if finding.repeats > 0 {
                    let _ = writeln!(out, "   and {} more", finding.repeats);
                }
            }
        }
        out.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/findings.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &out).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    for (line, (got, wanted)) in out.lines().zip(expected.lines()).enumerate() {
        assert_eq!(
            got,
            wanted,
            "tests/rules/findings.txt:{} (BLESS=1 rewrites it)",
            line + 1
        );
    }
    assert_eq!(
        out.len(),
        expected.len(),
        "tests/rules/findings.txt has more or fewer lines"
    );
}

/// The ways to take one clause away.
fn mutants(rule: &Rule) -> Vec<(String, Rule)> {
    let mut out = vec![];
    let mut without = |what: String, change: &dyn Fn(&mut Rule)| {
        let mut mutant = rule.clone();
        change(&mut mutant);
        out.push((what, mutant));
    };
    if !rule.revision.is_empty() {
        without("revision".to_owned(), &|r| r.revision.clear());
    }
    if rule.revision.len() > 1 {
        for at in 0..rule.revision.len() {
            without(format!("revision bound {}", at + 1), &|r| {
                drop(r.revision.remove(at))
            });
        }
    }
    if rule.on.guard.is_some() {
        without("on … where".to_owned(), &|r| r.on.guard = None);
    }
    if rule.on.from.is_some() {
        without("on … from".to_owned(), &|r| r.on.from = None);
    }
    if rule.on.over.is_some() {
        without("on … over".to_owned(), &|r| r.on.over = None);
    }
    if !rule.on.methods.is_empty() {
        without("on … of".to_owned(), &|r| r.on.methods.clear());
    }
    let mut number = 0;
    for (at, clause) in rule.clauses.iter().enumerate() {
        match clause {
            Clause::When(_) => {
                number += 1;
                without(format!("when {number}"), &|r| drop(r.clauses.remove(at)));
            }
            Clause::Undecided { .. } => without("undecided when".to_owned(), &|r| drop(r.clauses.remove(at))),
            Clause::For { guard: Some(_), .. } => without("for … where".to_owned(), &|r| {
                if let Clause::For { guard, .. } = &mut r.clauses[at] {
                    *guard = None;
                }
            }),
            _ => {}
        }
    }
    if rule.verdicts.len() > 1 {
        for at in 0..rule.verdicts.len() {
            without(format!("verdict {}", at + 1), &|r| drop(r.verdicts.remove(at)));
        }
    }
    out
}

#[test]
fn every_clause_is_noticed() {
    let (sources, files) = bundle();
    let idle_path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/idle.txt");
    let idle = fs::read_to_string(&idle_path).unwrap_or_default();
    let idle: BTreeSet<&str> = idle
        .lines()
        .filter_map(|line| line.split(" // ").next())
        .map(str::trim)
        .collect();
    let checker = Checker::new(&files, &sources);
    let listed = checker.check(&Settings::default()).0;
    // A part of a rule's id, to look at a few rules only.
    let only = std::env::var("RULES").unwrap_or_default();
    let mut survivors = BTreeSet::new();
    let mut tried = 0;
    for (f, i, rule) in rules(&files) {
        let id = id(&files[f], rule);
        if !id.contains(&only) {
            continue;
        }
        let known = listed.rules.iter().find(|r| *r.id == *id).unwrap();
        let mut changed = needed(&sources, &files, (f, i));
        let whole = checker.again(&changed, &sources).check(&Settings::default()).1;
        let broken: Vec<_> = whole.iter().filter(|d| d.severity == Severity::Error).collect();
        assert!(broken.is_empty(), "{id} alone: {broken:?}");
        for (what, mutant) in mutants(rule) {
            tried += 1;
            *rule_of(&mut changed, &id) = mutant;
            let mut plans: BTreeMap<String, Option<Plan>> = BTreeMap::new();
            let noticed = known.examples.iter().any(|example| {
                let key = settings_of(example, &sources);
                let plan = plans.entry(key).or_insert_with(|| {
                    program(&checker, &changed, &sources, example).map(|program| alone(&program, &id))
                });
                // A rule that does not even check any more is noticed as well.
                plan.as_ref()
                    .is_none_or(|plan| outcome(&run(plan, example)) != example.outcome)
            });
            if !noticed {
                survivors.insert(format!("{id}: {what}"));
            }
        }
    }
    assert!(tried > 150 || !only.is_empty(), "only {tried} clauses were tried");
    let new: Vec<&String> = survivors.iter().filter(|s| !idle.contains(s.as_str())).collect();
    let gone: Vec<&&str> = idle
        .iter()
        .filter(|s| s.contains(&only) && !s.is_empty() && !survivors.contains(**s))
        .collect();
    assert!(new.is_empty(), "no example notices these: {new:#?}");
    assert!(
        gone.is_empty(),
        "these are noticed now, take them out of tests/rules/idle.txt: {gone:#?}"
    );
}
