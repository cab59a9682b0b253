//! Days and instants (RFC 3339).

/// The days from 1970-01-01 to a date in the form `YYYY-MM-DD`; `None` if there is no such day.
pub fn days(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (digits(&text[..4])?, digits(&text[5..7])?, digits(&text[8..])?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    // Howard Hinnant's `days_from_civil`: years begin in March, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

/// Nanoseconds since 1970 of a date with time and offset; `None` if it is malformed or out of range.
pub fn instant(text: &str) -> Option<i64> {
    let days = days(text.get(..10)?)?;
    let rest = text.get(10..)?;
    if rest.is_empty() {
        return days.checked_mul(86_400_000_000_000);
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, rest) = (rest.get(..8)?, rest.get(8..)?);
    let bytes = clock.as_bytes();
    if bytes[2] != b':' || bytes[5] != b':' {
        return None;
    }
    let (hour, minute, second) = (digits(&clock[..2])?, digits(&clock[3..5])?, digits(&clock[6..])?);
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let kept = &rest[..length.min(9)];
            (digits(&format!("{kept:0<9}"))?, rest.get(length..)?)
        }
        None => (0, rest),
    };
    if rest.starts_with('.') && rest[1..].len() == zone.len() {
        return None;
    }
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let sign = match zone.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            if hours.len() != 2 || minutes.len() != 2 {
                return None;
            }
            let (hours, minutes) = (digits(hours)?, digits(minutes)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 3600 + minutes * 60)
        }
    };
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset;
    seconds.checked_mul(1_000_000_000)?.checked_add(fraction)
}

fn digits(text: &str) -> Option<i64> {
    text.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_days_count() {
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2026-07-28"), Some(20_662));
        assert_eq!(days("2000-02-29"), Some(11_016));
        assert_eq!(days("0000-03-01"), Some(-719_468));
        for wrong in [
            "1900-02-29",
            "2025-02-29",
            "2025-13-01",
            "2025-00-10",
            "2025-04-31",
            "2025-4-01",
            "2025-04-00",
            "+025-04-01",
            "2025/04/01",
            "",
            "2025-04-011",
            "２０２５-1",
        ] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn instants_have_an_offset() {
        let hour = 3_600_000_000_000;
        assert_eq!(instant("1970-01-01T01:00:00Z"), Some(hour));
        assert_eq!(instant("1970-01-01t01:00:00.5z"), Some(hour + 500_000_000));
        assert_eq!(instant("1970-01-01T00:30:00-00:30"), Some(hour));
        assert_eq!(instant("1970-01-01T00:00:00.1234567891Z"), Some(123_456_789));
        assert_eq!(instant("1970-01-02"), Some(24 * hour));
        for wrong in [
            "1970-01-01T01:00:00",
            "1970-01-01T25:00:00Z",
            "1970-01-01T01:00Z",
            "1970-01-01T01:00:00.Z",
            "1970-01-01T01:00:00+1:00",
            "9999-12-31T00:00:00Z",
            "1970-01-01T01:00:00Zx",
            "1970-01-01Tä1:00:0Z",
        ] {
            assert_eq!(instant(wrong), None, "{wrong}");
        }
    }
}
