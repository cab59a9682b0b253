//! Faults of the recording that a rule tells as well: one fact is one finding.

use crate::input::event::Problem;
use crate::lang::compile::Plan;
use crate::place::RecordId;

use super::finding::Finding;

/// Where rules told what the reader would tell as `recording/CODE`: rules say so with a tag of that name.
#[derive(Debug, Default)]
pub(super) struct Told<'p> {
    /// The tags, and the records from the first to the last of a finding.
    places: Vec<(&'p str, RecordId, RecordId)>,
}

impl<'p> Told<'p> {
    /// By some findings.
    pub(super) fn by(plan: &'p Plan, findings: &[Finding]) -> Self {
        let tags: Vec<(&str, &str)> = plan
            .program
            .rules
            .iter()
            .flat_map(|rule| rule.tags.iter().map(|tag| (&*rule.id, tag.as_str())))
            .filter(|(_, tag)| tag.starts_with("recording/"))
            .collect();
        let mut told = Told::default();
        if tags.is_empty() {
            return told;
        }
        for finding in findings {
            let records = || finding.labels.iter().map(|mark| mark.place.record);
            let (Some(first), Some(last)) = (records().min(), records().max()) else {
                continue;
            };
            let such = tags.iter().filter(|(rule, _)| *rule == &*finding.rule);
            told.places.extend(such.map(|(_, tag)| (*tag, first, last)));
        }
        told
    }

    /// Whether a rule told this.
    pub(super) fn knows(&self, problem: &Problem) -> bool {
        let record = problem.place.record;
        self.places.iter().any(|(tag, first, last)| {
            tag.strip_prefix("recording/") == Some(problem.code) && *first <= record && record <= *last
        })
    }
}
