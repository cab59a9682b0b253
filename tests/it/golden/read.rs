//! The files of `tests/golden/`, line by line:
//!
//! | begins with | is |
//! |---|---|
//! | `row ID` | a row of one reference implementation; a sentence follows |
//! | `otherwise "CLAUSE"` | why the defaults decide otherwise; a sentence follows |
//! | `case` | what sets a case apart from others of its row |
//! | `>` `<` `tool` `wait` `session` | traffic, as in the examples of rules; before the first `case` it is that of all cases |
//! | `\|` | a table: which rules, and under each profile what becomes of them |
//! | `//` | a comment |
//!
//! The first column is the profile of the reference implementation. A cell says `passed`, `failed`, `not applicable`, `undecided` or `off`. `failed at 2, 4: "text"` says which messages are
//! reported, counted from 1 on both sides, or which entries of a catalogue, and what is said of each.

use std::fmt;

/// The column of no profile.
pub const DEFAULT: &str = "default";

pub struct Row {
    pub id: String,
    /// Source of a rule.
    pub clause: Option<String>,
    pub cases: Vec<Case>,
}

#[derive(Default)]
pub struct Case {
    pub title: String,
    pub traffic: String,
    pub rules: Vec<String>,
    pub columns: Vec<Column>,
}

pub struct Column {
    pub profile: String,
    /// One for each rule.
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Passed,
    Failed {
        at: Option<Vec<usize>>,
        says: Option<String>,
    },
    NotApplicable,
    Undecided,
    Off,
}

impl Cell {
    pub fn is_failed(&self) -> bool {
        matches!(self, Cell::Failed { .. })
    }

    pub fn is_judged(&self) -> bool {
        matches!(self, Cell::Failed { .. } | Cell::Passed)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Passed => f.write_str("passed"),
            Cell::NotApplicable => f.write_str("not applicable"),
            Cell::Undecided => f.write_str("undecided"),
            Cell::Off => f.write_str("off"),
            Cell::Failed { at, says } => {
                f.write_str("failed")?;
                if let Some(at) = at {
                    write!(f, " at {at:?}")?;
                }
                match says {
                    Some(says) => write!(f, ": {says:?}"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// Reads a file; what is wrong comes with its line.
pub fn rows(text: &str) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = vec![];
    // Whether the row has met a `case`.
    let mut cases = false;
    let mut shared = String::new();
    for (number, line) in text.lines().enumerate() {
        let fault = |message: &str| format!("{}: {message}: {line}", number + 1);
        let word = line.split([' ', '\t']).next().unwrap_or_default();
        let rest = line[word.len()..].trim();
        if word.is_empty() || word == "//" {
            continue;
        }
        if word == "row" {
            let Some((id, _)) = rest.split_once(' ') else {
                return Err(fault("a row needs an id and a sentence"));
            };
            rows.push(Row {
                id: id.to_owned(),
                clause: None,
                cases: vec![Case::default()],
            });
            (cases, shared) = (false, String::new());
            continue;
        }
        let Some(row) = rows.last_mut() else {
            return Err(fault("stands before the first row"));
        };
        let Some(case) = row.cases.last_mut() else {
            return Err(fault("there is no case"));
        };
        match word {
            "otherwise" => {
                let clause = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
                match clause {
                    Some((clause, reason)) if !reason.trim().is_empty() => {
                        row.clause = Some(clause.to_owned())
                    }
                    _ => return Err(fault("a clause in quotes and a reason are due")),
                }
            }
            "case" => {
                let next = Case {
                    title: rest.to_owned(),
                    ..Case::default()
                };
                if cases {
                    row.cases.push(Case {
                        traffic: shared.clone(),
                        ..next
                    });
                } else if case.columns.is_empty() {
                    cases = true;
                    shared.clone_from(&case.traffic);
                    *case = Case {
                        traffic: shared.clone(),
                        ..next
                    };
                } else {
                    return Err(fault("stands behind a table of the whole row"));
                }
            }
            ">" | "<" | "tool" | "wait" | "session" if case.columns.is_empty() => {
                case.traffic.push_str(line);
                case.traffic.push('\n');
            }
            "|" => table(case, line).map_err(|message| fault(&message))?,
            _ => {
                return Err(fault(
                    "is neither traffic nor a table, or stands behind the table",
                ));
            }
        }
    }
    for row in &rows {
        for case in &row.cases {
            if case.traffic.is_empty() || case.rules.is_empty() {
                return Err(format!(
                    "0: {} {}: traffic and a table are due",
                    row.id, case.title
                ));
            }
        }
    }
    Ok(rows)
}

fn table(case: &mut Case, line: &str) -> Result<(), String> {
    let inner = line.trim().trim_matches('|');
    let mut cells = inner.split(" | ").map(str::trim);
    let first = cells.next().unwrap_or_default().trim();
    if case.columns.is_empty() {
        if first != "rule" {
            return Err("a table begins with `| rule | PROFILE | default |`".to_owned());
        }
        case.columns = cells
            .map(|profile| Column {
                profile: profile.to_owned(),
                cells: vec![],
            })
            .collect();
        return Ok(());
    }
    case.rules.push(first.to_owned());
    let cells: Vec<&str> = cells.collect();
    if cells.len() != case.columns.len() {
        return Err(format!("{} cells are due", case.columns.len()));
    }
    for (column, text) in case.columns.iter_mut().zip(cells) {
        column.cells.push(cell(text)?);
    }
    Ok(())
}

/// Reads what a cell says.
pub fn cell(text: &str) -> Result<Cell, String> {
    let failed = |at: Option<&str>, says: Option<&str>| {
        let at = at.map(|at| at.split(',').map(|number| number.trim().parse()).collect());
        let says = says.map(|says| {
            says.trim()
                .strip_prefix('"')?
                .strip_suffix('"')
                .map(str::to_owned)
        });
        match (at.transpose(), says) {
            (Ok(at), None) => Ok(Cell::Failed { at, says: None }),
            (Ok(at), Some(Some(says))) => Ok(Cell::Failed { at, says: Some(says) }),
            _ => Err(format!("`{text}` is no cell")),
        }
    };
    match text {
        "passed" => Ok(Cell::Passed),
        "not applicable" => Ok(Cell::NotApplicable),
        "undecided" => Ok(Cell::Undecided),
        "off" => Ok(Cell::Off),
        _ => {
            let (head, says) = match text.split_once(": ") {
                Some((head, says)) => (head, Some(says)),
                None => (text, None),
            };
            match head.strip_prefix("failed") {
                Some("") => failed(None, says),
                Some(at) if at.starts_with(" at ") => failed(Some(&at[4..]), says),
                _ => Err(format!("`{text}` is no cell")),
            }
        }
    }
}
