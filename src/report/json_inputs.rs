//! Formats of recordings as JSON: what `wirelint rules --inputs --format json` lists.

use std::io;

use serde::Serialize;

use crate::report::json::write;

/// A format of recordings.
#[derive(Debug, Clone, Serialize)]
pub struct FormatEntry {
    /// Its short name.
    pub name: &'static str,
    /// What it is called, with the article.
    pub title: &'static str,
    /// What it can show at most.
    pub evidence: Vec<&'static str>,
}

/// Writes all formats as one document.
///
/// # Errors
///
/// Whatever `out` says.
pub fn write_inputs(formats: &[FormatEntry], out: &mut dyn io::Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Inputs<'a> {
        inputs: &'a [FormatEntry],
    }
    write(out, &Inputs { inputs: formats })?;
    out.write_all(b"\n")
}
