//! Formats that users name: the list of them, and files that are to be read as one of them.

use std::fmt;

use super::super::event::{Blame, Problem};
use super::super::head::Head;
use super::super::sink::problem;
use super::{ALL, Empty, Evidence, Format, recognise, refuse, refused};
use crate::diagnostic::Diagnostic;
use crate::place::RecordId;

/// A format of recordings, as users name it.
#[derive(Clone, Copy)]
pub struct InputFormat(pub(in super::super) &'static dyn Format);

impl InputFormat {
    /// All formats that are read.
    pub fn all() -> impl Iterator<Item = InputFormat> {
        ALL.iter().map(|format| InputFormat(*format))
    }

    /// The format of a name.
    pub fn of_name(name: &str) -> Option<InputFormat> {
        InputFormat::all().find(|format| format.name() == name)
    }

    /// A short kebab-case name, such as `http-log`.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// What it is called in a sentence, with the article.
    pub fn title(self) -> &'static str {
        self.0.title()
    }

    /// What it can show at most; single records may show less.
    pub fn evidence(self) -> &'static [Evidence] {
        self.0.evidence()
    }
}

impl fmt::Debug for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The format of a file that is to be read as one that was named, and what is odd about that; or why it is not read.
pub(in super::super) fn forced(
    name: &str,
    head: &Head,
    format: InputFormat,
) -> Result<(&'static dyn Format, Option<Unfit>), Diagnostic> {
    if head.is_blank() {
        return Ok((&Empty, None));
    }
    if let Some(refusal) = refused::binary(head) {
        return Err(refuse(name, refusal));
    }
    if format.0.recognise(head).is_some() {
        return Ok((format.0, None));
    }
    let looks_like = match (recognise(name, head), refused::text(head)) {
        (Ok(other), _) => Some(other.title()),
        (Err(_), refusal) => refusal.map(|refusal| refusal.what),
    };
    let unfit = Unfit {
        title: format.title(),
        looks_like,
    };
    Ok((format.0, Some(unfit)))
}

/// A file that does not look like the format as which it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Unfit {
    title: &'static str,
    looks_like: Option<&'static str>,
}

impl Unfit {
    /// Says so of a record, the first.
    pub(in super::super) fn problem(self, record: RecordId) -> Problem {
        let message = format!("the file does not look like {}, as which it is read", self.title);
        let help = match self.looks_like {
            Some(other) => format!("it looks like {other}: leave out `--input-format`"),
            None => "`wirelint rules --inputs` lists the formats".to_owned(),
        };
        Problem {
            help: Some(help),
            fault: Blame::Nobody,
            ..problem(record, "unfit-format", message)
        }
    }
}
