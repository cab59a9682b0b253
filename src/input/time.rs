//! Clock readings in the forms that recorders write.

/// Nanoseconds since 1970 of an RFC 3339 time, such as `2026-11-30T21:59:57.872Z`; a blank may stand for the `T`.
pub(super) fn rfc3339(text: &str) -> Option<i64> {
    let b = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = b.get(from..to)?;
        digits.iter().try_fold(0_i64, |sum, d| {
            d.is_ascii_digit().then(|| sum * 10 + i64::from(d - b'0'))
        })
    };
    let marks = [(4, b"-"), (7, b"-"), (13, b":"), (16, b":")];
    if marks.iter().any(|(at, mark)| b.get(*at) != Some(&mark[0])) || !matches!(b[10], b'T' | b't' | b' ') {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut rest = &b[19..];
    let mut nanos = 0;
    if let [b'.' | b',', fraction @ ..] = rest {
        let digits = fraction.iter().take_while(|d| d.is_ascii_digit()).count();
        let mut unit = 100_000_000;
        for digit in &fraction[..digits] {
            nanos += i64::from(digit - b'0') * unit;
            unit /= 10;
        }
        rest = &fraction[digits..];
    }
    let offset = match rest {
        b"Z" | b"z" | b"" => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let at = b.len() - rest.len();
            let minutes = number(at + 1, at + 3)? * 60 + number(at + 4, at + 6)?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => return None,
    };
    let seconds = days(year, month, day) * 86_400 + (hour * 60 + minute - offset) * 60 + second;
    seconds.checked_mul(1_000_000_000)?.checked_add(nanos)
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// What one of a recorder's numbers counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Seconds, milliseconds, microseconds or nanoseconds, whichever gives a time of our days.
    Guess,
    /// Milliseconds.
    Milli,
    /// Microseconds.
    Micro,
}

/// Nanoseconds of a decimal number as it was written; digits below one nanosecond are dropped.
pub(super) fn number(written: &str, unit: Unit) -> Option<i64> {
    let (mantissa, exponent) = match written.find(['e', 'E']) {
        Some(at) => (
            &written[..at],
            written[at + 1..].trim_start_matches('+').parse::<i32>().ok()?,
        ),
        None => (written, 0),
    };
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: Vec<i64> = whole
        .bytes()
        .chain(fraction.bytes())
        .map(|d| d.is_ascii_digit().then(|| i64::from(d - b'0')))
        .collect::<Option<_>>()?;
    let integral = i32::try_from(whole.len()).ok()?.checked_add(exponent)?;
    let scale = match unit {
        Unit::Milli => 6,
        Unit::Micro => 3,
        // Number of digits before the point: 10 for seconds of our days, 13, 16, 19 for the smaller units.
        Unit::Guess => match i32::try_from(digits.iter().take_while(|d| **d == 0).count()) {
            Ok(zeros) => match integral - zeros {
                ..=11 => 9,
                12..=14 => 6,
                15..=17 => 3,
                _ => 0,
            },
            Err(_) => return None,
        },
    };
    let places = integral.checked_add(scale)?;
    let mut nanos = 0_i64;
    for at in 0..places.clamp(0, 40) {
        let digit = usize::try_from(at).ok().and_then(|at| digits.get(at)).copied();
        nanos = nanos.checked_mul(10)?.checked_add(digit.unwrap_or(0))?;
    }
    (places <= 40).then_some(if negative { -nanos } else { nanos })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rfc3339() {
        for (text, nanos) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-30T21:59:57.872Z", 1_796_075_997_872_000_000),
            ("2026-11-30T23:59:57.872+02:00", 1_796_075_997_872_000_000),
            ("2026-11-30 21:59:57,872", 1_796_075_997_872_000_000),
            ("2000-02-29T12:00:00.123456789999Z", 951_825_600_123_456_789),
            ("1969-12-31T23:59:59Z", -1_000_000_000),
        ] {
            assert_eq!(rfc3339(text), Some(nanos), "{text}");
        }
        for text in [
            "",
            "2026-11-30",
            "2026-13-30T00:00:00Z",
            "2026-11-30T00:00:00+2",
            "9999-01-01T00:00:00Z",
            "2026-11-30T00:00:0",
        ] {
            assert_eq!(rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn reads_numbers_of_any_unit() {
        let all = 1_796_076_381_070_157_300;
        assert_eq!(number("1796076381.0701573", Unit::Guess), Some(all));
        assert_eq!(number("1796076381070.1573", Unit::Guess), Some(all));
        assert_eq!(number("1796076381070157300", Unit::Guess), Some(all));
        assert_eq!(number("1.7960763810701573e9", Unit::Guess), Some(all));
        assert_eq!(number("8.585", Unit::Milli), Some(8_585_000));
        assert_eq!(number("0.5", Unit::Guess), Some(500_000_000));
        assert_eq!(number("-3", Unit::Micro), Some(-3_000));
        for text in ["", "x", "1e400", "1e-2147483648", "99999999999999999999999"] {
            assert!(number(text, Unit::Micro).is_none_or(|n| n == 0), "{text}");
        }
    }
}
