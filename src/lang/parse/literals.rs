//! Literals: numbers, durations, texts, templates, regular expressions, path patterns.

use super::grammar::{Pair, Parts, Rule};
use super::lower::Lowering;
use crate::lang::ast::{ExprKind, PathPattern, PathStep, Piece, Repeat, Template};
use crate::lang::error::syntax as error;
use crate::source::{Span, Spanned};

impl<'t> Lowering<'t> {
    /// `number`
    pub fn number(&mut self, pair: &Pair<'t>) -> ExprKind {
        let text = pair.as_str();
        let mut digits = text.chars();
        if digits.next() == Some('0') && digits.next().is_some_and(|c| c.is_ascii_digit()) {
            self.report(error::leading_zero(self.span(pair), text));
        }
        ExprKind::Number(text.to_owned())
    }

    /// `duration`, in nanoseconds.
    pub fn duration(&mut self, pair: &Pair<'t>) -> Option<i64> {
        let text = pair.as_str();
        let nanoseconds = nanoseconds(text);
        if nanoseconds.is_none() {
            self.report(error::duration_too_long(self.span(pair), text));
        }
        nanoseconds
    }

    /// `string`: a text whose braces stand for themselves.
    pub fn string(&mut self, pair: Pair<'t>) -> Spanned<String> {
        let span = self.span(&pair);
        let mut value = String::new();
        for part in Parts::of(pair) {
            self.text_part(span, &part, &mut value);
        }
        Spanned::new(value, span)
    }

    /// `text`: a text with holes.
    pub fn template(&mut self, pair: Pair<'t>) -> Template {
        let span = self.span(&pair);
        let mut pieces = Vec::new();
        let mut plain = String::new();
        for part in Parts::of(pair) {
            if part.as_rule() == Rule::hole {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.extend(Parts::of(part).next().map(|expr| Piece::Hole(self.expr(expr))));
            } else {
                self.text_part(span, &part, &mut plain);
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Template { span, pieces }
    }

    /// A part of a text that is no hole.
    fn text_part(&mut self, whole: Span, part: &Pair<'t>, value: &mut String) {
        let text = part.as_str();
        match part.as_rule() {
            Rule::escape => match unescape(text) {
                Some(c) => value.push(c),
                None => self.report(error::no_such_character(self.span(part), text)),
            },
            Rule::brace => value.push('{'),
            Rule::bad_escape => self.report(error::bad_escape(self.span(part), text)),
            Rule::unclosed => self.report(error::unclosed_text(whole)),
            Rule::wrong_quotes => {
                self.report(error::wrong_quotes(whole, text));
                let mut inner = text.chars();
                inner.next();
                inner.next_back();
                value.push_str(inner.as_str());
            }
            _ => value.push_str(text),
        }
    }

    /// `regex`: what stands between the slashes.
    pub fn regex(&mut self, pair: &Pair<'t>) -> String {
        let text = pair.as_str();
        let inner = text.get(1..text.len() - 1).unwrap_or_default();
        let mut pattern = String::with_capacity(inner.len());
        let mut chars = inner.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek()) {
                ('\\', Some('/')) => {}
                ('\\', Some(next)) => {
                    pattern.push(c);
                    pattern.push(*next);
                    chars.next();
                }
                _ => pattern.push(c),
            }
        }
        pattern
    }

    /// `path`
    pub fn path(&mut self, pair: Pair<'t>) -> Option<PathPattern> {
        let text = pair.as_str().to_owned();
        let steps = self.path_steps(pair)?;
        Some(PathPattern { text, steps })
    }

    fn path_steps(&mut self, pair: Pair<'t>) -> Option<Vec<PathStep>> {
        let span = self.span(&pair);
        self.deeper(span, |l| {
            let mut steps = Vec::new();
            for step in Parts::of(pair) {
                l.path_step(step, &mut steps)?;
            }
            Some(steps)
        })
    }

    fn path_step(&mut self, pair: Pair<'t>, steps: &mut Vec<PathStep>) -> Option<()> {
        let rule = pair.as_rule();
        if rule == Rule::path_group {
            steps.push(self.path_group(pair)?);
            return Some(());
        }
        if rule == Rule::path_loose {
            self.report(error::loose_repeat(self.span(&pair), pair.as_str()));
            return Some(());
        }
        if rule == Rule::path_depth {
            steps.push(PathStep::Depth);
        }
        let Some(inner) = Parts::of(pair).next() else {
            return Some(());
        };
        steps.push(match (rule, inner.as_rule()) {
            (Rule::path_index, Rule::path_any) => PathStep::AnyIndex,
            (_, Rule::path_any) => PathStep::AnyMember,
            (_, Rule::path_number) => match inner.as_str().parse() {
                Ok(index) => PathStep::Index(index),
                Err(_) => {
                    self.report(error::index_too_large(self.span(&inner), inner.as_str()));
                    return None;
                }
            },
            (_, Rule::string) => PathStep::Member(self.string(inner).node),
            _ => PathStep::Member(inner.as_str().to_owned()),
        });
        Some(())
    }

    /// `( … | … )` and how often.
    fn path_group(&mut self, pair: Pair<'t>) -> Option<PathStep> {
        let span = self.span(&pair);
        self.deeper(span, |l| {
            let mut choices = vec![Vec::new()];
            let mut repeat = Repeat::Once;
            for part in Parts::of(pair) {
                match part.as_rule() {
                    Rule::path_or => choices.push(l.path_steps(part)?),
                    Rule::path_repeat => {
                        repeat = match part.as_str() {
                            "*" => Repeat::Any,
                            "+" => Repeat::Some,
                            _ => Repeat::Optional,
                        }
                    }
                    _ => l.path_step(part, choices.first_mut()?)?,
                }
            }
            Some(PathStep::Group(choices, repeat))
        })
    }
}

/// The character that an escape stands for; `None` for a code point that is none.
fn unescape(escape: &str) -> Option<char> {
    let mut chars = escape.chars().skip(1);
    match chars.next()? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'u' => {
            let hex = escape.strip_prefix("\\u{")?.strip_suffix('}')?;
            char::from_u32(u32::from_str_radix(hex, 16).ok()?)
        }
        c => Some(c),
    }
}

/// `1.5h` → nanoseconds, digits beyond them cut; `None` where they do not fit.
fn nanoseconds(text: &str) -> Option<i64> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (amount, unit) = text.split_at(unit_at);
    let unit: i128 = match unit {
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60 * 1_000_000_000,
        "h" => 3_600 * 1_000_000_000,
        _ => 86_400 * 1_000_000_000,
    };
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    let mut total = whole.parse::<i64>().ok().map(i128::from)? * unit;
    let mut weight = unit;
    for digit in fraction.chars() {
        weight /= 10;
        total += i128::from(digit.to_digit(10)?) * weight;
    }
    i64::try_from(total).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(nanoseconds("250ms"), Some(250_000_000));
        assert_eq!(nanoseconds("1.5h"), Some(5_400_000_000_000));
        assert_eq!(nanoseconds("2d"), Some(172_800_000_000_000));
        assert_eq!(nanoseconds("0.0000000001s"), Some(0));
        assert_eq!(nanoseconds("106752d"), None);
        assert_eq!(nanoseconds("99999999999999999999s"), None);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("\\\""), Some('"'));
        assert_eq!(unescape("\\n"), Some('\n'));
        assert_eq!(unescape("\\u{202E}"), Some('\u{202E}'));
        assert_eq!(unescape("\\u{D800}"), None);
    }
}
