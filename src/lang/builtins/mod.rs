//! The functions that every rule may call: one file each, one line in [`ALL`].
//!
//! All are generic; what knows MCP is written in the language, in `rules/std/`. A builtin that is given missing in any
//! argument gives missing, given unknown gives unknown, unless it says otherwise ([`Builtin::total`]); given a JSON
//! value of another type than it takes it gives missing.

use crate::model::types::Type;
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
    /// The code.
    pub call: fn(&[Value]) -> Value,
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
}

/// All builtins, by name.
pub const ALL: &[Builtin] = &[];

/// The builtin of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}
