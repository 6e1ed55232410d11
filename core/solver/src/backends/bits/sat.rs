//! A running CaDiCaL and the part of the circuit that it knows.
//!
//! Knows: the clauses of gates, assumptions, limits. Never: terms.

use super::agreement::Wish;
use super::cadical::{Cadical, Literal, SearchResult};
use super::gates::{Bit, Gate, Gates};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The options under which CaDiCaL searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// Search only. Most queries are small and differ little from the last: what CaDiCaL does before and between its
    /// searches costs more than they do.
    Quick,
    /// Its default configuration, which simplifies the clauses as it goes.
    Thorough,
}

/// What one query may spend, apart from conflicts.
#[derive(Clone)]
pub(super) struct Watch {
    pub(super) deadline: Option<Instant>,
    pub(super) interrupt: Arc<AtomicBool>,
}

impl Watch {
    /// Whether the search must stop: it is interrupted or too late.
    pub(super) fn is_over(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.is_late()
    }

    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|it| Instant::now() >= it)
    }
}

/// The number of gates after which the clock is checked.
const GATES_AT_ONCE: usize = 4096;

/// The clauses that say what a gate with the literal `z` is; `of` gives the literals of what it is made of.
pub(super) fn each_clause(gate: Gate, z: Literal, of: impl Fn(Bit) -> Literal, add: &mut impl FnMut(&[Literal])) {
    let mut all = |clauses: &[&[Literal]]| clauses.iter().for_each(|it| add(it));
    match gate {
        Gate::Input => {}
        Gate::And(a, b) => {
            let (x, y) = (of(a), of(b));
            all(&[&[!z, x], &[!z, y], &[z, !x, !y]]);
        }
        Gate::Xor(a, b) => {
            let (x, y) = (of(a), of(b));
            all(&[&[!z, x, y], &[!z, !x, !y], &[z, !x, y], &[z, x, !y]]);
        }
        Gate::Mux(a, b, c) => {
            let (c, x, y) = (of(a), of(b), of(c));
            // The last two follow, but not by propagation.
            all(&[&[!c, !x, z], &[!c, x, !z], &[c, !y, z], &[c, y, !z], &[!x, !y, z], &[x, y, !z]]);
        }
        Gate::Majority(a, b, c) => {
            let (w, x, y) = (of(a), of(b), of(c));
            all(&[&[!w, !x, z], &[!w, !y, z], &[!x, !y, z], &[w, x, !z], &[w, y, !z], &[x, y, !z]]);
        }
    }
}

/// A running SAT solver and what it knows.
pub(super) struct Sat {
    cadical: Cadical,
    /// The variable of each gate that has clauses.
    variables: FxHashMap<u32, Literal>,
    /// How many of the axioms are asserted.
    axioms: usize,
}

impl Sat {
    /// One that begins with what `suggest` says, if it `is_led`; else the thorough one tries what is often lucky.
    pub(super) fn new(effort: Effort, is_led: bool) -> Result<Sat, String> {
        let mut cadical = Cadical::new();
        if effort == Effort::Quick {
            cadical.configure("plain")?;
        }
        if effort == Effort::Quick || is_led {
            cadical.set_option("lucky", 0)?;
        }
        Ok(Sat { cadical, variables: FxHashMap::default(), axioms: 0 })
    }

    /// How many variables it has to assign in each model.
    pub(super) fn len(&self) -> usize {
        self.variables.len()
    }

    /// Is the circuit satisfiable with all `axioms` and `assumptions`? Also, the conflicts that it took.
    pub(super) fn solve(
        &mut self,
        gates: &Gates,
        axioms: &[Bit],
        assumptions: &[Bit],
        conflicts: Option<u64>,
        watch: &Watch,
    ) -> Result<(SearchResult, u64), String> {
        while let Some(&axiom) = axioms.get(self.axioms) {
            if axiom == Bit::FALSE {
                return Ok((SearchResult::Unsat, 0));
            }
            let Some(literal) = self.literal(gates, axiom, watch)? else { return Ok((SearchResult::Stopped, 0)) };
            self.cadical.add_clause(&[literal]);
            self.axioms += 1;
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for &bit in assumptions {
            let Some(literal) = self.literal(gates, bit, watch)? else { return Ok((SearchResult::Stopped, 0)) };
            literals.push(literal);
        }
        let watch = watch.clone();
        let before = self.cadical.conflicts();
        let result = self.cadical.solve(&literals, conflicts, move || watch.is_over())?;
        Ok((result, self.cadical.conflicts().saturating_sub(before)))
    }

    /// The literal of a bit; the clauses of all gates below it are added when they are missing. `None` where there was
    /// no time for all.
    fn literal(&mut self, gates: &Gates, bit: Bit, watch: &Watch) -> Result<Option<Literal>, String> {
        let mut missing = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![bit.gate()];
        while let Some(gate) = work.pop() {
            if !self.variables.contains_key(&gate) && seen.insert(gate) {
                missing.push(gate);
                work.extend(gates.gate(gate).arguments().map(Bit::gate));
            }
        }
        // What a gate is made of has a lower number. The last variable is decided first: the highest bit of an input.
        missing.sort_unstable();
        for some in missing.chunks(GATES_AT_ONCE) {
            if some.len() == GATES_AT_ONCE && watch.is_over() {
                return Ok(None);
            }
            for &gate in some {
                self.define(gates.gate(gate), gate)?;
            }
        }
        Ok(Some(self.known(bit)))
    }

    /// The clauses of a gate whose arguments have theirs.
    fn define(&mut self, gate: Gate, number: u32) -> Result<(), String> {
        let z = Literal::positive(self.variables.len())?;
        self.variables.insert(number, z);
        if gate == Gate::Input {
            // What does not matter is zero: witnesses read better.
            self.cadical.set_phase(!z);
            return Ok(());
        }
        let known = |bit: Bit| self.variables[&bit.gate()].negated_if(bit.is_negated());
        each_clause(gate, z, known, &mut |clause| self.cadical.add_clause(clause));
        Ok(())
    }

    /// The next search begins, in what the axioms reach that are not asserted yet, with the last assignment but for what
    /// inputs would better be.
    pub(super) fn suggest(
        &mut self,
        gates: &Gates,
        axioms: &[Bit],
        wishes: &FxHashMap<u32, Wish>,
        watch: &Watch,
    ) -> Result<(), String> {
        let new = &axioms[self.axioms..];
        let mut cone: Vec<u32> = gates.cone(new.iter()).into_iter().collect();
        cone.sort_unstable();
        let mut values: FxHashMap<u32, bool> = FxHashMap::default();
        let assignment = self.assignment(gates);
        for &gate in &cone {
            let of = |it: u32| values.get(&it).copied().unwrap_or_else(|| assignment.value_of(it));
            let value = match gates.gate(gate) {
                Gate::Input => match wishes.get(&gate) {
                    Some(Wish::Is(value)) => *value,
                    Some(Wish::As(bit)) => of(bit.gate()) != bit.is_negated(),
                    None => of(gate),
                },
                other => other.value(|it| values[&it.gate()] != it.is_negated()),
            };
            values.insert(gate, value);
        }
        for &axiom in new {
            self.literal(gates, axiom, watch)?;
        }
        for gate in cone {
            if let Some(&variable) = self.variables.get(&gate) {
                self.cadical.set_phase(variable.negated_if(!values[&gate]));
            }
        }
        Ok(())
    }

    fn known(&self, bit: Bit) -> Literal {
        self.variables[&bit.gate()].negated_if(bit.is_negated())
    }

    /// The model of the last search, over the gates of the circuit.
    pub(super) fn assignment<'a>(&'a self, gates: &'a Gates) -> Assignment<'a> {
        Assignment { sat: self, gates, computed: RefCell::default() }
    }
}

/// A model of the whole circuit, of which CaDiCaL knows a part: inputs that it does not know are false.
pub(super) struct Assignment<'a> {
    sat: &'a Sat,
    gates: &'a Gates,
    computed: RefCell<FxHashMap<u32, bool>>,
}

impl Assignment<'_> {
    /// The value of a bit.
    pub(super) fn value(&self, bit: Bit) -> bool {
        self.value_of(bit.gate()) != bit.is_negated()
    }

    fn value_of(&self, gate: u32) -> bool {
        let mut work = vec![gate];
        while let Some(&gate) = work.last() {
            if self.known(gate).is_some() {
                work.pop();
                continue;
            }
            let before = work.len();
            let missing = |it: &u32| self.known(*it).is_none();
            work.extend(self.gates.gate(gate).arguments().map(Bit::gate).filter(missing));
            if work.len() == before {
                work.pop();
                let value = |it: Bit| self.known(it.gate()).unwrap_or(false) != it.is_negated();
                let result = self.gates.gate(gate).value(value);
                self.computed.borrow_mut().insert(gate, result);
            }
        }
        self.known(gate).unwrap_or(false)
    }

    fn known(&self, gate: u32) -> Option<bool> {
        if let Some(&variable) = self.sat.variables.get(&gate) {
            return Some(self.sat.cadical.is_true(variable));
        }
        self.computed.borrow().get(&gate).copied()
    }
}
