//! Operators on values (S1, S2).

use std::cmp::Ordering;

use serde_json::Value as Plain;
use wirelint::input::event::{Header, Headers, Recorded};
use wirelint::lang::ast::{BinaryOp, PathPattern, PathStep, Repeat};
use wirelint::lang::program::TypeTest;
use wirelint::model::value::{Step, Value};

use super::value::{Item, List, Truth, V, number};

pub fn not(a: Truth) -> Truth {
    a.map(|a| !a)
}

/// Kleene's `and` (S2).
pub fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Kleene's `and` of any number.
pub fn conjunction(parts: impl IntoIterator<Item = Truth>) -> Truth {
    let mut whole = Some(true);
    for part in parts {
        whole = and(whole, part);
    }
    whole
}

/// Kleene's `or` (S2).
pub fn or(a: Truth, b: Truth) -> Truth {
    not(and(not(a), not(b)))
}

/// A decimal as sign, digits and the number of digits behind the point.
fn decimal(written: &str) -> (bool, Vec<u8>, i64) {
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let negative = mantissa.starts_with('-');
    let mantissa = mantissa.trim_start_matches('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.bytes().chain(fraction.bytes()).map(|b| b - b'0').collect();
    let exponent: i64 = exponent.trim_start_matches('+').parse().unwrap();
    (
        negative,
        digits,
        i64::try_from(fraction.len()).unwrap() - exponent,
    )
}

/// Two decimals as digits of equal length, by appending and prepending zeros.
fn aligned(a: &str, b: &str) -> [(bool, Vec<u8>); 2] {
    let [mut a, mut b] = [decimal(a), decimal(b)];
    let places = (a.2, b.2);
    for (one, other) in [(&mut a, places.1), (&mut b, places.0)] {
        while one.2 < other {
            one.1.push(0);
            one.2 += 1;
        }
    }
    let length = a.1.len().max(b.1.len());
    [a, b].map(|(negative, digits, _)| {
        let zeros = vec![0; length - digits.len()];
        let digits = [zeros, digits].concat();
        (negative && digits.iter().any(|d| *d != 0), digits)
    })
}

/// Numbers compare by exact decimal value (S1).
pub fn compare_numbers(a: &str, b: &str) -> Ordering {
    let [a, b] = aligned(a, b);
    match (a.0, b.0) {
        (false, false) => a.1.cmp(&b.1),
        (true, true) => b.1.cmp(&a.1),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

fn sum(a: &str, b: &str, minus: bool) -> Option<V> {
    let scale = |n: &str| decimal(n).2.max(0);
    let places = scale(a).max(scale(b));
    let scaled = |n: &str| -> Option<i128> {
        let (negative, digits, behind) = decimal(n);
        let mut value: i128 = 0;
        for digit in digits {
            value = value.checked_mul(10)?.checked_add(digit.into())?;
        }
        for _ in behind..places {
            value = value.checked_mul(10)?;
        }
        Some(if negative { -value } else { value })
    };
    let (a, b) = (scaled(a)?, scaled(b)?);
    let sum = if minus { a.checked_sub(b) } else { a.checked_add(b) }?;
    Some(number(&format!("{sum}e-{places}")).into())
}

pub fn add(a: &V, b: &V) -> V {
    arithmetic(a, b, || match (a, b) {
        (V::Time(a), V::Duration(b)) | (V::Duration(a), V::Time(b)) => a.checked_add(*b).map(V::Time),
        (V::Duration(a), V::Duration(b)) => a.checked_add(*b).map(V::Duration),
        _ => match (a.as_str(), b.as_str()) {
            (Some(a), Some(b)) => Some(V::text(&format!("{a}{b}"))),
            _ => sum(&a.as_number()?, &b.as_number()?, false),
        },
    })
}

pub fn subtract(a: &V, b: &V) -> V {
    arithmetic(a, b, || match (a, b) {
        (V::Time(a), V::Duration(b)) => a.checked_sub(*b).map(V::Time),
        (V::Time(a), V::Time(b)) | (V::Duration(a), V::Duration(b)) => a.checked_sub(*b).map(V::Duration),
        _ => sum(&a.as_number()?, &b.as_number()?, true),
    })
}

fn arithmetic(a: &V, b: &V, op: impl Fn() -> Option<V>) -> V {
    if a.is_missing() || b.is_missing() {
        V::Missing
    } else if a.is_unknown() || b.is_unknown() {
        V::Unknown
    } else {
        V::or_missing(op())
    }
}

pub fn negate(a: &V) -> V {
    match a {
        V::Unknown => V::Unknown,
        V::Duration(d) => V::or_missing(d.checked_neg().map(V::Duration)),
        _ => V::or_missing(a.as_number().map(|n| {
            let opposite = n.strip_prefix('-').map_or_else(|| format!("-{n}"), str::to_owned);
            number(&opposite).into()
        })),
    }
}

/// `==` compares JSON deeply, kinds never mix, records are the same or not, `missing == missing` (S1); an incomplete
/// list equals nobody knows what (S3).
pub fn equal(a: &V, b: &V) -> Truth {
    let open = |v: &V| match v {
        V::Unknown => true,
        V::Json(node) => node.is_partial(),
        V::List(list) => list.is_incomplete() || list.unordered || list.items.iter().any(|item| item.perhaps),
        _ => false,
    };
    if open(a) || open(b) {
        return None;
    }
    match (a, b) {
        (V::Missing, V::Missing) => Some(true),
        (V::Time(a), V::Time(b)) | (V::Duration(a), V::Duration(b)) => Some(a == b),
        (V::Record(a), V::Record(b)) => Some(a.is_same(b)),
        (V::Headers(a), V::Headers(b)) => equal(&header_list(a), &header_list(b)),
        (V::Other(Value::Path(a)), V::Other(Value::Path(b))) => Some(a == b),
        (V::Other(Value::Bytes(a)), V::Other(Value::Bytes(b))) => Some(a == b),
        _ => equal_json(a, b),
    }
}

fn equal_json(a: &V, b: &V) -> Truth {
    if let (Some(a), Some(b)) = (a.as_list(), b.as_list()) {
        if a.items.len() != b.items.len() {
            return Some(false);
        }
        let pairs = a.items.iter().zip(&b.items);
        return conjunction(pairs.map(|(a, b)| equal(&a.value, &b.value)));
    }
    if let (Some(a), Some(b)) = (a.as_object(), b.as_object()) {
        let of = |object: &[(String, V)], name: &str| {
            V::or_missing(object.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()))
        };
        let names = a.iter().chain(&b).map(|(name, _)| name);
        return conjunction(names.map(|name| equal(&of(&a, name), &of(&b, name))));
    }
    if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
        return Some(compare_numbers(&a, &b).is_eq());
    }
    match (a.plain(), b.plain()) {
        (Some(a), Some(b)) => Some(a == b),
        _ => Some(false),
    }
}

/// `<` and its kin compare two numbers, texts, times or durations; everything else is false (S1).
pub fn order(op: BinaryOp, a: &V, b: &V) -> Truth {
    let ordered = |v: &V| {
        matches!(v, V::Time(_) | V::Duration(_) | V::Unknown)
            || v.as_number().is_some()
            || v.as_str().is_some()
    };
    if !ordered(a) || !ordered(b) {
        return Some(false);
    }
    let ordering = match (a, b) {
        (V::Unknown, _) | (_, V::Unknown) => return None,
        (V::Time(a), V::Time(b)) | (V::Duration(a), V::Duration(b)) => a.cmp(b),
        _ => {
            if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
                a.chars().cmp(b.chars())
            } else if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
                compare_numbers(&a, &b)
            } else {
                return Some(false);
            }
        }
    };
    Some(holds(op, ordering))
}

pub fn holds(op: BinaryOp, ordering: Ordering) -> bool {
    match op {
        BinaryOp::Less => ordering.is_lt(),
        BinaryOp::LessEqual => ordering.is_le(),
        BinaryOp::Greater => ordering.is_gt(),
        BinaryOp::GreaterEqual => ordering.is_ge(),
        BinaryOp::NotEqual => ordering.is_ne(),
        _ => ordering.is_eq(),
    }
}

/// `x in xs`: an element equals `x`, decided like `any` (S1, S3).
pub fn is_in(x: &V, xs: &V) -> Truth {
    if x.is_missing() {
        return Some(false);
    }
    match xs {
        V::Unknown => None,
        _ => xs.as_list().map_or(Some(false), |list| {
            super::lists::any(&list, &mut |element| equal(x, element))
        }),
    }
}

/// `x has y`
pub fn has(x: &V, y: &V) -> Truth {
    if x.is_missing() || y.is_missing() {
        return Some(false);
    }
    if x.as_list().is_some() {
        return is_in(y, x);
    }
    if x.is_unknown() {
        return None;
    }
    if let V::Headers(headers) = x {
        return match y {
            V::Unknown => None,
            _ => y.as_str().map_or(Some(false), |name| {
                if !lines(headers, name).is_empty() {
                    Some(true)
                } else if is_whole(headers) {
                    Some(false)
                } else {
                    None
                }
            }),
        };
    }
    // What stands in a document is there, whatever it says.
    if let (V::Json(node), Some(name)) = (x, y.as_str()) {
        return match node.member(name) {
            None if node.is_partial() => None,
            member => Some(member.is_some()),
        };
    }
    let members = x.as_object().unwrap_or_default();
    if y.is_unknown() {
        return if members.is_empty() { Some(false) } else { None };
    }
    let found = members.iter().find(|(name, _)| Some(&**name) == y.as_str());
    found.map_or(Some(false), |(_, value)| (!value.is_unknown()).then_some(true))
}

pub fn matches(x: &V, pattern: &V) -> Truth {
    match (x, pattern) {
        (V::Missing, _) | (_, V::Missing) => Some(false),
        (V::Unknown, _) | (_, V::Unknown) => None,
        (V::Other(Value::Path(path)), V::Other(Value::PathPattern(pattern))) => {
            Some(matches_path(&pattern.pattern, &path.steps()))
        }
        (_, V::Other(Value::Pattern(pattern))) => Some(x.as_str().is_some_and(|text| pattern.is_match(text))),
        _ => Some(false),
    }
}

fn matches_path(pattern: &PathPattern, path: &[Step]) -> bool {
    ends(&pattern.steps, path, 0).contains(&path.len())
}

/// Where the steps of a pattern may end that begin at `from`.
fn ends(steps: &[PathStep], path: &[Step], from: usize) -> Vec<usize> {
    let Some((step, rest)) = steps.split_first() else {
        return vec![from];
    };
    let one = |fits: bool| if fits { vec![from + 1] } else { vec![] };
    let next = path.get(from);
    let behind: Vec<usize> = match step {
        PathStep::Member(wanted) => one(matches!(next, Some(Step::Member(name)) if **name == **wanted)),
        PathStep::AnyMember => one(matches!(next, Some(Step::Member(_)))),
        PathStep::Index(wanted) => one(matches!(next, Some(Step::Index(index)) if index == wanted)),
        PathStep::AnyIndex => one(matches!(next, Some(Step::Index(_)))),
        PathStep::Depth => (from..=path.len()).collect(),
        PathStep::Group(alternatives, repeat) => {
            let once = |from: usize| -> Vec<usize> {
                alternatives
                    .iter()
                    .flat_map(|steps| ends(steps, path, from))
                    .collect()
            };
            let mut reached = match repeat {
                Repeat::Once | Repeat::Some => once(from),
                Repeat::Optional | Repeat::Any => [vec![from], once(from)].concat(),
            };
            let again = matches!(repeat, Repeat::Any | Repeat::Some);
            let mut more = reached.clone();
            while again && !more.is_empty() {
                more = more.iter().flat_map(|at| once(*at)).collect();
                more.retain(|at| !reached.contains(at));
                reached.extend(&more);
            }
            reached
        }
    };
    behind.into_iter().flat_map(|at| ends(rest, path, at)).collect()
}

/// `x is T`; false with missing on the left (S1).
pub fn is(x: &V, test: TypeTest) -> Truth {
    if x.is_unknown() {
        return None;
    }
    Some(match test {
        TypeTest::List => x.as_list().is_some(),
        TypeTest::Object => x.as_object().is_some(),
        TypeTest::Null => x.plain().is_some_and(Plain::is_null),
        TypeTest::Boolean => x.plain().is_some_and(Plain::is_boolean),
        TypeTest::Number => x.as_number().is_some(),
        TypeTest::Text => x.as_str().is_some(),
        TypeTest::Integer => x.as_number().is_some_and(|n| {
            let (_, digits, behind) = decimal(&n);
            let fraction = digits.iter().rev().take(usize::try_from(behind.max(0)).unwrap());
            fraction.into_iter().all(|digit| *digit == 0)
        }),
    })
}

/// `x.name` on a value.
pub fn member(x: &V, name: &str) -> V {
    match x {
        V::Unknown => V::Unknown,
        V::Json(node) => match node.member(name) {
            None if node.is_partial() => V::Unknown,
            member => V::or_missing(member.map(V::json)),
        },
        V::Object(members) => V::or_missing(members.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone())),
        _ => V::Missing,
    }
}

/// `x[e]`; an index only from a complete front (S3).
pub fn index(x: &V, e: &V) -> V {
    if x.is_missing() || e.is_missing() {
        return V::Missing;
    }
    if x.is_unknown() || e.is_unknown() {
        return V::Unknown;
    }
    if let Some(name) = e.as_str() {
        return match x {
            V::Headers(headers) => header(headers, name),
            _ => member(x, name),
        };
    }
    let (Some(list), Some(written)) = (x.as_list(), e.as_number()) else {
        return V::Missing;
    };
    let position = (0..=list.items.len())
        .find(|i| compare_numbers(&i.to_string(), &written).is_eq() || *i == list.items.len());
    let negative_or_broken =
        compare_numbers(&written, "0").is_lt() || is(e, TypeTest::Integer) == Some(false);
    let position = position.unwrap_or(list.items.len());
    if negative_or_broken || position == list.items.len() && !list.is_incomplete() {
        return V::Missing;
    }
    let doubtful = list.items.iter().take(position + 1).any(|item| item.perhaps);
    if list.front || list.inside || list.unordered || doubtful {
        return V::Unknown;
    }
    match list.items.get(position) {
        Some(item) => item.value.clone(),
        None if list.back => V::Unknown,
        None => V::Missing,
    }
}

fn lines<'h>(headers: &'h Headers, name: &str) -> Vec<&'h Header> {
    let all = headers.list.iter();
    all.filter(|line| line.name.eq_ignore_ascii_case(name)).collect()
}

fn is_whole(headers: &Headers) -> bool {
    matches!(headers.recorded, Recorded::Exact | Recorded::Folded)
}

/// `headers["name"]` ignores case and reads several lines as their trimmed values joined with `, `.
fn header(headers: &Headers, name: &str) -> V {
    let lines = lines(headers, name);
    if lines.is_empty() {
        return if is_whole(headers) { V::Missing } else { V::Unknown };
    }
    if lines.iter().any(|line| line.redacted) {
        return V::Unknown;
    }
    let values: Vec<&str> = lines.iter().map(|line| trimmed(&line.raw)).collect();
    V::text(&values.join(", "))
}

fn trimmed(raw: &str) -> &str {
    raw.trim_matches([' ', '\t'])
}

/// `headers.list`
pub fn header_list(headers: &Headers) -> V {
    if headers.recorded == Recorded::Nothing && headers.list.is_empty() {
        return V::Unknown;
    }
    let items = headers.list.iter().map(|line| {
        let hidden = |text: &str| if line.redacted { V::Unknown } else { V::text(text) };
        Item::sure(V::Object(vec![
            ("name".to_owned(), V::text(&line.name)),
            ("value".to_owned(), hidden(trimmed(&line.raw))),
            ("raw".to_owned(), hidden(&line.raw)),
        ]))
    });
    V::List(List {
        items: items.collect(),
        inside: !is_whole(headers),
        unordered: headers.recorded == Recorded::Folded,
        ..List::default()
    })
}
