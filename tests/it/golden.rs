//! What five implementations decide, row by row: `tests/golden/`. Each row runs under the profile of its implementation
//! and under the defaults; where these decide otherwise, the row cites the clause of the protocol that makes them.

mod read;
mod run;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::OnceLock;

use read::Row;
use run::{Bundle, Got};

/// The files, and how many rows each must have, numbered from 1.
const FILES: [(&str, usize); 5] = [
    ("000-identity", 17),
    ("001-negotiation", 19),
    ("002-headers", 46),
    ("003-annotations", 38),
    ("004-envelope", 9),
];

fn rows(file: &str) -> Vec<Row> {
    let path = format!("{}/tests/golden/{file}.golden", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    read::rows(&text).unwrap_or_else(|wrong| panic!("{path}:{wrong}"))
}

fn bundle() -> &'static Bundle {
    static BUNDLE: OnceLock<Bundle> = OnceLock::new();
    BUNDLE.get_or_init(Bundle::read)
}

/// Runs the rows of a file and compares every cell.
fn compare(file: &str) {
    let mut wrong = String::new();
    for row in rows(file) {
        let mut differs = BTreeSet::new();
        for case in &row.cases {
            let expected = |profile: &str| case.columns.iter().find(|column| column.profile == profile);
            let default = expected(read::DEFAULT);
            for column in &case.columns {
                let got = bundle().judge(&row.id, &case.traffic, &column.profile, &case.rules);
                for ((rule, cell), got) in case.rules.iter().zip(&column.cells).zip(&got) {
                    if !got.is_as(cell) {
                        let title = &case.title;
                        writeln!(
                            wrong,
                            "{} | {title} | {rule} | {} | {cell} | {got}",
                            row.id, column.profile
                        )
                        .unwrap();
                    }
                }
            }
            let reference = case.columns.first().map_or(&[][..], |first| &first.cells);
            let default = default.map_or(&[][..], |default| &default.cells);
            for (rule, (cell, default)) in case.rules.iter().zip(reference.iter().zip(default)) {
                if cell.is_failed() != default.is_failed() {
                    differs.insert(rule.as_str());
                }
            }
        }
        if let Err(fault) = is_cited(&row, &differs) {
            writeln!(wrong, "{} | | | | | {fault}", row.id).unwrap();
        }
    }
    assert!(
        wrong.is_empty(),
        "row | case | rule | profile | expected | got\n--- | --- | --- | --- | --- | ---\n{wrong}"
    );
}

/// A row has a clause if the defaults decide otherwise, and only then; it is a source of a rule that does.
fn is_cited(row: &Row, differs: &BTreeSet<&str>) -> Result<(), String> {
    match (&row.clause, differs.is_empty()) {
        (None, true) => Ok(()),
        (None, false) => Err(format!(
            "the defaults decide otherwise by {differs:?}; no clause is cited"
        )),
        (Some(clause), true) => Err(format!("cites {clause}, though the defaults decide the same")),
        (Some(clause), false) => {
            let sources: Vec<&str> = differs.iter().flat_map(|rule| bundle().sources(rule)).collect();
            match sources.contains(&clause.as_str()) {
                true => Ok(()),
                false => Err(format!("cites {clause}, which is none of {sources:?}")),
            }
        }
    }
}

#[test]
fn identity_as_foreguard_reads_it() {
    compare(FILES[0].0);
}

#[test]
fn negotiation_as_turul_mcp_client_goes_about_it() {
    compare(FILES[1].0);
}

#[test]
fn headers_as_mcplease_reads_them() {
    compare(FILES[2].0);
}

#[test]
fn annotations_as_neva_reads_them() {
    compare(FILES[3].0);
}

#[test]
fn envelopes_as_fno_agents_writes_them() {
    compare(FILES[4].0);
}

#[test]
fn every_row_is_there_once() {
    for (file, count) in FILES {
        let reference = &file[..3];
        let expected: Vec<String> = (1..=count).map(|row| format!("{reference}-{row}")).collect();
        let found: Vec<String> = rows(file).into_iter().map(|row| row.id).collect();
        assert_eq!(found, expected, "{file}");
    }
    assert_eq!(FILES.iter().map(|(_, count)| count).sum::<usize>(), 129);
}

/// Every row says what its implementation decides and what the defaults do, and can fail.
#[test]
fn every_row_has_both_columns_and_a_verdict() {
    for row in FILES.iter().flat_map(|(file, _)| rows(file)) {
        for case in &row.cases {
            let profiles: Vec<&str> = case
                .columns
                .iter()
                .map(|column| column.profile.as_str())
                .collect();
            assert!(profiles.len() > 1, "{}: one column only: {profiles:?}", row.id);
            assert!(
                profiles.contains(&read::DEFAULT),
                "{}: no default: {profiles:?}",
                row.id
            );
        }
        let mut cells = row
            .cases
            .iter()
            .flat_map(|case| &case.columns)
            .flat_map(|column| &column.cells);
        assert!(cells.any(read::Cell::is_judged), "{}: nothing is judged", row.id);
    }
}

/// The harness itself: a cell that says something else is noticed.
#[test]
fn what_differs_is_noticed() {
    let row = &rows("004-envelope")[0];
    let case = &row.cases[0];
    let column = &case.columns[0];
    let got = bundle().judge(&row.id, &case.traffic, &column.profile, &case.rules);
    let others = ["failed", "not applicable", "undecided", "off", "passed"];
    let same: Vec<&str> = others
        .into_iter()
        .filter(|cell| got[0].is_as(&read::cell(cell).unwrap()))
        .collect();
    assert_eq!(same.len(), 1, "{}", got[0]);
    let failed = Got::failed(vec![(2, "began as `a`".into()), (4, "began as `a`".into())]);
    for (cell, is_so) in [
        ("failed", true),
        ("failed at 2, 4", true),
        ("failed at 2", false),
        ("failed: \"as `a`\"", true),
        ("failed at 2, 4: \"as `b`\"", false),
        ("passed", false),
    ] {
        assert_eq!(failed.is_as(&read::cell(cell).unwrap()), is_so, "{cell}");
    }
}
