//! Pages of the reference, made from what the program knows: `docs/reference/`. A test keeps the files current.

use std::fmt::Write as _;

use crate::bundled;
use crate::lang::builtins::{ALL, Accepts, Builtin};
use crate::lang::check::{Settings, check};
use crate::lang::parse::parse;
use crate::model::subject::{COLLECTIONS, Key, Subject, all};
use crate::model::types::Type;
use crate::report::{RuleText, Sheet, write_pack_page};
use crate::source::SourceMap;

/// Names of files below `docs/reference/`, and their texts.
pub fn pages() -> Vec<(String, String)> {
    let mut pages = vec![
        ("functions.md".to_owned(), functions()),
        ("subjects.md".to_owned(), subjects()),
    ];
    pages.extend(rules());
    pages
}

/// A page for each pack that comes with the program, and one that lists them.
fn rules() -> Vec<(String, String)> {
    let mut sources = SourceMap::default();
    let mut files = vec![];
    for (name, text) in bundled::FILES {
        files.push(parse(sources.add(*name, *text), text).0);
    }
    let (program, _) = check(&files, &sources, &Settings::default());
    let text = RuleText {
        files: &files,
        sources: &sources,
    };
    let mut pages = vec![];
    let mut list = String::from("# Rules\n\n| pack | rules | what they are about |\n|---|---|---|\n");
    for pack in &program.packs {
        let sheets: Vec<Sheet> = program
            .rules
            .iter()
            .filter(|rule| rule.pack == pack.name)
            .map(|rule| Sheet::new(rule, &program, &text))
            .collect();
        if sheets.is_empty() {
            continue;
        }
        let about = pack.docs.trim().lines().next().unwrap_or("");
        let _ = writeln!(
            list,
            "| [`{0}`](rules/{0}.md) | {1} | {about} |",
            pack.name,
            sheets.len()
        );
        pages.push((format!("rules/{}.md", pack.name), write_pack_page(pack, &sheets)));
    }
    pages.push(("rules.md".to_owned(), list));
    pages
}

fn functions() -> String {
    let mut out = String::from(
        "# Functions\n\n`x.f(a)` is `f(x, a)`. A function that is given missing gives missing, given unknown gives unknown, and \
         given a value of another kind than it takes gives missing, unless it says otherwise.\n",
    );
    for builtin in ALL {
        let _ = write!(out, "\n## `{}`\n\n{}\n\n", signature(builtin), builtin.doc);
        for (expression, value) in builtin.examples {
            let _ = writeln!(out, "    {expression}  →  {value}");
        }
    }
    out
}

fn signature(builtin: &Builtin) -> String {
    let types: Vec<Type> = builtin.parameters.iter().map(|_| Type::Json).collect();
    let parameters: Vec<String> = builtin
        .parameters
        .iter()
        .filter(|p| p.accepts != Accepts::Revision)
        .map(|p| format!("{}: {}", p.name, accepts(p.accepts)))
        .collect();
    format!(
        "{}({}) -> {}",
        builtin.name,
        parameters.join(", "),
        (builtin.result)(&types)
    )
}

fn accepts(accepts: Accepts) -> &'static str {
    match accepts {
        Accepts::Any => "any",
        Accepts::Text => "string",
        Accepts::Number => "number",
        Accepts::Boolean => "boolean",
        Accepts::List => "list",
        Accepts::Texts => "[string]",
        Accepts::Object => "object",
        Accepts::Json => "json",
        Accepts::Bytes => "bytes",
        Accepts::Time => "time",
        Accepts::Duration => "duration",
        Accepts::Path => "path",
        Accepts::Pattern => "pattern",
        Accepts::Shape => "shape",
        Accepts::Revision => "revision",
    }
}

fn subjects() -> String {
    let mut out = String::from(
        "# Subjects and their attributes\n\nWhat `on` may name, and what each has beside its own JSON members. An attribute marked \
         *later* may become known only after the record: a rule that reads it of its subject waits, and of an earlier record \
         it is shown as it was. What a recording does not hold is unknown.\n",
    );
    for subject in Subject::ALL {
        let _ = write!(
            out,
            "\n## `{}`\n\n| attribute | type | what it is |\n|---|---|---|\n",
            subject.word()
        );
        for (name, info) in all(subject) {
            let later = if info.live { " *(later)*" } else { "" };
            let _ = writeln!(out, "| `{name}` | `{}` | {}{later} |", info.ty, info.doc);
        }
    }
    let lists: Vec<String> = COLLECTIONS.iter().map(|(name, _)| format!("`{name}`")).collect();
    let keys: Vec<String> = Key::ALL.iter().map(|key| format!("`{}`", key.word())).collect();
    let _ = write!(
        out,
        "\n## Histories\n\n`earlier` and `later` have {}, and `earlier` has `open`: the requests that are not answered, cancelled \
         or lost with their stream. `earlier.since(x)` and `later.until(x)` have them as well.\n\n## Scope keys\n\n{}.\n",
        lists.join(", "),
        keys.join(", ")
    );
    out
}
