//! Who may import whom, and where each external crate is at home: the table of `ARCHITECTURE.md`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A module, and what it may import of the others: a module, or a part of one.
const TABLE: [(&str, &[&str]); 13] = [
    ("source", &[]),
    ("place", &[]),
    ("bundled", &[]),
    ("diagnostic", &["source"]),
    ("json", &["place"]),
    ("input", &["diagnostic", "json", "place"]),
    (
        "model",
        &["input::event", "json", "lang::ast", "lang::program", "place"],
    ),
    (
        "lang",
        &["diagnostic", "input::event", "json", "model", "place", "source"],
    ),
    (
        "engine",
        &[
            "diagnostic",
            "input",
            "json",
            "lang::ast",
            "lang::builtins",
            "lang::compile",
            "lang::program",
            "model",
            "place",
        ],
    ),
    (
        "record",
        &[
            "diagnostic",
            "input::scan",
            "input::unpack",
            "json",
            "model::ops",
            "model::value",
        ],
    ),
    (
        "reference",
        &[
            "bundled",
            "lang::builtins",
            "lang::check",
            "lang::parse",
            "model::subject",
            "model::types",
            "report",
            "source",
        ],
    ),
    (
        "report",
        &[
            "diagnostic",
            "engine::answer",
            "engine::finding",
            "engine::sight",
            "input::event",
            "lang::ast",
            "lang::program",
            "model::ops",
            "model::value",
            "place",
            "source",
        ],
    ),
    (
        "cli",
        &[
            "bundled",
            "diagnostic",
            "engine",
            "input",
            "json",
            "lang",
            "model",
            "place",
            "record",
            "report",
            "source",
        ],
    ),
];

/// A file that may import more than its module, with the reason in its own first lines.
const MORE: [(&str, &[&str]); 1] = [("src/input/transcript.rs", &["lang::ast", "source"])];

/// An external crate, and beginnings of the paths at which it may be used.
const HOMES: [(&str, &[&str]); 22] = [
    (
        "base64",
        &[
            "src/input/formats/har.rs",
            "src/lang/builtins/",
            "src/record/log.rs",
        ],
    ),
    ("clap", &["src/cli/args.rs"]),
    ("flate2", &["src/input/unpack.rs"]),
    ("globset", &["src/input/discover.rs"]),
    ("hyper", &["src/record/http"]),
    ("jsonschema", &["src/lang/builtins/common/schemas.rs"]),
    ("miette", &["src/report/human"]),
    ("pest", &["src/lang/parse/"]),
    ("pest_derive", &["src/lang/parse/grammar.rs"]),
    ("rayon", &["src/engine/run.rs"]),
    ("regex", &["src/lang/check/patterns.rs", "src/model/"]),
    ("ruzstd", &["src/input/unpack.rs"]),
    (
        "serde_json",
        &[
            "src/input/exchanges/tests.rs",
            "src/input/formats/tshark/tests.rs",
            "src/json/decode/tests.rs",
            "src/lang/builtins/common/schemas.rs",
            "src/lang/error/syntax/examples.rs",
            "src/lang/parse/",
            "src/report/excerpt/tests.rs",
            "src/report/json",
        ],
    ),
    ("tempfile", &["src/input/store.rs"]),
    ("rustix", &["src/record/stdio.rs"]),
    ("rustls_native_certs", &["src/record/http/tls.rs"]),
    ("signal_hook", &["src/record/stdio.rs"]),
    ("terminal_size", &["src/cli/output.rs"]),
    ("tokio", &["src/record/http"]),
    ("tokio_rustls", &["src/record/http/tls.rs"]),
    ("unicode_width", &["src/report/visible.rs"]),
    ("walkdir", &["src/cli/load.rs", "src/input/discover.rs"]),
];

/// What only some may do.
const DEEDS: [(&str, &[&str]); 5] = [
    ("io::stdout", &["src/cli/"]),
    ("io::stderr", &["src/cli/"]),
    ("std::env", &["src/cli/"]),
    ("fs::", &["src/cli/", "src/input/", "src/record/"]),
    ("process::exit", &[]),
];

/// All files of the library, as paths from the root with `/`, and their code without comments.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = vec![];
    let mut folders = vec![root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        let text = std::fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        (name, code.join("\n"))
    };
    files.into_iter().map(read).collect()
}

/// The module of a file: `src/lang/parse/mod.rs` is of `lang`.
fn module(file: &str) -> &str {
    let inside = file.strip_prefix("src/").unwrap();
    inside.split(['/', '.']).next().unwrap()
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// What a text imports of this crate, two steps deep: `lang::ast`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let first = word(rest);
        let below = rest[first.len()..].strip_prefix("::").unwrap_or("");
        match below.strip_prefix('{') {
            Some(several) => {
                let several = several.split('}').next().unwrap();
                found.extend(
                    several
                        .split(',')
                        .map(|name| format!("{first}::{}", word(name.trim()))),
                );
            }
            None => {
                found.insert(format!("{first}::{}", word(below)));
            }
        }
    }
    found
}

#[test]
fn modules_import_what_the_table_says() {
    let mut wrong = vec![];
    for (file, code) in sources() {
        let own = module(&file);
        if own == "lib" || own == "main" {
            continue;
        }
        let row = TABLE.iter().find(|(name, _)| *name == own);
        let (_, allowed) = row.unwrap_or_else(|| panic!("{own} is not in the table"));
        let more = MORE
            .iter()
            .find(|(name, _)| *name == file)
            .map_or(&[][..], |(_, more)| *more);
        for import in imports(&code) {
            let of = import.split("::").next().unwrap();
            let fits = |allowed: &&str| **allowed == *of || **allowed == *import;
            if of != own && !allowed.iter().any(fits) && !more.iter().any(fits) {
                wrong.push(format!("{file} imports {import}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files in which a name stands as the beginning of a path, outside their homes.
fn strangers(name: &str, homes: &[&str]) -> Vec<String> {
    let such = |(file, code): &(String, String)| {
        let used = code.match_indices(name).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            let free = before.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_' && c != ':' && c != '.');
            let after = &code[at + name.len()..];
            free && (name.contains("::") || after.starts_with("::"))
        });
        used && !homes.iter().any(|home| file.starts_with(home))
    };
    let strangers = sources().into_iter().filter(such);
    strangers.map(|(file, _)| format!("{file} uses {name}")).collect()
}

#[test]
fn external_crates_have_one_home() {
    let wrong: Vec<String> = HOMES
        .iter()
        .flat_map(|(name, homes)| strangers(name, homes))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).unwrap();
    let dependencies = manifest
        .split("[dependencies]")
        .nth(1)
        .unwrap()
        .split("\n[")
        .next()
        .unwrap();
    for line in dependencies.lines().filter(|line| line.contains('=')) {
        let name = line.split([' ', '=']).next().unwrap().replace('-', "_");
        let known = name == "serde" || HOMES.iter().any(|(known, _)| *known == name);
        assert!(known, "{name} has no home in the table");
    }
}

#[test]
fn who_reads_files_and_who_prints() {
    let wrong: Vec<String> = DEEDS
        .iter()
        .flat_map(|(deed, homes)| strangers(deed, homes))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
