//! Where the long values of a text end, found in one pass, so that many places in it are looked up without reading it
//! again and again.

use std::cell::Cell;
use std::ops::Range;

use super::scan;

/// The shortest value that is noted, in bytes: shorter ones are stepped over as fast as they are looked up.
const LONG: usize = 64;

/// The ends of the long values of one text, whatever its bytes are.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// In the order in which they begin.
    values: Vec<Value>,
    /// The list and the element that were asked for last; the next one asked for mostly follows.
    last: Cell<Option<Element>>,
}

#[derive(Debug, Clone, Copy)]
struct Value {
    start: u32,
    end: u32,
    /// The first value that begins behind this one.
    next: u32,
}

#[derive(Debug, Clone, Copy)]
struct Element {
    list: usize,
    number: usize,
    start: usize,
}

impl Index {
    /// Looks through a text. What is noted takes no more room than the text.
    pub(super) fn new(bytes: &[u8]) -> Index {
        if u32::try_from(bytes.len()).is_err() {
            return Index::default();
        }
        let mut noting = Noting {
            most: bytes.len() / size_of::<Value>(),
            values: Vec::new(),
            open: Vec::new(),
            unnoted: 0,
        };
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let end = scan::skip_value(bytes, at).0;
                    if end - at >= LONG && noting.open(at) {
                        noting.close(end);
                    }
                    at = end;
                    continue;
                }
                b'{' | b'[' => {
                    let noted = noting.open(at);
                    noting.unnoted += usize::from(!noted);
                }
                b'}' | b']' if noting.unnoted > 0 => noting.unnoted -= 1,
                b'}' | b']' => noting.close(at + 1),
                _ => {}
            }
            at += 1;
        }
        while !noting.open.is_empty() {
            noting.close(bytes.len());
        }
        Index {
            values: noting.values,
            last: Cell::new(None),
        }
    }

    /// One past the value at `at`.
    pub(super) fn skip_value(&self, bytes: &[u8], at: usize) -> usize {
        self.walk(at).skip(bytes, at)
    }

    /// The last member of that name of the object at `at`.
    pub(super) fn member(&self, bytes: &[u8], at: usize, name: &str) -> Option<scan::Member> {
        let mut walk = self.walk(at);
        scan::members_by(bytes, at, |at| walk.skip(bytes, at))
            .filter(|member| scan::is_named(bytes, &member.name, name))
            .last()
    }

    /// An element of the list at `at`.
    pub(super) fn element(&self, bytes: &[u8], at: usize, number: usize) -> Option<Range<usize>> {
        let known = self.last.get().filter(|e| e.list == at && e.number <= number);
        let (passed, from) = known.map_or((0, at + 1), |e| (e.number, e.start));
        let mut walk = self.walk(from);
        let found = scan::elements_from(bytes, from, |at| walk.skip(bytes, at)).nth(number - passed)?;
        self.last.set(Some(Element {
            list: at,
            number,
            start: found.start,
        }));
        Some(found)
    }

    fn walk(&self, at: usize) -> Walk<'_> {
        Walk {
            values: &self.values,
            next: self.values.partition_point(|v| (v.start as usize) < at),
        }
    }
}

/// Goes along a text, and the index beside it.
struct Walk<'i> {
    values: &'i [Value],
    next: usize,
}

impl Walk<'_> {
    /// One past the value at `at`, which never goes back.
    fn skip(&mut self, bytes: &[u8], at: usize) -> usize {
        while let Some(value) = self.values.get(self.next) {
            let (start, end) = (value.start as usize, value.end as usize);
            if start == at {
                return end;
            }
            if start > at {
                break;
            }
            self.next = if end <= at {
                value.next as usize
            } else {
                self.next + 1
            };
        }
        scan::skip_value(bytes, at).0
    }
}

/// An index that is being made.
struct Noting {
    values: Vec<Value>,
    most: usize,
    /// The noted containers that are open.
    open: Vec<usize>,
    /// How many containers are open in them that are not noted, for want of room.
    unnoted: usize,
}

impl Noting {
    /// Notes that a value begins, if there is room.
    fn open(&mut self, at: usize) -> bool {
        let Ok(start) = u32::try_from(at) else {
            return false;
        };
        if self.unnoted > 0 || self.values.len() >= self.most {
            return false;
        }
        self.open.push(self.values.len());
        self.values.push(Value {
            start,
            end: start,
            next: 0,
        });
        true
    }

    /// Notes where the innermost value ends, or forgets a short one, which holds no long ones.
    fn close(&mut self, end: usize) {
        let Some(innermost) = self.open.pop() else {
            return;
        };
        let next = self.values.len();
        if let Some(value) = self.values.get_mut(innermost) {
            if end - (value.start as usize) < LONG {
                self.values.truncate(innermost);
                return;
            }
            value.end = u32::try_from(end).unwrap_or(u32::MAX);
            value.next = u32::try_from(next).unwrap_or(u32::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_value_ends_where_it_ends_when_it_is_read(
            pieces in prop::collection::vec(r#"[\[\]{}",:\\ ]|"a":|"[a-z ]{60,70}"|\{"b":\[|[0-9]{1,60}"#, 0..40)
        ) {
            let text = pieces.concat().into_bytes();
            let index = Index::new(&text);
            prop_assert!(index.values.len() * size_of::<Value>() <= text.len());
            for value in &index.values {
                let (start, end) = (value.start as usize, value.end as usize);
                prop_assert_eq!(scan::skip_value(&text, start).0, end);
                prop_assert!(end - start >= LONG);
            }
            for at in 0..text.len() {
                let all = scan::members(&text, at);
                let named = all.filter(|m| scan::is_named(&text, &m.name, "b")).last();
                prop_assert_eq!(index.member(&text, at, "b"), named);
                if text.get(at) == Some(&b'[') {
                    for number in [0, 1, 3, 2, 9] {
                        let element = scan::elements(&text, at).nth(number);
                        prop_assert_eq!(index.element(&text, at, number), element);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_nested_deeply_takes_no_more_room() {
        let text = "[".repeat(100_000);
        let index = Index::new(text.as_bytes());
        assert!(index.values.len() * size_of::<Value>() <= text.len());
        assert_eq!(index.skip_value(text.as_bytes(), 99_990), text.len());
    }
}
