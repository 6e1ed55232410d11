//! What a script has said so far, as far as the meaning of its text depends on it.
//!
//! Knows: names in scope, limits. Never: what was asserted, what is asked.

use crate::error::Problem;
use crate::scope::Scope;
use crate::sorts::Sorts;
use effigy_term::{Sort, Symbol, SymbolKind, Terms};

/// What the terms of a script may take.
pub struct ReadLimits {
    /// So many terms; whoever writes `x + x` of `x + x` of ... has few.
    pub terms: usize,
    /// Asked now and then: a reason to stop.
    pub stop: Box<dyn Fn() -> Option<&'static str>>,
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits { terms: 50_000_000, stop: Box::new(|| None) }
    }
}

/// The number of terms after which the reader asks whether it should stop.
const PATIENCE: u32 = 256;

/// Reads commands into the terms of an arena.
pub struct Reader<'t> {
    pub(crate) terms: &'t Terms,
    pub(crate) scope: Scope,
    pub(crate) sorts: Sorts,
    /// By the logic: `5` is a Real where there are no Ints.
    pub(crate) numerals_are_reals: bool,
    limits: ReadLimits,
    /// The terms of the arena when this reader began.
    begun: usize,
    /// How many variables were bound.
    bound: u64,
    patience: u32,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reader({:?})", self.scope)
    }
}

impl<'t> Reader<'t> {
    /// The reader of a script of which nothing was read.
    pub fn new(terms: &'t Terms, limits: ReadLimits) -> Reader<'t> {
        Reader {
            terms,
            scope: Scope::new(),
            sorts: Sorts::default(),
            numerals_are_reals: false,
            limits,
            begun: terms.len(),
            bound: 0,
            patience: PATIENCE,
        }
    }

    /// A variable that is no other one: what is put in its place, or under its quantifier, never captures another.
    pub(crate) fn bind(&mut self, name: &str, sort: Sort) -> Symbol {
        self.bound += 1;
        self.terms.symbol(&format!("{name}~{}", self.bound), sort, SymbolKind::Bound)
    }

    /// Counts a term that was built.
    pub(crate) fn charge(&mut self) -> Result<(), Problem> {
        if self.terms.len() - self.begun > self.limits.terms {
            return Err(Problem::Limit(format!("{} terms", self.limits.terms)));
        }
        self.patience -= 1;
        if self.patience == 0 {
            self.patience = PATIENCE;
            if let Some(reason) = (self.limits.stop)() {
                return Err(Problem::Stopped(reason));
            }
        }
        Ok(())
    }
}
