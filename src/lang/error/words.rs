//! Types and lists of words, as messages say them.

use crate::model::subject::Subject;
use crate::model::types::Type;

/// A type in words: `an integer`.
pub fn a(ty: &Type) -> String {
    match ty {
        Type::Json => "JSON".to_owned(),
        Type::Boolean => "a boolean".to_owned(),
        Type::Integer => "an integer".to_owned(),
        Type::Number => "a number".to_owned(),
        Type::String => "a string".to_owned(),
        Type::Null => "`null`".to_owned(),
        Type::Time => "a time".to_owned(),
        Type::Duration => "a duration".to_owned(),
        Type::Bytes => "bytes".to_owned(),
        Type::Pattern => "a regular expression".to_owned(),
        Type::Path => "a path".to_owned(),
        Type::Shape => "a shape".to_owned(),
        Type::List(of) => match &**of {
            Type::Any => "a list".to_owned(),
            of => format!("a list of {}", plural(of)),
        },
        Type::Object(of) => match &**of {
            Type::Any => "an object".to_owned(),
            of => format!("an object of {}", plural(of)),
        },
        Type::Record(members) => {
            let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
            format!("an object with {}", and(&names))
        }
        Type::Subject(subject) => {
            let word = subject.word();
            let article = if word.starts_with(['e']) { "an" } else { "a" };
            format!("{article} {word}")
        }
        Type::Headers => "HTTP headers".to_owned(),
        Type::History => "a history".to_owned(),
        Type::Any => "a value".to_owned(),
    }
}

/// A type in words with its verb: `an integer is`.
pub fn a_is(ty: &Type) -> String {
    let verb = if matches!(ty, Type::Headers | Type::Bytes) {
        "are"
    } else {
        "is"
    };
    format!("{} {verb}", a(ty))
}

/// A type in words, of several: `integers`.
pub fn plural(ty: &Type) -> String {
    match ty {
        Type::Json => "JSON".to_owned(),
        Type::Null => "`null`".to_owned(),
        Type::Bytes => "bytes".to_owned(),
        Type::Pattern => "regular expressions".to_owned(),
        Type::List(_) => "lists".to_owned(),
        Type::Object(_) | Type::Record(_) => "objects".to_owned(),
        Type::Headers => "HTTP headers".to_owned(),
        Type::Subject(Subject::Session) => "sessions".to_owned(),
        Type::Any => "values".to_owned(),
        other => {
            let one = a(other);
            let word = one.split_once(' ').map_or(one.as_str(), |(_, word)| word);
            format!("{word}s")
        }
    }
}

/// Words in a row: `a`, `b` and `c`.
pub fn and(words: &[&str]) -> String {
    row(words, "and")
}

/// Words in a row: `a`, `b` or `c`.
pub fn or(words: &[&str]) -> String {
    row(words, "or")
}

fn row(words: &[&str], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., end] => format!("{} {last} {end}", all.join(", ")),
    }
}
