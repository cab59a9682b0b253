//! What is declared and never read.

use super::Run;
use super::cycles::Node;
use crate::lang::error::names as error;

impl Run<'_> {
    /// Warns of parameters, constants and functions that nobody reads. A pack without rules is a library: what it
    /// declares is for packs that may not be here.
    pub fn unused(&mut self) {
        let mut found = Vec::new();
        for (id, value) in self.names.values.iter().enumerate() {
            if self.names.packs[value.pack].has_rules && !self.read.contains(&id) {
                found.push(error::unused_item(value.what(), value.name()));
            }
        }
        for (id, function) in self.names.functions.iter().enumerate() {
            if self.names.packs[function.pack].has_rules && !self.graph.is_used(Node::Function(id)) {
                found.push(error::unused_item("function", &function.declaration.name));
            }
        }
        self.diagnostics.extend(found);
    }
}
