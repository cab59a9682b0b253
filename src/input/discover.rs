//! The recordings that a user means by paths.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use walkdir::{DirEntry, WalkDir};

use super::formats::InputFormat;
use super::recording::{Input, refusal, unreadable};
use crate::diagnostic::Diagnostic;

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    /// The recordings, each once, sorted by path; standard input first.
    pub inputs: Vec<Input>,
    /// Files in folders, and files that a pattern met, that are no recordings.
    pub passed_over: Vec<PassedOver>,
}

/// A file that is not read because nobody named it and it is no recording.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassedOver {
    /// The file.
    pub path: PathBuf,
    /// Why, as a sentence.
    pub why: String,
}

/// Finds the recordings: files, all in a folder, all that a pattern such as `runs/**/*.jsonl` meets, and `-` for standard
/// input. Files and folders whose names begin with a dot are not looked for.
pub fn discover(paths: &[PathBuf]) -> Result<Discovery, Vec<Diagnostic>> {
    discover_as(paths, None)
}

/// The same, where all files are to be read as a format, whatever they look like.
pub fn discover_as(paths: &[PathBuf], format: Option<InputFormat>) -> Result<Discovery, Vec<Diagnostic>> {
    let mut search = Search {
        format,
        ..Search::default()
    };
    for path in paths {
        search.path(path);
    }
    search.finish()
}

#[derive(Default)]
struct Search {
    found: Discovery,
    errors: Vec<Diagnostic>,
    /// As what all files are to be read.
    format: Option<InputFormat>,
}

impl Search {
    fn path(&mut self, path: &Path) {
        let name = path.display();
        if path == Path::new("-") {
            if self.found.inputs.contains(&Input::Stdin) {
                self.errors.push(
                    Diagnostic::error("stdin-twice", "standard input is given twice")
                        .help("`-` can stand only once, since standard input can be read only once"),
                );
            }
            self.found.inputs.push(Input::Stdin);
        } else if path.is_dir() {
            self.walk(path, &format!("folder `{name}`"), |_| true);
        } else if path.exists() {
            match refusal(path, self.format) {
                None => self.found.inputs.push(Input::File(path.to_owned())),
                Some(error) => self.errors.push(error),
            }
        } else if let Some((base, pattern)) = glob(path) {
            match pattern {
                Ok(pattern) => {
                    let such = |path: &Path| pattern.is_match(path.strip_prefix(".").unwrap_or(path));
                    if base.is_dir() {
                        self.walk(&base, &format!("pattern `{name}`"), such);
                    } else {
                        self.errors.push(missing(&base.display().to_string()));
                    }
                }
                Err(error) => self.errors.push(Diagnostic::error(
                    "bad-pattern",
                    format!("`{name}` is no pattern: {}", error.kind()),
                )),
            }
        } else {
            self.errors.push(missing(&name.to_string()));
        }
    }

    fn walk(&mut self, base: &Path, what: &str, such: impl Fn(&Path) -> bool) {
        let visible = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry.file_name());
        let (inputs, passed_over) = (self.found.inputs.len(), self.found.passed_over.len());
        let walk = WalkDir::new(base).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(visible) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() || !such(entry.path()) => {}
                Ok(entry) => self.file(entry.path(), base),
                Err(error) if error.depth() == 0 || error.path().is_none() => {
                    let name = base.display().to_string();
                    self.errors.push(unreadable(&name, &error.into()));
                }
                Err(error) => {
                    let why = match error.loop_ancestor() {
                        Some(_) => "it is a link to a folder in which it lies".to_owned(),
                        None => "it cannot be read".to_owned(),
                    };
                    let path = error.path().unwrap_or(base).to_owned();
                    if error.loop_ancestor().is_some() || such(&path) {
                        self.found.passed_over.push(PassedOver { path, why });
                    }
                }
            }
        }
        if self.found.inputs.len() == inputs {
            let error = Diagnostic::error("no-recordings", format!("the {what} holds no recording"));
            self.errors.push(match &self.found.passed_over[passed_over..] {
                [] => error,
                [only] => error.help(format!("`{}` was passed over: {}", only.path.display(), only.why)),
                [first, rest @ ..] => error.help(format!(
                    "`{}` was passed over: {}; so were {} other files",
                    first.path.display(),
                    first.why,
                    rest.len()
                )),
            });
        }
    }

    /// A file that nobody named.
    fn file(&mut self, path: &Path, base: &Path) {
        // Without the `./` that walking the current folder puts before.
        let shown = match base == Path::new(".") {
            true => path.strip_prefix(".").unwrap_or(path),
            false => path,
        };
        let why = match path.metadata() {
            Ok(about) if about.len() == 0 => Some("it is empty".to_owned()),
            Ok(about) if !about.is_file() => Some("it is no file".to_owned()),
            _ => refusal(path, self.format).map(|error| why(&error)),
        };
        match why {
            None => self.found.inputs.push(Input::File(shown.to_owned())),
            Some(why) => self.found.passed_over.push(PassedOver {
                path: shown.to_owned(),
                why,
            }),
        }
    }

    fn finish(mut self) -> Result<Discovery, Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.found.inputs.sort();
        let mut known = HashSet::new();
        self.found.inputs.retain(|input| match input {
            Input::Stdin => true,
            Input::File(path) => known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())),
        });
        self.found.passed_over.sort();
        self.found.passed_over.dedup();
        Ok(self.found)
    }
}

/// The reason in an error about a file, without its name.
fn why(error: &Diagnostic) -> String {
    match (error.code, error.message.rsplit_once("` ")) {
        ("unknown-format", _) => "it is no recording that is understood".to_owned(),
        (_, Some((_, rest))) => format!("it {rest}"),
        (_, None) => error.message.clone(),
    }
}

fn missing(name: &str) -> Diagnostic {
    Diagnostic::error("missing-file", format!("there is no file or folder `{name}`"))
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// A path with `*`, `?`, `[` or `{`: the folder in which to look, and the pattern.
fn glob(path: &Path) -> Option<(PathBuf, Result<GlobMatcher, globset::Error>)> {
    let text = path.to_str()?;
    let special = |part: &str| part.contains(['*', '?', '[', '{']);
    if !special(text) {
        return None;
    }
    let base: PathBuf = path
        .components()
        .take_while(|part| !part.as_os_str().to_str().is_some_and(special))
        .collect();
    let base = if base.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        base
    };
    let pattern = GlobBuilder::new(text.strip_prefix("./").unwrap_or(text))
        .literal_separator(true)
        .build()
        .map(|pattern| pattern.compile_matcher());
    Some((base, pattern))
}
