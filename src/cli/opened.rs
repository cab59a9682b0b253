//! The recordings of a run.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::args;
use crate::diagnostic::Diagnostic;
use crate::engine::HistoryLimits;
use crate::engine::run::Settings;
use crate::input::locate::Lookup;
use crate::input::{Input, InputFormat, Limits, Recording, Store};
use crate::model::build::Assumptions;
use crate::place::{Place, RecordId};
use crate::report::{InputFile, Record, Records};

/// How much is read, as the command line says.
pub(super) fn limits(said: &args::Limits) -> Limits {
    Limits {
        block: said.block,
        line: said.max_line,
        document: said.max_document,
        unpacked: said.max_unpacked,
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
    inputs: Vec<Input>,
    limits: Limits,
    /// As what all are read, if somebody said so.
    format: Option<InputFormat>,
    formats: Vec<OnceLock<InputFormat>>,
    stores: Vec<OnceLock<Store>>,
    /// Of compressed files, those that were read last: all of them could take more room than there is.
    unpacked: Mutex<VecDeque<(u32, Store)>>,
}

/// So many unpacked recordings are kept for reports.
const UNPACKED: usize = 16;

impl Opened {
    pub(super) fn new(inputs: Vec<Input>, limits: Limits, format: Option<InputFormat>) -> Opened {
        Opened {
            formats: inputs.iter().map(|_| OnceLock::new()).collect(),
            stores: inputs.iter().map(|_| OnceLock::new()).collect(),
            inputs,
            limits,
            format,
            unpacked: Mutex::default(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.inputs.len()
    }

    pub(super) fn open(&self, number: usize) -> Result<Recording, Diagnostic> {
        let file = u32::try_from(number).unwrap_or(u32::MAX);
        let recording = Recording::open_as(&self.inputs[number], file, self.limits, self.format)?;
        let _ = self.formats[number].set(recording.input_format());
        if !recording.is_unpacked() {
            let _ = self.stores[number].set(recording.store());
        }
        Ok(recording)
    }

    /// Whether there is nothing but what comes through standard input.
    pub(super) fn is_stdin(&self) -> bool {
        self.inputs == [Input::Stdin]
    }

    /// Opens one that is standard input and is read as it comes.
    pub(super) fn open_live(&self, number: usize) -> Result<Recording, Diagnostic> {
        let file = u32::try_from(number).unwrap_or(u32::MAX);
        let name = self.name(file);
        let recording = Recording::live(&name, std::io::stdin(), file, self.limits, self.format)?;
        let _ = self.formats[number].set(recording.input_format());
        let _ = self.stores[number].set(recording.store());
        Ok(recording)
    }

    /// Those that were read, and as what.
    pub(super) fn files(&self) -> Vec<InputFile> {
        let formats = self.formats.iter().map(OnceLock::get);
        let read = self.inputs.iter().zip(formats);
        read.filter_map(|(input, format)| {
            format.map(|format| InputFile {
                name: input.to_string(),
                format: format.name(),
                title: format.title(),
            })
        })
        .collect()
    }

    fn store(&self, file: u32) -> Option<Store> {
        let number = file as usize;
        if let Some(store) = self.stores.get(number)?.get() {
            return Some(store.clone());
        }
        let mut unpacked = self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, store)) = unpacked.iter().find(|(known, _)| *known == file) {
            return Some(store.clone());
        }
        let store = self.open(number).ok()?.store();
        unpacked.truncate(UNPACKED - 1);
        unpacked.push_front((file, store.clone()));
        Some(store)
    }
}

impl Records for Opened {
    fn name(&self, file: u32) -> String {
        self.inputs
            .get(file as usize)
            .map_or_else(String::new, ToString::to_string)
    }

    fn read(&self, record: RecordId) -> Option<Box<dyn Record>> {
        let bytes = self.store(record.file)?.read_record(record).ok()?;
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
