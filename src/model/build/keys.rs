//! Scope keys, shared among the records that have the same.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::exchanges::header;
use crate::input::event::{Header, Headers, Recorded};
use crate::model::record::{Fact, Keys};
use crate::model::unknown::Reason;

/// An origin and the fingerprint of a credential, as far as they are known.
type Sender = (Option<Arc<str>>, Option<u64>);

/// Makes keys and remembers them.
#[derive(Debug)]
pub(super) struct Cache {
    recording: Arc<str>,
    process: u32,
    known: HashMap<Sender, Arc<Keys>>,
}

impl Cache {
    pub(super) fn new(recording: Arc<str>) -> Self {
        Cache {
            recording,
            process: 0,
            known: HashMap::new(),
        }
    }

    fn blank(&self) -> Keys {
        let unknown = |key| Fact::Unknown(Reason::Key(key).into());
        Keys {
            recording: Arc::clone(&self.recording),
            process: unknown("process"),
            connection: unknown("connection"),
            origin: Fact::Is(Arc::clone(&self.recording)),
            principal: unknown("principal"),
            leg: unknown("leg"),
        }
    }

    /// Keys of traffic of which nothing is known.
    pub(super) fn plain(&self) -> Arc<Keys> {
        Arc::new(self.blank())
    }

    /// Keys of a process that starts here.
    pub(super) fn process(&mut self, command: &[String]) -> Arc<Keys> {
        self.process += 1;
        let origin = if command.is_empty() {
            Arc::clone(&self.recording)
        } else {
            command.join(" ").into()
        };
        Arc::new(Keys {
            process: Fact::Is(format!("{}", self.process).into()),
            origin: Fact::Is(origin),
            principal: Fact::Missing,
            ..self.blank()
        })
    }

    /// Keys of an HTTP request.
    pub(super) fn http(&mut self, url: Option<&str>, headers: &Headers) -> Arc<Keys> {
        let origin = origin(url, headers);
        let credential = credential(headers);
        let fingerprint = credential.known().copied();
        if let Some(keys) = self.known.get(&(origin.clone(), fingerprint)) {
            return Arc::clone(keys);
        }
        let mut keys = self.blank();
        keys.process = Fact::Missing;
        if let Some(origin) = &origin {
            keys.origin = Fact::Is(Arc::clone(origin));
        }
        keys.principal = match credential {
            Fact::Is(hash) => Fact::Is(format!("{hash:016x}").into()),
            Fact::Missing => Fact::Missing,
            Fact::Unknown(reasons) => Fact::Unknown(reasons),
        };
        let keys = Arc::new(keys);
        // A hostile recording may name a new host in each request: the cache is a convenience, no record.
        if self.known.len() < 1024 {
            self.known.insert((origin, fingerprint), Arc::clone(&keys));
        }
        keys
    }
}

/// A fingerprint of the credential, not the credential.
fn credential(headers: &Headers) -> Fact<u64> {
    match header(headers, "authorization") {
        Some(Header { redacted: true, .. }) => Fact::Unknown(Reason::Redacted.into()),
        Some(header) => {
            let mut hasher = DefaultHasher::new();
            header.raw.trim().hash(&mut hasher);
            Fact::Is(hasher.finish())
        }
        None if matches!(headers.recorded, Recorded::Exact | Recorded::Folded) => Fact::Missing,
        None => Fact::Unknown(Reason::Header("authorization".into()).into()),
    }
}

/// Scheme, host, port and path: of a target, with the `Host` header.
fn origin(url: Option<&str>, headers: &Headers) -> Option<Arc<str>> {
    let url = url?;
    let path_end = url.find(['?', '#']).unwrap_or(url.len());
    let bare = &url[..path_end];
    if bare.contains("://") {
        return Some(bare.into());
    }
    let host = header(headers, "host")?;
    Some(format!("http://{}{bare}", host.raw.trim()).into())
}
