//! `wirelint explain`: what a rule demands, and why.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::args::Explain;
use super::choose::RECORDING;
use super::load::{self, Bundled, Loaded};
use super::output::Output;
use super::words::{reach, revisions, subject};
use super::{GOOD, Stop};
use crate::diagnostic::Diagnostic;
use crate::lang::ast::{File, ItemKind};
use crate::lang::error::names::did_you_mean;
use crate::lang::program::{Parameter, Program, Rule};
use crate::lang::suggest::suggest;
use crate::model::ops::show_json;
use crate::model::value::Value;
use crate::source::Span;

pub(super) fn run(explain: &Explain, output: &mut Output) -> Result<u8, Stop> {
    let (loaded, program, _) = load::all(&explain.rules, Bundled::Whole, &explain.tuning, None)?;
    let rule = find(&program, &explain.rule)?;
    write(rule, &program, &loaded, &mut output.out)?;
    Ok(GOOD)
}

/// The rule that a name means.
fn find<'p>(program: &'p Program, name: &str) -> Result<&'p Rule, Diagnostic> {
    let such: Vec<&Rule> = program
        .rules
        .iter()
        .filter(|rule| *rule.id == *name || *rule.name == *name)
        .collect();
    match such.as_slice() {
        [rule] => Ok(rule),
        [] if name.starts_with(RECORDING) => {
            Err(Diagnostic::error("no-rule", format!("`{name}` is no rule")).help(
                "findings of `recording/…` are about the recording itself: what the reader could not read",
            ))
        }
        [] => {
            let fault = Diagnostic::error("unknown-rule", format!("there is no rule `{name}`"));
            let ids = program.rules.iter().map(|rule| &*rule.id);
            let names = program.rules.iter().map(|rule| &*rule.name);
            let near = if name.contains('/') {
                suggest(name, ids)
            } else {
                suggest(name, names)
            };
            Err(match near {
                Some(_) => did_you_mean(fault, near),
                None => fault.help("`wirelint rules` lists them"),
            })
        }
        several => {
            let ids: Vec<String> = several.iter().map(|rule| format!("`{}`", rule.id)).collect();
            let message = format!("more than one pack has a rule `{name}`");
            Err(Diagnostic::error("ambiguous-rule", message).help(format!("say {}", ids.join(" or "))))
        }
    }
}

fn write(rule: &Rule, program: &Program, loaded: &Loaded, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", rule.id)?;
    if !rule.docs.trim().is_empty() {
        writeln!(out, "{}\n", rule.docs.trim())?;
    }
    let mut line = |name: &str, text: &str| writeln!(out, "{name:>10}  {text}");
    match rule.level == rule.severity {
        true => line("level", rule.level.word())?,
        false => line(
            "level",
            &format!("{}, as written {}", rule.level.word(), rule.severity.word()),
        )?,
    }
    if let Some(fault) = rule.fault {
        line("fault", fault.word())?;
    }
    line("judges", &subject(rule))?;
    line("revisions", &revisions(rule))?;
    line("looks at", reach(rule))?;
    line(
        "needs",
        &match rule.needs.evidence.as_slice() {
            [] => "the messages alone".to_owned(),
            some => some.join(", "),
        },
    )?;
    if !rule.tags.is_empty() {
        line("tags", &rule.tags.join(", "))?;
    }
    for (number, source) in rule.sources.iter().enumerate() {
        line(if number == 0 { "source" } else { "" }, source)?;
    }
    let source = loaded.sources.get(rule.span.source);
    if let Some(source) = source {
        let (at, _) = source.line_column(rule.span.start as usize);
        line("written in", &format!("{}:{at}", source.name))?;
    }
    let parameters = parameters(rule, program, loaded);
    if !parameters.is_empty() {
        writeln!(out, "\nParameters")?;
    }
    for parameter in parameters {
        write!(out, "  {} = {}", parameter.name, json(&parameter.value))?;
        if json(&parameter.value) != json(&parameter.default) {
            write!(out, " (by default {})", json(&parameter.default))?;
        }
        writeln!(out)?;
        for text in parameter.docs.trim().lines() {
            writeln!(out, "    {text}")?;
        }
    }
    if !rule.examples.is_empty() {
        writeln!(out, "\nExamples")?;
    }
    for example in &rule.examples {
        for text in dedent(loaded.sources.slice(example.span)) {
            writeln!(out, "  {text}")?;
        }
    }
    Ok(())
}

fn json(value: &Value) -> String {
    crate::report::visible::visible(&show_json(value))
}

/// The lines of a block whose first line begins behind its indentation.
fn dedent(text: &str) -> Vec<&str> {
    let depth = text
        .lines()
        .last()
        .map_or(0, |last| last.len() - last.trim_start().len());
    let lines = text.lines().enumerate();
    let cut = lines.map(|(number, line)| match line.get(..depth) {
        Some(blank) if number > 0 && blank.trim().is_empty() => &line[depth..],
        _ => line,
    });
    cut.collect()
}

/// The parameters that a rule reads, itself or through what it uses.
fn parameters<'p>(rule: &Rule, program: &'p Program, loaded: &Loaded) -> Vec<&'p Parameter> {
    let Some(file) = loaded.files.iter().find(|file| file.source == rule.span.source) else {
        return vec![];
    };
    let packs: Vec<&str> = std::iter::once(&*rule.pack)
        .chain(file.uses.iter().map(|name| name.node.as_str()))
        .collect();
    let items: Vec<(&str, &str)> = loaded
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
            Some((name.node.as_str(), loaded.sources.slice(item.span)))
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
    let mut unread = vec![loaded.sources.slice(own)];
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
