//! The recordings of a run.

use std::ops::Range;
use std::sync::OnceLock;

use super::args;
use crate::diagnostic::Diagnostic;
use crate::engine::HistoryLimits;
use crate::engine::run::Settings;
use crate::input::locate::Lookup;
use crate::input::{Input, Limits, Recording, Store};
use crate::model::build::Assumptions;
use crate::place::{Place, RecordId};
use crate::report::{Record, Records};

/// How much is read, as the command line says.
pub(super) fn limits(said: &args::Limits) -> Limits {
    Limits {
        block: said.block,
        line: said.max_line,
        document: said.max_document,
    }
}

/// How recordings are judged, as the command line says.
pub(super) fn settings(understanding: &args::Understanding, limits: &args::Limits) -> Settings {
    Settings {
        assumptions: Assumptions {
            revision: understanding.revision.as_deref().map(Into::into),
            ..Assumptions::default()
        },
        limits: HistoryLimits {
            bytes: limits.history_limit,
            findings: limits.max_findings,
            steps: limits.max_steps,
        },
        ..Settings::default()
    }
}

/// The recordings of a run: opened when their turn comes, read again where something is reported.
pub(super) struct Opened {
    pub(super) inputs: Vec<Input>,
    stores: Vec<OnceLock<Store>>,
}

impl Opened {
    pub(super) fn new(inputs: Vec<Input>) -> Opened {
        let stores = inputs.iter().map(|_| OnceLock::new()).collect();
        Opened { inputs, stores }
    }

    pub(super) fn open(&self, number: usize, limits: Limits) -> Result<Recording, Diagnostic> {
        let file = u32::try_from(number).unwrap_or(u32::MAX);
        let recording = Recording::open(&self.inputs[number], file, limits)?;
        let _ = self.stores[number].set(recording.store());
        Ok(recording)
    }
}

impl Records for Opened {
    fn name(&self, file: u32) -> String {
        self.inputs
            .get(file as usize)
            .map_or_else(String::new, ToString::to_string)
    }

    fn read(&self, record: RecordId) -> Option<Box<dyn Record>> {
        let store = self.stores.get(record.file as usize)?.get()?;
        let bytes = store.read_record(record).ok()?;
        Some(Box::new(Lookup::new(bytes)))
    }
}

impl Record for Lookup {
    fn bytes(&self) -> &[u8] {
        self.record()
    }

    fn locate(&self, place: &Place) -> Option<Range<usize>> {
        Lookup::locate(self, place)
    }
}
