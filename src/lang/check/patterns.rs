//! Regular expressions, compiled once for all checks of the same files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use regex::{Regex, RegexBuilder};

/// How large a compiled expression may be, in bytes. Classes of Unicode characters need a few ten thousand.
const SIZE_LIMIT: usize = 4 << 20;

/// Compiled expressions by their text.
#[derive(Debug, Default)]
pub struct Patterns {
    compiled: Mutex<HashMap<String, Result<Arc<Regex>, String>>>,
}

impl Patterns {
    /// The expression, or what is wrong with it in one line.
    pub fn compile(&self, text: &str) -> Result<Arc<Regex>, String> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(text) {
            return known.clone();
        }
        let result = RegexBuilder::new(text)
            .size_limit(SIZE_LIMIT)
            .build()
            .map(Arc::new)
            .map_err(|fault| in_one_line(&fault));
        compiled.insert(text.to_owned(), result.clone());
        result
    }
}

/// The crate draws the expression with a mark below it; only its last line says what is wrong.
fn in_one_line(fault: &regex::Error) -> String {
    if let regex::Error::CompiledTooBig(_) = fault {
        return "it becomes too large".to_owned();
    }
    let text = fault.to_string();
    let last = text.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.unwrap_or("it cannot be understood").trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
