//! Numbers as JSON writes them, compared and added exactly.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A JSON number (RFC 8259, section 6). It keeps the digits that it was written with, and compares by exact decimal
/// value: `1`, `1.0` and `10e-1` are equal, 9007199254740993 and 9007199254740992 are not.
#[derive(Debug, Clone)]
pub struct Number {
    written: Written,
}

#[derive(Debug, Clone)]
enum Written {
    Integer(i64),
    Text(Arc<str>),
}

/// Sign, significant digits without zeros at either end, and the power of ten of the digit before the first:
/// value = 0.DIGITS × 10^exponent. Zero has no digits.
struct Decimal<'a> {
    negative: bool,
    head: &'a str,
    tail: &'a str,
    exponent: i64,
}

impl Decimal<'_> {
    fn digits(&self) -> impl Iterator<Item = u8> + '_ {
        self.head.bytes().chain(self.tail.bytes())
    }

    fn is_zero(&self) -> bool {
        self.head.is_empty() && self.tail.is_empty()
    }
}

/// The largest power of ten that is told apart; beyond it a number counts as this large (or small).
const EXPONENT_LIMIT: i64 = 1 << 40;

impl Number {
    /// Reads a number in JSON's notation; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Number> {
        if !is_json_number(text) {
            return None;
        }
        if text.len() < 19
            && !text.starts_with("-0")
            && let Ok(n) = text.parse::<i64>()
        {
            return Some(Number {
                written: Written::Integer(n),
            });
        }
        Some(Number {
            written: Written::Text(Arc::from(text)),
        })
    }

    /// The digits as they were written.
    pub fn written(&self) -> String {
        match &self.written {
            Written::Integer(n) => n.to_string(),
            Written::Text(text) => text.to_string(),
        }
    }

    /// Whether the value has no fraction: `1.0` and `1e3` have none.
    pub fn is_integral(&self) -> bool {
        match &self.written {
            Written::Integer(_) => true,
            Written::Text(text) => {
                let d = decimal(text);
                d.is_zero() || i64::try_from(d.head.len() + d.tail.len()).is_ok_and(|n| d.exponent >= n)
            }
        }
    }

    /// The value, if it is integral and fits.
    pub fn as_i64(&self) -> Option<i64> {
        match &self.written {
            Written::Integer(n) => Some(*n),
            Written::Text(text) => {
                let (mantissa, power) = scaled(text)?;
                let power = u32::try_from(power).ok()?;
                mantissa.checked_mul(10i128.checked_pow(power)?)?.try_into().ok()
            }
        }
    }

    /// The nearest binary value, for uses where exactness does not matter.
    pub fn as_f64(&self) -> f64 {
        match &self.written {
            #[expect(
                clippy::cast_precision_loss,
                reason = "the caller asked for the nearest value"
            )]
            Written::Integer(n) => *n as f64,
            Written::Text(text) => text.parse().unwrap_or(f64::NAN),
        }
    }

    /// The canonical decimal form: no fraction if integral, no exponent, no superfluous zeros. Numbers whose plain
    /// form would be longer than 400 digits stay as they were written.
    pub fn canonical(&self) -> String {
        let text = match &self.written {
            Written::Integer(n) => return n.to_string(),
            Written::Text(text) => text,
        };
        let d = decimal(text);
        if d.is_zero() {
            return "0".to_owned();
        }
        if d.exponent.abs() > 400 {
            return text.to_string();
        }
        let digits: String = d.digits().map(char::from).collect();
        let sign = if d.negative { "-" } else { "" };
        let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
        let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        if d.exponent <= 0 {
            format!("{sign}0.{}{digits}", zeros(-d.exponent))
        } else if d.exponent >= length {
            format!("{sign}{digits}{}", zeros(d.exponent - length))
        } else {
            let (whole, fraction) = digits.split_at(usize::try_from(d.exponent).unwrap_or(0));
            format!("{sign}{whole}.{fraction}")
        }
    }

    /// The sum, exact; `None` if it needs more than 38 digits.
    pub fn plus(&self, other: &Number) -> Option<Number> {
        self.combine(other, i128::checked_add)
    }

    /// The difference, exact; `None` if it needs more than 38 digits.
    pub fn minus(&self, other: &Number) -> Option<Number> {
        self.combine(other, i128::checked_sub)
    }

    fn combine(&self, other: &Number, op: fn(i128, i128) -> Option<i128>) -> Option<Number> {
        let (a, pa) = scaled(&self.written())?;
        let (b, pb) = scaled(&other.written())?;
        let power = pa.min(pb);
        let lift = |m: i128, p: i64| m.checked_mul(10i128.checked_pow(u32::try_from(p - power).ok()?)?);
        let sum = op(lift(a, pa)?, lift(b, pb)?)?;
        Number::parse(&Number::parse(&format!("{sum}e{power}"))?.canonical())
    }
}

impl From<i64> for Number {
    fn from(n: i64) -> Self {
        Number {
            written: Written::Integer(n),
        }
    }
}

impl From<usize> for Number {
    fn from(n: usize) -> Self {
        Number::from(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written())
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Written::Integer(a), Written::Integer(b)) = (&self.written, &other.written) {
            return a.cmp(b);
        }
        let (a, b) = (self.written(), other.written());
        let (a, b) = (decimal(&a), decimal(&b));
        let sign = |d: &Decimal| {
            if d.is_zero() {
                0
            } else if d.negative {
                -1
            } else {
                1
            }
        };
        let by_sign = sign(&a).cmp(&sign(&b));
        if by_sign != Ordering::Equal || a.is_zero() {
            return by_sign;
        }
        let by_size = a
            .exponent
            .cmp(&b.exponent)
            .then_with(|| a.digits().cmp(b.digits()));
        if a.negative { by_size.reverse() } else { by_size }
    }
}

fn is_json_number(text: &str) -> bool {
    let rest = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let digits = |s: &[u8]| s.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    let mut rest = &rest[whole..];
    if rest.first() == Some(&b'.') {
        let n = digits(&rest[1..]);
        if n == 0 {
            return false;
        }
        rest = &rest[1 + n..];
    }
    if matches!(rest.first(), Some(b'e' | b'E')) {
        rest = &rest[1..];
        if matches!(rest.first(), Some(b'+' | b'-')) {
            rest = &rest[1..];
        }
        let n = digits(rest);
        return n > 0 && n == rest.len();
    }
    rest.is_empty()
}

/// Takes a valid number apart.
fn decimal(text: &str) -> Decimal<'_> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, power) = match rest.split_once(['e', 'E']) {
        Some((m, e)) => (m, exponent(e)),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let length = |s: &str| i64::try_from(s.len()).unwrap_or(EXPONENT_LIMIT);
    let (head, tail, exponent) = if whole.is_empty() {
        let stripped = fraction.trim_start_matches('0');
        (stripped, "", power - (length(fraction) - length(stripped)))
    } else if fraction.is_empty() {
        (whole.trim_end_matches('0'), "", length(whole) + power)
    } else {
        (whole, fraction, length(whole) + power)
    };
    Decimal {
        negative,
        head,
        tail,
        exponent,
    }
}

fn exponent(text: &str) -> i64 {
    let digits = text.strip_prefix('+').unwrap_or(text);
    digits.parse::<i64>().map_or_else(
        |_| {
            if digits.starts_with('-') {
                -EXPONENT_LIMIT
            } else {
                EXPONENT_LIMIT
            }
        },
        |n| n.clamp(-EXPONENT_LIMIT, EXPONENT_LIMIT),
    )
}

/// value = mantissa × 10^power, with the shortest mantissa; `None` beyond 38 digits.
fn scaled(text: &str) -> Option<(i128, i64)> {
    let d = decimal(text);
    let mut mantissa: i128 = 0;
    for digit in d.digits() {
        mantissa = mantissa.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    let length = i64::try_from(d.head.len() + d.tail.len()).ok()?;
    Some((
        if d.negative { -mantissa } else { mantissa },
        if d.is_zero() { 0 } else { d.exponent - length },
    ))
}

#[cfg(test)]
mod tests {
    use super::Number;

    fn n(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn compares_by_exact_decimal_value() {
        assert_eq!(n("1"), n("1.0"));
        assert_eq!(n("10e-1"), n("1"));
        assert_eq!(n("-0"), n("0"));
        assert_eq!(n("100"), n("1e2"));
        assert_eq!(n("0.00120"), n("1.2E-3"));
        assert!(n("9007199254740993") > n("9007199254740992"));
        assert!(n("9007199254740993.0") > n("9007199254740992.5"));
        assert!(n("-2") < n("-1.5"));
        assert!(n("1e400") > n("9e399"));
        assert!(n("0.1") < n("0.11"));
        assert!(n("-1e999999999999999999999") < n("-1"));
    }

    #[test]
    fn knows_integers() {
        for text in ["1", "1.0", "1e3", "-0", "1.20e1", "0.0"] {
            assert!(n(text).is_integral(), "{text}");
        }
        for text in ["1.5", "1e-1", "0.1"] {
            assert!(!n(text).is_integral(), "{text}");
        }
        assert_eq!(n("1.20e1").as_i64(), Some(12));
        assert_eq!(n("1e30").as_i64(), None);
    }

    #[test]
    fn writes_plain_decimals() {
        for (text, plain) in [
            ("42.0", "42"),
            ("4.2e1", "42"),
            ("-0.0", "0"),
            ("1.50", "1.5"),
            ("1e-3", "0.001"),
            ("18446744073709551615", "18446744073709551615"),
        ] {
            assert_eq!(n(text).canonical(), plain);
        }
    }

    #[test]
    fn adds_exactly() {
        assert_eq!(n("0.1").plus(&n("0.2")).unwrap(), n("0.3"));
        assert_eq!(
            n("9007199254740992").plus(&n("1")).unwrap().written(),
            "9007199254740993"
        );
        assert_eq!(n("1").minus(&n("1e-2")).unwrap(), n("0.99"));
    }

    #[test]
    fn refuses_what_json_refuses() {
        for text in ["", "01", "+1", "1.", ".5", "1e", "0x1", "NaN", "1 ", "--1"] {
            assert!(Number::parse(text).is_none(), "{text}");
        }
    }
}
