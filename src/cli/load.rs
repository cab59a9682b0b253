//! Rule files → a checked program.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use walkdir::WalkDir;

use super::args::Tuning;
use super::{Stop, session_by};
use crate::bundled;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lang::ast::File;
use crate::lang::check::{Checker, Settings, pack_of_path};
use crate::lang::error::names;
use crate::lang::parse::{parse, parse_expression, parse_without_examples};
use crate::lang::program::Program;
use crate::source::{SourceId, SourceMap};

/// Threads that read rules at most: starting more takes as long as they save.
const MOST_THREADS: usize = 8;

/// The rule files of a run.
#[derive(Default)]
pub(super) struct Loaded {
    /// Their texts, and those of expressions on the command line.
    pub(super) sources: SourceMap,
    /// The bundled files, then those that the user gave.
    pub(super) files: Vec<File>,
    /// How many of them are bundled.
    pub(super) bundled: usize,
}

impl Loaded {
    /// Whether a text came with the program.
    pub(super) fn is_bundled(&self, source: SourceId) -> bool {
        self.files
            .iter()
            .take(self.bundled)
            .any(|file| file.source == source)
    }

    /// Leaves out warnings about rules that came with the program: nobody who runs it can act on them.
    pub(super) fn leave_out_bundled(&self, warnings: &mut Vec<Diagnostic>) {
        warnings.retain(|warning| {
            let first = warning.labels.first();
            first.is_none_or(|label| !self.is_bundled(label.span.source))
        });
    }

    /// Stops with what is wrong with the texts.
    pub(super) fn stop(self, diagnostics: Vec<Diagnostic>) -> Stop {
        Stop::Faulty(Box::new(self.sources), diagnostics)
    }
}

/// How much of the bundled rules a command uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bundled {
    /// All that is written.
    Whole,
    /// Not their examples.
    WithoutExamples,
}

/// Reads the bundled rules and those at `paths`. A file of the same pack and name takes the place of a bundled one, so
/// that who works on a bundled rule can run it; any other file has to be of another pack.
pub(super) fn load(paths: &[PathBuf], bundled: Bundled) -> Result<Loaded, Stop> {
    let mut loaded = Loaded::default();
    let mut faults = vec![];
    let mut own = vec![];
    for path in rule_files(paths)? {
        let name = path.display().to_string();
        match std::fs::read(&path) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => own.push(read(&mut loaded.sources, &name, &text, &mut faults)),
                Err(_) => faults.push(Diagnostic::error("not-utf8", format!("`{name}` is not UTF-8"))),
            },
            Err(error) => faults.push(unreadable(&name, &error)),
        }
    }
    let packs: Vec<(String, String)> = own.iter().map(|file| pack(file, &loaded.sources)).collect();
    for (file, (path, pack)) in own.iter().zip(&packs) {
        let mut joined = bundled::FILES
            .iter()
            .filter(|(_, text)| is_of_pack(text, pack))
            .peekable();
        if joined.peek().is_some() && joined.all(|(name, _)| last(name) != last(path)) {
            let said = file.pack.as_ref();
            faults.push(said.map_or_else(|| names::file_taken(path, pack), names::pack_taken));
        }
    }
    let mut kept = vec![];
    for (name, text) in bundled::FILES {
        let replaced = |(path, pack): &(String, String)| last(path) == last(name) && is_of_pack(text, pack);
        if !packs.iter().any(replaced) {
            kept.push((loaded.sources.add(*name, *text), *text));
        }
    }
    let parse = match bundled {
        Bundled::Whole => parse,
        Bundled::WithoutExamples => parse_without_examples,
    };
    for (file, mut found) in side_by_side(&kept, |(source, text)| parse(*source, text)) {
        loaded.files.push(file);
        faults.append(&mut found);
    }
    loaded.bundled = loaded.files.len();
    loaded.files.append(&mut own);
    if faults.iter().any(is_error) {
        return Err(loaded.stop(faults));
    }
    Ok(loaded)
}

/// Does the same with all items on as many threads as help, and gives the results in the order of the items.
fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = vec![];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else {
                return done;
            };
            done.push((number, work(item)));
        }
    };
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(MOST_THREADS);
    let mut done = thread::scope(|scope| {
        // A thread that the system does not give is one less.
        let start = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut done = worker();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn read(sources: &mut SourceMap, name: &str, text: &str, faults: &mut Vec<Diagnostic>) -> File {
    let source = sources.add(name, text);
    let (file, mut found) = parse(source, text);
    faults.append(&mut found);
    file
}

/// The path of a file, and its pack.
fn pack(file: &File, sources: &SourceMap) -> (String, String) {
    let path = sources.get(file.source).map_or("", |source| &source.name);
    let said = file.pack.as_ref().map(|name| name.node.clone());
    (path.to_owned(), said.unwrap_or_else(|| pack_of_path(path)))
}

fn last(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn is_of_pack(text: &str, pack: &str) -> bool {
    let said = text.lines().find_map(|line| line.strip_prefix("pack "));
    said.is_some_and(|said| said.trim() == pack)
}

/// Whether something hinders.
pub(super) fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

fn unreadable(name: &str, error: &std::io::Error) -> Diagnostic {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "it does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission is denied".to_owned(),
        _ => error.to_string(),
    };
    Diagnostic::error(
        "unreadable",
        format!("the rule file `{name}` cannot be read: {why}"),
    )
}

/// The rule files at some paths: files, and all `.wire` files in folders, sorted.
fn rule_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
    let mut found = vec![];
    let mut faults = vec![];
    for path in paths {
        let name = path.display();
        if path.is_dir() {
            let before = found.len();
            for entry in WalkDir::new(path).sort_by_file_name() {
                match entry {
                    Ok(entry) if is_rule_file(entry.path()) => found.push(entry.into_path()),
                    Ok(_) => {}
                    Err(error) => faults.push(unreadable(&name.to_string(), &error.into())),
                }
            }
            if found.len() == before {
                let message = format!("the folder `{name}` holds no rule file");
                faults.push(Diagnostic::error("no-rules", message).help("rule files end in `.wire`"));
            }
        } else if path.is_file() && !is_rule_file(path) {
            let message = format!("`{name}` is no rule file");
            faults.push(Diagnostic::error("no-rules", message).help("rule files end in `.wire`"));
        } else if path.exists() {
            found.push(path.clone());
        } else {
            let message = format!("there is no rule file or folder `{name}`");
            faults.push(Diagnostic::error("missing-file", message));
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

fn is_rule_file(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "wire")
}

const HOW_TO_SET: &str = "a parameter and an expression of the rule language: `--param 'marker=\"§\"'`";

/// What the command line says about parameters and profiles.
pub(super) fn settings(loaded: &mut Loaded, tuning: &Tuning) -> Result<Settings, Vec<Diagnostic>> {
    let mut settings = Settings {
        profiles: tuning.profile.clone(),
        ..Settings::default()
    };
    let mut faults = vec![];
    for said in &tuning.param {
        let Some((name, text)) = said.split_once('=') else {
            let message = format!("`--param {said}` gives no value");
            faults.push(Diagnostic::error("bad-parameter", message).help(HOW_TO_SET));
            continue;
        };
        let name = name.trim();
        if name.is_empty() {
            let message = format!("`--param {said}` names no parameter");
            faults.push(Diagnostic::error("bad-parameter", message).help(HOW_TO_SET));
            continue;
        }
        let source = loaded.sources.add(format!("--param {name}"), text);
        let (value, mut found) = parse_expression(source, text);
        faults.append(&mut found);
        if let Some(value) = value {
            settings.parameters.push((name.to_owned(), value));
        }
    }
    if faults.iter().any(is_error) {
        Err(faults)
    } else {
        Ok(settings)
    }
}

/// Checks the rules; what comes with the program are warnings.
pub(super) fn program(
    loaded: &Loaded,
    settings: &Settings,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (program, diagnostics) = Checker::new(&loaded.files, &loaded.sources).check(settings);
    if diagnostics.iter().any(is_error) {
        return Err(diagnostics.into_iter().filter(is_error).collect());
    }
    Ok((program, diagnostics))
}

/// Loads and checks all rules that a command uses.
pub(super) fn all(
    paths: &[PathBuf],
    bundled: Bundled,
    tuning: &Tuning,
    by: Option<&str>,
) -> Result<(Loaded, Program, Vec<Diagnostic>), Stop> {
    let mut loaded = load(paths, bundled)?;
    let checked = settings(&mut loaded, tuning).and_then(|settings| match by {
        Some(text) => session_by::check(text, &mut loaded, &settings),
        None => program(&loaded, &settings),
    });
    match checked {
        Ok((program, mut warnings)) => {
            loaded.leave_out_bundled(&mut warnings);
            Ok((loaded, program, warnings))
        }
        Err(faults) => Err(loaded.stop(faults)),
    }
}
