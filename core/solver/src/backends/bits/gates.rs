//! A circuit of and- and xor-gates with shared structure.
//!
//! Knows: constant propagation at construction. Never: terms, clauses.

use rustc_hash::{FxHashMap, FxHashSet};

/// An output of a gate, perhaps negated. Gate 0 is the constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Bit(u32);

impl Bit {
    pub(super) const FALSE: Bit = Bit(0);
    pub(super) const TRUE: Bit = Bit(1);

    pub(super) fn of(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// The value, where it is the same in every assignment.
    pub(super) fn constant(self) -> Option<bool> {
        match self {
            Bit::FALSE => Some(false),
            Bit::TRUE => Some(true),
            _ => None,
        }
    }

    pub(super) fn gate(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn negated_if(self, cond: bool) -> Bit {
        Bit(self.0 ^ u32::from(cond))
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// A gate, with its operands as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Gate {
    Input,
    And(Bit, Bit),
    Xor(Bit, Bit),
    /// The second where the first holds, else the third.
    Mux(Bit, Bit, Bit),
    /// What at least two of them are: the carry of an addition.
    Majority(Bit, Bit, Bit),
}

impl Gate {
    /// What it is made of.
    pub(super) fn arguments(self) -> impl Iterator<Item = Bit> {
        let (all, count) = match self {
            Gate::Input => ([Bit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, Bit::FALSE], 2),
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => ([a, b, c], 3),
        };
        all.into_iter().take(count)
    }

    /// Its value, from those of what it is made of; an input, and the constant, are false.
    pub(super) fn value(self, of: impl Fn(Bit) -> bool) -> bool {
        match self {
            Gate::Input => false,
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Mux(a, b, c) => of(if of(a) { b } else { c }),
            Gate::Majority(a, b, c) => [a, b, c].into_iter().filter(|&it| of(it)).count() > 1,
        }
    }
}

/// A circuit: gates, each once, in the order of their definition.
#[derive(Debug, Default)]
pub(super) struct Gates {
    gates: Vec<Gate>,
    shared: FxHashMap<Gate, u32>,
}

impl Gates {
    pub(super) fn new() -> Gates {
        // Gate 0 is the constant; it has no clauses because no gate is built over it.
        Gates { gates: vec![Gate::Input], ..Gates::default() }
    }

    /// How many gates there are.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(super) fn gate(&self, gate: u32) -> Gate {
        self.gates[gate as usize]
    }

    pub(super) fn input(&mut self) -> Bit {
        self.gates.push(Gate::Input);
        Bit((self.gates.len() as u32 - 1) << 1)
    }

    fn add(&mut self, gate: Gate) -> Bit {
        if let Some(&known) = self.shared.get(&gate) {
            return Bit(known << 1);
        }
        let number = self.gates.len() as u32;
        self.gates.push(gate);
        self.shared.insert(gate, number);
        Bit(number << 1)
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (a, b) {
            (Bit::FALSE, _) => Bit::FALSE,
            (Bit::TRUE, it) => it,
            _ if a == b => a,
            _ if a == !b => Bit::FALSE,
            _ => self.add(Gate::And(a, b)),
        }
    }

    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let res = match (a, b) {
            (Bit::FALSE, it) => it,
            _ if a == b => Bit::FALSE,
            _ => self.add(Gate::Xor(a, b)),
        };
        res.negated_if(negated)
    }

    pub(super) fn mux(&mut self, cond: Bit, then: Bit, other: Bit) -> Bit {
        if cond.is_negated() {
            return self.mux(!cond, other, then);
        }
        match (cond, then, other) {
            (Bit::FALSE, ..) => other,
            (_, x, y) if x == y => x,
            (_, x, y) if x == !y => self.xor(cond, y),
            (_, Bit::TRUE, it) => self.or(cond, it),
            (_, Bit::FALSE, it) => self.and(!cond, it),
            (_, it, Bit::TRUE) => self.or(!cond, it),
            (_, it, Bit::FALSE) => self.and(cond, it),
            (_, x, y) if x == cond => self.or(cond, y),
            (_, x, y) if x == !cond => self.and(!cond, y),
            (_, x, y) if y == cond => self.and(cond, x),
            (_, x, y) if y == !cond => self.or(!cond, x),
            (_, x, y) => {
                let negated = x.is_negated();
                self.add(Gate::Mux(cond, x.negated_if(negated), y.negated_if(negated))).negated_if(negated)
            }
        }
    }

    pub(super) fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut args = [a, b, c];
        args.sort_unstable();
        match args {
            [Bit::FALSE, x, y] => self.and(x, y),
            [Bit::TRUE, x, y] => self.or(x, y),
            [x, y, _] | [_, x, y] if x == y => x,
            [x, y, z] if x == !y => z,
            [x, y, z] if y == !z => x,
            [x, y, z] => {
                let negated = x.is_negated();
                let [x, y, z] = [x, y, z].map(|it| it.negated_if(negated));
                self.add(Gate::Majority(x, y, z)).negated_if(negated)
            }
        }
    }

    /// The gates that these bits depend on.
    pub(super) fn cone<'a>(&self, bits: impl Iterator<Item = &'a Bit>) -> FxHashSet<u32> {
        let mut seen = FxHashSet::default();
        let mut work: Vec<u32> = bits.map(|it| it.gate()).collect();
        while let Some(gate) = work.pop() {
            if !seen.insert(gate) {
                continue;
            }
            work.extend(self.gate(gate).arguments().map(Bit::gate));
        }
        seen
    }
}
