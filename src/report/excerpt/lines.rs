//! The source lines of a record that are in focus.

use std::ops::Range;

/// A line of a record; several are joined where a focus reaches over them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLine {
    /// Its text, without the blanks around it.
    pub bytes: Vec<u8>,
    /// Which foci begin here, and where they stand in `bytes`.
    pub foci: Vec<(usize, Range<usize>)>,
}

/// The lines of a record on which a focus begins, in order. A record that is one line gives that line.
pub fn lines(record: &[u8], foci: &[Range<usize>]) -> Vec<SourceLine> {
    let trimmed = record.trim_ascii_end();
    if !trimmed.contains(&b'\n') {
        return vec![SourceLine {
            bytes: record.to_vec(),
            foci: foci.iter().cloned().enumerate().collect(),
        }];
    }
    let mut groups: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    let mut order: Vec<usize> = (0..foci.len()).collect();
    let clamp = |f: &Range<usize>| {
        let start = f.start.min(trimmed.len());
        start..f.end.clamp(start, trimmed.len())
    };
    let start = |i: usize| foci.get(i).map_or(0, |f| clamp(f).start);
    order.sort_by_key(|i| start(*i));
    for i in order {
        let focus = foci.get(i).map_or(0..0, &clamp);
        let before = trimmed.get(..focus.start).unwrap_or(trimmed);
        let begin = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let last = focus.end.saturating_sub(1).max(focus.start);
        let after = trimmed.get(last..).unwrap_or(&[]);
        let end = after
            .iter()
            .position(|b| *b == b'\n')
            .map_or(trimmed.len(), |at| last + at);
        match groups.last_mut() {
            Some((range, members)) if range.start == begin => {
                range.end = range.end.max(end);
                members.push(i);
            }
            _ => groups.push((begin..end, vec![i])),
        }
    }
    groups
        .iter()
        .map(|(range, members)| join(trimmed, range, members, foci))
        .collect()
}

/// Joins the lines in a range: a line end and the blanks around it become one blank.
fn join(record: &[u8], range: &Range<usize>, members: &[usize], foci: &[Range<usize>]) -> SourceLine {
    let mut bytes = Vec::with_capacity(range.len());
    let mut bounds = vec![(0, 0); members.len()];
    let mut blank = true;
    for at in range.start..=range.end {
        let length = bytes.len();
        for (i, (start, end)) in members.iter().zip(&mut bounds) {
            let Some(focus) = foci.get(*i) else { continue };
            if at <= focus.start {
                *start = length;
            }
            if at <= focus.end {
                *end = length;
            }
        }
        let Some(&b) = record.get(at).filter(|_| at < range.end) else {
            break;
        };
        match b {
            b'\n' => {
                bytes.truncate(bytes.trim_ascii_end().len());
                bytes.push(b' ');
                blank = true;
            }
            b' ' | b'\t' | b'\r' if blank => {}
            _ => {
                blank = false;
                bytes.push(b);
            }
        }
    }
    bytes.truncate(bytes.trim_ascii_end().len());
    let foci = members.iter().zip(bounds);
    let foci = foci
        .map(|(i, (start, end))| (*i, start..end.max(start)))
        .collect();
    SourceLine { bytes, foci }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, needles: &[&str]) -> Vec<(String, Vec<String>)> {
        let foci: Vec<_> = needles
            .iter()
            .map(|n| text.find(n).map(|at| at..at + n.len()).unwrap())
            .collect();
        let parts = |line: &SourceLine| {
            let said = |r: &Range<usize>| String::from_utf8_lossy(&line.bytes[r.clone()]).into_owned();
            line.foci.iter().map(|(_, r)| said(r)).collect()
        };
        let lines = lines(text.as_bytes(), &foci);
        let text = |l: &SourceLine| String::from_utf8_lossy(&l.bytes).into_owned();
        lines.iter().map(|l| (text(l), parts(l))).collect()
    }

    #[test]
    fn each_focus_shows_its_own_line() {
        let text = "{\r\n  \"a\": 1,\r\n  \"b\": {\r\n    \"c\": [\r\n      2\r\n    ]\r\n  }\r\n}\r\n";
        let got = show(text, &["1", "{\r\n    \"c\": [\r\n      2\r\n    ]\r\n  }", "2"]);
        let line = |text: &str, parts: &[&str]| {
            (
                text.to_owned(),
                parts.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>(),
            )
        };
        let expected = [
            line("\"a\": 1,", &["1"]),
            line("\"b\": { \"c\": [ 2 ] }", &["{ \"c\": [ 2 ] }"]),
            line("2", &["2"]),
        ];
        assert_eq!(got, expected);
    }

    #[test]
    fn ranges_outside_of_the_record_do_no_harm() {
        for (start, end) in [(0, 0), (3, 3), (4, 99), (50, 99), (3, 1)] {
            let range = start..end;
            let got = lines(b"{\n\n}", std::slice::from_ref(&range));
            assert_eq!(got.len(), 1, "{range:?}");
        }
    }
}
