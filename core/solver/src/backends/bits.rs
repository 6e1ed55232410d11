//! Bit-blasting to CaDiCaL in the process.
//!
//! Knows: circuits (`gates`), their construction from terms (`blast`, `circuits`), clauses. Never: processes.
//!
//! Terms are blasted once into a circuit with shared gates. The part of the circuit that a query reaches becomes
//! clauses when it is first needed, and each conjunct is an assumption, so that what CaDiCaL learns on one path
//! serves the next. Since CaDiCaL assigns every variable that it knows, it is started afresh when most of what it
//! knows has nothing to do with the query.

mod blast;
mod circuits;
mod gates;
mod products;
mod quotients;
#[cfg(test)]
mod tests;

use crate::statistics::Counter;
use crate::{Answer, Query, Reason, Solver, SolverConfig, Statistics};
use blast::Blaster;
use effigy_term::{Model, Symbol, Term, Terms};
use gates::{Bit, Gate};
use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Clause, Lit, TernaryVal};
use rustsat_cadical::{CaDiCaL, Config, Limit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// With fewer variables than this, starting afresh is not worth it.
const FEW_VARIABLES: usize = 20_000;

/// The backend. It belongs to one arena of terms.
pub struct Bits {
    blaster: Blaster,
    sat: Option<Sat>,
    interrupt: Arc<AtomicBool>,
    counter: Counter,
}

/// A running SAT solver and what it knows.
struct Sat {
    cadical: CaDiCaL<'static, 'static>,
    /// The variable of each gate that has clauses.
    variables: FxHashMap<u32, u32>,
    /// How many of the blaster's axioms are asserted.
    axioms: usize,
}

impl Bits {
    /// The backend of this configuration.
    pub fn new(config: &SolverConfig) -> Bits {
        Bits {
            blaster: Blaster::new(),
            sat: None,
            interrupt: Arc::clone(&config.interrupt),
            counter: Counter::new("bits"),
        }
    }

    fn decide(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let mut roots = query.conjuncts();
        roots.push(query.goal);
        let mut assumptions = Vec::with_capacity(roots.len());
        for &root in &roots {
            match self.blaster.truth(terms, root) {
                Ok(Bit::TRUE) => {}
                Ok(Bit::FALSE) => return Answer::Unsat,
                Ok(bit) => assumptions.push(bit),
                Err(what) => return Answer::Unknown(Reason::Unsupported(what)),
            }
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Answer::Unknown(Reason::Interrupted);
        }
        match self.solve(&assumptions, query) {
            Ok(true) => Answer::Sat(query.complete(self.model(terms, &roots))),
            Ok(false) => Answer::Unsat,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn solve(&mut self, assumptions: &[Bit], query: &Query<'_>) -> Result<bool, Reason> {
        let failed = |error: &dyn std::fmt::Display| Reason::Failed(error.to_string());
        if let Some(sat) = &self.sat
            && sat.variables.len() > FEW_VARIABLES
            && self.blaster.gates.cone(assumptions).len() < sat.variables.len() / 4
        {
            self.sat = None;
        }
        let sat = match &mut self.sat {
            Some(sat) => sat,
            none => none.insert(Sat::new().map_err(|it| failed(&it))?),
        };
        while sat.axioms < self.blaster.axioms.len() {
            let axiom = self.blaster.axioms[sat.axioms];
            let literal = sat.literal(&self.blaster.gates, axiom).map_err(|it| failed(&it))?;
            sat.cadical.add_clause([literal].into_iter().collect()).map_err(|it| failed(&it))?;
            sat.axioms += 1;
        }
        let mut literals = Vec::with_capacity(assumptions.len());
        for &bit in assumptions {
            literals.push(sat.literal(&self.blaster.gates, bit).map_err(|it| failed(&it))?);
        }
        if let Some(steps) = query.budget.steps {
            let limit = i32::try_from(steps).unwrap_or(i32::MAX);
            sat.cadical.set_limit(Limit::Conflicts(limit)).map_err(|it| failed(&it))?;
        }
        let deadline = query.budget.time.map(|it| Instant::now() + it);
        let interrupt = Arc::clone(&self.interrupt);
        sat.cadical.attach_terminator(move || {
            let late = deadline.is_some_and(|it| Instant::now() >= it);
            if late || interrupt.load(Ordering::Relaxed) {
                rustsat::solvers::ControlSignal::Terminate
            } else {
                rustsat::solvers::ControlSignal::Continue
            }
        });
        let result = sat.cadical.solve_assumps(&literals);
        sat.cadical.detach_terminator();
        match result {
            Ok(SolverResult::Sat) => Ok(true),
            Ok(SolverResult::Unsat) => Ok(false),
            Ok(SolverResult::Interrupted) if self.interrupt.load(Ordering::Relaxed) => Err(Reason::Interrupted),
            Ok(SolverResult::Interrupted) if deadline.is_some_and(|it| Instant::now() >= it) => Err(Reason::Time),
            Ok(SolverResult::Interrupted) => Err(Reason::Steps),
            Err(error) => {
                self.sat = None;
                Err(failed(&error))
            }
        }
    }

    /// The values of all symbols of the query.
    fn model(&self, terms: &Terms, roots: &[Term]) -> Model {
        let mut model = Model::new();
        let Some(sat) = &self.sat else { return model };
        let symbols: FxHashSet<Symbol> = roots.iter().flat_map(|&it| terms.symbols(it)).copied().collect();
        let mut symbols: Vec<Symbol> = symbols.into_iter().collect();
        symbols.sort_unstable();
        for symbol in symbols {
            if let Some(value) = self.blaster.value(terms, symbol, &|bit| sat.value(bit)) {
                model.set(symbol, value);
            }
        }
        for (function, value) in self.blaster.functions(terms, &|bit| sat.value(bit)) {
            model.set_function(function, value);
        }
        model
    }
}

impl Sat {
    /// Most queries are small and differ little from the last: what CaDiCaL does before each search costs more than
    /// the search.
    fn new() -> Result<Sat, String> {
        let mut cadical = CaDiCaL::default();
        cadical.set_configuration(Config::Plain).map_err(|it| it.to_string())?;
        cadical.set_option("lucky", 0).map_err(|it| it.to_string())?;
        Ok(Sat { cadical, variables: FxHashMap::default(), axioms: 0 })
    }

    /// The literal of a bit; the clauses of all gates below it are added when they are missing.
    fn literal(&mut self, gates: &gates::Gates, bit: Bit) -> Result<Lit, String> {
        let mut work = vec![bit.gate()];
        while let Some(&gate) = work.last() {
            if self.variables.contains_key(&gate) {
                work.pop();
                continue;
            }
            let (a, b) = match gates.gate(gate) {
                Gate::Input => {
                    self.variable(gate);
                    work.pop();
                    continue;
                }
                Gate::And(a, b) | Gate::Xor(a, b) => (a, b),
            };
            let before = work.len();
            work.extend([a, b].into_iter().map(Bit::gate).filter(|it| !self.variables.contains_key(it)));
            if work.len() > before {
                continue;
            }
            work.pop();
            let (x, y) = (self.known(a), self.known(b));
            let z = Lit::positive(self.variable(gate));
            let clauses: &[&[Lit]] = match gates.gate(gate) {
                Gate::And(..) => &[&[!z, x], &[!z, y], &[z, !x, !y]],
                _ => &[&[!z, x, y], &[!z, !x, !y], &[z, !x, y], &[z, x, !y]],
            };
            for clause in clauses {
                let clause: Clause = clause.iter().copied().collect();
                self.cadical.add_clause(clause).map_err(|it| it.to_string())?;
            }
        }
        Ok(self.known(bit))
    }

    fn variable(&mut self, gate: u32) -> u32 {
        let variable = self.variables.len() as u32;
        self.variables.insert(gate, variable);
        variable
    }

    fn known(&self, bit: Bit) -> Lit {
        Lit::new(self.variables[&bit.gate()], bit.is_negated())
    }

    /// The value of a bit in the last model; a gate that no clause mentions is false.
    fn value(&self, bit: Bit) -> bool {
        if bit == Bit::TRUE || bit == Bit::FALSE {
            return bit == Bit::TRUE;
        }
        let Some(&variable) = self.variables.get(&bit.gate()) else { return bit.is_negated() };
        let value = matches!(self.cadical.lit_val(Lit::positive(variable)), Ok(TernaryVal::True));
        value != bit.is_negated()
    }
}

impl Solver for Bits {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.counter.begin();
        let answer = self.decide(terms, query);
        self.counter.answered(since);
        answer
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
    }
}
