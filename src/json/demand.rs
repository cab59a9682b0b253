//! Which members of a value are wanted.

/// A trie of members: what a set of rules reads of a value. Scalars that are reached are always kept; a container that
/// is reached is kept with what is demanded below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Demand {
    whole: bool,
    members: Members,
    elements: Option<Box<Demand>>,
    /// Of the elements of a list that stands in the place of the value: see [`batched`](Self::batched).
    batch: Option<Box<Demand>>,
}

impl Demand {
    /// Only the value's kind, and the value itself if it is a scalar.
    pub fn shallow() -> Self {
        Demand::default()
    }

    /// Everything below.
    pub fn whole() -> Self {
        Demand {
            whole: true,
            ..Demand::default()
        }
    }

    /// Whether everything below is wanted.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether nothing below is wanted.
    pub fn is_shallow(&self) -> bool {
        !self.whole && self.members.by_name.is_empty() && self.elements.is_none() && self.batch.is_none()
    }

    /// Wants everything below.
    pub fn demand_whole(&mut self) {
        self.whole = true;
    }

    /// The demand on a member, which is wanted from now on.
    pub fn member(&mut self, name: &str) -> &mut Demand {
        self.members.entry(name)
    }

    /// The demand on every element of a list and every member of an object, which are wanted from now on.
    pub fn element(&mut self) -> &mut Demand {
        self.elements.get_or_insert_default()
    }

    /// Wants what `other` wants as well.
    pub fn merge(&mut self, other: &Demand) {
        self.whole |= other.whole;
        for (name, demand) in &other.members.by_name {
            self.member(name).merge(demand);
        }
        if let Some(elements) = &other.elements {
            self.element().merge(elements);
        }
    }

    /// Brings the trie into the form that decoding walks: what is wanted of every member is also said of each named one.
    #[must_use]
    pub fn frozen(mut self) -> Self {
        if self.whole {
            return Demand::whole();
        }
        if let Some(elements) = self.elements.take() {
            for (_, demand) in &mut self.members.by_name {
                demand.merge(&elements);
            }
            self.elements = Some(Box::new(elements.frozen()));
        }
        for (_, demand) in &mut self.members.by_name {
            *demand = std::mem::take(demand).frozen();
        }
        self
    }

    /// Of a frozen trie: a list in the place of the value is a list of such values, each wanted like it.
    #[must_use]
    pub fn batched(mut self) -> Self {
        let mut one = self.clone();
        if let Some(elements) = &self.elements {
            one.merge(elements);
        }
        self.batch = Some(Box::new(one.frozen()));
        self
    }

    /// In a frozen trie: the demand on the member `name`, if it is wanted.
    pub(super) fn of_member(&self, name: &str) -> Option<&Demand> {
        if self.whole {
            return Some(self);
        }
        self.members.get(name).or(self.elements.as_deref())
    }

    /// In a frozen trie: the demand on the elements of a list, if they are wanted.
    pub(super) fn of_element(&self) -> Option<&Demand> {
        if self.whole {
            Some(self)
        } else {
            self.batch.as_deref().or(self.elements.as_deref())
        }
    }
}

/// The demands on named members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Members {
    /// Sorted.
    by_name: Vec<(String, Demand)>,
    /// One bit per length of a name that is here: most names of a message are not wanted, and are told apart by it.
    lengths: u64,
}

impl Members {
    fn entry(&mut self, name: &str) -> &mut Demand {
        let at = self
            .by_name
            .binary_search_by(|(known, _)| known.as_str().cmp(name));
        let at = at.unwrap_or_else(|at| {
            self.by_name.insert(at, (name.to_owned(), Demand::default()));
            at
        });
        self.lengths |= length_bit(name);
        &mut self.by_name[at].1
    }

    #[inline]
    fn get(&self, name: &str) -> Option<&Demand> {
        if self.lengths & length_bit(name) == 0 {
            return None;
        }
        // To compare more than a letter is a call.
        let alike =
            |known: &str| known.len() == name.len() && known.as_bytes().first() == name.as_bytes().first();
        let found = self
            .by_name
            .iter()
            .find(|(known, _)| alike(known) && known == name);
        found.map(|(_, demand)| demand)
    }
}

fn length_bit(name: &str) -> u64 {
    1 << name.len().min(63)
}
