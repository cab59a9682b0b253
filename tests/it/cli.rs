//! Transcripts of the command, kept in `tests/cli/*.txt`. `BLESS=1 cargo test` rewrites them.
//!
//! A line `$ wirelint …` is a command, run in the root of the repository. What it writes follows, lines of standard error
//! behind `! `, and `= N`, its exit status, ends it. Other lines between commands are comments. Words may stand in
//! single quotes; `< FILE` gives standard input; `NAME=value` before the command sets a variable.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

mod packed;
mod same;
mod translated;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The command without anything that the surroundings would add.
pub fn wirelint() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirelint"));
    command.current_dir(root());
    for name in [
        "NO_COLOR",
        "COLUMNS",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(name);
    }
    command
}

/// Words between blanks; single quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// What a command says and how it ends.
fn run(line: &str) -> String {
    let mut command = wirelint();
    let mut words = words(line).into_iter().peekable();
    while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
        command.env(name, value);
        words.next();
    }
    assert_eq!(words.next().as_deref(), Some("wirelint"), "{line}");
    let mut input = Vec::new();
    while let Some(word) = words.next() {
        if word == "<" {
            input = std::fs::read(root().join(words.next().unwrap())).unwrap();
        } else {
            command.arg(word);
        }
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that does not read closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(&input);
    let output = child.wait_with_output().unwrap();
    let mut out = String::from_utf8(output.stdout).unwrap();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    for line in String::from_utf8(output.stderr).unwrap().lines() {
        writeln!(out, "{}", format!("! {line}").trim_end()).unwrap();
    }
    writeln!(out, "= {}", output.status.code().unwrap()).unwrap();
    out
}

/// The transcript with what the commands say now.
fn again(text: &str) -> String {
    let mut out = String::new();
    let mut within = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            out.push_str(line);
            out.push('\n');
            out.push_str(&run(command));
            within = true;
        } else if !within {
            out.push_str(line);
            out.push('\n');
        } else if line.starts_with("= ") {
            within = false;
        }
    }
    out
}

fn transcript(name: &str) {
    let path: PathBuf = root().join("tests/cli").join(name);
    let before = std::fs::read_to_string(&path).unwrap();
    let after = again(&before);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, after).unwrap();
        return;
    }
    if before != after {
        let differs = before.lines().zip(after.lines()).position(|(a, b)| a != b);
        let at = differs.unwrap_or_else(|| before.lines().count().min(after.lines().count()));
        let from = at.saturating_sub(5);
        let shown = |text: &str| text.lines().skip(from).take(15).collect::<Vec<_>>().join("\n");
        panic!(
            "{} differs at line {}; BLESS=1 rewrites it.\nwas:\n{}\nis:\n{}",
            path.display(),
            at + 1,
            shown(&before),
            shown(&after)
        );
    }
}

#[test]
fn help() {
    transcript("help.txt");
}

#[test]
fn check() {
    transcript("check.txt");
}

#[test]
fn choice() {
    transcript("choice.txt");
}

#[test]
fn usage() {
    transcript("usage.txt");
}

#[test]
fn inputs() {
    transcript("inputs.txt");
}

#[test]
fn rules() {
    transcript("rules.txt");
}

#[test]
fn query() {
    transcript("query.txt");
}

#[test]
fn show() {
    transcript("show.txt");
}

#[test]
fn shapes() {
    transcript("shapes.txt");
}

#[test]
fn examples() {
    transcript("examples.txt");
}

#[test]
fn idle() {
    transcript("idle.txt");
}

#[test]
fn mistakes() {
    transcript("mistakes.txt");
}

#[test]
fn the_bundled_examples_come_out_as_they_say() {
    let output = wirelint().arg("test").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}

#[test]
fn bundled_files_are_those_of_the_folder() {
    let mut found = vec![];
    let mut folders = vec![root().join("rules")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
                found.push(name.replace('\\', "/"));
            }
        }
    }
    found.sort();
    let bundled: Vec<&str> = wirelint::bundled::FILES.iter().map(|(name, _)| *name).collect();
    assert_eq!(bundled, found);
}
