//! `--format jsonl`: one finding a line, in the form of `json`, and nothing else.

use std::io;

use crate::report::json::{JsonFinding, write};
use crate::report::location::Locator;
use crate::report::{Format, Reporter, Run};

pub(super) const FORMAT: Format = Format {
    name: "jsonl",
    about: "one finding a line, each a JSON object as in `json`",
    reporter: |_| Box::new(Jsonl),
};

struct Jsonl;

impl Reporter for Jsonl {
    fn report(&self, run: &Run<'_>, out: &mut dyn io::Write) -> io::Result<()> {
        let mut locator = Locator::new(run.records);
        for finding in run.findings {
            write(out, &JsonFinding::new(finding, &mut locator))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}
