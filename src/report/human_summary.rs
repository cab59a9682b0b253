//! The last lines of a report: what was checked, how it ended, and what that is worth.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::engine::finding::{Finding, Tally, Unchecked};
use crate::lang::ast::Level;
use crate::report::visible::visible;
use crate::report::{Run, Style};

/// Reasons and limits that are listed.
const LISTED: usize = 8;

/// Rules that are named for each reason.
const NAMED: usize = 3;

/// Colours, if they are wanted.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    color: bool,
}

impl Paint {
    pub(super) fn new(style: &Style) -> Self {
        Paint { color: style.color }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.color {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    pub(super) fn red(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(super) fn yellow(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    pub(super) fn cyan(self, text: &str) -> String {
        self.paint("36", text)
    }

    fn green(self, text: &str) -> String {
        self.paint("1;32", text)
    }
}

/// A number with its thousands apart.
pub(super) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 message`, `2 messages`
fn many(n: u64, one: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {one}{plural}", count(n))
}

/// What a run checked and found; `inputs`: also in which files.
pub(super) fn summary(run: &Run<'_>, inputs: bool, style: &Style) -> String {
    let (summary, findings) = (run.summary, run.findings);
    let paint = Paint::new(style);
    let mut out = String::new();
    let mut line =
        |name: &str, text: &str| out.push_str(&format!("{} {text}\n", paint.cyan(&format!("{name:>9}"))));
    if inputs {
        let mut name = "read";
        for file in run.inputs {
            let text = format!("{}: {} ({})", visible(&file.name), file.title, file.format);
            line(std::mem::take(&mut name), &text);
        }
        name = "skipped";
        for file in run.passed_over {
            let text = format!("{}: {}", visible(&file.name), visible(&file.why));
            line(std::mem::take(&mut name), &text);
        }
    }
    let subjects = [
        (summary.messages, "message"),
        (summary.sessions, "session"),
        (summary.exchanges, "exchange"),
        (summary.tools, "tool"),
    ];
    let parts: Vec<_> = subjects
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, one)| many(*n, one))
        .collect();
    let recordings = many(summary.recordings, "recording");
    if parts.is_empty() {
        line("checked", &recordings);
    } else {
        line("checked", &format!("{recordings}: {}", parts.join(", ")));
    }
    let mut all = Tally::default();
    let mut applied = 0;
    for tally in summary.rules.values() {
        all.add(*tally);
        applied += u64::from(tally.passed + tally.failed + tally.undecided > 0);
    }
    let rules = summary.rules.len() as u64;
    line(
        "applied",
        &format!("{} of {}: {}", count(applied), many(rules, "rule"), tally(all)),
    );
    let times = if style.unicode { '×' } else { 'x' };
    for (name, counted) in [("undecided", &summary.undecided), ("limits", &summary.limits)] {
        for (i, (text, reason)) in reasons(counted, times).iter().enumerate() {
            let rules = reason.map_or_else(Vec::new, |reason| summary.undecided_for(reason));
            let room = style.width.saturating_sub(10 + text.chars().count());
            line(
                if i == 0 { name } else { "" },
                &format!("{text}{}", named(&rules, room)),
            );
        }
    }
    let in_use = many(rules, "rule");
    let nothing = summary.unchecked().map(|why| match why {
        Unchecked::Empty => format!("no message and no catalogue in {recordings}"),
        Unchecked::NoRules | Unchecked::Inapplicable => {
            format!("no rule applied to anything ({in_use} in use)")
        }
        Unchecked::Undecided => "no rule could be decided, see the reasons above".to_owned(),
    });
    if nothing.is_none() || !findings.is_empty() {
        out.push_str(&verdict(findings, paint));
    }
    if let Some(why) = nothing {
        out.push_str(&format!("{} {why}\n", paint.yellow("nothing was checked:")));
    }
    out
}

fn tally(tally: Tally) -> String {
    let parts = [
        (tally.passed, "passed"),
        (tally.failed, "failed"),
        (tally.undecided, "undecided"),
        (tally.not_applicable, "not applicable"),
    ];
    let shown = parts
        .iter()
        .filter(|(n, what)| *n > 0 || *what == "passed" || *what == "failed");
    let parts: Vec<_> = shown.map(|(n, what)| format!("{} {what}", count(*n))).collect();
    parts.join(", ")
}

/// Reasons with how often they were met, the most frequent first, in words and as they are.
fn reasons(counted: &BTreeMap<String, u64>, times: char) -> Vec<(String, Option<&str>)> {
    let mut sorted: Vec<_> = counted
        .iter()
        .map(|(reason, n)| (*n, visible(reason), Some(reason.as_str())))
        .collect();
    sorted.sort_by_key(|(n, ..)| Reverse(*n));
    let rest = sorted.split_off(sorted.len().min(LISTED));
    if !rest.is_empty() {
        let sum = rest.iter().map(|(n, ..)| n).sum();
        sorted.push((sum, many(rest.len() as u64, "other reason"), None));
    }
    let widest = sorted.iter().map(|(n, ..)| count(*n).len()).max().unwrap_or(0);
    sorted
        .into_iter()
        .map(|(n, words, reason)| (format!("{:>widest$} {times} {words}", count(n)), reason))
        .collect()
}

/// The rules behind a reason: as many as there is room for, but one in any case.
fn named(rules: &[&str], room: usize) -> String {
    let text = |shown: usize| {
        let more = rules.len() - shown;
        let names = rules[..shown].join(", ");
        if more == 0 {
            format!(": {names}")
        } else {
            format!(": {names} and {} more", count(more as u64))
        }
    };
    let all = (1..=rules.len().min(NAMED)).rev();
    all.map(text)
        .find(|text| text.chars().count() <= room)
        .or_else(|| (!rules.is_empty()).then(|| text(1)))
        .unwrap_or_default()
}

fn verdict(findings: &[Finding], paint: Paint) -> String {
    let of = |level| findings.iter().filter(|f| f.level == level).count() as u64;
    let (errors, warnings, notes) = (of(Level::Error), of(Level::Warning), of(Level::Note));
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(paint.red(&many(errors, "error")));
    }
    if warnings > 0 {
        parts.push(paint.yellow(&many(warnings, "warning")));
    }
    if notes > 0 {
        parts.push(paint.cyan(&many(notes, "note")));
    }
    if parts.is_empty() {
        return format!("{}\n", paint.green("no findings"));
    }
    format!(
        "{} {}\n",
        paint.cyan(&format!("{:>9}", "found")),
        parts.join(", ")
    )
}
