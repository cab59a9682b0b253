//! `tests/conformance/checks.txt`: which rules stand for which check of the suite.

use std::fs;

use wirelint::lang::ast::Party;
use wirelint::lang::check::name_matches;

use crate::cli::root;

/// A check of the suite.
#[derive(Debug)]
pub struct Check {
    /// Its id, which may hold `*`.
    pub id: String,
    /// Who is tested; unknown of checks that test whoever the others test.
    pub side: Option<Party>,
    asked: Asked,
    /// What is asked of some names of it, by pattern.
    names: Vec<(String, Asked)>,
}

/// What is asked of the findings in a recording.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Names and patterns of rules; none: nothing is asked.
    pub rules: Vec<String>,
    /// Only exchanges of this method count.
    pub of: Option<String>,
    /// Only exchanges count in which the other side broke one of these rules.
    pub at: Vec<String>,
    /// The other side broke one of these rules somewhere.
    pub beside: Vec<String>,
}

impl Asked {
    /// Reads `RULE, … of METHOD where RULE, … beside RULE, …`.
    fn read<'t>(words: impl Iterator<Item = &'t str>) -> Asked {
        let mut asked = Asked::default();
        let mut clause = "";
        for word in words {
            let name = word.trim_end_matches(',').to_owned();
            match clause {
                _ if ["of", "where", "beside"].contains(&word) => clause = word,
                "of" => {
                    asked.of = Some(name);
                    clause = "";
                }
                "where" => asked.at.push(name),
                "beside" => asked.beside.push(name),
                _ => asked.rules.push(name),
            }
        }
        asked
    }

    /// What it leaves out is as in another one.
    fn or(&self, other: &Asked) -> Asked {
        let either =
            |own: &Vec<String>, other: &Vec<String>| if own.is_empty() { other } else { own }.clone();
        Asked {
            rules: either(&self.rules, &other.rules),
            of: self.of.clone().or_else(|| other.of.clone()),
            at: either(&self.at, &other.at),
            beside: either(&self.beside, &other.beside),
        }
    }

    fn named(&self) -> impl Iterator<Item = &String> {
        self.rules.iter().chain(&self.at).chain(&self.beside)
    }
}

impl Check {
    /// What is asked under a name of it; `None` if it has no rule.
    pub fn asked(&self, name: &str) -> Option<Asked> {
        let special = self.names.iter().find(|(pattern, _)| name_matches(pattern, name));
        let asked = special.map_or_else(|| self.asked.clone(), |(_, own)| own.or(&self.asked));
        (!asked.rules.is_empty()).then_some(asked)
    }

    /// The names and patterns of all rules that it speaks of.
    pub fn named(&self) -> impl Iterator<Item = &String> {
        let special = self.names.iter().flat_map(|(_, asked)| asked.named());
        self.asked.named().chain(special)
    }
}

/// Reads a row: `CHECK [SIDE] …`.
fn check(row: &str) -> Check {
    let mut words = row.split_whitespace().peekable();
    let id = words.next().unwrap().to_owned();
    let side = match words.peek() {
        Some(&"client") => Some(Party::Client),
        Some(&"server") => Some(Party::Server),
        _ => None,
    };
    words.next_if(|word| ["client", "server", "tested"].contains(word));
    let asked = Asked::read(words);
    Check {
        id,
        side,
        asked,
        names: vec![],
    }
}

/// All of them, in the order of the file.
pub fn checks() -> Vec<Check> {
    let text = fs::read_to_string(root().join("tests/conformance/checks.txt")).unwrap();
    let mut checks: Vec<Check> = vec![];
    for line in text.lines() {
        let (row, remark) = line.split_once("//").unwrap_or((line, ""));
        if row.trim().is_empty() || line.starts_with(['#', '=']) {
            continue;
        }
        if line.starts_with(' ') {
            let (name, asked) = row.trim().split_once(' ').unwrap();
            let asked = Asked::read(asked.split_whitespace());
            checks.last_mut().unwrap().names.push((name.to_owned(), asked));
            continue;
        }
        let check = check(row);
        assert!(
            check.asked("").is_some() || !remark.is_empty(),
            "`{}` has neither a rule nor a reason",
            check.id
        );
        assert!(
            checks.iter().all(|other| other.id != check.id),
            "`{}` is listed twice",
            check.id
        );
        checks.push(check);
    }
    checks
}

/// The check of an id.
pub fn check_of<'c>(checks: &'c [Check], id: &str) -> Option<&'c Check> {
    let exact = checks.iter().find(|check| check.id == id);
    exact.or_else(|| checks.iter().find(|check| name_matches(&check.id, id)))
}
