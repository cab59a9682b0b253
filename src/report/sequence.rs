//! What passes in a recording, a line for each message, with findings beside.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::engine::finding::Finding;
use crate::engine::sight::{SeenSession, Sight, Sights};
use crate::lang::ast::{Level, Party};
use crate::place::RecordId;
use crate::report::Style;
use crate::report::human_summary::Paint;
use crate::report::visible::{visible, width};

/// The most characters of a method, a target or an id.
const WIDE: usize = 48;

/// What passed in one recording.
#[derive(Debug, Clone, Copy)]
pub struct Sequence<'a> {
    /// The recording, as the user knows it.
    pub name: &'a str,
    /// What passed.
    pub sights: &'a Sights,
    /// What was found in it.
    pub findings: &'a [Finding],
}

/// Writes what passed in a recording: its name, its sessions, then a line for each message or bare exchange with its line
/// in the file, when, from whom, what, its id, the HTTP status and what was found there. A finding on a record that shows
/// no message has a line of its own.
///
/// # Errors
///
/// Whatever `out` says.
pub fn write_sequence(sequence: &Sequence, style: &Style, out: &mut dyn io::Write) -> io::Result<()> {
    let paint = Paint::new(style);
    let Sights { passed, sessions } = sequence.sights;
    writeln!(out, "{}", visible(sequence.name))?;
    let several = sessions.len() > 1;
    for (number, session) in sessions.iter().enumerate() {
        writeln!(
            out,
            "  {}",
            paint.cyan(&describe(session, several.then_some(number)))
        )?;
    }
    let mut found = by_record(sequence.findings);
    let mut rows = vec![];
    for (i, sight) in passed.iter().enumerate() {
        let record = sight.place.record;
        // What stands on the lines before, and shows no message.
        let later = found.split_off(&(record.offset, record.length));
        rows.extend(
            found
                .iter()
                .map(|((_, _), (line, notes))| Row::bare(*line, notes)),
        );
        found = later;
        // Several messages may stand on one line: what was found there stands beside the last of them.
        let last = passed.get(i + 1).is_none_or(|next| next.place.record != record);
        let notes = if last {
            found.remove(&(record.offset, record.length))
        } else {
            None
        };
        rows.push(Row::new(
            sight,
            several,
            notes.map(|(_, notes)| notes).unwrap_or_default(),
        ));
    }
    rows.extend(found.iter().map(|(_, (line, notes))| Row::bare(*line, notes)));
    write_rows(&rows, paint, style, out)
}

/// The rules that found something, by the record of their first label.
type Found<'a> = BTreeMap<(u64, u32), (u32, BTreeSet<(Level, &'a str)>)>;

fn by_record(findings: &[Finding]) -> Found<'_> {
    let mut found = Found::new();
    for finding in findings {
        let record = finding
            .labels
            .first()
            .map_or(RecordId::default(), |label| label.place.record);
        let (_, rules) = found
            .entry((record.offset, record.length))
            .or_insert((record.line, BTreeSet::new()));
        rules.insert((finding.level, &finding.rule));
    }
    found
}

fn describe(session: &SeenSession, number: Option<usize>) -> String {
    let number = number.map_or_else(String::new, |number| format!("s{} ", number + 1));
    // What is not known of a key is left out.
    let key = session.key.trim_end_matches(" ?").trim_end();
    let mut words = vec![format!("{number}{}", visible(key))];
    words.extend(session.transport.map(str::to_owned));
    words.push(
        session
            .revision
            .clone()
            .unwrap_or_else(|| "revision unknown".to_owned()),
    );
    words.join(", ")
}

/// A line of the output.
struct Row<'a> {
    cells: [String; 7],
    notes: BTreeSet<(Level, &'a str)>,
}

impl<'a> Row<'a> {
    fn new(sight: &Sight, several: bool, notes: BTreeSet<(Level, &'a str)>) -> Self {
        let way = match sight.sender {
            Some(Party::Client) => "→",
            Some(Party::Server) => "←",
            _ => "?",
        };
        let session = if several {
            format!("s{}", sight.session + 1)
        } else {
            String::new()
        };
        let mut what = sight.method.as_deref().map(short).unwrap_or_default();
        if let Some(code) = &sight.code {
            what.push_str(&format!(" error {}", short(code)));
        }
        Row {
            cells: [
                sight.place.record.line.to_string(),
                sight.time.as_deref().map(clock).unwrap_or_default().to_owned(),
                session,
                format!("{way} {}", sight.kind),
                what.trim_start().to_owned(),
                sight.id.as_deref().map(short).unwrap_or_default(),
                sight.status.map(|status| status.to_string()).unwrap_or_default(),
            ],
            notes,
        }
    }

    /// A record that shows no message.
    fn bare(line: u32, notes: &BTreeSet<(Level, &'a str)>) -> Self {
        let mut cells = <[String; 7]>::default();
        cells[0] = line.to_string();
        cells[3] = "? no message".to_owned();
        Row {
            cells,
            notes: notes.clone(),
        }
    }
}

/// The time of day of an instant.
fn clock(time: &str) -> &str {
    match time.split_once('T') {
        Some((_, clock)) => clock.trim_end_matches('Z'),
        None => time,
    }
}

fn short(text: &str) -> String {
    let text = visible(text);
    if text.chars().count() <= WIDE {
        return text;
    }
    let kept: String = text.chars().take(WIDE - 1).collect();
    format!("{kept}…")
}

fn write_rows(rows: &[Row], paint: Paint, style: &Style, out: &mut dyn io::Write) -> io::Result<()> {
    let mut widths = [0; 7];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(&row.cells) {
            *widest = width(cell).max(*widest);
        }
    }
    for row in rows {
        let mut line = String::from(" ");
        for (i, (cell, widest)) in row.cells.iter().zip(widths).enumerate() {
            if widest == 0 {
                continue;
            }
            let blanks = " ".repeat(widest - width(cell));
            line.push(' ');
            // Numbers of lines end where the column ends.
            line.push_str(&if i == 0 {
                format!("{blanks}{cell}")
            } else {
                format!("{cell}{blanks} ")
            });
        }
        let notes: Vec<String> = row.notes.iter().rev().map(|note| say(*note, paint)).collect();
        line.push(' ');
        line.push_str(&notes.join(" "));
        let line = if style.unicode {
            line
        } else {
            line.replace('→', ">").replace('←', "<")
        };
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn say((level, rule): (Level, &str), paint: Paint) -> String {
    match level {
        Level::Error => paint.red(&format!("{rule}!")),
        Level::Warning => paint.yellow(rule),
        _ => paint.cyan(rule),
    }
}
