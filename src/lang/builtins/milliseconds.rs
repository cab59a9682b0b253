//! `milliseconds(number)`

use super::{Builtin, Parameter};
use crate::json::Number;
use crate::model::types::Type;
use crate::model::value::Value;

/// Signature, documentation and examples.
pub const BUILTIN: Builtin = Builtin {
    name: "milliseconds",
    parameters: &[Parameter::number("number")],
    result: |_| Type::Duration,
    doc: "The duration of so many milliseconds. Fractions count, down to the nanosecond.",
    examples: &[
        ("milliseconds(1500)", "1.5s"),
        ("milliseconds(0.5)", "0.5ms"),
        ("milliseconds(1e30)", "missing"),
    ],
    total: false,
    call,
};

fn call(arguments: &[Value]) -> Value {
    Value::or_missing(
        arguments[0].as_number().and_then(|n| scaled(&n, 6)),
        Value::Duration,
    )
}

/// A number times a power of ten, cut to an integer; `None` if it does not fit.
pub(super) fn scaled(n: &Number, power: usize) -> Option<i64> {
    let plain = n.canonical();
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let fraction = &fraction[..fraction.len().min(power)];
    format!("{whole}{fraction:0<power$}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_exactly() {
        for (n, nanos) in [
            ("1", Some(1_000_000)),
            ("-0.0000015", Some(-1)),
            ("9223372036854.775807", Some(i64::MAX)),
            ("9223372036854.775808", None),
            ("1e500", None),
            ("1e-500", None),
        ] {
            assert_eq!(scaled(&Number::parse(n).unwrap(), 6), nanos, "{n}");
        }
    }
}
