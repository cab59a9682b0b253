//! Catalogues: list results with their pages joined, and dumps.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Builder, Occurrence};
use crate::input::event::{EntryKind, Transport};
use crate::json::{Json, JsonKind};
use crate::model::protocol::{CATALOGUES, NEWEST};
use crate::model::record::{Fact, Keys, Listing, MessageRef, Ordinal, Session};
use crate::model::unknown::Reason;

/// The pages of a list so far.
struct Pages {
    entries: Vec<Json>,
    /// The cursor of the page that is awaited.
    next: String,
    /// The first page is among them.
    from_start: bool,
    response: MessageRef,
}

/// A catalogue without messages.
pub(super) struct Dump {
    pub(super) server: Option<Arc<str>>,
    pub(super) kind: EntryKind,
    pub(super) entries: Vec<Json>,
    pub(super) complete: bool,
    pub(super) partial: bool,
    pub(super) time: Fact<i64>,
}

/// What a catalogue without messages takes over from a message.
type With = (Fact<Transport>, Fact<Arc<str>>, Arc<Session>, Arc<Keys>);

/// Catalogues that join the session of what comes next.
#[derive(Default)]
pub(super) struct Joining {
    pub(super) waiting: Vec<Dump>,
    last: Option<With>,
}

/// Lists of which pages are still awaited, by the session's ordinal.
#[derive(Default)]
pub(super) struct Catalogues {
    partial: HashMap<(Ordinal, EntryKind), Pages>,
}

impl Builder {
    /// A response passed: if it carries a page, the page is joined.
    pub(super) fn catalogue(&mut self, response: &MessageRef) {
        let Some(result) = response.message.json.member("result") else {
            return;
        };
        let asked = response.pair.as_ref().map(|pair| &pair.request);
        let method = asked.and_then(|request| request.json.member("method"));
        let page = CATALOGUES.iter().find_map(|(list, kind, member)| {
            // Without its request, a result is known by its shape.
            if asked.is_some() && method.as_ref().and_then(Json::as_str) != Some(list) {
                return None;
            }
            result
                .member(member)
                .filter(|m| m.kind() == JsonKind::List)
                .map(|entries| (*kind, entries))
        });
        let Some((kind, page)) = page else { return };
        let cursor = asked
            .and_then(|request| request.json.member("params"))
            .and_then(|p| p.member("cursor"));
        let key = (response.message.common.session.ordinal, kind);
        let before = self.catalogues.partial.remove(&key);
        let mut entries = vec![];
        let mut from_start = asked.is_some();
        match (&cursor, before) {
            (Some(cursor), Some(pages)) if cursor.as_str() == Some(&pages.next) => {
                entries = pages.entries;
                from_start = pages.from_start;
            }
            (Some(_), before) => {
                from_start = false;
                self.abandon(kind, before);
            }
            (None, before) => self.abandon(kind, before),
        }
        entries.extend(page.children());
        let next = result.member("nextCursor");
        match next.as_ref().and_then(Json::as_str) {
            Some(next) => {
                let pages = Pages {
                    entries,
                    next: next.to_owned(),
                    from_start,
                    response: response.clone(),
                };
                self.catalogues.partial.insert(key, pages);
            }
            None => self.listing(kind, entries, from_start, response.clone()),
        }
    }

    fn abandon(&mut self, kind: EntryKind, pages: Option<Pages>) {
        if let Some(pages) = pages {
            self.listing(kind, pages.entries, false, pages.response);
        }
    }

    /// Lists whose last page never came.
    pub(super) fn flush_catalogues(&mut self) {
        let mut left: Vec<_> = self.catalogues.partial.drain().collect();
        left.sort_by_key(|(_, pages)| pages.response.ordinal());
        for ((_, kind), pages) in left {
            self.listing(kind, pages.entries, false, pages.response);
        }
    }

    fn listing(&mut self, kind: EntryKind, entries: Vec<Json>, complete: bool, response: MessageRef) {
        let of = &response.message.common;
        let mut common = self.common(
            of.time.clone(),
            of.transport.clone(),
            of.revision.clone(),
            Arc::clone(&of.session),
            Arc::clone(&of.keys),
        );
        common.index = response.message.common.index;
        let derived = entries.iter().map(|_| Arc::default()).collect();
        let listing = Listing {
            common,
            kind,
            entries,
            complete,
            partial: false,
            response: Some(response),
            derived,
        };
        self.out.push(Occurrence::Listing(Arc::new(listing)));
    }

    /// A catalogue without messages, in a session of its own.
    pub(super) fn dump(&mut self, dump: Dump) {
        let transport = Fact::Unknown(Reason::Transport.into());
        let key = format!("dump {}", dump.server.as_deref().unwrap_or(""));
        let session = self.session(&key, self.begins(None), transport.clone());
        let keys = Arc::clone(&self.stdio);
        let unknown = Fact::Unknown(Reason::Revision.into());
        self.listed(dump, &(transport, unknown, session, keys));
    }

    /// Something passes of which the session is known: the catalogues that wait for it are of that session.
    pub(super) fn join(
        &mut self,
        transport: &Fact<Transport>,
        revision: &Fact<Arc<str>>,
        session: &Arc<Session>,
        keys: &Arc<Keys>,
    ) {
        if !self.assumptions.joined {
            return;
        }
        let with = (
            transport.clone(),
            revision.clone(),
            Arc::clone(session),
            Arc::clone(keys),
        );
        for dump in std::mem::take(&mut self.joining.waiting) {
            self.listed(dump, &with);
        }
        self.joining.last = Some(with);
    }

    /// Catalogues behind which nothing comes are of the session of what came last.
    pub(super) fn flush_dumps(&mut self) {
        for dump in std::mem::take(&mut self.joining.waiting) {
            match self.joining.last.clone() {
                Some(with) => self.listed(dump, &with),
                None => self.dump(dump),
            }
        }
    }

    fn listed(&mut self, dump: Dump, (transport, revision, session, keys): &With) {
        let newest = || self.assumptions.revision.clone().unwrap_or_else(|| NEWEST.into());
        let revision = match revision {
            Fact::Is(revision) => Arc::clone(revision),
            _ => newest(),
        };
        let common = self.common(
            dump.time,
            transport.clone(),
            Fact::Is(revision),
            Arc::clone(session),
            Arc::clone(keys),
        );
        let derived = dump.entries.iter().map(|_| Arc::default()).collect();
        let listing = Listing {
            common,
            kind: dump.kind,
            entries: dump.entries,
            complete: dump.complete,
            partial: dump.partial,
            response: None,
            derived,
        };
        self.out.push(Occurrence::Listing(Arc::new(listing)));
    }
}
