//! The members of a record, borrowed from its text.

use std::borrow::Cow;

use super::scan;
use crate::json::{self, Builder, Demand, Fault, Scanner};

/// Why a record has no members.
#[derive(Debug)]
pub(super) enum NoFields {
    /// It is not JSON.
    NotJson(Fault),
    /// It is JSON, but no object.
    NotObject,
}

/// The texts of the members of these names, each as it stands; of a repeated name the last. `null` is as good as none.
pub(super) fn fields<'a, const N: usize>(
    text: &'a str,
    names: &'static [&'static str; N],
) -> Result<[Option<&'a str>; N], NoFields> {
    let mut scanner = Scanner::new(text);
    let mut found = [None; N];
    let read = scanner.object(|scanner, name| {
        let slot = slot(names, &name.said());
        let raw = scanner.raw(Scanner::skip)?;
        if let Some(slot) = slot {
            found[slot] = Some(raw);
        }
        Ok(())
    });
    match read.and_then(|()| scanner.end()) {
        Ok(()) => Ok(found.map(present)),
        Err(_) => Err(match json::decode(text, &Demand::shallow(), None) {
            Err(fault) => NoFields::NotJson(fault),
            Ok(_) => NoFields::NotObject,
        }),
    }
}

fn slot(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| *known == name)
}

fn present(raw: Option<&str>) -> Option<&str> {
    raw.filter(|raw| *raw != "null")
}

/// The members of a record, of which one has been read in the same pass.
pub(super) struct Read<'a, const N: usize> {
    /// As of [`fields`].
    pub(super) found: [Option<&'a str>; N],
    /// What was demanded of the last of the first `trees` members that is an object or list, and which one it is.
    pub(super) tree: Option<(usize, Builder)>,
}

/// As [`fields`], but the first `trees` names are those of members that are to be read if they are objects or lists.
/// `None` if the record has no members, or one of those is nested too deep to be read.
pub(super) fn read_fields<'a, const N: usize>(
    text: &'a str,
    names: &'static [&'static str; N],
    trees: usize,
    demand: &Demand,
) -> Option<Read<'a, N>> {
    let mut scanner = Scanner::new(text);
    let mut found = [None; N];
    let mut tree = None;
    let read = scanner.object(|scanner, name| {
        let Some(slot) = slot(names, &name.said()) else {
            return scanner.skip();
        };
        found[slot] = Some(scanner.raw(|scanner| {
            if slot < trees && matches!(scanner.peek(), Some(b'{' | b'[')) {
                tree = Some((slot, scanner.tree(demand)?));
                return Ok(());
            }
            // Of a repeated name the last counts.
            tree.take_if(|(read, _)| *read == slot);
            scanner.skip()
        })?);
        Ok(())
    });
    read.and_then(|()| scanner.end()).ok()?;
    let found = found.map(present);
    Some(Read { found, tree })
}

/// The text that a member holds, if it holds one.
pub(super) fn text(raw: &str) -> Option<Cow<'_, str>> {
    raw.starts_with('"').then(|| scan::unescape(raw))
}

/// The text that a member holds; a number is taken as it is written.
pub(super) fn word(raw: &str) -> Option<Cow<'_, str>> {
    match raw.as_bytes().first()? {
        b'"' => Some(scan::unescape(raw)),
        b'-' | b'0'..=b'9' => Some(Cow::Borrowed(raw)),
        _ => None,
    }
}

/// The HTTP status that a member holds, as a number or as a text like `200` or `200 OK`.
pub(super) fn status(raw: &str) -> Option<u16> {
    word(raw)?.split_ascii_whitespace().next()?.parse().ok()
}

/// The HTTP method that a member holds. Some recorders write it in small letters, which no client sends.
pub(super) fn http_method(raw: &str) -> Option<Cow<'_, str>> {
    let method = text(raw)?;
    Some(if method.bytes().any(|b| b.is_ascii_uppercase()) {
        method
    } else {
        method.to_ascii_uppercase().into()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const NAMES: [&str; 4] = ["a", "b", "c", "d"];

    #[test]
    fn members_as_they_stand() {
        let text =
            " { \"a\" : [1, {\"b\":2} ] ,\"x\":\"y\",\"\\u0062\":\"\\n\",\"c\":null,\"d\":1,\"d\":-2.50 } ";
        let found = [Some(r#"[1, {"b":2} ]"#), Some(r#""\n""#), None, Some("-2.50")];
        assert_eq!(fields(text, &NAMES).unwrap(), found);
        let read = read_fields(text, &NAMES, 2, &Demand::whole()).unwrap();
        assert_eq!(read.found, found);
        let (slot, tree) = read.tree.unwrap();
        let tree = Arc::new(tree.finish(None)).root().unwrap();
        assert_eq!((slot, &*tree.to_text()), (0, r#"[1,{"b":2}]"#));
    }

    #[test]
    fn the_tree_is_that_of_the_last_member_that_has_one() {
        let tree = |text| {
            let read = read_fields(text, &NAMES, 2, &Demand::whole()).unwrap();
            read.tree.map(|(slot, tree)| {
                let tree = Arc::new(tree.finish(None)).root().unwrap();
                assert_eq!(read.found[slot], Some(&*tree.to_text()));
                (slot, tree.to_text())
            })
        };
        assert_eq!(tree(r#"{"a":{"x":1},"b":[2]}"#), Some((1, "[2]".to_owned())));
        assert_eq!(tree(r#"{"a":{"x":1},"a":[2]}"#), Some((0, "[2]".to_owned())));
        assert_eq!(
            tree(r#"{"a":{"x":1},"b":"y","c":[2]}"#),
            Some((0, r#"{"x":1}"#.to_owned()))
        );
        assert_eq!(tree(r#"{"a":{"x":1},"a":null}"#), None);
    }

    #[test]
    fn what_has_no_members() {
        for text in ["1", "\"a\"", "[{\"a\":1}]", " null "] {
            assert!(matches!(fields(text, &NAMES), Err(NoFields::NotObject)), "{text}");
            assert!(read_fields(text, &NAMES, 2, &Demand::whole()).is_none());
        }
        for (text, offset) in [
            ("", 0),
            ("{\"a\":1,}", 7),
            ("{\"a\":1} 2", 8),
            ("[1,]", 3),
            ("{\"x\":\"\t\"}", 6),
        ] {
            match fields(text, &NAMES) {
                Err(NoFields::NotJson(fault)) => assert_eq!(fault.offset, offset, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
            assert!(read_fields(text, &NAMES, 2, &Demand::whole()).is_none());
        }
    }

    /// A line may be nested deeper than what is read of it.
    #[test]
    fn only_what_is_read_has_a_limit_of_depth() {
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let line = |a, c| format!("{{\"a\":{},\"c\":{}}}", nested(a), nested(c));
        assert!(read_fields(&line(127, 1000), &NAMES, 2, &Demand::whole()).is_some());
        assert!(read_fields(&line(128, 1), &NAMES, 2, &Demand::whole()).is_none());
        assert!(fields(&line(1000, 1000), &NAMES).is_ok());
    }

    #[test]
    fn what_a_recorder_says_of_http() {
        for raw in ["200", "\"200\"", "\"200 OK\""] {
            assert_eq!(status(raw), Some(200), "{raw}");
        }
        for raw in ["null", "\"\"", "\"OK\"", "-1", "70000", "2e2"] {
            assert_eq!(status(raw), None, "{raw}");
        }
        assert_eq!(http_method("\"post\"").as_deref(), Some("POST"));
        assert_eq!(http_method("\"Post\"").as_deref(), Some("Post"));
    }
}
