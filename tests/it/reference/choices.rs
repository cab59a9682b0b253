//! Generated cases are read off a sequence of numbers: shorter and smaller sequences give simpler cases, so that a case
//! that fails can be made small.

use proptest::collection::vec;
use proptest::prelude::*;

/// Numbers that decide what is generated; after the last one all are 0.
pub struct Choices {
    numbers: Vec<u16>,
    at: usize,
}

impl Choices {
    pub fn new(numbers: Vec<u16>) -> Self {
        Choices { numbers, at: 0 }
    }

    /// One of `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(number) % n
    }

    /// One of some; the first is the simplest.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }
}

/// Sequences of at most so many numbers.
pub fn numbers(most: usize) -> impl Strategy<Value = Vec<u16>> {
    vec(any::<u16>(), most / 2..most)
}
