//! `--format jsonl`: one finding a line, in the form of `json`, and nothing else.

use std::io;

use crate::engine::finding::Finding;
use crate::report::json::{JsonFinding, write};
use crate::report::location::Locator;
use crate::report::{Format, Records, Reporter, Run};

/// The name of the format, for those who write as they go.
pub const JSONL: &str = "jsonl";

pub(super) const FORMAT: Format = Format {
    name: JSONL,
    about: "one finding a line, each a JSON object as in `json`",
    reporter: |_| Box::new(Jsonl),
};

struct Jsonl;

impl Reporter for Jsonl {
    fn report(&self, run: &Run<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let mut lines = FindingLines::new(run.records);
        run.findings
            .iter()
            .try_for_each(|finding| lines.write(finding, out))
    }
}

/// Writes findings one by one.
pub struct FindingLines<'r>(Locator<'r>);

impl<'r> FindingLines<'r> {
    /// Of these recordings.
    pub fn new(records: &'r dyn Records) -> Self {
        FindingLines(Locator::new(records))
    }

    /// Writes a finding on a line of its own.
    ///
    /// # Errors
    ///
    /// Whatever `out` says.
    pub fn write(&mut self, finding: &Finding, out: &mut dyn io::Write) -> io::Result<()> {
        write(out, &JsonFinding::new(finding, &mut self.0))?;
        out.write_all(b"\n")
    }
}
