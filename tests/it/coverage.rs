//! Every demand of the protocol has a rule, or a reason why it has none: `tests/rules/demands.txt` lists them, and
//! `docs/reference/coverage.md` is made of it and of the rules. `BLESS=1` rewrites the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use wirelint::bundled;
use wirelint::lang::ast::Level;
use wirelint::lang::check::{Settings, check};
use wirelint::lang::parse::parse;
use wirelint::lang::program::{Program, Rule};
use wirelint::source::SourceMap;

/// A group of demands: its title, and each demand with the reason why it has no rule.
struct Group {
    title: String,
    demands: Vec<(String, Option<String>)>,
}

fn demands() -> Vec<Group> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/demands.txt");
    let mut groups: Vec<Group> = vec![];
    for line in fs::read_to_string(path).unwrap().lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            groups.push(Group {
                title: title.to_owned(),
                demands: vec![],
            });
            continue;
        }
        let (id, reason) = match line.split_once(" // ") {
            Some((id, reason)) => (id, Some(reason.to_owned())),
            None => (line, None),
        };
        groups
            .last_mut()
            .unwrap()
            .demands
            .push((id.trim().to_owned(), reason));
    }
    groups
}

fn program() -> Program {
    let mut sources = SourceMap::default();
    let files = bundled::FILES
        .iter()
        .map(|(name, text)| parse(sources.add(*name, *text), text).0);
    let files: Vec<_> = files.collect();
    check(&files, &sources, &Settings::default()).0
}

fn page(groups: &[Group], rules: &BTreeMap<&str, &Rule>) -> String {
    let with_rule = |group: &Group| {
        group
            .demands
            .iter()
            .filter(|(_, reason)| reason.is_none())
            .count()
    };
    let all: usize = groups.iter().map(|group| group.demands.len()).sum();
    let covered: usize = groups.iter().map(with_rule).sum();
    let mut out = format!(
        "# Coverage\n\nOf {all} demands of the protocol that a recording can show, {covered} are rules. Each of the others has its reason here.\n\n\
         | group | demands | rules |\n|---|---|---|\n"
    );
    for group in groups {
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            group.title,
            group.demands.len(),
            with_rule(group)
        );
    }
    for group in groups {
        let _ = write!(
            out,
            "\n## {}\n\n| demand | level | fault | source |\n|---|---|---|---|\n",
            group.title
        );
        for (id, reason) in &group.demands {
            let Some(rule) = rules.get(id.as_str()) else {
                continue;
            };
            assert!(
                reason.is_none(),
                "{id} is a rule, and tests/rules/demands.txt says why it is none"
            );
            let fault = rule.fault.map_or("", |party| party.word());
            let level = match rule.severity {
                Level::Off => "off unless selected",
                level => level.word(),
            };
            let source = rule.sources.first().map_or("", String::as_str);
            let _ = writeln!(
                out,
                "| [`{id}`](rules/{}.md#{id}) | {level} | {fault} | `{source}` |",
                rule.pack
            );
        }
        let others: Vec<_> = group
            .demands
            .iter()
            .filter(|(_, reason)| reason.is_some())
            .collect();
        if !others.is_empty() {
            out.push_str("\nNo rules:\n\n");
        }
        for (id, reason) in others {
            let _ = writeln!(out, "- `{id}`: {}", reason.as_deref().unwrap_or(""));
        }
    }
    out
}

#[test]
fn every_demand_has_a_rule_or_a_reason() {
    let program = program();
    let groups = demands();
    let rules: BTreeMap<&str, &Rule> = program.rules.iter().map(|rule| (&*rule.name, rule)).collect();
    let mut seen = BTreeSet::new();
    let mut neither = vec![];
    for (id, reason) in groups.iter().flat_map(|group| &group.demands) {
        assert!(seen.insert(id.as_str()), "{id} is listed twice");
        if reason.is_none() && !rules.contains_key(id.as_str()) {
            neither.push(id);
        }
    }
    let more: Vec<_> = rules.keys().filter(|name| !seen.contains(**name)).collect();
    assert!(
        more.is_empty(),
        "tests/rules/demands.txt does not know these rules: {more:?}"
    );
    assert!(neither.is_empty(), "neither rule nor reason: {neither:?}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/coverage.md");
    let text = page(&groups, &rules);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "docs/reference/coverage.md is not current; BLESS=1 rewrites it"
    );
}
