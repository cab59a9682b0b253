//! Where the command writes: results to standard output, what hinders it to standard error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use super::args::{Color, Display};
use crate::diagnostic::{Diagnostic, Severity};
use crate::record::Warn;
use crate::report::{Style, render_diagnostic};
use crate::source::SourceMap;

/// Columns where no terminal says how many it has.
const WIDTH: usize = 100;

/// So many diagnostics are shown at once; who has more begins with these.
const MOST: usize = 30;

/// Both outputs.
pub(super) struct Output {
    /// Results.
    pub(super) out: BufWriter<StdoutLock<'static>>,
    /// How results look.
    pub(super) style: Style,
    /// How what hinders looks.
    style_of_errors: Style,
    /// Only what is wrong is to be said.
    pub(super) quiet: bool,
}

impl Output {
    pub(super) fn new(display: &Display) -> Output {
        let stdout = io::stdout();
        let width = columns(stdout.is_terminal());
        let style = |terminal: bool| Style {
            color: color(display.color, terminal),
            width,
            ..Style::default()
        };
        Output {
            style: style(stdout.is_terminal()),
            style_of_errors: style(io::stderr().is_terminal()),
            out: BufWriter::with_capacity(1 << 16, stdout.lock()),
            quiet: display.quiet,
        }
    }

    /// Says what is wrong. Warnings and notes are left out if only what is wrong is to be said.
    pub(super) fn diagnostics(&mut self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        let mut text = String::new();
        let said = |d: &&Diagnostic| d.severity == Severity::Error || !self.quiet;
        for diagnostic in diagnostics.iter().filter(said).take(MOST) {
            text.push_str(&render_diagnostic(diagnostic, sources, &self.style_of_errors));
            text.push('\n');
        }
        match diagnostics.iter().filter(said).count().saturating_sub(MOST) {
            0 => {}
            1 => text.push_str("… and one more\n"),
            n => text.push_str(&format!("… and {n} more\n")),
        }
        // What was found so far comes first. If nobody listens, there is nobody to tell.
        let _ = self.out.flush();
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Says what went wrong while something else goes on, on whatever thread.
    pub(super) fn warner(&self) -> Warn {
        let style = self.style_of_errors;
        Box::new(move |diagnostic| {
            let text = render_diagnostic(&diagnostic, &SourceMap::default(), &style);
            let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
        })
    }

    /// Says what is going on, to whoever does not want to hear only what is wrong.
    pub(super) fn tell(&self, text: &str) {
        if !self.quiet {
            let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
        }
    }

    /// Says something that has to be said also to who wants to hear only what is wrong.
    pub(super) fn insist(&mut self, diagnostic: Diagnostic) {
        let quiet = std::mem::replace(&mut self.quiet, false);
        self.diagnostics(&[diagnostic], &SourceMap::default());
        self.quiet = quiet;
    }

    /// Writes what is still held back.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn color(when: Color, terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    match when {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !dumb && !set("NO_COLOR"),
    }
}

fn columns(terminal: bool) -> usize {
    if !terminal {
        return WIDTH;
    }
    let said = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or_else(measured).unwrap_or(WIDTH).clamp(40, 400)
}
