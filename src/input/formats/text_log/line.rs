//! A line of a text log: what stands before its mark, and what the mark says.

use super::super::super::event::Side;
use super::super::super::head::is_messages;

use Meaning::{Noise, Sent, Start};
use Side::{Client, Server};

/// Who writes lines of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// Claude Desktop.
    Desktop,
    /// VS Code.
    Editor,
    /// A wrapper that says which stream of a process a line is of.
    Streams,
    /// A wrapper that draws arrows.
    Arrows,
}

/// What a mark in a line says of the text behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// It is a message of that side.
    Sent(Side),
    /// It tells that a process is started.
    Start,
    /// It is output for people.
    Noise,
}

/// The marks, each with its blank: a message follows at once.
static MARKS: [(&str, Writer, Meaning); 16] = [
    ("Message from client: ", Writer::Desktop, Sent(Client)),
    ("Message from server: ", Writer::Desktop, Sent(Server)),
    ("Initializing server...", Writer::Desktop, Start),
    ("[editor -> server] ", Writer::Editor, Sent(Client)),
    ("[server -> editor] ", Writer::Editor, Sent(Server)),
    ("[Client Says] ", Writer::Editor, Sent(Client)),
    ("[Server Says] ", Writer::Editor, Sent(Server)),
    ("Connection state: Starting", Writer::Editor, Start),
    ("[server stderr] ", Writer::Editor, Noise),
    ("[STDIN] ", Writer::Streams, Sent(Client)),
    ("[STDOUT] ", Writer::Streams, Sent(Server)),
    ("[STDERR] ", Writer::Streams, Noise),
    ("→ ", Writer::Arrows, Sent(Client)),
    ("← ", Writer::Arrows, Sent(Server)),
    (">>> ", Writer::Arrows, Sent(Client)),
    ("<<< ", Writer::Arrows, Sent(Server)),
];

/// The words for how important a line is, in lower case.
const LEVELS: [&str; 11] = [
    "trace", "debug", "info", "notice", "warn", "warning", "error", "err", "fatal", "critical", "log",
];

/// A line with a mark in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Who writes such lines.
    pub(super) writer: Writer,
    /// What it tells.
    pub(super) meaning: Meaning,
    /// When, as it is written.
    pub(super) time: Option<&'a str>,
    /// The server, if the line names it.
    pub(super) name: Option<&'a str>,
    /// What stands behind the mark.
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    /// Whether it shows traffic, or where traffic begins.
    pub(super) fn says(&self) -> bool {
        match self.meaning {
            Sent(_) => self.writer == Writer::Desktop || is_messages(self.text.as_bytes()),
            Start => self.writer == Writer::Desktop,
            Noise => false,
        }
    }

    /// `None` if it has no mark, or not where such lines have it.
    pub(super) fn of(line: &'a str) -> Option<Line<'a>> {
        let line = line.trim_end();
        // The mark that comes first: others stand in what was said.
        let marks = MARKS.iter().filter_map(|mark| Some((find(line, mark.0)?, mark)));
        let (at, (mark, writer, meaning)) = marks.min_by_key(|(at, _)| *at)?;
        let text = line[at..].strip_prefix(mark)?.trim_start();
        let before = Prefix::of(&line[..at])?;
        let fits = match writer {
            Writer::Desktop => before.time.is_some() && before.level,
            // A level, or nothing at all where only messages were copied.
            Writer::Editor => before.level || line[..at].is_empty() && *meaning != Start,
            Writer::Streams | Writer::Arrows => true,
        };
        fits.then_some(Line {
            writer: *writer,
            meaning: *meaning,
            time: before.time,
            name: before.name,
            text,
        })
    }
}

/// Where a mark stands. No mark is farther behind than names and times are long.
fn find(line: &str, mark: &str) -> Option<usize> {
    let end = line.ceil_char_boundary(line.len().min(400));
    line[..end].find(mark)
}

/// What stands before a mark: a time, and words in brackets, of which one is a level and another a name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Prefix<'a> {
    time: Option<&'a str>,
    level: bool,
    name: Option<&'a str>,
}

impl<'a> Prefix<'a> {
    /// `None` if anything else stands there.
    fn of(text: &'a str) -> Option<Prefix<'a>> {
        let mut prefix = Prefix::default();
        let text = text.trim();
        let open = text.find('[').unwrap_or(text.len());
        let (first, brackets) = text.split_at(open);
        let first = first.trim_end();
        if !first.chars().all(is_of_time) {
            return None;
        }
        prefix.time = (!first.is_empty()).then_some(first);
        let Some(inside) = brackets.strip_prefix('[') else {
            return Some(prefix);
        };
        for word in inside.strip_suffix(']')?.split("] [") {
            let word = word.trim();
            if LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level)) {
                prefix.level = true;
            } else if prefix.time.is_none() && !word.is_empty() && word.chars().all(is_of_time) {
                prefix.time = Some(word);
            } else {
                prefix.name = Some(word);
            }
        }
        Some(prefix)
    }
}

/// Whether times are written with such characters, whatever their form is.
fn is_of_time(c: char) -> bool {
    c.is_ascii_digit() || "-+:.,/ TZAPMapm".contains(c)
}

/// Whether a line begins as all lines of a client's log do: with a time and a level, in one or more brackets.
pub(super) fn is_shaped(line: &[u8]) -> bool {
    let Ok(line) = str::from_utf8(line) else {
        return false;
    };
    let end = line
        .match_indices(']')
        .map(|(at, _)| at + 1)
        .find(|at| !line[*at..].starts_with(" ["));
    let prefix = end.and_then(|end| Prefix::of(&line[..end]));
    prefix.is_some_and(|prefix| prefix.level && prefix.time.is_some())
}
