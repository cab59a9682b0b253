//! Values that nobody wants. They are held to the grammar, and may be nested however deep: nothing is kept of them.

use super::Scanner;
use super::fault::Stop;

impl Scanner<'_> {
    /// Moves over a value of any kind, however deep.
    pub(crate) fn skip(&mut self) -> Result<(), Stop> {
        let mut nest = Nest::default();
        loop {
            let opened = match self.peek() {
                Some(b'"') => {
                    self.skip_string()?;
                    false
                }
                Some(b'{') => {
                    self.at += 1;
                    let any = self.first_name()?;
                    if any {
                        nest.open(true);
                        self.skip_name()?;
                    }
                    any
                }
                Some(b'[') => {
                    self.at += 1;
                    let any = self.first_element()?;
                    if any {
                        nest.open(false);
                    }
                    any
                }
                Some(first) => {
                    self.scalar(first)?;
                    false
                }
                None => return self.no_value(),
            };
            if opened {
                continue;
            }
            loop {
                let more = match nest.innermost_is_object() {
                    None => return Ok(()),
                    Some(true) => self.next_name()? && self.skip_name().map(|()| true)?,
                    Some(false) => self.next_element()?,
                };
                if more {
                    break;
                }
                nest.close();
            }
        }
    }
}

/// The open containers around a place, one bit each: whether it is an object.
#[derive(Default)]
struct Nest {
    /// The innermost up to 64, the last in the lowest bit.
    near: u64,
    /// The others.
    far: Vec<u64>,
    depth: usize,
}

impl Nest {
    #[inline]
    fn open(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.far.push(self.near);
        }
        self.near = self.near << 1 | u64::from(is_object);
        self.depth += 1;
    }

    #[inline]
    fn close(&mut self) {
        self.near >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.near = self.far.pop().unwrap_or(0);
        }
    }

    #[inline]
    fn innermost_is_object(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.near & 1 == 1)
    }
}
