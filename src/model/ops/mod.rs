//! What operators and list forms mean on values: the rules S1 to S3 of the semantics, and nothing else.
//!
//! Every function is total and pure. Unknown operands give unknown with the reasons of all that met, in the order of
//! evaluation, unless the other operands decide.

mod arithmetic;
mod count;
mod equality;
mod export;
mod hash;
mod headers;
mod lists;
mod logic;
mod membership;
mod order;
mod path;
mod reach;
mod show;
mod test;

pub use arithmetic::{add, negate, subtract};
pub use count::{Count, compare_count, compare_counts};
pub use equality::{doubt, equal, hidden};
pub use export::export;
pub use hash::hash;
pub use headers::header_list;
pub use lists::{
    all, any, any_of, count, count_sum, duplicates, each, each_in, elements, first, last, those,
};
pub use logic::{and, not, or, unknown};
pub use membership::{has, is_in};
pub use order::{Comparison, compare};
pub use path::{Path, PathMatcher, show_path};
pub use reach::{cut, index, member};
pub use show::{show, show_json, visible};
pub use test::{is, is_json, matches};

#[cfg(test)]
mod testing;
