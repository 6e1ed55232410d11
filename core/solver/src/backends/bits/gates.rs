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

/// A gate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Gate {
    Input,
    And(Bit, Bit),
    Xor(Bit, Bit),
}

/// The circuit.
#[derive(Debug)]
pub(super) struct Gates {
    gates: Vec<Gate>,
    shared: FxHashMap<Gate, u32>,
}

impl Gates {
    pub(super) fn new() -> Gates {
        // Gate 0 is the constant; it has no clauses because no gate is built over it.
        Gates { gates: vec![Gate::Input], shared: FxHashMap::default() }
    }

    /// How many gates there are.
    #[cfg(test)]
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
        if then == other {
            return then;
        }
        if then == !other {
            return self.xor(cond, other);
        }
        let (yes, no) = (self.and(cond, then), self.and(!cond, other));
        self.or(yes, no)
    }

    /// The gates that these bits depend on.
    pub(super) fn cone(&self, bits: &[Bit]) -> FxHashSet<u32> {
        let mut seen = FxHashSet::default();
        let mut work: Vec<u32> = bits.iter().map(|it| it.gate()).collect();
        while let Some(gate) = work.pop() {
            if !seen.insert(gate) {
                continue;
            }
            if let Gate::And(a, b) | Gate::Xor(a, b) = self.gate(gate) {
                work.extend([a.gate(), b.gate()]);
            }
        }
        seen
    }
}
