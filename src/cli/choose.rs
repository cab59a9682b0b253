//! `--select` and `--ignore`: which rules are in use.

use super::args::Selection;
use crate::diagnostic::Diagnostic;
use crate::lang::ast::Level;
use crate::lang::check::name_matches;
use crate::lang::error::settings::level_of_nothing;
use crate::lang::program::{Program, Rule};
use crate::lang::suggest::suggest;

/// The pack of what is wrong with recordings themselves, which no rule finds.
pub(super) const RECORDING: &str = "recording";

/// Which findings about recordings themselves are reported, by the same patterns.
#[derive(Debug, Default)]
pub(super) struct Problems {
    select: Vec<String>,
    ignore: Vec<String>,
}

impl Problems {
    /// Whether a finding of `recording/CODE` is reported.
    pub(super) fn shows(&self, id: &str) -> bool {
        let name = id.rsplit('/').next().unwrap_or(id);
        let meant = |pattern: &String| means(pattern, id, name, RECORDING);
        (self.select.is_empty() || self.select.iter().any(meant)) && !self.ignore.iter().any(meant)
    }
}

/// Turns rules on and off. What is selected and off reports at its severity, or as a warning if that is off.
pub(super) fn choose(program: &mut Program, selection: &Selection) -> Result<Problems, Vec<Diagnostic>> {
    let mut faults = vec![];
    for pattern in selection.select.iter().chain(&selection.ignore) {
        let own = pattern == RECORDING || pattern.starts_with("recording/");
        if !own && !program.rules.iter().any(|rule| is_meant(pattern, rule)) {
            let names = program.rules.iter().map(|rule| &*rule.name);
            let packs = program.packs.iter().map(|pack| &*pack.name);
            let ids = program.rules.iter().map(|rule| &*rule.id);
            let near = if pattern.contains('/') {
                suggest(pattern, ids)
            } else {
                suggest(pattern, names.chain(packs))
            };
            faults.push(level_of_nothing(pattern, near));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    for rule in &mut program.rules {
        if !selection.select.is_empty() {
            let selected = selection.select.iter().any(|pattern| is_meant(pattern, rule));
            rule.level = match (selected, rule.level, rule.severity) {
                (false, _, _) => Level::Off,
                (true, Level::Off, Level::Off) => Level::Warning,
                (true, Level::Off, severity) => severity,
                (true, level, _) => level,
            };
        }
        if selection.ignore.iter().any(|pattern| is_meant(pattern, rule)) {
            rule.level = Level::Off;
        }
    }
    Ok(Problems {
        select: selection.select.clone(),
        ignore: selection.ignore.clone(),
    })
}

fn is_meant(pattern: &str, rule: &Rule) -> bool {
    means(pattern, &rule.id, &rule.name, &rule.pack)
}

fn means(pattern: &str, id: &str, name: &str, pack: &str) -> bool {
    name_matches(pattern, id) || name_matches(pattern, name) || pattern == pack
}
