//! Text from recordings made safe to show: what would move the cursor, turn the reading direction or show nothing
//! becomes visible.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Marks that combine with the character before them are shown as they are up to this many in a row.
const MARKS: usize = 4;

/// Columns that a character takes on a terminal.
pub fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Columns that a text takes on a terminal.
pub fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// Whether a character would be invisible, or would change how others are shown.
fn hides(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180e}' | '\u{200b}'
        | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character may be shown as it is.
pub fn shows(c: char) -> bool {
    !c.is_control() && !hides(c)
}

/// Appends a character as it is to be shown: `␛` for an escape, `\u{202e}` for what turns the reading direction.
pub fn push(out: &mut String, c: char) {
    match c {
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + c as u32)),
        '\u{7f}' => out.push('␡'),
        _ if !shows(c) => push_escaped(out, c),
        _ => out.push(c),
    }
}

/// Appends a character by its number.
fn push_escaped(out: &mut String, c: char) {
    // Writing to a string does not fail.
    let _ = write!(out, "\\u{{{:x}}}", c as u32);
}

/// Makes characters visible one after the other; remembers how many combining marks stand in a row.
#[derive(Debug, Default)]
pub struct Pen {
    marks: usize,
}

impl Pen {
    /// Appends a character as it is to be shown.
    pub fn push(&mut self, out: &mut String, c: char) {
        let bare = columns(c) == 0 && shows(c);
        self.marks = if bare { self.marks + 1 } else { 0 };
        if self.marks > MARKS {
            push_escaped(out, c);
        } else {
            push(out, c);
        }
    }
}

/// A text as it is to be shown, on one line.
pub fn visible(text: &str) -> String {
    let mut pen = Pen::default();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        pen.push(&mut out, c);
    }
    out
}

/// Breaks a text at its spaces, so that each line has at most this many columns, where its words allow.
pub fn wrap(text: &str, width_limit: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut taken = 0;
    for word in text.split(' ') {
        let wide = width(word);
        if taken > 0 && taken + 1 + wide > width_limit {
            lines.push(std::mem::take(&mut line));
            taken = 0;
        } else if !line.is_empty() || taken > 0 {
            line.push(' ');
            taken += 1;
        }
        line.push_str(word);
        taken += wide;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_the_cursor_or_turns_the_text_is_visible() {
        assert_eq!(visible("a\u{1b}[31mb\r\n\tc\u{7f}"), "a␛[31mb␍␊␉c␡");
        assert_eq!(
            visible("\u{9b}x\u{202e}y\u{feff}z\u{e0041}"),
            "\\u{9b}x\\u{202e}y\\u{feff}z\\u{e0041}"
        );
        assert_eq!(visible("Grüße, 世界, é"), "Grüße, 世界, é");
    }

    #[test]
    fn piles_of_marks_are_cut() {
        let pile = format!("a{}", "\u{301}".repeat(6));
        assert_eq!(
            visible(&pile),
            format!("a{}\\u{{301}}\\u{{301}}", "\u{301}".repeat(4))
        );
    }

    #[test]
    fn lines_break_at_spaces_only() {
        assert_eq!(wrap("one two `a/b` four", 9), ["one two", "`a/b`", "four"]);
        assert_eq!(wrap("incomprehensibilities", 5), ["incomprehensibilities"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
