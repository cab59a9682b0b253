//! Rule text → program: `parse` → `check` → `program`.

pub mod ast;
pub mod builtins;
pub mod check;
pub mod compile;
pub mod error;
pub mod parse;
pub mod program;
pub mod suggest;
