//! What is read, and that it is what serde_json reads.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::json::{Json, Number};

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
    for text in [
        "[1e5,1E+5,2e-7]",
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
fn what_escapes_say() {
    assert_eq!(
        all(r#"["\"\\\/\b\f\n\r\t","\u0041\u00e9\u6F22\ud83D\uDE00","a\u0000b"]"#),
        "[\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\",\"Aé漢😀\",\"a\\u0000b\"]"
    );
    // In names too, where they are looked up by what they say.
    let mut demand = Demand::shallow();
    demand.member("name");
    let text = r#"{"\u006eame":1,"n\\ame":2,"\u0000":3}"#;
    let document = Arc::new(decode(text, &demand.frozen(), None).unwrap());
    assert_eq!(document.root().unwrap().to_text(), r#"{"name":1}"#);
    assert_eq!(
        all(r#"{"\ud800":{"a\nb":"c"},"d":"e"}"#),
        "{\"\u{fffd}\":{\"a\\nb\":\"c\"},\"d\":\"e\"}"
    );
}

#[test]
fn surrogates_in_any_order() {
    for (written, said) in [
        (r"\ud83d", "\u{fffd}"),
        (r"\ude00", "\u{fffd}"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}😀"),
        (r"\ude00\ud83d", "\u{fffd}\u{fffd}"),
        (r"\ud83dx\ude00", "\u{fffd}x\u{fffd}"),
        (r"\ud83d\n", "\u{fffd}\\n"),
        (r"\ud83d\u0041", "\u{fffd}A"),
    ] {
        assert_eq!(all(&format!("\"{written}\"")), format!("\"{said}\""));
    }
}

#[test]
fn what_is_skipped_between_what_is_kept() {
    let mut demand = Demand::shallow();
    demand.member("a");
    demand.member("c");
    demand.member("e").element();
    let gap = "x".repeat(50);
    let text = format!(
        r#"{{ "{gap}": "{gap}", "a" : "1", "b":0,"c":"2","b":"{gap}","e":[{{"{gap}":1}},  [ 2 ], "\t", -0.5 ] , "a":"3" }}"#
    );
    let document = Arc::new(decode(&text, &demand.frozen(), None).unwrap());
    assert_eq!(
        document.root().unwrap().to_text(),
        r#"{"a":"1","c":"2","e":[{},[],"\t",-0.5],"a":"3"}"#
    );
}

#[test]
fn what_stands_between_values_has_no_size() {
    let size = |text: &str| decode_all(text, None).unwrap().size();
    let plain = size(r#"{"a":["b",12,{"cd":null}],"e":"f"}"#);
    for text in [
        "{ \"a\" : [ \"b\", 12, { \"cd\": null } ], \"e\": \"f\" }",
        "{\n            \"a\":[\"b\",        12,{\"cd\"            :null}],\n            \"e\":\"f\"\n}",
        r#"{"\u0061":["\u0062",12,{"c\u0064":null}],"\u0065":"\u0066"}"#,
    ] {
        assert_eq!(size(text), plain, "{text}");
    }
    assert_eq!(plain, size("[[[[[[[]]]]]]]") + "ab12cdef".len());
}

#[test]
fn white_space_is_where_json_allows_it() {
    assert_eq!(
        all(" \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } , \"c\" : [ ] } \n"),
        r#"{"a":[1,2],"b":{},"c":[]}"#
    );
    for text in ["", " ", "- 1", "1 .5", "tru e", "\u{a0}1", "\u{feff}1", "\u{c}1"] {
        assert!(decode_all(text, None).is_err(), "{text:?}");
    }
}

#[test]
fn how_deep_a_kept_value_may_be() {
    let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(all(&nested(127)), nested(127));
    let fault = decode_all(&nested(128), None).unwrap_err();
    assert!(fault.too_deep && !fault.cut_off);
    assert_eq!((fault.offset, &*fault.message), (127, "recursion limit exceeded"));
    let objects = |levels| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    assert!(decode_all(&objects(127), None).is_ok());
    assert!(decode_all(&objects(128), None).unwrap_err().too_deep);
}

#[test]
fn how_deep_what_is_skipped_may_be() {
    for levels in [1, 63, 64, 65, 127, 128, 129, 500, 100_000] {
        let (open, close) = ("[{\"a\":".repeat(levels), "}]".repeat(levels));
        let read = |text: &str| decode(text, &Demand::shallow(), None);
        assert!(read(&format!("[1,{open}1{close},2]")).is_ok(), "{levels}");
        assert!(read(&format!("[{open}1{close}}}]")).is_err(), "{levels}");
        let halved = format!(
            "[{open}1{}}}{}]",
            "}]".repeat(levels / 2),
            "}]".repeat(levels - levels / 2 - 1)
        );
        assert!(read(&halved).is_err(), "{levels}");
        assert!(read(&format!("[{open}")).unwrap_err().cut_off, "{levels}");
    }
}

#[test]
fn a_text_that_is_cut_off_is_known_as_such() {
    let text = r#"{"a":[1.5e+3,"x\u00e9\n",{"b":null}],"c":tru"#;
    for length in 0..text.len() {
        let fault = decode_all(&text[..length], None).unwrap_err();
        assert!(fault.cut_off, "{} {fault:?}", &text[..length]);
    }
}

#[test]
fn faults_have_a_place() {
    let fault = decode_all("{\"a\":1,\n\"b\":x}", None).unwrap_err();
    assert_eq!((fault.offset, fault.cut_off), (12, false));
    assert!(decode_all(r#"{"a":"#, None).unwrap_err().cut_off);
    assert!(decode_all(&"[".repeat(200), None).unwrap_err().too_deep);
    assert!(decode_all("1 2", None).is_err());
}

/// As serde_json reads it, with its fault; what it says of lone surrogates does not count.
fn reference(text: &str) -> Result<Value, Option<Fault>> {
    let read = serde_json::from_str(text);
    read.or_else(|error: serde_json::Error| {
        if error.to_string().contains("surrogate") || error.to_string().contains("hex escape") {
            return serde_json::from_str(&mended(text)).map_err(|_| None);
        }
        let lines = text.split_inclusive('\n').take(error.line() - 1);
        let offset = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        Err(Some(Fault {
            offset: text.floor_char_boundary(offset),
            message: error.to_string().split(" at line ").next().unwrap().to_owned(),
            cut_off: error.is_eof(),
            too_deep: false,
        }))
    })
}

/// The text with every lone surrogate replaced.
fn mended(text: &str) -> String {
    let unit = |at: usize| u32::from_str_radix(text.get(at..at + 6)?.strip_prefix("\\u")?, 16).ok();
    let (mut out, mut at) = (String::new(), 0);
    while at < text.len() {
        let length = match unit(at) {
            Some(0xD800..0xDC00) if unit(at + 6).is_some_and(|second| (0xDC00..0xE000).contains(&second)) => {
                12
            }
            Some(0xD800..0xE000) => {
                out.push_str("\\ufffd");
                at += 6;
                continue;
            }
            _ if text[at..].starts_with('\\') => 2,
            _ => 1,
        };
        let end = text.ceil_char_boundary((at + length).min(text.len()));
        out.push_str(&text[at..end]);
        at = end;
    }
    out
}

/// What is demanded of a value.
fn pruned(value: &Value, demand: &Demand) -> Value {
    match value {
        Value::Array(list) => match demand.of_element() {
            Some(demand) => list.iter().map(|element| pruned(element, demand)).collect(),
            None => Value::Array(vec![]),
        },
        Value::Object(members) => {
            let kept = members.iter().filter_map(|(name, value)| {
                let demand = demand.of_member(name)?;
                Some((name.clone(), pruned(value, demand)))
            });
            Value::Object(kept.collect())
        }
        scalar => scalar.clone(),
    }
}

fn same(read: &Json, value: &Value) -> bool {
    match value {
        Value::Null => read.kind() == JsonKind::Null,
        Value::Bool(value) => read.as_bool() == Some(*value),
        Value::Number(number) => read.as_number() == Number::parse(&number.to_string()),
        Value::String(text) => read.as_str() == Some(text),
        Value::Array(list) => {
            read.kind() == JsonKind::List
                && read.len() == list.len()
                && read.children().zip(list).all(|(read, value)| same(&read, value))
        }
        Value::Object(members) => {
            let read = (read.kind() == JsonKind::Object).then(|| read.members());
            read.is_some_and(|read| {
                let alike = |((a, read), (b, value)): (&(String, Json), (&String, &Value))| {
                    a == b && same(read, value)
                };
                read.len() == members.len() && read.iter().zip(members).all(alike)
            })
        }
    }
}

fn string() -> impl Strategy<Value = String> {
    r#""([a-c]|[ -!#-\[\]-~]{0,30}|[é漢😀\u{7f}]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}|\\u[dD][89a-fA-F][0-9a-f]{2}|\\ud83d\\ude00){0,6}""#
}

fn json() -> impl Strategy<Value = String> {
    let number = r"-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?";
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        number,
        string()
    ];
    let space = "( ?|[ \t\n\r]{1,12})";
    leaf.prop_recursive(5, 60, 6, move |inner| {
        let value = (space, inner, space).prop_map(|(a, value, b)| a + &value + &b);
        let name = prop_oneof![r#""[a-d]""#, string()];
        let member =
            (space, name, space, value.clone()).prop_map(|(a, name, b, value)| a + &name + &b + ":" + &value);
        prop_oneof![
            prop::collection::vec(value, 0..6).prop_map(|list| format!("[{}]", list.join(","))),
            prop::collection::vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

/// A text that was valid, with a few pieces of it replaced.
fn broken() -> impl Strategy<Value = String> {
    let piece = r#"[\[\]{}",:\\ \n/0-9eE.+\-ntfu\x00\x1f\x7fé]{0,2}"#;
    let change = (any::<prop::sample::Index>(), 0..3_usize, piece);
    (json(), prop::collection::vec(change, 1..4)).prop_map(|(mut text, changes)| {
        for (at, length, piece) in changes {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &piece);
        }
        text
    })
}

fn demand() -> impl Strategy<Value = Demand> {
    let leaf = prop_oneof![Just(Demand::shallow()), Just(Demand::whole())];
    let demand = leaf.prop_recursive(3, 12, 4, |inner| {
        let members = prop::collection::vec(("[a-d]", inner.clone()), 0..4);
        (members, prop::option::of(inner)).prop_map(|(members, elements)| {
            let mut demand = Demand::shallow();
            for (name, below) in members {
                demand.member(&name).merge(&below);
            }
            if let Some(below) = elements {
                demand.element().merge(&below);
            }
            demand
        })
    });
    demand.prop_map(Demand::frozen)
}

fn compare(text: &str, demand: &Demand) -> Result<(), TestCaseError> {
    match (decode(text, demand, None), reference(text)) {
        (Ok(read), Ok(value)) => {
            let read = Arc::new(read).root().unwrap();
            prop_assert!(
                same(&read, &pruned(&value, demand)),
                "{} {}",
                text,
                read.to_text()
            );
        }
        // Faults are the same whatever is demanded.
        (Err(fault), Err(Some(known))) => prop_assert_eq!(fault, known, "{}", text),
        (Err(_), Err(None)) => {}
        (read, known) => prop_assert!(false, "{:?}: {:?}, {:?}", text, read, known),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn reads_what_serde_json_reads(text in json()) {
        prop_assert!(reference(&text).is_ok());
        compare(&text, &Demand::whole())?;
    }

    #[test]
    fn refuses_what_serde_json_refuses(text in broken(), demand in demand()) {
        compare(&text, &Demand::whole())?;
        compare(&text, &Demand::shallow())?;
        compare(&text, &demand)?;
    }

    #[test]
    fn keeps_what_is_demanded_of_any_text(text in json(), demand in demand()) {
        compare(&text, &demand)?;
    }
}
