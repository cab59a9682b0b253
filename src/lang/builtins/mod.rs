//! The functions that every rule may call: one file each, one line in [`ALL`].
//!
//! All are generic; what knows MCP is written in the language, in `rules/std/`. A builtin that is given missing in any
//! argument gives missing, given unknown gives unknown, unless it says otherwise ([`Builtin::total`]); given a JSON
//! value of another type than it takes it gives missing.

mod abs;
mod as_list;
mod at;
mod at_pointer;
mod base64_canonical;
mod base64_decode;
mod base64_decode_lenient;
mod base64_encode;
mod bidirectional;
mod challenges;
mod changes;
mod common;
mod contains;
mod control_characters;
mod ends_with;
mod entries;
mod fits;
mod integer;
mod invisible;
mod is_date;
mod join;
mod keys;
mod known;
mod last_step;
mod length;
mod lines;
mod lower;
mod max;
mod media_types;
mod member_names;
mod milliseconds;
mod min;
mod misfits;
mod number;
mod objects;
mod otherwise;
mod pairs;
mod parse_json;
mod parts;
mod percent_decode;
mod repeated_names;
mod reverse;
mod same_set;
mod schema_errors;
mod schema_faults;
mod seconds;
mod shingles;
mod sort;
mod split;
mod starts_with;
mod strings;
mod strip_prefix;
mod strip_suffix;
mod subschemas;
mod text;
mod time;
mod trim;
mod unique;
mod upper;
mod url;
mod utf8;
mod values;
mod without;
mod written;

use crate::model::ops;
use crate::model::types::Type;
use crate::model::unknown::Reason;
use crate::model::value::Value;

/// A builtin function.
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// Names and types of what it takes. A trailing parameter may be [optional](Parameter::optional).
    pub parameters: &'static [Parameter],
    /// What it gives, from the types of the arguments.
    pub result: fn(&[Type]) -> Type,
    /// What it does: the first sentence stands alone.
    pub doc: &'static str,
    /// Expressions and what they give, both in the language; run as tests.
    pub examples: &'static [(&'static str, &'static str)],
    /// It is called with missing and unknown as well (`otherwise`, `known`).
    pub total: bool,
    /// The code. Call it through [`Builtin::apply`].
    pub call: fn(&[Value]) -> Value,
}

impl Builtin {
    /// What it gives: missing if an argument is missing, else unknown if one is unknown, unless it is total.
    pub fn apply(&self, arguments: &[Value]) -> Value {
        let needed = self.parameters.iter().filter(|p| !p.optional).count();
        if arguments.len() < needed {
            return Value::Missing;
        }
        if !self.total {
            if arguments.iter().any(|a| matches!(a, Value::Missing)) {
                return Value::Missing;
            }
            if let Some(reasons) = ops::unknown(arguments) {
                return Value::Unknown(reasons);
            }
            let looks_inside =
                |parameter: &Parameter| matches!(parameter.reads, Reads::Whole | Reads::Elements);
            let partial =
                |argument: &Value| matches!(argument, Value::Json(json) if json.view().is_partial());
            let mut read = self.parameters.iter().zip(arguments);
            if read.any(|(parameter, argument)| looks_inside(parameter) && partial(argument)) {
                return Value::unknown(Reason::Body);
            }
        }
        (self.call)(arguments)
    }
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What a builtin takes.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type, by what it accepts.
    pub accepts: Accepts,
    /// May be left out.
    pub optional: bool,
    /// How much of a JSON value it looks at.
    pub reads: Reads,
}

impl Parameter {
    const fn new(name: &'static str, accepts: Accepts, reads: Reads) -> Parameter {
        Parameter {
            name,
            accepts,
            optional: false,
            reads,
        }
    }

    /// A text.
    const fn text(name: &'static str) -> Parameter {
        Parameter::new(name, Accepts::Text, Reads::Shallow)
    }

    /// A number.
    const fn number(name: &'static str) -> Parameter {
        Parameter::new(name, Accepts::Number, Reads::Shallow)
    }

    /// A JSON value of which a shape says what is looked at.
    const fn shaped(name: &'static str) -> Parameter {
        Parameter::new(name, Accepts::Json, Reads::Shaped)
    }

    /// A shape.
    const fn shape(name: &'static str) -> Parameter {
        Parameter::new(name, Accepts::Shape, Reads::Shallow)
    }

    /// The revision of the record that is judged.
    const fn revision() -> Parameter {
        Parameter::new("revision", Accepts::Revision, Reads::Shallow)
    }

    /// A JSON value that is looked at as a whole.
    const fn json(name: &'static str) -> Parameter {
        Parameter::new(name, Accepts::Json, Reads::Whole)
    }
}

/// What a parameter accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepts {
    /// Anything.
    Any,
    /// A text (or JSON, which may be one).
    Text,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A list of anything.
    List,
    /// A list of texts.
    Texts,
    /// An object.
    Object,
    /// Anything that can stand in JSON.
    Json,
    /// Bytes.
    Bytes,
    /// A time.
    Time,
    /// A duration.
    Duration,
    /// A path.
    Path,
    /// A regular expression.
    Pattern,
    /// A shape.
    Shape,
    /// The revision of the record that is judged: it is not written, the checker adds it.
    Revision,
}

/// How much of an argument a builtin looks at, and what of it comes out again: so that only what is needed is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Its kind, and its value if it is a scalar.
    Shallow,
    /// Everything below.
    Whole,
    /// Itself shallowly; the argument (or a part of it) comes out and is read by whoever uses the result.
    Passes,
    /// Its elements or members shallowly; they come out in the elements of the result.
    Elements,
    /// What the shape behind it names; parts of it come out in the elements of the result.
    Shaped,
}

/// All builtins, by name.
pub const ALL: &[Builtin] = &[
    abs::BUILTIN,
    as_list::BUILTIN,
    at::BUILTIN,
    at_pointer::BUILTIN,
    base64_canonical::BUILTIN,
    base64_decode::BUILTIN,
    base64_decode_lenient::BUILTIN,
    base64_encode::BUILTIN,
    bidirectional::BUILTIN,
    challenges::BUILTIN,
    changes::BUILTIN,
    contains::BUILTIN,
    control_characters::BUILTIN,
    ends_with::BUILTIN,
    entries::BUILTIN,
    integer::BUILTIN,
    invisible::BUILTIN,
    is_date::BUILTIN,
    join::BUILTIN,
    keys::BUILTIN,
    known::BUILTIN,
    last_step::BUILTIN,
    length::BUILTIN,
    lines::BUILTIN,
    lower::BUILTIN,
    max::BUILTIN,
    media_types::BUILTIN,
    member_names::BUILTIN,
    milliseconds::BUILTIN,
    min::BUILTIN,
    misfits::BUILTIN,
    number::BUILTIN,
    objects::BUILTIN,
    otherwise::BUILTIN,
    pairs::BUILTIN,
    parse_json::BUILTIN,
    parts::BUILTIN,
    percent_decode::BUILTIN,
    repeated_names::BUILTIN,
    reverse::BUILTIN,
    same_set::BUILTIN,
    schema_errors::BUILTIN,
    schema_faults::BUILTIN,
    seconds::BUILTIN,
    shingles::BUILTIN,
    sort::BUILTIN,
    split::BUILTIN,
    starts_with::BUILTIN,
    strings::BUILTIN,
    strip_prefix::BUILTIN,
    strip_suffix::BUILTIN,
    subschemas::BUILTIN,
    text::BUILTIN,
    time::BUILTIN,
    trim::BUILTIN,
    unique::BUILTIN,
    upper::BUILTIN,
    url::BUILTIN,
    utf8::BUILTIN,
    values::BUILTIN,
    without::BUILTIN,
    written::BUILTIN,
];

/// The builtin of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

/// What the operator `fits` is.
pub const FITS: &Builtin = &fits::BUILTIN;

#[cfg(test)]
mod examples;
