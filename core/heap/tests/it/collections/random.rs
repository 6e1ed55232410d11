//! Small random values of any sort, so small that equal ones meet often.

use super::evaluate::Value;
use effigy_heap::collections::{CollectionKind, Collections};
use effigy_term::Sort;

/// A generator of numbers; the same seed gives the same numbers (splitmix64).
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random number less than `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// A value of a sort.
pub fn value(random: &mut Random, collections: &Collections, sort: Sort) -> Value {
    match collections.kind(sort) {
        None if sort == Sort::Bool => Value::Bool(random.below(2) == 0),
        None if sort == Sort::Int => Value::Int(random.below(7) as i64 - 2),
        None => Value::Element(random.below(3)),
        Some(CollectionKind::Seq(element)) => Value::Seq(several(random, collections, element)),
        Some(CollectionKind::Set(element)) => Value::Set(several(random, collections, element).into_iter().collect()),
        Some(CollectionKind::Multiset(element)) => {
            let mut counts = std::collections::BTreeMap::new();
            several(random, collections, element).into_iter().for_each(|it| *counts.entry(it).or_insert(0) += 1);
            Value::Multiset(counts)
        }
        Some(CollectionKind::Map(key, of)) => {
            let keys = several(random, collections, key);
            Value::Map(keys.into_iter().map(|it| (it, value(random, collections, of))).collect())
        }
    }
}

fn several(random: &mut Random, collections: &Collections, sort: Sort) -> Vec<Value> {
    (0..random.below(5)).map(|_| value(random, collections, sort)).collect()
}
