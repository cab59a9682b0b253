//! Text → document: one validating pass, guided by a demand.
//!
//! serde_json reads; the seeds below tell it what to keep. Whatever is not demanded is checked to be JSON and skipped.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::demand::Demand;
use super::document::{Builder, Document, Origin};
use super::number::Number;

/// Why a text is not JSON, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Byte in the text.
    pub offset: usize,
    /// In words, lower case, without a place.
    pub message: String,
    /// The text ends too early: it was cut off.
    pub cut_off: bool,
    /// Values are nested deeper than 127 levels, the limit of the reader.
    pub too_deep: bool,
}

/// Reads one JSON text. `demand` must be [frozen](Demand::frozen). A lone surrogate escape (`\ud800`) is read as U+FFFD.
pub fn decode(text: &str, demand: &Demand, origin: Option<Origin>) -> Result<Document, Fault> {
    match attempt(text, demand) {
        Ok(builder) => Ok(builder.finish(origin)),
        Err(error) => {
            if let Some(mended) = mend_surrogates(text)
                && let Ok(builder) = attempt(&mended, demand)
            {
                return Ok(builder.finish(origin));
            }
            Err(fault(text, &error))
        }
    }
}

/// Reads one JSON text and keeps all of it.
pub fn decode_all(text: &str, origin: Option<Origin>) -> Result<Document, Fault> {
    decode(text, &Demand::whole(), origin)
}

fn attempt(text: &str, demand: &Demand) -> Result<Builder, serde_json::Error> {
    let mut builder = Builder::new();
    let mut reader = serde_json::Deserializer::from_str(text);
    Seed::new(text, demand, &mut builder).deserialize(&mut reader)?;
    reader.end()?;
    Ok(builder)
}

fn fault(text: &str, error: &serde_json::Error) -> Fault {
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let said = error.to_string();
    let message = said.split(" at line ").next().unwrap_or(&said).to_owned();
    Fault {
        offset: text.floor_char_boundary(line_start + error.column().saturating_sub(1)),
        too_deep: message.contains("recursion limit"),
        message,
        cut_off: error.is_eof(),
    }
}

/// The text with every lone surrogate escape replaced by `\ufffd`, which is as long; `None` if there was none.
fn mend_surrogates(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out: Option<Vec<u8>> = None;
    let unit = |at: usize| -> Option<u16> {
        let escape = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(escape, 16).ok()
    };
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        let Some(first) = unit(at) else {
            at += 2;
            continue;
        };
        match first {
            0xD800..=0xDBFF if unit(at + 6).is_some_and(|second| (0xDC00..=0xDFFF).contains(&second)) => {
                at += 12
            }
            0xD800..=0xDFFF => {
                out.get_or_insert_with(|| bytes.to_vec())[at..at + 6].copy_from_slice(b"\\ufffd");
                at += 6;
            }
            _ => at += 6,
        }
    }
    String::from_utf8(out?).ok()
}

/// With `arbitrary_precision`, serde_json gives a number as an object with this one member, a static text.
const NUMBER: &str = "$serde_json::private::Number";

/// Reads one value in the middle of a text that something else reads with serde_json.
pub(crate) struct Seed<'d, 'b> {
    demand: &'d Demand,
    out: &'b mut Builder,
    /// Addresses of the input, to tell serde_json's static text from an equal one in the recording.
    input: (usize, usize),
}

impl<'d, 'b> Seed<'d, 'b> {
    /// Reads a value of `text` into `out`. `demand` must be [frozen](Demand::frozen).
    pub(crate) fn new(text: &str, demand: &'d Demand, out: &'b mut Builder) -> Self {
        let input = text.as_bytes().as_ptr_range();
        Seed {
            demand,
            out,
            input: (input.start as usize, input.end as usize),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.out.null();
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.out.boolean(value);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.out.whole(value);
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.out.whole(value);
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.out.text(value);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.out.list();
        match self.demand.of_element() {
            None => while list.next_element::<IgnoredAny>()?.is_some() {},
            Some(demand) => {
                let mut index = 0;
                loop {
                    self.out.index(index);
                    if list
                        .next_element_seed(Seed {
                            demand,
                            out: self.out,
                            input: self.input,
                        })?
                        .is_none()
                    {
                        break;
                    }
                    index += 1;
                }
            }
        }
        self.out.close();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let first = object.next_key_seed(Key {
            demand: self.demand,
            out: self.out,
            input: self.input,
            opens: true,
        })?;
        let mut next = match first {
            Some(Wanted::Number) => {
                let written: String = object.next_value()?;
                if Number::parse(&written).is_none() {
                    return Err(A::Error::custom("invalid number"));
                }
                self.out.number(&written);
                return Ok(());
            }
            None => {
                self.out.object();
                None
            }
            first => first,
        };
        while let Some(wanted) = next {
            match wanted {
                Wanted::Yes(demand) => {
                    object.next_value_seed(Seed {
                        demand,
                        out: self.out,
                        input: self.input,
                    })?;
                }
                Wanted::No | Wanted::Number => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
            next = object.next_key_seed(Key {
                demand: self.demand,
                out: self.out,
                input: self.input,
                opens: false,
            })?;
        }
        self.out.close();
        Ok(())
    }
}

/// What to do with the value of a member.
enum Wanted<'d> {
    Yes(&'d Demand),
    No,
    /// It is no member: the value is a number's digits.
    Number,
}

/// Reads the name of a member; the first one also opens the object, since only it tells an object from a number.
struct Key<'d, 'b> {
    demand: &'d Demand,
    out: &'b mut Builder,
    input: (usize, usize),
    opens: bool,
}

impl<'d> Key<'d, '_> {
    fn name<'x>(self, name: &'x str) -> Wanted<'d>
    where
        'd: 'x,
    {
        if self.opens {
            self.out.object();
        }
        match self.demand.of_member(name) {
            Some(demand) => {
                self.out.key(name);
                Wanted::Yes(demand)
            }
            None => Wanted::No,
        }
    }
}

impl<'de, 'd> DeserializeSeed<'de> for Key<'d, '_> {
    type Value = Wanted<'d>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Wanted<'d>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, 'd> Visitor<'de> for Key<'d, '_> {
    type Value = Wanted<'d>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Wanted<'d>, E> {
        let address = name.as_ptr() as usize;
        if self.opens && name == NUMBER && !(self.input.0..=self.input.1).contains(&address) {
            return Ok(Wanted::Number);
        }
        Ok(self.name(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Wanted<'d>, E> {
        Ok(self.name(name))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn all(text: &str) -> String {
        Arc::new(decode_all(text, None).unwrap())
            .root()
            .unwrap()
            .to_text()
    }

    #[test]
    fn keeps_everything_in_order() {
        let text = r#"{"b":[1,2.50,{"x":null}],"a":"\u00e9\n","b":true,"e":{},"l":[]}"#;
        assert_eq!(
            all(text),
            r#"{"b":[1,2.50,{"x":null}],"a":"é\n","b":true,"e":{},"l":[]}"#
        );
    }

    #[test]
    fn keeps_the_digits_of_numbers() {
        // Only the mark of an exponent is made uniform by serde_json.
        assert_eq!(all("[1e5,1E+5,2e-7]"), "[1e+5,1e+5,2e-7]");
        for text in [
            "1.0",
            "-0",
            "-0.0",
            "9007199254740993",
            "123456789012345678901234567890",
            "[1.10]",
        ] {
            assert_eq!(all(text), text);
        }
    }

    #[test]
    fn an_object_that_imitates_the_number_of_serde_json_is_an_object() {
        let text = r#"{"$serde_json::private::Number":"12"}"#;
        assert_eq!(all(text), text);
    }

    #[test]
    fn takes_what_is_demanded() {
        let mut demand = Demand::shallow();
        demand.member("params").member("name");
        demand.member("list").element().member("id");
        let text = r#"{"method":"x","params":{"deep":{"name":1},"name":"n"},"list":[{"id":1,"no":2},{"no":3},{"id":4}]}"#;
        let document = Arc::new(decode(text, &demand.frozen(), None).unwrap());
        let root = document.root().unwrap();
        assert_eq!(
            root.to_text(),
            r#"{"params":{"name":"n"},"list":[{"id":1},{},{"id":4}]}"#
        );
        let third = root
            .member("list")
            .unwrap()
            .element(2)
            .unwrap()
            .member("id")
            .unwrap();
        assert_eq!(third.pointer(), "/list/2/id");
    }

    #[test]
    fn the_last_of_a_repeated_name_counts() {
        let document = Arc::new(decode_all(r#"{"a":1,"a":2}"#, None).unwrap());
        assert_eq!(document.root().unwrap().member("a").unwrap().to_text(), "2");
        assert_eq!(document.root().unwrap().members().len(), 1);
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        assert_eq!(
            all(r#"["\ud800x","\ud83d\ude00","\\ud800"]"#),
            "[\"\u{fffd}x\",\"😀\",\"\\\\ud800\"]"
        );
    }

    #[test]
    fn faults_have_a_place() {
        let fault = decode_all("{\"a\":1,\n\"b\":x}", None).unwrap_err();
        assert_eq!((fault.offset, fault.cut_off), (12, false));
        assert!(decode_all(r#"{"a":"#, None).unwrap_err().cut_off);
        assert!(decode_all(&"[".repeat(200), None).unwrap_err().too_deep);
        assert!(decode_all("1 2", None).is_err());
    }
}
