//! Rule text → program: `parse` → `check` → `program`.

pub mod ast;
