//! Blocks that are still allocated when a program ends and that nothing leads to: what LeakSanitizer reports.
//!
//! Knows: where pointers are looked for (global variables, the calls that have not returned, other reachable blocks), and
//! that a pointer into the middle of a block counts. Never: when a program has ended, what a report says.
//! Source: compiler-rt/lib/lsan/lsan_common.cpp of LLVM 14 (`ScanRangeForPointers`, `MarkIndirectlyLeaked`).
//!
//! A symbolic value counts for every object whose address is a part of it, so that no block is reported to which a run
//! may still have a pointer.

use crate::call_frame::{Frame, Variadic};
use crate::memory::{Life, Lookup, Object, ObjectId, ObjectKind};
use crate::placement::object_of_symbol;
use crate::process::Family;
use crate::state::State;
use crate::value::Val;
use effigy_term::{BvValue, Node, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Where pointers are looked for at an end, in search of blocks that nothing leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LeaksAtEnd {
    /// Nobody looks for leaks at this end.
    Ignored,
    /// `main` has returned: its variables are gone.
    AfterMain,
    /// The calls that have not returned keep what their variables point to.
    InCall,
}

/// A block that nothing leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leak {
    /// The block.
    pub(crate) object: ObjectId,
    /// How many other blocks only this one leads to.
    pub(crate) indirect: usize,
}

/// The blocks of a state that are directly leaked, in the order of their allocation. The calls that have not returned count
/// only where the program ends inside of them (`in_call`).
pub(crate) fn leaks(state: &State, terms: &Terms, in_call: bool) -> Vec<Leak> {
    let allocations = &state.process.allocations;
    if allocations.is_empty() {
        return Vec::new();
    }
    let is_block = |(id, object): &(ObjectId, &Object)| {
        let of_rust = || matches!(state.process.families.get(id), Some(Family::Rust { .. } | Family::Map(_)));
        object.kind == ObjectKind::Heap && object.life == Life::Live && allocations.contains_key(id) && !of_rust()
    };
    let blocks: BTreeSet<ObjectId> = state.memory.objects().filter(is_block).map(|it| it.0).collect();
    if blocks.is_empty() {
        return Vec::new();
    }
    let mut search = Search {
        state,
        terms,
        blocks: &blocks,
        reached: BTreeSet::new(),
        work: Vec::new(),
        seen: FxHashSet::default(),
    };
    for (id, object) in state.memory.objects() {
        let is_root = match object.kind {
            ObjectKind::Function => false,
            ObjectKind::Stack => in_call,
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Heap => true,
        };
        if is_root && object.life == Life::Live && !blocks.contains(&id) {
            search.scan_object(object);
        }
    }
    if in_call {
        state.frames.iter().for_each(|it| search.scan_frame(it));
    }
    state.process.environment.values().for_each(|it| search.scan_value(it));
    search.follow();
    // What is left: each that no other of them has led to yet is leaked directly, with what it leads to.
    let left: Vec<ObjectId> = blocks.iter().filter(|it| !search.reached.contains(it)).copied().collect();
    let mut res: Vec<Leak> = Vec::new();
    let mut owned: BTreeSet<ObjectId> = BTreeSet::new();
    for &object in &left {
        if owned.contains(&object) {
            continue;
        }
        let before = search.reached.clone();
        search.reached.insert(object);
        search.work.push(object);
        search.follow();
        let led_to: BTreeSet<ObjectId> =
            search.reached.difference(&before).filter(|it| **it != object).copied().collect();
        res.retain(|it| !led_to.contains(&it.object));
        owned.extend(led_to.iter().copied());
        owned.insert(object);
        res.push(Leak { object, indirect: led_to.len() });
    }
    res
}

/// What was found of the blocks so far.
struct Search<'s> {
    state: &'s State,
    terms: &'s Terms,
    blocks: &'s BTreeSet<ObjectId>,
    reached: BTreeSet<ObjectId>,
    work: Vec<ObjectId>,
    seen: FxHashSet<Term>,
}

impl Search<'_> {
    /// Scans the blocks that are reached, and those that they lead to.
    fn follow(&mut self) {
        while let Some(id) = self.work.pop() {
            if let Lookup::Object(object) = self.state.memory.lookup(id) {
                self.scan_object(object);
            }
        }
    }

    fn reach(&mut self, id: ObjectId) {
        if self.blocks.contains(&id) && self.reached.insert(id) {
            self.work.push(id);
        }
    }

    fn scan_object(&mut self, object: &Object) {
        for word in object.bytes.words() {
            self.scan_word(word);
        }
        for term in object.bytes.terms() {
            self.scan_term(term);
        }
    }

    fn scan_frame(&mut self, frame: &Frame) {
        frame.registers.iter().for_each(|it| self.scan_value(it));
        for variadic in frame.variadic.iter() {
            if let Variadic::Word(value) = variadic {
                self.scan_value(value);
            }
        }
    }

    fn scan_value(&mut self, value: &Val) {
        match value {
            Val::Int(bits) | Val::Address { bits, .. } => self.scan_word(*bits),
            Val::Term(term) => self.scan_term(*term),
            Val::Wide(value) => self.scan_wide(value),
            Val::Agg(elements) => elements.iter().for_each(|it| self.scan_value(it)),
            Val::Undef => {}
        }
    }

    /// A number is a pointer if it is the address of a byte of a block; a block of no bytes has one.
    fn scan_word(&mut self, word: u64) {
        let (id, offset) = ObjectId::of_address(word);
        let Some(object) = self.state.memory.get(id) else { return };
        if u64::try_from(offset).is_ok_and(|it| it < object.size.most().max(1)) {
            self.reach(id);
        }
    }

    fn scan_wide(&mut self, value: &BvValue) {
        for word in value.to_biguint().iter_u64_digits() {
            self.scan_word(word);
        }
    }

    fn scan_term(&mut self, term: Term) {
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            if let Some(object) = self.state.strays.of_term(term).or_else(|| self.state.strays.bound(term)) {
                self.reach(object);
            }
            match self.terms.node(term) {
                Node::BitVec(value) => {
                    for word in value.to_biguint().iter_u64_digits() {
                        self.reach(ObjectId::of_address(word).0);
                    }
                }
                Node::Symbol(symbol) => {
                    if let Some(object) = object_of_symbol(self.terms, *symbol) {
                        self.reach(ObjectId(object));
                    }
                }
                node => node.for_each_argument(|it| work.push(it)),
            }
        }
    }
}
