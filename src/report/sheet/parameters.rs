//! Which parameters a rule reads.

use std::collections::BTreeSet;

use super::RuleText;
use crate::lang::ast::{File, ItemKind};
use crate::lang::program::{Parameter, Program, Rule};
use crate::source::Span;

/// The parameters that a rule reads, itself or through what it uses.
pub(super) fn parameters<'p>(rule: &Rule, program: &'p Program, text: &RuleText) -> Vec<&'p Parameter> {
    let Some(file) = text.files.iter().find(|file| file.source == rule.span.source) else {
        return vec![];
    };
    let packs: Vec<&str> = std::iter::once(&*rule.pack)
        .chain(file.uses.iter().map(|name| name.node.as_str()))
        .collect();
    let items: Vec<(&str, &str)> = text
        .files
        .iter()
        .filter(|file| packs.contains(&pack(file)))
        .flat_map(|file| &file.items)
        .filter_map(|item| {
            let name = match &item.kind {
                ItemKind::Const(constant) => &constant.name,
                ItemKind::Function(function) => &function.name,
                ItemKind::Attribute(attribute) => &attribute.name,
                _ => return None,
            };
            Some((name.node.as_str(), text.sources.slice(item.span)))
        })
        .collect();
    let first = rule
        .examples
        .first()
        .map_or(rule.span.end, |example| example.span.start);
    let own = Span {
        end: first,
        ..rule.span
    };
    let mut words: BTreeSet<&str> = BTreeSet::new();
    let mut unread = vec![text.sources.slice(own)];
    while let Some(text) = unread.pop() {
        for word in code_words(text) {
            if words.insert(word) {
                unread.extend(
                    items
                        .iter()
                        .filter(|(name, _)| *name == word)
                        .map(|(_, text)| *text),
                );
            }
        }
    }
    let read = |parameter: &&Parameter| packs.contains(&&*parameter.pack) && words.contains(&*parameter.name);
    program.parameters.iter().filter(read).collect()
}

/// The words of a text that are code: not in comments, nor in texts but for their holes.
fn code_words(text: &str) -> Vec<&str> {
    let mut words = vec![];
    // What stands around: `"` a text, `{` a hole or an object.
    let mut around: Vec<char> = vec![];
    let mut start = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let quoted = around.last() == Some(&'"');
        let in_word = !quoted && (c.is_ascii_alphanumeric() || c == '_');
        match (start, in_word) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                words.extend(text.get(from..at));
                start = None;
            }
            _ => {}
        }
        match c {
            '\\' if quoted => {
                chars.next();
            }
            '"' if quoted => {
                around.pop();
            }
            '"' => around.push('"'),
            '{' => around.push('{'),
            '}' if !quoted => {
                around.pop();
            }
            '/' if !quoted && text[at..].starts_with("//") => {
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            _ => {}
        }
    }
    words.extend(start.and_then(|from| text.get(from..)));
    words
}

fn pack(file: &File) -> &str {
    file.pack.as_ref().map_or("", |name| &name.node)
}
